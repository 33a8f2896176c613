"""The models of this machine, each with what is known about it: where it is from, how large, how fit, why it is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app import paths


@dataclass(frozen=True, slots=True)
class Shelved:
    """One model file."""

    name: str
    path: Path
    source: str
    size: int
    """Bytes."""
    used: bool = False
    problem: str = ""
    """Why it cannot be used; empty where it can."""
    fitness: tuple[tuple[str, float], ...] = ()
    """(ability, share of cases that were right); empty where it was never tested."""
    memory: int = 0
    """Bytes that it needs while it is in use, roughly; 0 where that is not known."""
    speed: float = 0.0
    """Tokens a second in its last replies here; 0 where it has not replied yet."""


USUAL_CONTEXT = 4096
"""Tokens of context that a model is opened with."""
Shelf = Callable[[], list[Shelved]]


def shelf() -> list[Shelved]:
    """What is found on this machine; looks at many folders, so only a worker asks."""
    from app.llm import speeds
    from app.llm.find import default_places, find
    from app.llm.fitness import remembered
    from app.settings import chosen_model

    found = list(find(default_places(paths.data_dir(), checkout=paths.checkout_models_dir())))
    chosen = chosen_model(found)
    listed, fast = [], speeds.read(paths.speeds_file())
    for one in found:
        known = remembered(paths.fitness_file(), one.path) if one.usable else None
        shares = tuple(sorted(known.shares.items())) if known is not None else ()
        used = chosen is not None and one.path == chosen.path
        need = one.header.memory(min(USUAL_CONTEXT, one.header.context_length or USUAL_CONTEXT)) if one.header else 0
        listed.append(
            Shelved(one.name, one.path, one.source, one.size, used, one.problem or "", shares, need,
                    speeds.speed_of(fast, one.path))
        )  # fmt: skip
    return listed


def use(path: Path) -> None:
    """From now on this is the model."""
    from app.settings import remember_model

    remember_model(path, paths.config_dir())
