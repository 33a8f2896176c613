"""A sleep is many small transactions, each whole: whatever stops it, what was done is done and the rest waits.

The phases, in this order, each with progress: `extract` reads turns that no reading has covered and files their claims;
`settle` finds out who is who; `fold` folds the groups that are marked; `gists`, `salience` and `brief` sum up, weigh,
and write the note for the morning. A model that takes part comes last, in `listen`, for it is slow, and by then what
the reader reads is believed. It must stay last: a keystroke ends it, even in a sleep that was asked for
(app/core/sleeper.py, `stirred`), and what came after it would not be done.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import ExitStack
from importlib import import_module
from threading import Event

from store.database import runs
from store.database.connections import Database
from store.errors import Busy
from store.protocols import BoundModel, Clock
from store.records import Progress, SleepReport
from store.sleep.phases import Phase, PhaseInput, Stopped

PHASES = (
    ("extract", "store.sleep.reading:phase"),
    ("settle", "store.sleep.believing:settle"),
    ("fold", "store.sleep.believing:fold"),
    ("gists", "store.sleep.gists:phase"),
    ("salience", "store.sleep.salience:phase"),
    ("brief", "store.sleep.brief:phase"),
    ("listen", "store.sleep.listening:phase"),
)
"""Names and functions; each is imported when its turn comes."""
LOOK = 0.1
"""Seconds between two looks whether somebody else's sleep is over."""


class Sleep:
    """One run. `stop` is looked at between any two steps; `budget` is in seconds of this process's own clock."""

    def __init__(
        self, database: Database, clock: Clock, person: frozenset[str], *,
        stop: Event | None = None, budget: float | None = None, model: BoundModel | None = None,
        wait: bool = False,
    ) -> None:  # fmt: skip
        self._database, self._clock, self._stop = database, clock, stop
        self._person, self._model, self._wait = person, model, wait
        self._deadline = None if budget is None else time.monotonic() + budget
        self._seconds: dict[str, float] = {}

    def run(self) -> Generator[Progress, None, SleepReport]:
        """Yield progress, return the report. Raises Busy when somebody else sleeps on this file, or, if that was to be
        waited for, did so until this one was stopped."""
        with ExitStack() as stack:
            run = yield from self._begin(stack)
            work = PhaseInput(self._database, self._clock, run, self._heed, self._model, self._person, self._stop)
            finished = True
            try:
                for name, function in PHASES:
                    if name != "listen" or self._model is not None:
                        yield from self._timed(name, _load(function), work)
            except Stopped:
                finished = False
            reader = None if self._model is None else self._model.name
            now = self._clock.now()
            runs.finish(self._database, now, run, work.counts, self._seconds, finished=finished, reader=reader)
        if finished:
            self._database.fold_wal()  # somebody who stops a sleep is not made to wait for the disk
        counted = {name: work.counts[name] for name in ("episodes", "claims", "slots", "facts")}
        return SleepReport(run=work.run, finished=finished, **counted)

    def _begin(self, stack: ExitStack) -> Generator[Progress, None, int]:
        """Take the lease, for as long as the stack holds it; gives the run's number."""
        while True:
            try:
                return stack.enter_context(runs.lease(self._database, self._clock))
            except Busy as busy:
                if not self._wait:
                    raise
                try:
                    self._heed()
                except Stopped:
                    raise busy from None
            yield Progress("wait", 0, None)
            time.sleep(LOOK)

    def _timed(self, name: str, phase: Phase, work: PhaseInput) -> Generator[Progress, None, None]:
        """Run a phase, and note how long it took; the time between two steps belongs to whoever drives the sleep."""
        self._seconds[name] = 0.0
        began = time.monotonic()
        try:
            for progress in phase(work):
                self._seconds[name] += time.monotonic() - began
                yield progress
                began = time.monotonic()
        finally:
            self._seconds[name] += time.monotonic() - began

    def _heed(self) -> None:
        is_late = self._deadline is not None and time.monotonic() > self._deadline
        if is_late or (self._stop is not None and self._stop.is_set()):
            raise Stopped


def _load(function: str) -> Phase:
    module, _, name = function.partition(":")
    phase: Phase = getattr(import_module(module), name)
    return phase
