"""What a sleep does is in the log, and the person can take it back: one edit, or a whole run, to the same state.

The part of the one door that is about sleep; `Memory` inherits it.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from hashlib import blake2b
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING

from store.database.rows import each, first, rows, scalar
from store.parts.people import People
from store.records import Instant, Operation, Progress, Quarantined, SleepReport

if TYPE_CHECKING:
    from store.protocols import BoundModel
    from store.sleep.undoing import Records


class Asleep(People):
    """Sleep, what waits for it, its log, undo and replay."""

    def sleep(
        self, stop: Event | None = None, budget: float | None = None, *, model: BoundModel | None = None,
        again: bool = False, tidy: bool = False, wait: bool = False,
    ) -> Generator[Progress, None, SleepReport]:  # fmt: skip
        """Consolidate what was not yet read; stopping costs nothing. `model`: reads after the rules what these passed
        over. `again`: also the turns of sleeps that were taken back. `tidy`: exchanges are put together and edited.
        `wait`: for somebody else's sleep to end. Raises Busy if another process sleeps, and that is not waited for or
        this is stopped before."""
        from store.sleep import cycle, undoing

        if again:
            with self._database.writing() as connection:
                undoing.read_again(connection)
        report = yield from cycle.Sleep(
            self._database,
            self._clock,
            self._embedder,
            self._person(),
            stop=stop,
            budget=budget,
            model=model,
            tidy=tidy,
            wait=wait,
        ).run()
        if report.finished:
            yield from self.reembed(stop)
        return report

    def reembed(self, stop: Event | None = None, budget: float | None = None) -> Iterator[Progress]:
        """Make the chosen embedder's vectors where another's are in use, and put them in their place; can be stopped,
        and goes on from there. Meanwhile the old ones answer."""
        from store.episodes import reembed

        return reembed.change(self._database, reembed.chosen(self._embedder), stop, budget)

    def pending(self) -> int:
        """How many turns no sleep has read yet."""
        return int(scalar(self._reader, "select count(*) from unread"))

    def unheard(self) -> int:
        """How many turns that the rules have read wait for a model that reads, if one takes part."""
        from store.sleep import listening

        return listening.unheard(self._reader)

    def quarantined(self, episode_id: str) -> tuple[Quarantined, ...]:
        """What of one turn teaches nothing and is shown as such: an instruction to a model, a secret (without its
        words)."""
        from store.sleep.apart import quarantined

        found = rows(self._reader, "select text, role from episodes where id = ?", (episode_id,))
        return quarantined(episode_id, *found[0]) if found else ()

    def set_apart(self, limit: int = 50) -> list[Quarantined]:
        """The newest of all that is set apart so, and of what a model that reads proposed and was refused."""
        from store.sleep.apart import set_apart

        return list(islice(set_apart(self._reader), limit))

    def restless(self, *, tidy: bool = False) -> tuple[int, int]:
        """How many turns a sleep has yet to read or to sum up (`tidy`: or to put together), and of how many
        conversations they are."""
        tables = ("unread", "forest_turns", "loose") if tidy else ("unread", "forest_turns")
        waiting = " union ".join(f"select episode_row from {table}" for table in tables)
        found = first(
            self._reader,
            f"select count(*), count(distinct e.session_id) from ({waiting}) w "
            "join episodes e on e.row = w.episode_row",
        )
        return (0, 0) if found is None else (int(found[0]), int(found[1]))

    def operations(self, run: int | None = None, limit: int = 50, phase: str | None = None) -> list[Operation]:
        """The log of decisions, newest first; of one run, or of all; of one phase ("hand": by hand, "sleep": how each
        sleep ended), or of all."""
        found = each(
            self._reader,
            "select id, run, phase, kind, at, at_offset, reason, detail, undone_by from operations "
            f"where {'run = ?1' if run is not None else '?1 is null'} and (?3 is null or phase = ?3) "
            "order by id desc limit ?2",
            (run, limit, phase),
        )
        return [
            Operation(key, number, phase, kind, Instant(at, offset), reason, json.loads(detail), undone)
            for key, number, phase, kind, at, offset, reason, detail, undone in found
        ]

    def last_sleep(self) -> Operation | None:
        """The newest row of the log that says how a sleep ended."""
        found = scalar(self._reader, "select run from operations where phase = 'sleep' order by run desc limit 1")
        return None if found is None else next(iter(self.operations(int(found), phase="sleep")), None)

    def undo(self, operation: int) -> int:
        """Take back an operation by hand, or an edit that a sleep made; gives the operation that did so. Raises
        NotFound, UsageError."""
        from store.sleep import undoing

        if not undoing.is_edit(self._reader, operation):
            return super().undo(operation)
        with self._database.writing() as connection:
            return undoing.undo_edit(connection, operation, self._embedder, self._clock.now())

    def undo_run(self, run: int) -> int:
        """Take back all that one sleep read and did; gives the operation that did so. Its turns are not read again
        unless that is asked for. Raises NotFound, UsageError."""
        from store.sleep import undoing

        with self._database.writing() as connection:
            return undoing.undo_run(connection, run, self._embedder, self._clock.now())

    def records(self, run: int) -> Records:
        """What one sleep decided, as data. Raises NotFound."""
        from store.sleep import undoing

        return undoing.records(self._reader, run)

    def replay(self, records: Records) -> int:
        """Do again what a sleep did elsewhere, on a copy from before it; gives the run's number here."""
        from store.sleep import undoing

        with self._database.writing() as connection:
            return undoing.replay(connection, records, self._embedder, self._clock.now())

    def state_hash(self) -> str:
        """A hash over everything that is believed and ever was, with its sources, over the pins, and over what was
        made of units."""
        from store.sleep import undoing

        return blake2b((super().state_hash() + undoing.decided(self._reader)).encode(), digest_size=16).hexdigest()
