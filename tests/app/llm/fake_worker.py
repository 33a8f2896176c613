"""The real worker loop over a scripted model, so that every failure of a model can be had on demand.

Run as a script with one argument, a JSON object:
    load    "fine" | "crash" | "crash when fast" | "refuse" | "hang" | "exit"
    pieces  what the reply consists of
    then    "end" | "crash" | "hang" | "forever" | "refuse": what happens after the last piece
    load_as a file that says how to load, each time anew
    diary   a file to which every load is appended as "fast" or "careful"
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.llm import wire
from app.llm.backend import AtWork, BackendError, Cancelled, Pieces
from app.llm.worker import serve


class ScriptedBackend:
    """Does what its script says."""

    def __init__(self, script: dict[str, Any]) -> None:
        self._script = script

    def load(self, request: wire.Load) -> wire.Loaded:
        print("noise on standard output must not reach the parent")
        if "diary" in self._script:
            with Path(self._script["diary"]).open("a") as diary:
                diary.write("fast\n" if request.use_extra_bufts else "careful\n")
        how = self._script.get("load", "fine")
        if "load_as" in self._script:
            how = Path(self._script["load_as"]).read_text()
        if how == "crash" or (how == "crash when fast" and request.use_extra_bufts):
            os.kill(os.getpid(), signal.SIGSEGV)
        if how == "refuse":
            raise BackendError("The template is hostile.")
        if how == "hang":
            hang()
        if how == "exit":
            sys.stderr.write("the library is missing\n")
            os._exit(3)
        return wire.Loaded(request.id, request.n_ctx)

    def chat(self, request: wire.Chat, cancelled: Cancelled, at_work: AtWork) -> Pieces:
        pieces = self._script.get("pieces", ["Hello", " there"])
        then = self._script.get("then", "end")
        if then == "refuse":
            raise BackendError("This is 9 tokens long and the model reads 4.")
        yield from pieces
        if then == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if then == "hang":
            hang()
        while then == "forever":
            if cancelled():
                return wire.Done(request.id, reason="cancelled", generated_tokens=len(pieces))
            time.sleep(0.002)
            yield "."
        return wire.Done(request.id, generated_tokens=len(pieces))

    def count(self, text: str) -> int:
        return len(text.split())

    def save(self, path: str) -> None:
        Path(path).write_text("state")

    def restore(self, path: str) -> int:
        return len(Path(path).read_text())


def hang() -> None:
    """Computes nothing and listens to nothing."""
    while True:
        time.sleep(60)


if __name__ == "__main__":
    serve(ScriptedBackend(json.loads(sys.argv[1])))
