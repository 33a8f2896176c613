"""Memory and model are opened off the interface's thread; a model speaks by its size, and by what it is fit for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.core.behaviour import Settings
from app.core.ports import MemoryPort, MemorySource, ModelSource
from store.protocols import LanguageModel
from store.records import Change

if TYPE_CHECKING:
    from app.core.fitness import Fitness
    from app.core.turn import Voice

LATELY = 45 * 86_400_000_000
"""Microseconds."""


def open_memory(source: MemorySource) -> MemoryPort:
    """The memory, opened if it is not open yet. Raises StoreError."""
    return source() if callable(source) else source


def open_model(source: ModelSource, settings: Settings) -> Voice | None:
    """The model as it may speak; None where there is none. Raises ModelError."""
    model = source() if callable(source) else source
    return None if model is None else voiced(model, settings)


def voiced(model: LanguageModel, settings: Settings) -> Voice:
    """The model as it may speak: by its size, and by what it was found fit for."""
    from app.core.composing import compose, is_small
    from app.core.turn import Voice
    from app.llm.small import LONGEST, Size

    small, by_size = is_small(model), settings.model_invents is None
    invents = small if settings.model_invents is None else settings.model_invents
    longest = min(settings.max_tokens, LONGEST) if small and invents else settings.max_tokens
    path = getattr(model, "path", None)
    file = path if isinstance(path, Path) and path.exists() else None
    size = Size() if file is None else Size.of(file)
    known = None if file is None else _found_of(file)
    reads = known is not None and known.passed("chat")
    return Voice(
        model, compose, invents or (by_size and known is not None and not reads), longest,
        honest=known is not None and reads and known.passed("absent"),
        tools=known is not None and reads and known.passed("tools"),
        small=size.doubtful,
        relied_on=size.relied_on or not by_size,
        comments=not by_size or (size.comments_untested if known is None else known.passed("comment")),
    )  # fmt: skip


def _found_of(path: Path) -> Fitness | None:
    """What `erstwhile models test` found of this very file."""
    from app.core.fitness import remembered
    from app.paths import fitness_file

    return remembered(fitness_file(), path)


def lately_changed(memory: MemoryPort, now: int) -> tuple[Change, ...]:
    """What began to be believed in the last weeks, newest first; what was only said again is left out."""
    found = memory.beliefs.changes(now - LATELY)
    return tuple(one for one in reversed(found) if one.new is not None and one.kind != "reinforce")
