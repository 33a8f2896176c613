"""Memory and model are opened off the interface's thread; whatever goes wrong becomes a message with one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.message import Message

from app.messages import MemoryFailed, MemoryOpened, ModelLoaded
from app.ports import MemoryPort, MemorySource, ModelSource
from app.services import Settings
from app.turn import Voice
from store.errors import ErstwhileError
from store.protocols import LanguageModel
from store.records import Change

LATELY = 45 * 86_400_000_000
"""Microseconds."""

Tell = Callable[[Message], object]


def open_memory(source: MemorySource, tell: Tell) -> None:
    """Tell MemoryOpened or MemoryFailed."""
    try:
        tell(MemoryOpened(source() if callable(source) else source))
    except ErstwhileError as error:
        tell(MemoryFailed(str(error)))


def open_model(source: ModelSource, settings: Settings, tell: Tell) -> None:
    """Tell ModelLoaded, with a voice or with the reason for its absence."""
    try:
        model = source() if callable(source) else source
    except ErstwhileError as error:
        tell(ModelLoaded(None, str(error)))
        return
    if model is None:
        tell(ModelLoaded(None))
        return
    from app.composing import compose, is_small

    invents = is_small(model) if settings.model_invents is None else settings.model_invents
    honest, tools = proven(model)
    tell(ModelLoaded(Voice(model, compose, invents, settings.max_tokens, honest=honest, tools=tools)))


def proven(model: LanguageModel) -> tuple[bool, bool]:
    """What `erstwhile models test` found of this very file: that it says so where it does not know, and that it can
    moreover look things up by itself.
    """
    from app.llm.fitness import remembered
    from app.paths import fitness_file

    path = getattr(model, "path", None)
    known = remembered(fitness_file(), path) if isinstance(path, Path) and path.exists() else None
    honest = known is not None and known.passed("absent") and known.passed("chat")
    return honest, honest and known is not None and known.passed("tools")


def lately_changed(memory: MemoryPort, now: int) -> tuple[Change, ...]:
    """What began to be believed in the last weeks, newest first; what was only said again is left out."""
    found = memory.changes(now - LATELY)
    return tuple(one for one in reversed(found) if one.new is not None and one.kind != "reinforce")
