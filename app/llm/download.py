"""The only module that fetches over the network: one file from one address, when asked for; nothing else is sent.

What has come (halves.py) outlives a cut, a pause and the end of the program. It goes on where it stopped if the server
still gives the same file; where the server cannot say so, or cannot begin in the middle, from the beginning. It is
renamed into place when its size and SHA-256 are those of the table and of the server, and its header is that of a
model.

`python -m app.llm.download WANTED FOLDER` does the same in a process of its own, and says its steps as JSON lines: the
app runs that, so that a pause is a kill, and a server that hangs holds nothing up.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import re
import shutil
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import IO, Any

from app.llm.catalogue import FileToFetch, check_address
from app.llm.fetch import Step
from app.llm.find import examine, sha256
from app.llm.gguf import in_gigabytes, in_megabytes
from app.llm.halves import Changed, PartialFile, ResponseHeaders
from app.paths import private_dir
from store.errors import ErstwhileError, ModelUnavailable

SILENCE = 20.0  # seconds without a byte after which a connection is given up
WAITS: tuple[float, ...] = (1.0, 3.0, 9.0)
"""Seconds before each new attempt; an attempt that brought something begins the count anew."""
_CHUNK = 256 * 1024
_SPARE = 64 * 1024 * 1024  # bytes of disk that a download leaves free
_TELL = 0.2  # seconds between two steps that are told
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_MAGIC = b"GGUF"
_REFUSALS = dict.fromkeys((404, 410), "there is no such file") | dict.fromkeys(
    (401, 403), "its owner gives it only to who has signed in: fetch it with a browser and give the file's path here"
)


class ConnectionCut(Exception):
    """The connection failed in a way that another attempt may mend; the text says how."""


class Redirects(urllib.request.HTTPRedirectHandler):
    """Follows only where models are fetched from, and hears what each server says of the file."""

    def __init__(self, told: ResponseHeaders) -> None:
        self._told = told

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        self._told.hear(headers)
        check_address(newurl, before=req.full_url)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(wanted: FileToFetch, models: Path) -> Generator[Step, None, None]:
    """Bring the file into the folder; the last step has its path. Closing the generator keeps what has come.

    Raises ModelUnavailable with what is wrong and what to do, and BadInput for an address that is none.
    """
    check_address(wanted.address)
    target, part = models / wanted.file, PartialFile(wanted, models)
    if target.exists():
        if wanted.size not in (None, target.stat().st_size):
            raise ModelUnavailable(f"Another file called {target.name} is in {models}: move it away first.")
        yield Step(f"{wanted.file} is already there.", 1.0, target)
        return
    try:
        private_dir(models)
        with part.held() as file:
            digest = yield from _bring(part, file)
            yield from _prove(part, digest)
            os.fsync(file.fileno())
            part.path.replace(target)
            part.note.unlink(missing_ok=True)
    except OSError as error:
        came = in_gigabytes(part.size if os.access(models, os.X_OK) else 0)
        raise ModelUnavailable(
            f"{wanted.file} cannot be written to {models} ({error.strerror or error}): make room; the {came} that came "
            "are kept, and fetching it again goes on from there."
        ) from error
    checked = "" if digest else " The server gives no checksum, so only its header was checked."
    yield Step(f"{wanted.file} is here.{checked}", 1.0, target)


def _bring(part: PartialFile, file: IO[bytes]) -> Generator[Step, None, str | None]:
    """Attempt after attempt, until all has come; gives the SHA-256 that it has to have, where one is known."""
    failed = 0
    while True:
        before = part.size
        try:
            return (yield from _attempt(part, file))
        except Changed:
            file.truncate(0)
            yield Step(f"{part.wanted.name}: from the beginning, as the server cannot go on where it stopped.", 0.0)
        except ConnectionCut as cut:
            failed = 1 if part.size > before else failed + 1
            if failed > len(WAITS):
                kept = f"; {in_gigabytes(part.size)} are kept, and fetching it again goes on" if part.size else ""
                raise ModelUnavailable(f"{part.wanted.name}: {cut}{kept}. Check the connection.") from cut
            # A second at a time, for a pause to come between; the first step stands for itself.
            why, share = f"{part.wanted.name}: {cut}", None
            for left in range(math.ceil(WAITS[failed - 1]), 0, -1):
                yield Step(f"{why}; another attempt in {left} s.", share)
                time.sleep(1.0)
                share = part.share
            yield Step(f"{why}; this is another attempt.", share)


def _attempt(part: PartialFile, file: IO[bytes]) -> Generator[Step, None, str | None]:
    """One connection. Raises ConnectionCut, Changed, ModelUnavailable."""
    have, told = part.size, ResponseHeaders()
    response = _opened(part, told)
    if response is not None:
        with response:
            begins = _begins(response, told)
            if have and (begins != have or not part.fits(told)):
                raise Changed
            _check(part, told)
            part.remember(told)
            yield from _pour(part, file, response, told)
        if told.size is not None and part.size < told.size:
            raise ConnectionCut("the connection ended too early")
    return part.wanted.sha256 or told.sha256


def _opened(part: PartialFile, told: ResponseHeaders) -> http.client.HTTPResponse | None:
    """The answer of the last server; None if it has no more to give. Raises ConnectionCut, Changed,
    ModelUnavailable."""
    request = urllib.request.Request(part.wanted.address, headers={"User-Agent": "erstwhile"})
    if have := part.size:
        request.add_header("Range", f"bytes={have}-")
    try:
        response: http.client.HTTPResponse = urllib.request.build_opener(Redirects(told)).open(request, timeout=SILENCE)
    except urllib.error.HTTPError as error:
        with error:
            told.hear(error.headers)
        if error.code == 416 and have:
            part.whole(told)
            return None
        if error.code in (408, 425, 429) or error.code >= 500:
            raise ConnectionCut(f"the server is not ready (it answered {error.code})") from error
        why = _REFUSALS.get(error.code, f"the server answered {error.code}")
        raise ModelUnavailable(f"{part.wanted.name}: {why}.") from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLCertVerificationError):
            why = f"The server's certificate is not trusted ({reason.verify_message}): nothing was fetched."
            raise ModelUnavailable(why) from error
        if isinstance(reason, TimeoutError):
            raise ConnectionCut("the server does not answer") from error
        what = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        raise ConnectionCut(f"the server cannot be reached ({what})") from error
    told.hear(response.headers)
    return response


def _begins(response: http.client.HTTPResponse, told: ResponseHeaders) -> int:
    """At which byte the answer begins; hears how long the whole is. Raises Changed for one that makes no sense."""
    if response.status == 206:
        span = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if span is None:
            raise Changed
        told.size = told.size or int(span[2])
        return int(span[1])
    length = response.headers.get("Content-Length", "")
    told.size = told.size or (int(length) if length.isdigit() else None)
    return 0


def _check(part: PartialFile, told: ResponseHeaders) -> None:
    """The server speaks of the file that is wanted, and there is room for it. Raises ModelUnavailable."""
    wanted = part.wanted
    known = ((wanted.sha256, told.sha256), (wanted.size, told.size))
    if any(ours and theirs and ours != theirs for ours, theirs in known):
        raise ModelUnavailable(
            f"{wanted.name}: the server has another file under this address than the one that is known to be good"
            " (its size or SHA-256 differs); nothing of it was fetched. Choose another model."
        )
    left, free = (told.size or 0) - part.size, shutil.disk_usage(part.folder).free
    missing = left + _SPARE - free
    if missing > 0 and told.size:
        raise ModelUnavailable(
            f"{wanted.name} needs {in_megabytes(left)} more in {part.folder}, where {in_megabytes(_SPARE)} stay"
            f" free, and {in_megabytes(free)} are free: make room for {in_megabytes(missing)} and fetch it again."
        )


def _pour(
    part: PartialFile, file: IO[bytes], response: http.client.HTTPResponse, told: ResponseHeaders
) -> Iterator[Step]:
    """Add what comes to the part. Raises ConnectionCut, ModelUnavailable, OSError where it cannot be written."""
    began, first, told_at, done = time.monotonic(), part.size, 0.0, part.size
    while chunk := _next(response, len(_MAGIC) if done == 0 else _CHUNK):
        if done == 0 and chunk != _MAGIC:
            part.drop()
            raise ModelUnavailable(f"{part.wanted.address} gives no GGUF file: look for one that ends with .gguf.")
        left = memoryview(chunk)
        while left:  # an unbuffered file may take only a piece of it
            left = left[file.write(left) :]
        done += len(chunk)
        if told.size is not None and done > told.size:
            part.drop()
            raise ModelUnavailable(f"{part.wanted.name}: the server gave more than it said; nothing of it is kept.")
        now = time.monotonic()
        if now - told_at >= _TELL:
            told_at = now
            yield _progress(part.wanted.name, done, told.size, (done - first) / max(now - began, 0.001))


def _next(response: http.client.HTTPResponse, most: int) -> bytes:
    try:
        return response.read(most) if most < _CHUNK else response.read1(most)
    except (OSError, http.client.HTTPException, ValueError) as error:
        silent = isinstance(error, TimeoutError)
        raise ConnectionCut("the server fell silent" if silent else "the connection was cut") from error


def _progress(name: str, done: int, size: int | None, speed: float) -> Step:
    """Fetching qwen3-4b: 1.2 of 2.5 GB, 11 MB/s, about 2 min."""
    if size is None:
        return Step(f"Fetching {name}: {in_gigabytes(done)}, {speed / 1e6:.1f} MB/s.")
    left = (size - done) / max(speed, 1.0)
    words = f"about {left / 60:.0f} min" if left >= 90 else f"about {left:.0f} s"
    return Step(f"Fetching {name}: {in_gigabytes(done)} of {in_gigabytes(size)}, {speed / 1e6:.1f} MB/s, {words}.",
                done / size)  # fmt: skip


def _prove(part: PartialFile, digest: str | None) -> Iterator[Step]:
    """The whole of it is what it has to be. Raises ModelUnavailable, having thrown it away."""
    problem = examine(part.path).problem
    if digest is not None:
        yield Step(f"Checking {part.wanted.name}.", 1.0)
        if sha256(part.path) != digest:
            problem = (
                f"{part.wanted.name}: what came is not what the server announced (its SHA-256 differs); nothing of "
                "it is kept: fetch it again."
            )
    if problem:
        part.drop()
        raise ModelUnavailable(problem.replace(part.path.name, part.wanted.file))


def main(arguments: list[str]) -> int:
    """Fetch, saying each step as a JSON line: `sentence`, `share` and `path`, or `problem`."""
    try:
        for step in fetch(FileToFetch(**json.loads(arguments[0])), Path(arguments[1])):
            _say(sentence=step.sentence, share=step.share, path=str(step.path) if step.path else None)
    except ErstwhileError as error:
        _say(problem=str(error))
        return 1
    except BrokenPipeError:  # who asked for it is gone; what came is kept
        return 1
    return 0


def _say(**line: str | float | None) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
