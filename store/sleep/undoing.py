"""What a sleep did can be taken back, and done again from its records, and both come to the very same state.

Taking back a run withdraws the claims that it read; its turns keep the mark that they were read, so that no sleep reads
them again unasked. The records of a run hold what it decided: claims, as data.
"""

from __future__ import annotations

import json

import apsw

from store.beliefs.settle import catch_up, mark_claim
from store.beliefs.tables import insert_claims, read_claims
from store.database.rows import LISTED, Row, column, rows, scalar
from store.database.runs import log, next_run
from store.errors import NotFound, UsageError
from store.records import Claim, Instant
from store.sleep import listening
from store.sleep.checking import BY_MODEL, EXTRACTOR
from store.sleep.reading import UNDONE

Records = tuple[tuple[str, str, tuple[Claim, ...]], ...]
"""What one run decided, as (id of the turn, extractor, what it claims): enough to do it again without reading a turn or
asking a model."""


_LET_IN = (
    "select j.value from operations o, json_each(o.detail, '$.claims') j where o.phase = 'listen' and o.reason = "
    f"'{listening.DECIDED}' and o.run"
)
"""The claims that a model proposed and a run let in: their ids."""
_CLAIMS_OF_A_RUN = (
    "select c.row, c.id from run_readings r join claims c on c.episode_row = r.episode_row "
    "where r.run = ?1 and c.extractor <> 'by hand' and c.extractor not like 'model/%' "
    "and c.id not in (select claim_id from withdrawals) "
    f"union all select row, id from claims where id in ({_LET_IN} = ?1) "
    "and id not in (select claim_id from withdrawals)"
)


def undo_run(connection: apsw.Connection, run: int, now: Instant) -> int:
    """Take back all that one sleep decided; gives the operation that did so. Raises NotFound, UsageError."""
    mine_is = rows(connection, "select id, undone_by from operations where run = ? order by id", (run,))
    if not mine_is:
        raise NotFound(f"There was no sleep {run}; `erstwhile log` lists them.")
    if all(undone is not None for _, undone in mine_is):
        raise UsageError(f"Sleep {run} was undone already, by operation {mine_is[0][1]}.")
    mine = log(connection, None, "hand", "undo", now, "BY_HAND", {"run": run})
    claims = rows(connection, _CLAIMS_OF_A_RUN, (run,))
    connection.executemany("insert into withdrawals values (?, ?)", [(key, mine) for _, key in claims])
    for row, _ in claims:
        mark_claim(connection, row)
    for _ in catch_up(connection) if claims else ():
        pass
    connection.execute("update operations set undone_by = ? where run = ? and undone_by is null", (mine, run))
    return mine


def read_again(connection: apsw.Connection) -> int:
    """Have the turns of all runs that were undone wait to be read anew, as they were before; gives how many."""
    again = column(connection, f"select episode_row from run_readings where run in {UNDONE}")
    listed = json.dumps(again)
    _hear_again(connection)
    connection.execute(
        f"delete from withdrawals where claim_id in (select id from claims where episode_row in {LISTED}) "
        "and operation_id in (select id from operations where json_extract(detail, '$.run') is not null)",
        (listed,),
    )
    connection.execute(f"delete from claims where episode_row in {LISTED} and extractor not like 'model/%'", (listed,))
    for table in ("readings", "run_readings"):
        connection.execute(f"delete from {table} where episode_row in {LISTED}", (listed,))
    return len(again)


def _hear_again(connection: apsw.Connection) -> None:
    """Have the turns that a model heard in runs that were undone wait for one anew, as they were before."""
    gone = f"(select id from claims where id in ({_LET_IN} in {UNDONE}))"
    connection.execute(f"delete from withdrawals where claim_id in {gone}")
    heard = f"(select episode_row from claims where id in {gone})"
    for table in ("refused", "heard"):
        connection.execute(f"delete from {table} where run in {UNDONE} or episode_row in {heard}")
    connection.execute(f"delete from claims where id in {gone}")


# -- records


def records(connection: apsw.Connection, run: int) -> Records:
    """What a run decided. Raises NotFound."""
    if scalar(connection, "select 1 from operations where run = ?", (run,)) is None:
        raise NotFound(f"There was no sleep {run}; `erstwhile log` lists them.")

    def noted(columns: str, source: str) -> list[Row]:
        found = f"select {columns} from {source} join episodes e on e.row = t.episode_row where t.run = ? order by 1"
        return rows(connection, found, (run,))

    readings = noted("e.row, e.id, d.extractor", "run_readings t join readings d on d.episode_row = t.episode_row")
    heard = noted("e.row, e.id, t.model", "heard t")
    let_in = set(column(connection, f"{_LET_IN} = ?", (run,)))
    return (
        *((key, extractor, _claims(connection, row)) for row, key, extractor in readings),
        *((key, f"{EXTRACTOR} {model}", _claims(connection, row, let_in)) for row, key, model in heard),
    )


def _claims(connection: apsw.Connection, episode_row: int, let_in: set[str] | None = None) -> tuple[Claim, ...]:
    """What the reader made of a turn; with `let_in`, those of a model's claims."""
    return tuple(
        claim
        for _, claim in read_claims(connection, "where c.episode_row = ? order by c.row", (episode_row,))
        if (claim.id in let_in if let_in is not None else not claim.extractor.startswith(BY_MODEL))
    )


def replay(connection: apsw.Connection, said: Records, now: Instant) -> int:
    """Do again what a run did, on a copy that is as the memory was before it; gives the run's number there."""
    run = next_run(connection)
    of_turn = "from episodes where id = ?"
    for episode, extractor, claims in said:
        insert_claims(connection, claims, now.us)
        if extractor.startswith(BY_MODEL):
            listening.hear_again(connection, run, episode, extractor.partition(" ")[2], claims, now)
            continue
        values = (extractor, now.us, episode)
        connection.execute(f"insert or ignore into readings select row, ?, ? {of_turn}", values)
        connection.execute(f"insert or ignore into run_readings select row, ? {of_turn}", (run, episode))
    for _ in catch_up(connection):
        pass
    log(connection, run, "sleep", "run", now, "REPLAYED", {"episodes": len(said)})
    return run
