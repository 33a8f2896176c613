"""A sleep reads, folds and sums up what waits for it, in small steps; being stopped between two costs nothing."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from threading import Event
from typing import TYPE_CHECKING

from store.database.connections import Database
from store.database.rows import first
from store.episodes import person, reembed
from store.protocols import Clock
from store.records import Progress, SleepReport

if TYPE_CHECKING:
    from store.episodes.reembed import InUse
    from store.protocols import BoundModel


class Sleeping:
    """Sleep, and what waits for one."""

    def __init__(self, database: Database, clock: Clock, embedder: InUse) -> None:
        self._database, self._clock, self._embedder = database, clock, embedder

    def run(
        self, stop: Event | None = None, budget: float | None = None, *, model: BoundModel | None = None,
        again: bool = False, wait: bool = False,
    ) -> Generator[Progress, None, SleepReport]:  # fmt: skip
        """Consolidate what was not yet read; stopping costs nothing. `model`: reads after the reader what these passed
        over. `again`: also the turns of sleeps that were taken back. `wait`: for somebody else's sleep to end. Raises
        Busy if another process sleeps, and that is not waited for or this is stopped before."""
        from store.sleep import cycle, undoing

        if again:
            with self._database.writing() as connection:
                undoing.read_again(connection)
        speakers = person.speakers(self._database.reader())
        report = yield from cycle.Sleep(
            self._database, self._clock, speakers, stop=stop, budget=budget, model=model, wait=wait
        ).run()
        if report.finished:
            yield from self.reembed(stop)
        return report

    def reembed(self, stop: Event | None = None, budget: float | None = None) -> Iterator[Progress]:
        """Make the chosen embedder's vectors where another's are in use, and put them in their place; can be stopped,
        and goes on from there. Meanwhile the old ones answer."""
        return reembed.change(self._database, self._embedder.chosen, stop, budget)

    def restless(self) -> tuple[int, int]:
        """How many turns a sleep has yet to read or to sum up, and of how many conversations they are."""
        found = first(
            self._database.reader(),
            "select count(*), count(distinct e.session_id) from "
            "(select episode_row from unread union select episode_row from gist_waits) w "
            "join episodes e on e.row = w.episode_row",
        )
        return (0, 0) if found is None else (int(found[0]), int(found[1]))
