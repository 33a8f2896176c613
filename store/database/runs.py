"""Every decision is a row in the log, of one numbered run; a run leaves nothing that its rows do not account for."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import apsw

from store.database.connections import Database, only_one
from store.database.rows import scalar
from store.protocols import Clock
from store.records import Instant

_ASLEEP = "The memory is asleep already, in another window or program; what waits is read there."


def log(
    connection: apsw.Connection, run: int | None, phase: str, kind: str, at: Instant, reason: str,
    detail: Mapping[str, object],
) -> int:  # fmt: skip
    """Add a row to the operations log; gives its id. Ids and numbers only: no words go into `detail`."""
    connection.execute(
        "insert into operations (run, phase, kind, at, at_offset, reason, detail) values (?, ?, ?, ?, ?, ?, ?)",
        (run, phase, kind, at.us, at.offset, reason, json.dumps(detail, ensure_ascii=False)),
    )
    return connection.last_insert_rowid()


@contextmanager
def lease(database: Database, clock: Clock) -> Iterator[int]:
    """Hold the right to sleep on a file; gives the run's number. The system knows who holds it, and not the file: a
    process that died holds nothing, though another may have its number by now. Its run is recorded as killed. Raises
    Busy where somebody else sleeps on this file."""
    with only_one(database.path.with_name(f"{database.path.name}.asleep"), _ASLEEP):
        with database.writing(durable=False) as connection:
            left = str(scalar(connection, "select holder from lease") or "").partition(":")[0]
            if left.isdecimal():
                log(connection, int(left), "sleep", "run", clock.now(), "KILLED", {})
            run = next_run(connection)
            holder = f"{run}:{uuid.uuid4().hex}"
            connection.execute(
                "insert or replace into lease values (1, ?, ?, ?)", (holder, os.getpid(), clock.now().us)
            )
        try:
            yield run
        finally:
            with database.writing(durable=False) as connection:
                connection.execute("delete from lease where holder = ?", (holder,))


def next_run(connection: apsw.Connection) -> int:
    """The number after that of every run that left a trace."""
    logged = scalar(connection, "select max(run) from operations") or 0
    read = scalar(connection, "select max(run) from run_readings") or 0
    return int(max(logged, read)) + 1


def finish(
    database: Database, now: Instant, run: int, counts: Mapping[str, int], seconds: Mapping[str, float], *,
    finished: bool, reader: str | None = None,
) -> None:  # fmt: skip
    """Record how a run ended, what it did, how long each phase took, and which model took part, if one did."""
    with database.writing(durable=False) as connection:
        detail: dict[str, object] = {
            **counts,
            "seconds": {phase: round(took, 4) for phase, took in seconds.items()},
            **({} if reader is None else {"reader": reader}),
        }
        log(connection, run, "sleep", "run", now, "FINISHED" if finished else "STOPPED", detail)
