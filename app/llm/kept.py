"""What a model has read of a conversation is kept as a cache: it saves time, and is never needed, trusted or kept long.

It lies beside the memory file, one file for each conversation and model, readable by its owner only, the oldest going
first. It holds the conversation's words (as tokens), so an erase of any words drops all of it
(`store.database.beside`), and what was read before such a drop is never written again. A conversation off the record is
never written.

llama.cpp keeps the tokens with the cache and compares them with the prompt: a file that does not fit saves nothing and
changes no reply. The file's name says which model, as its weights may differ where its shape is the same.
"""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Any

from app.llm.machine import model_library_version
from app.llm.process import ModelProcess
from store.database import beside

MOST_FILES = 8
MOST_BYTES = 512 * 1024 * 1024
_ENDING = ".state"


class StateFolder:
    """The kept states of the conversations of one memory, for one model."""

    def __init__(self, memory: Path, model: Path, n_ctx: int) -> None:
        self._memory = memory
        try:
            status = model.stat()
            shape = f"{status.st_size} {status.st_mtime_ns}"
        except OSError:  # it will not load either, and that is said there
            shape = "gone"
        named = f"{model.resolve()} {shape} {model_library_version()} {n_ctx}"
        self._model = hashlib.sha256(named.encode()).hexdigest()[:16]

    def file(self, conversation: str) -> Path:
        """Where the state of this conversation is, or would be."""
        name = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        return beside.folder(self._memory) / f"{name}-{self._model}{_ENDING}"

    def tidy(self) -> None:
        """Drop the oldest until what is left is few enough and small enough."""
        files = sorted(beside.folder(self._memory).glob(f"*{_ENDING}"), key=lambda file: -file.stat().st_mtime)
        total = 0
        for place, file in enumerate(files):
            total += file.stat().st_size
            if place >= MOST_FILES or total > MOST_BYTES:
                file.unlink(missing_ok=True)


class ReopeningModel(ModelProcess):
    """A ModelProcess that takes conversations up where it left them, also after the program was closed."""

    def __init__(self, path: Path, *, memory: Path, **options: Any) -> None:
        """`memory` is the file beside which the states lie; `options` are those of ModelProcess."""
        super().__init__(path, **options)
        self._memory, self._states = memory, StateFolder(memory, path, self.n_ctx)
        self._conversation: str | None = None
        self._mark: str | None = None  # changes whenever words are erased from the memory
        self._leaving = threading.Lock()

    def take_up(self, conversation: str | None) -> int:
        """The next reply belongs to this conversation (None: to one that leaves no trace). Gives the tokens that need
        not be read again. Raises ModelError where the model cannot be started."""
        with self._leaving:
            if conversation is not None and conversation == self._conversation:
                return 0
            self._keep()
            self._conversation = conversation
            if conversation is None:
                return 0
            self._mark = beside.mark(self._memory, make=True)
            return self.restore_state(self._states.file(conversation))

    def close(self) -> None:
        """Keep what was read of the last conversation, then end the child for good."""
        self.cancel()
        with self._leaving:
            self._keep()
            self._conversation = None
        super().close()

    def _keep(self) -> None:
        """Write what was read of the present conversation, unless words were erased since it was taken up."""
        if self._conversation is None or not self.running or beside.mark(self._memory) != self._mark:
            return
        target = self._states.file(self._conversation)
        fresh = target.with_suffix(".new")
        try:
            if self.save_state(fresh) and beside.mark(self._memory) == self._mark:
                fresh.replace(target)
                self._states.tidy()
        except FileNotFoundError:  # words were erased meanwhile, and the folder went with them
            return
        finally:
            fresh.unlink(missing_ok=True)
