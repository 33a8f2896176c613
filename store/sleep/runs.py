"""Every decision is a row in the log, of one numbered run; a run leaves nothing that its rows do not account for."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from store.database import Database
from store.errors import Busy
from store.protocols import Clock
from store.records import Instant
from store.rows import each, first, scalar


def log(
    connection: apsw.Connection,
    run: int | None,
    phase: str,
    kind: str,
    at: Instant,
    reason: str,
    detail: Mapping[str, object],
) -> int:
    """Add a row to the operations log; gives its id. Ids and numbers only: no words go into `detail`."""
    connection.execute(
        "insert into operations (run, phase, kind, at, at_offset, reason, detail) values (?, ?, ?, ?, ?, ?, ?)",
        (run, phase, kind, at.us, at.offset, reason, json.dumps(detail, ensure_ascii=False)),
    )
    return connection.last_insert_rowid()


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to sleep on a file, and the number of the run that has it."""

    holder: str
    run: int


def begin(database: Database, clock: Clock) -> Lease:
    """Take the lease and a number. A lease that a dead process left is taken from it, and its run recorded as killed.
    Raises Busy where another live process sleeps on this file."""
    with database.writing(durable=False) as connection:
        held = first(connection, "select holder, pid from lease")
        if held is not None:
            holder, pid = held
            if _is_alive(pid) and pid != os.getpid():
                raise Busy("Another process is sleeping on this memory; wait for it, or stop it first.")
            number = holder.partition(":")[0]
            if number.isdecimal():
                log(connection, int(number), "sleep", "run", clock.now(), "KILLED", {})
        run = next_run(connection)
        lease = Lease(f"{run}:{uuid.uuid4().hex}", run)
        connection.execute(
            "insert or replace into lease values (1, ?, ?, ?)", (lease.holder, os.getpid(), clock.now().us)
        )
    return lease


def next_run(connection: apsw.Connection) -> int:
    """The number after that of every run that left a trace."""
    logged = scalar(connection, "select max(run) from operations") or 0
    read = scalar(connection, "select max(run) from run_readings") or 0
    return int(max(logged, read)) + 1


def release(database: Database, lease: Lease) -> None:
    """Give the lease back."""
    with database.writing(durable=False) as connection:
        connection.execute("delete from lease where holder = ?", (lease.holder,))


def finish(
    database: Database, now: Instant, run: int, counts: Mapping[str, int], seconds: Mapping[str, float], *,
    finished: bool, reader: str | None = None,
) -> None:  # fmt: skip
    """Record how a run ended, what it did, how long each phase took, how far archived units are from the surface, and
    which model took part, if one did."""
    with database.writing(durable=False) as connection:
        detail: dict[str, object] = dict(counts)
        detail["seconds"] = {phase: round(took, 4) for phase, took in seconds.items()}
        detail["hops"] = hop_counts(connection)
        if reader is not None:
            detail["reader"] = reader
        log(connection, run, "sleep", "run", now, "FINISHED" if finished else "STOPPED", detail)


def hop_counts(connection: apsw.Connection) -> dict[int, int]:
    """How many archived units are so many hops from the surface."""
    found = each(connection, "select hops, count(*) from units where visible = 0 group by hops order by 1")
    return {int(row[0]): int(row[1]) for row in found}


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
