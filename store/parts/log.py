"""Every decision is in the log, and can be taken back: a deed, or a whole sleep, to the same state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from store.beliefs import hand
from store.database.connections import Database
from store.database.rows import each, scalar
from store.protocols import Clock
from store.records import Instant, Operation

if TYPE_CHECKING:
    from store.sleep.undoing import Records


class Log:
    """What was done by sleeps and by hand, undo and replay."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def operations(self, run: int | None = None, limit: int = 50, phase: str | None = None) -> list[Operation]:
        """The log of decisions, newest first; of one run, or of all; of one phase ("hand": by hand, "sleep": how each
        sleep ended), or of all."""
        found = each(
            self._database.reader(),
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
        found = scalar(
            self._database.reader(), "select run from operations where phase = 'sleep' order by run desc limit 1"
        )
        return None if found is None else next(iter(self.operations(int(found), phase="sleep")), None)

    def undo(self, operation: int) -> int:
        """Take back an operation by hand; gives the operation that did so. Raises NotFound, UsageError."""
        with self._database.writing() as connection:
            return hand.undo(connection, operation, self._clock.now())

    def undo_run(self, run: int) -> int:
        """Take back all that one sleep read and did; gives the operation that did so. Its turns are not read again
        unless that is asked for. Raises NotFound, UsageError."""
        from store.sleep import undoing

        with self._database.writing() as connection:
            return undoing.undo_run(connection, run, self._clock.now())

    def records(self, run: int) -> Records:
        """What one sleep decided, as data. Raises NotFound."""
        from store.sleep import undoing

        return undoing.records(self._database.reader(), run)

    def replay(self, records: Records) -> int:
        """Do again what a sleep did elsewhere, on a copy from before it; gives the run's number here."""
        from store.sleep import undoing

        with self._database.writing() as connection:
            return undoing.replay(connection, records, self._clock.now())
