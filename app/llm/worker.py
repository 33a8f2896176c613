"""One request at a time on the main thread, while a second thread always hears `cancel` and the end of the parent.

Standard output carries events and nothing else: file descriptor 1 is pointed at standard error before any library
is loaded. When standard input ends, the parent is gone, and so is this process, at once, whatever it was doing.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from app.llm import wire
from app.llm.backend import Backend, BackendError

BEHIND = 5
"""How much a model gives way to everything else, the screen above all: its threads keep every core busy."""
Work = wire.Load | wire.Chat | wire.Save | wire.Restore


class Worker:
    """Serves requests from `source` with `backend`, writes events to `sink`."""

    def __init__(self, source: BinaryIO, sink: BinaryIO, backend: Backend) -> None:
        self._source, self._sink, self._backend = source, sink, backend
        self._writing = threading.Lock()
        self._work: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self._cancelled: set[int] = set()

    def serve(self) -> None:
        """Never returns: the listening thread ends the process."""
        threading.Thread(target=self._listen, name="listen", daemon=True).start()
        while True:
            request = self._work.get()
            try:
                self._perform(request)
            except BackendError as error:
                traceback.print_exc(file=sys.stderr)
                self._send(wire.Failed(request.id, error.problem, str(error)))
            self._cancelled.discard(request.id)

    def _perform(self, request: Work) -> None:
        report = self._reporter(request.id)
        match request:
            case wire.Load():
                self._send(self._backend.load(request, report))
            case wire.Chat():
                self._chat(request, report)
            case wire.Save():
                self._backend.save(request.path)
                self._send(wire.Done(request.id))
            case wire.Restore():
                self._send(wire.Done(request.id, reused_tokens=self._backend.restore(request.path)))

    def _chat(self, request: wire.Chat, report: Callable[[float], None]) -> None:
        pieces = self._backend.chat(request, lambda: request.id in self._cancelled, report)
        while True:
            try:
                text = next(pieces)
            except StopIteration as end:
                self._send(end.value)
                return
            self._send(wire.Token(request.id, text))

    def _reporter(self, request_id: int) -> Callable[[float], None]:
        return lambda share: self._send(wire.WorkerProgress(request_id, share))

    def _listen(self) -> None:
        try:
            while line := self._source.readline(wire.LONGEST_LINE):
                self._hear(wire.decode_request(line))
        except wire.WireError as error:
            sys.stderr.write(f"{error}\n")
        finally:
            # A native call cannot be interrupted, and there is nobody left to clean up for.
            os._exit(0)

    def _hear(self, request: wire.Request) -> None:
        match request:
            case wire.Quit():
                os._exit(0)
            case wire.Cancel():
                self._cancelled.add(request.id)
            case wire.Ping():
                self._send(wire.Pong(request.id))
            case wire.Count():
                self._count(request)
            case _:
                self._work.put(request)

    def _count(self, request: wire.Count) -> None:
        try:
            self._send(wire.Counted(request.id, self._backend.count(request.text)))
        except BackendError as error:
            self._send(wire.Failed(request.id, error.problem, str(error)))

    def _send(self, event: wire.Event) -> None:
        with self._writing:
            self._sink.write(wire.encode(event))
            self._sink.flush()


def serve(backend: Backend) -> None:
    """Take over standard input and output and serve until the parent is gone."""
    sys.stdout.flush()
    if hasattr(os, "nice"):
        with suppress(OSError):  # a system that forbids it runs the model all the same
            os.nice(BEHIND)
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    Worker(source, sink, backend).serve()


if __name__ == "__main__":
    from app.llm.backend import LlamaBackend

    serve(LlamaBackend())
