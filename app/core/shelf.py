"""The models of this machine, each with what is known about it: where it is from, how large, how fit, why it is not.

How fast a model writes is what its last replies on this machine were; nothing that was said is kept for it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from subprocess import CalledProcessError
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from app import paths
from app.core.settings import CONTEXT_LENGTH
from store.errors import ModelUnavailable

if TYPE_CHECKING:
    from app.core.fitness import CaseResult
    from app.llm.catalogue import FileToFetch, Offer
    from app.llm.fetch import Step
    from app.llm.halves import Half


class Shelved(NamedTuple):
    """One model file."""

    name: str
    path: Path
    source: str
    size: int  # bytes
    used: bool = False
    problem: str = ""  # why it cannot be used; empty where it can
    fitness: tuple[tuple[str, float], ...] = ()  # (ability, share of right cases); empty: never tested
    memory: int = 0  # bytes that it needs while it is in use, roughly; 0 where that is not known
    speed: float = 0.0  # tokens a second in its last replies here; 0 where it has not replied yet


class Stock(NamedTuple):
    """What is known of the models that are here, and of those that can be fetched."""

    shelved: Sequence[Shelved] = ()
    offers: Sequence[Offer] = ()  # what is recommended to this machine, and not here, smallest first
    halves: Sequence[Half] = ()  # what was begun and is not whole
    memory: int | None = None  # bytes that the machine has; None where that is not known
    engine: bool = True  # what runs models is installed


def examined(path: Path, running: object, stop: Event) -> Iterator[CaseResult]:
    """As `app.core.fitness.examined`, which is imported only then."""
    from app.core import fitness

    return fitness.examined(path, running, stop)


Tester = Callable[[Path, object, Event], "Iterator[CaseResult]"]  # grades a model file, case by case
Shelf = Callable[[], list[Shelved]]
FASTEST = 1e6  # tokens a second; a larger number was not measured
NEWEST = 0.5  # how much the last reply counts against those before


def shelf() -> list[Shelved]:
    """What is found on this machine; looks at many folders, so only a worker asks."""
    from app.core.fitness import remembered
    from app.core.settings import chosen_model, found_models

    found = found_models()
    chosen = chosen_model(found)
    if chosen is not None and chosen not in found:  # it lies elsewhere
        found = [chosen, *found]
    listed, fast = [], paths.read_note(paths.speeds_file(), {})
    for one in found:
        known = remembered(paths.fitness_file(), one.path) if one.usable else None
        shares = tuple(sorted(known.shares.items())) if known is not None else ()
        used = chosen is not None and one.path == chosen.path
        need = one.header.memory(min(CONTEXT_LENGTH, one.header.context_length or CONTEXT_LENGTH)) if one.header else 0
        listed.append(
            Shelved(one.name, one.path, one.source, one.size, used, one.problem or "", shares, need,
                    speed_of(fast, one.path))
        )  # fmt: skip
    return listed


def engine_is_missing() -> bool:
    """Nothing here can run a model."""
    from app.llm import engine

    return engine.missing()


def total_memory() -> int | None:
    """Bytes that this machine has; None where that is not known."""
    from app.llm import machine

    return machine.total_memory()


def stock(shelf: Shelf, *, engine: bool, memory: int | None) -> Stock:
    """What is here and what could be; only a worker asks, as the shelf looks at many folders."""
    from app.llm.catalogue import recommended
    from app.llm.halves import halves

    found = shelf()
    here = {one.path.name for one in found}
    offers = [one for one in recommended(memory) if one.file not in here]
    return Stock(found, offers, halves(paths.models_dir()), memory, engine)


def note_speed(file: Path, model: Path, pieces_per_second: float) -> None:
    """A reply of this model came at this speed. A note that cannot be written is no harm: the next one is."""
    known = paths.read_note(file, {})
    before = speed_of(known, model)
    known[str(model)] = pieces_per_second * NEWEST + before * (1 - NEWEST) if before else pieces_per_second
    with suppress(OSError):
        paths.replace_file(file, json.dumps(known))


def speed_of(known: dict[str, Any], model: Path) -> float:
    """Tokens a second; 0 where this model has not replied yet."""
    found = known.get(str(model))
    return float(found) if isinstance(found, int | float) and 0 < found < FASTEST else 0.0


Source = Callable[["FileToFetch", Path, Event], Iterator["Step"]]
"""Brings a file into a folder until the event is set; the last step of one that came to its end has the path."""


def apart(wanted: FileToFetch, folder: Path, stop: Event) -> Iterator[Step]:
    """What app.llm.download does, in a process of its own. Raises ModelUnavailable."""
    from app.llm.child import environment
    from app.llm.fetch import Step
    from app.llm.running import lines

    command = (sys.executable, "-P", "-m", "app.llm.download", json.dumps(asdict(wanted)), str(folder))
    last = ""
    try:
        with closing(lines(command, stop, environment=environment())) as running:
            for last in running:
                if not last.startswith("{"):
                    continue
                said = json.loads(last)
                if "problem" in said:
                    raise ModelUnavailable(said["problem"])
                yield Step(said["sentence"], said["share"], Path(said["path"]) if said["path"] else None)
    except CalledProcessError:
        raise ModelUnavailable(f"{wanted.name} could not be fetched ({last[:200]}): try again.") from None


@dataclass
class Fetching:
    """What is being fetched, or was last."""

    source: Source = apart
    wanted: FileToFetch | None = None
    running: bool = False
    step: Step | None = None  # how far it has come; None before it says so
    problem: str = ""  # why it ended; empty while it runs, and after a pause or an end
    stop: Event = field(default_factory=Event)

    def begin(self, wanted: FileToFetch) -> None:
        self.wanted, self.running, self.step, self.problem, self.stop = wanted, True, None, "", Event()

    def advance(self, step: Step) -> None:
        """It has come so far; what a step does not say stays as it was."""
        known = step.share if step.share is not None or self.step is None else self.step.share
        self.step = replace(step, share=known)

    def forget(self, wanted: FileToFetch) -> None:
        """That its fetch failed is not told any more."""
        if self.wanted is not None and self.wanted.file == wanted.file:
            self.wanted, self.problem = None, ""

    def pause(self) -> None:
        """What has come is kept."""
        self.stop.set()

    def end(self, problem: str = "") -> None:
        self.running, self.step, self.problem = False, None, problem

    def steps(self, folder: Path) -> Iterator[Step]:
        """Fetch what `begin` was told. Raises ModelUnavailable."""
        assert self.wanted is not None
        return self.source(self.wanted, folder, self.stop)

    @property
    def words(self) -> str:
        """As the status line says it: fetching qwen3-4b 34%."""
        if not self.running or self.wanted is None:
            return ""
        share = self.step.share if self.step is not None else None
        return f"fetching {self.wanted.name}" + ("" if share is None else f" {share:.0%}")
