"""What a fact has come to is stored when it is said or used, never because time goes by: the clock is in the query.

`salience` holds for each believed fact where it stood at its last saying or use (store.beliefs.salience). Sleep brings
up to date those that were touched since; how salient each is now, which are fading and which are core follows from
that and the time.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from store.beliefs.asof import USES
from store.beliefs.salience import DAY, FADED, FADING, VALIDATED_AGAIN, Standing, standing
from store.database.rows import LISTED, column, each, rows, scalar
from store.records import Progress
from store.sleep.phases import PhaseInput, steps

if TYPE_CHECKING:
    import apsw

STEP = 200
"""Facts whose standing is found in one transaction."""
EARLIEST_DAYS, FADED_BY, FADING_BY = 20, 410, 270
"""Days after the last saying or use before which no fact can be below FADING, after which none is above FADED, and none
above FADING: the slowest is a one-valued state of full importance."""
_HELD = (
    "join facts f on f.id = s.fact_id where f.believed_to is null and f.world_from <= ?1 and f.world_to > ?1 "
    "and s.slot not in (select slot from pins)"
)


def phase(work: PhaseInput) -> Iterator[Progress]:
    """Find the standing of the facts that were said or used since the last sleep."""
    total = int(scalar(work.database.reader(), "select count(*) from salience_waits"))
    yield from steps(work, "salience", total, lambda connection: settle_some(connection, STEP))


def rebuild(connection: apsw.Connection) -> Iterator[Progress]:
    """Find the standing of every fact that waits, in the caller's transaction."""
    done = 0
    while settled := settle_some(connection, 10 * STEP):
        done += settled
        yield Progress("salience", done, None)


def settle_some(connection: apsw.Connection, limit: int) -> int:
    """Store where up to `limit` waiting facts stand, and forget those that are believed no more; gives how many."""
    waiting = column(connection, "select fact_id from salience_waits order by 1 limit ?", (limit,))
    listed = json.dumps(waiting)
    facts = rows(
        connection, f"select id, slot, predicate from facts where believed_to is null and id in {LISTED}", (listed,)
    )
    said, used = defaultdict(list), defaultdict(list)
    for key, at in each(connection, f"select fact_id, said_at from fact_sources where fact_id in {LISTED}", (listed,)):
        said[key].append(at)
    slots = json.dumps(sorted({slot for _, slot, _ in facts}), ensure_ascii=False)
    uses = f"select slot, at from accesses where slot in {LISTED} order by slot, at desc"
    for slot, at in each(connection, uses, (slots,)):
        used[slot].append(at)
    stored = []
    for key, slot, predicate in facts:
        one = standing(predicate, said[key], used[slot][:USES])
        if one is not None:
            stored.append((key, slot, one.importance, one.touched, one.tier, one.stale_days))
    for table in ("salience", "salience_waits"):
        connection.execute(f"delete from {table} where fact_id in {LISTED}", (listed,))
    connection.executemany("insert into salience values (?, ?, ?, ?, ?, ?)", stored)
    return len(waiting)


def fading(connection: apsw.Connection, now: int, limit: int) -> list[str]:
    """Facts (ids) that hold now, are not pinned, and whose salience is between FADED and FADING: the most salient
    first."""
    touched = _touched(connection, now, FADED_BY)
    found = {key: at.salience_at(now) for key, at in touched.items() if FADED <= at.salience_at(now) < FADING}
    return sorted(found, key=lambda key: (-found[key], key))[:limit]


def began_to_fade(connection: apsw.Connection, since: int, now: int) -> list[str]:
    """Facts (ids) that were not fading at `since` and are now, the most important first."""
    touched = _touched(connection, now, FADING_BY + (now - since) // DAY + 1)
    found = {
        key: at.importance_at(now) for key, at in touched.items()
        if at.salience_at(now) < FADING <= at.salience_at(since)
    }  # fmt: skip
    return sorted(found, key=lambda key: (-found[key], key))


def core(connection: apsw.Connection, now: int, limit: int) -> list[str]:
    """Facts (ids) that hold now and have reached the core tier, the most important first; pinned ones are core by hand,
    and not in this list."""
    touched = _standings(connection, f"{_HELD} and s.tier = 'core' and s.importance >= ?2", (now, VALIDATED_AGAIN))
    found = {key: at.importance_at(now) for key, at in touched.items() if at.tier_at(now) == "core"}
    return sorted(found, key=lambda key: (-found[key], key))[:limit]


def standings(connection: apsw.Connection, fact_ids: Sequence[str]) -> dict[str, Standing]:
    """Where facts stand, by id; those that are not believed, or that no sleep has weighed yet, are left out."""
    return _standings(connection, f"where fact_id in {LISTED}", (json.dumps(fact_ids),))


def _touched(connection: apsw.Connection, now: int, days: int) -> dict[str, Standing]:
    """Facts that hold now and were last touched within so many days, but not lately."""
    bounds = (now, now - days * DAY, now - EARLIEST_DAYS * DAY)
    return _standings(connection, f"{_HELD} and s.stale_days > 0 and s.touched > ?2 and s.touched < ?3", bounds)


def _standings(connection: apsw.Connection, which: str, values: Sequence[object]) -> dict[str, Standing]:
    columns = "s.fact_id, s.importance, s.touched, s.tier, s.stale_days"
    found = each(connection, f"select {columns} from salience s {which}", values)
    return {key: Standing(*row) for key, *row in found}


def use(connection: apsw.Connection, slots: Iterable[str], at: int, kind: str) -> int:
    """Note that one answer, at that time, used these slots; each counts once. Gives how many were new."""
    connection.execute(
        "insert into accesses (slot, at, kind) select value, ?2, ?3 from json_each(?1) "
        "where not exists (select 1 from accesses where slot = value and at = ?2)",
        (json.dumps(sorted(set(slots)), ensure_ascii=False), at, kind),
    )
    return connection.changes()
