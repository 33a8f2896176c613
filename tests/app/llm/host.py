"""A server on the loopback that plays the host of a model: it redirects, names digests, and fails as it is told to."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Host:
    """What is served, and which faults the server has."""

    content: bytes
    cuts: list[int] = field(default_factory=list)
    """For each of the next requests: after how many bytes it breaks the connection."""
    digest: str | None = None
    """What it says the SHA-256 is; by default the truth, and nothing where it is empty."""
    ignores_range: bool = False
    redirects: bool = True
    """As the Hugging Face hub: the first server names the digest, and sends one on to another."""
    status: int = 200
    hangs: threading.Event | None = None
    """Set, the server gives half of the file and then waits for this."""
    pause: float = 0.0
    """Seconds between two pieces."""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    """(path, Range) of each request."""
    heard: list[set[str]] = field(default_factory=list)
    """The names of the headers of each request."""
    port: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/owner/repository/resolve/main/tiny-q4.gguf"

    @property
    def said(self) -> str:
        return hashlib.sha256(self.content).hexdigest() if self.digest is None else self.digest


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    host: Host

    def do_GET(self) -> None:
        host = self.host
        host.asked.append((self.path, self.headers.get("Range")))
        host.heard.append(set(self.headers))
        if host.redirects and not self.path.startswith("/cdn/"):
            self._redirect()
        elif host.status != 200:
            self._head(host.status, {"Content-Length": "0"})
        else:
            self._give()

    def _redirect(self) -> None:
        said = {"X-Linked-ETag": f'"{self.host.said}"'} if self.host.said else {}
        size = {"X-Linked-Size": str(len(self.host.content))}
        self._head(302, {"Location": f"/cdn{self.path}", "Content-Length": "0", **said, **size})

    def _give(self) -> None:
        host, whole = self.host, len(self.host.content)
        span = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")) if not host.ignores_range else None
        start = int(span[1]) if span else 0
        if start >= whole > 0 and span:
            self._head(416, {"Content-Range": f"bytes */{whole}", "Content-Length": "0"})
            return
        named = '"of-the-cdn"' if host.redirects else f'"{host.said}"'
        headers = {"Content-Length": str(whole - start), "ETag": named, "Accept-Ranges": "bytes"}
        self._head(206 if span else 200, {**headers, "Content-Range": f"bytes {start}-{whole - 1}/{whole}"})
        self._pour(start)

    def _pour(self, start: int) -> None:
        host, whole = self.host, len(self.host.content)
        end = min(whole, start + host.cuts.pop(0)) if host.cuts else whole
        end = whole // 2 if host.hangs is not None and not host.hangs.is_set() else end
        step = max(1, whole // 20)
        with suppress(ConnectionError):  # a pause is a client that leaves
            for at in range(start, end, step):
                self.wfile.write(host.content[at : min(end, at + step)])
                time.sleep(host.pause)
        if host.hangs is not None:
            host.hangs.wait(120)
        self.close_connection = True

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


@contextmanager
def serving(host: Host) -> Iterator[Host]:
    """Serve until the block is left."""
    handler = type("Answer", (_Answer,), {"host": host})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        host.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield host
        finally:
            if host.hangs is not None:
                host.hangs.set()
            server.shutdown()
            thread.join()
