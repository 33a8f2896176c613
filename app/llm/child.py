"""Nothing that a child does can block the parent: reading, writing and logging have threads, and a kill always works.

A Child is one process from its start to its end; it is never restarted, and it is reaped when it ends.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from app.llm import wire

WORKER = (sys.executable, "-P", "-m", "app.llm.worker")
"""-P: a folder called `app` where the person happens to stand must not be taken for ours."""

_ROOT = Path(__file__).resolve().parents[2]


class Child:
    """Starts `command` and speaks the wire protocol with it."""

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._process = subprocess.Popen(
            command, env=environment(), start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._boxes: dict[int, queue.SimpleQueue[wire.Event | None]] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.ended_here = False  # we ended it; it did not end by itself
        self.log: deque[str] = deque(maxlen=200)  # the last lines of its standard error
        tasks = ((self._write, self._process.stdin), (self._read, self._process.stdout),
                 (self._note, self._process.stderr))  # fmt: skip
        self._threads = [
            threading.Thread(target=task, args=(pipe,), name="model pipe", daemon=True) for task, pipe in tasks
        ]
        for thread in self._threads:
            thread.start()

    @property
    def alive(self) -> bool:
        return not self._ended.is_set()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Negative: the signal that ended it. None while it runs."""
        return self._process.poll()

    def open(self, request_id: int) -> queue.SimpleQueue[wire.Event | None]:
        """Where the events of this request will arrive; None when the child has ended."""
        box: queue.SimpleQueue[wire.Event | None] = queue.SimpleQueue()
        with self._lock:
            self._boxes[request_id] = box
            if self._ended.is_set():
                box.put(None)
        return box

    def close(self, request_id: int) -> None:
        """Forget the request; later events of it are dropped."""
        with self._lock:
            self._boxes.pop(request_id, None)

    def send(self, request: wire.Request) -> None:
        """Returns at once; a child that does not read holds up a thread, not the caller."""
        self._outgoing.put(wire.encode(request))

    def end(self, *, patience: float) -> None:
        """Ask it to quit, then terminate, then kill; when this returns the process is gone and reaped."""
        self.ended_here = self.ended_here or self.alive
        if self.alive and patience > 0:
            self.send(wire.Quit())
            self._ended.wait(patience)
        if self.alive and patience > 0:
            self._process.terminate()
            self._ended.wait(patience)
        if self.alive:
            self._process.kill()
        self._process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join(timeout=5.0)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            while (line := self._outgoing.get()) is not None:
                pipe.write(line)
                pipe.flush()
            pipe.close()
        except OSError as error:  # the child is gone; its mailboxes say so
            self.log.append(f"cannot write to the model process: {error}")

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while line := pipe.readline(wire.LONGEST_LINE):
                event: wire.Event = wire.decode(line, wire.Event)
                with self._lock:
                    if event.id in self._boxes:
                        self._boxes[event.id].put(event)
        except wire.WireError as error:
            self.log.append(str(error))
            self._process.kill()
        finally:
            pipe.close()
            self._bury()

    def _bury(self) -> None:
        """Its standard output has ended; so does it, and everyone who waits is told."""
        try:
            self._process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._lock:
            self._ended.set()
            for box in self._boxes.values():
                box.put(None)
        self._outgoing.put(None)

    def _note(self, pipe: IO[bytes]) -> None:
        while line := pipe.readline(2000):
            self.log.append(line.decode("utf-8", "replace").rstrip())
        pipe.close()


def environment() -> dict[str, str]:
    """Ours, with the checkout on the path when this is one; installed packages find themselves."""
    environment = dict(os.environ)
    if _ROOT.name not in {"site-packages", "dist-packages"}:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    return environment
