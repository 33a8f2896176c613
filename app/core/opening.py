"""Memory and model are opened off the interface's thread, and what there is to tell since one was last here is read.

A model speaks by its size, and by what it is fit for.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from app.core.settings import Settings
from store.protocols import LanguageModel
from store.records import Change

if TYPE_CHECKING:
    from app.core.turn import Voice
    from app.llm.fetch import Step
    from store.memory import Memory
    from store.sleep.telling import BriefLine

MemorySource: TypeAlias = "Memory | Callable[[], Memory]"
"""The memory, or what opens it; the latter is called in the background, after the first frame."""
ModelSource = LanguageModel | Callable[[], LanguageModel | None] | None
"""The model, what loads it in the background, or None for a memory that goes without."""
SetUp = Callable[[Event], Iterator["Step"]]
"""Fetches and builds what a model needs in order to run, until the event is set; ends at once where nothing is missing.
"""
LATELY = 45 * 86_400_000_000  # microseconds
LOOK_EVERY = 0.1  # seconds between two looks whether the person left


def open_memory(source: MemorySource, left: Event) -> Memory | None:
    """The memory, opened if it is not open yet; None where the person `left` meanwhile: nobody waits for the thread
    that opens it, and a file that was half opened is none the worse. Raises StoreError."""
    if not callable(source):
        return source
    opening: Future[Memory] = Future()

    def run() -> None:
        try:
            opening.set_result(source())
        except Exception as error:  # noqa: BLE001 # it is raised to whoever waits
            opening.set_exception(error)

    threading.Thread(target=run, name="opening", daemon=True).start()
    while not left.is_set():
        if wait([opening], LOOK_EVERY).done:
            return opening.result()
    return None


def open_model(source: ModelSource, settings: Settings) -> Voice | None:
    """The model as it may speak; None where there is none. Raises ModelError."""
    model = source() if callable(source) else source
    return None if model is None else voiced(model, settings)


def voiced(model: LanguageModel, settings: Settings) -> Voice:
    """The model as it may speak: by its size, and by what it was found fit for."""
    from app.core.composing import compose, is_small
    from app.core.fitness import remembered
    from app.core.turn import Voice
    from app.llm import gguf, small
    from app.paths import fitness_file

    makes_up, by_size = is_small(model), settings.model_invents is None
    invents = makes_up if settings.model_invents is None else settings.model_invents
    longest = min(settings.max_tokens, small.LONGEST) if makes_up and invents else settings.max_tokens
    path = getattr(model, "path", None)
    file = path if isinstance(path, Path) and path.exists() else None
    weights = 0 if file is None else gguf.read(file).weights  # 0: nobody can tell, and it is not taken for small
    known = None if file is None else remembered(fitness_file(), file)  # what `erstwhile models test` found of it
    reads = known is not None and known.passed("chat")
    return Voice(
        model, compose, invents or (by_size and known is not None and not reads), longest,
        honest=known is not None and reads and known.passed("absent"),
        tools=known is not None and reads and known.passed("tools"),
        small=0 < weights < small.FEW_WEIGHTS,
        relied_on=not (by_size and 0 < weights < small.RELIED_ON),
        comments=not by_size or (
            not 0 < weights < small.COMMENTS_UNTESTED if known is None else known.passed("comment")
        ),
    )  # fmt: skip


def lately_changed(memory: Memory, now: int) -> tuple[Change, ...]:
    """What began to be believed in the last weeks, newest first; what was only said again is left out."""
    found = memory.beliefs.changes(now - LATELY)
    return tuple(one for one in reversed(found) if one.new is not None and one.kind != "reinforce")


class Morning(NamedTuple):
    """What there is to tell."""

    heading: str = ""
    lines: tuple[BriefLine, ...] = ()

    @property
    def news(self) -> tuple[str, ...]:
        """The heading, and each thing; nothing where there is nothing."""
        return (self.heading, *(line.text for line in self.lines)) if self.lines else ()


def read_morning(memory: Memory) -> Morning:
    """What the memory has to tell since its last brief was read; nothing before its first sleep."""
    from store.sleep.telling import heading
    from store.sleep.telling import lines as told

    if memory.log.last_sleep() is None:
        return Morning()
    brief = memory.overview.brief()
    return Morning(heading(brief), tuple(told(brief)))


_LOCK = threading.Lock()
_readers = 0


@contextmanager
def long_read() -> Iterator[None]:
    """While it lasts no garbage is collected; at its end what is there is set apart from what the next collections look
    at: with a hundred thousand beliefs a full one takes a second, and records have no cycles."""
    global _readers
    with _LOCK:
        _readers += 1
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            _readers -= 1
            if not _readers:
                gc.freeze()
                gc.enable()
