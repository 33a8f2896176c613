"""Memory and model are opened off the interface's thread; a model speaks by its size, and by what it is fit for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.behaviour import Settings
from app.ports import MemoryPort, MemorySource, ModelSource
from store.protocols import LanguageModel
from store.records import Change

if TYPE_CHECKING:
    from app.turn import Voice

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
    from app.composing import compose, is_small
    from app.llm.small import LONGEST
    from app.turn import Voice

    small = is_small(model)
    invents = small if settings.model_invents is None else settings.model_invents
    longest = min(settings.max_tokens, LONGEST) if small and invents else settings.max_tokens
    honest, tools, failed = proven(model)
    invents = invents or (failed and settings.model_invents is None)
    return Voice(model, compose, invents, longest, honest=honest, tools=tools, small=_has_few_weights(model))


def _has_few_weights(model: LanguageModel) -> bool:
    from app.llm.small import has_few_weights

    path = getattr(model, "path", None)
    return isinstance(path, Path) and path.exists() and has_few_weights(path)


def proven(model: LanguageModel) -> tuple[bool, bool, bool]:
    """What `erstwhile models test` found of this very file: that it says so where it does not know, that it can look
    things up by itself, and that it cannot even read what it is given.
    """
    from app.llm.fitness import remembered
    from app.paths import fitness_file

    path = getattr(model, "path", None)
    known = remembered(fitness_file(), path) if isinstance(path, Path) and path.exists() else None
    if known is None:
        return False, False, False
    reads = known.passed("chat")
    return reads and known.passed("absent"), reads and known.passed("tools"), not reads


def lately_changed(memory: MemoryPort, now: int) -> tuple[Change, ...]:
    """What began to be believed in the last weeks, newest first; what was only said again is left out."""
    found = memory.changes(now - LATELY)
    return tuple(one for one in reversed(found) if one.new is not None and one.kind != "reinforce")
