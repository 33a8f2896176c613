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
from contextlib import suppress
from typing import BinaryIO

from app.llm import wire
from app.llm.backend import Backend, BackendError
from app.llm.template import TemplateError

BEHIND = 5  # how much a model gives way to everything else, the screen above all: its threads keep every core busy
Work = wire.Load | wire.Chat | wire.Count | wire.Save | wire.Restore


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
            self._perform(request)
            self._cancelled.discard(request.id)

    def _perform(self, request: Work) -> None:
        try:
            self._send(self._answer(request))
        except (BackendError, TemplateError) as error:
            traceback.print_exc(file=sys.stderr)
            self._send(wire.Failed(request.id, str(error)))

    def _answer(self, request: Work) -> wire.Event:
        match request:
            case wire.Load():
                return self._backend.load(request)
            case wire.Chat():
                pieces = self._backend.chat(
                    request, lambda: request.id in self._cancelled, lambda: self._send(wire.Working(request.id))
                )
                while True:
                    try:
                        self._send(wire.Token(request.id, next(pieces)))
                    except StopIteration as end:
                        done: wire.Done = end.value
                        return done
            case wire.Count():
                return wire.Counted(request.id, self._backend.count(request.text))
            case wire.Save():
                self._backend.save(request.path)
                return wire.Done(request.id)
            case wire.Restore():
                return wire.Done(request.id, reused_tokens=self._backend.restore(request.path))

    def _listen(self) -> None:
        try:
            while line := self._source.readline(wire.LONGEST_LINE):
                self._hear(wire.decode(line, wire.Request))
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
                self._send(wire.Done(request.id))
            case wire.Count():
                self._perform(request)  # which is answered also while a reply is written
            case _:
                self._work.put(request)

    def _send(self, event: wire.Event) -> None:
        with self._writing:
            self._sink.write(wire.encode(event))
            self._sink.flush()


def serve(backend: Backend) -> None:
    """Take over standard input and output and serve until the parent is gone."""
    sys.stdout.flush()
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
