"""A sleep is a table of phases, and every phase is the same kind of thing: steps that are whole, with progress between.

    phase(work) -> Iterator[Progress]

A phase does its work in small transactions of its own (`with work.writing() as connection: ...`, a few milliseconds
each, never over 50), calls `work.heed()` between any two, and yields progress after each. `heed` raises
Stopped where the person stirred or the budget is spent: a phase lets it pass. What a phase has committed stays; when it
is run again it goes on with what is left, so it finds its own work in the file (a queue, a dirty mark), and never scans
the whole memory. Run again with nothing to do, it yields nothing and changes nothing.

What a phase leaves is either derived (a pure function of the turns, the claims and the operations that were not
undone, which `rebuild` makes again) or a row in `operations`, through `store.database.runs.log(connection, work.run,
...)`: ids and numbers only, never words.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

import apsw

from store.database.connections import Database
from store.protocols import BoundModel, Clock
from store.records import Progress


class Stopped(Exception):
    """Somebody asked the sleep to stop, or its budget is spent; raised by `Work.heed`, caught by the cycle only."""


@dataclass(frozen=True, slots=True)
class PhaseInput:
    """What a phase is given."""

    database: Database
    clock: Clock
    run: int
    """The number of this sleep, as `erstwhile log --run` takes it."""
    heed: Callable[[], None]
    """To be called between any two steps. Raises Stopped."""
    model: BoundModel | None
    """A model that is good enough to take part; None: rules only."""
    person: frozenset[str] = frozenset({"me", "user"})
    """Speakers who are the person, in lower case."""
    stop: Event | None = None
    """Set where the person stirred: for what takes longer than a step, a model's reply."""
    counts: Counter[str] = field(default_factory=Counter)
    """What the report tells of this run; each phase adds under its own names ("claims", "facts")."""

    def writing(self) -> AbstractContextManager[apsw.Connection]:
        """One transaction. What a sleep does can be done again, so no step waits for the disk; the turn that is
        acknowledged next takes it along."""
        return self.database.writing(durable=False)


Phase = Callable[[PhaseInput], Iterator[Progress]]
Thing = TypeVar("Thing")

SLICE = 0.012
"""Seconds of this process's own clock after which a transaction ends: somebody may be waiting to write."""


def steps(work: PhaseInput, phase: str, total: int, step: Callable[[apsw.Connection], int]) -> Iterator[Progress]:
    """One transaction after another, until a step says that it found nothing to do; a step gives how much it did."""
    done = 0
    while True:
        work.heed()
        with work.writing() as connection:
            some = step(connection)
        if not some:
            return
        done += some
        yield Progress(phase, min(done, total), total)


def in_a_slice(some: Iterable[Thing]) -> Iterator[Thing]:
    """The first of some, and more until the slice is over: what waited long for its transaction gets on, too."""
    ends = time.monotonic() + SLICE
    for one in some:
        yield one
        if time.monotonic() > ends:
            return
