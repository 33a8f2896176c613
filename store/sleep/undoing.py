"""What a sleep did can be taken back, and done again from its records, and both come to the very same state.

Taking back a run withdraws the claims that it read and undoes its edits; its turns keep the mark that they were read,
so that no sleep reads them again unasked. The records of a run hold what it decided: claims and edits, as data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import apsw

from store.beliefs.settle import catch_up, mark_claim
from store.beliefs.tables import insert_claims, read_claims
from store.database.rows import LISTED, Row, column, each, first, rows, scalar
from store.database.runs import log, next_run
from store.errors import NotFound, UsageError
from store.protocols import Embedder
from store.records import Claim, Instant
from store.sleep import listening, topology
from store.sleep.checking import BY_MODEL, EXTRACTOR
from store.sleep.describe import Describer
from store.sleep.edits import KINDS, Edit
from store.sleep.reading import UNDONE
from store.sleep.topology import APPLIED
from store.sleep.units import read_id


@dataclass(frozen=True, slots=True)
class Records:
    """What one run decided; enough to do it again without reading a turn or asking a model."""

    run: int
    readings: tuple[tuple[str, str, tuple[Claim, ...]], ...]
    """(turn, extractor, what it claims), by the ids of turns."""
    edits: tuple[tuple[Edit, dict[str, object]], ...]
    """In the order of doing, each with its row in the log."""
    tidied: tuple[tuple[str, str], ...]
    """(unit, the turn that its title is from) for each unit that the run has looked at."""


def is_edit(connection: apsw.Connection, operation: int) -> bool:
    """Whether an operation is an edit of units that was done."""
    found = first(connection, "select phase, kind, reason from operations where id = ?", (operation,))
    return found is not None and found[0] == "tidy" and found[1] in KINDS and found[2] == APPLIED


def undo_edit(connection: apsw.Connection, operation: int, embedder: Embedder, now: Instant) -> int:
    """Take one edit back; what was later done to units that it made falls with it. Gives the operation that did so.
    Raises UsageError if it was undone already."""
    undone = scalar(connection, "select undone_by from operations where id = ?", (operation,))
    if undone is not None:
        raise UsageError(f"Operation {operation} was undone already, by operation {undone}.")
    mine = log(connection, None, "hand", "undo", now, "BY_HAND", {"operation": operation})
    _undo_edits(connection, [operation], mine, embedder)
    return mine


def _undo_edits(connection: apsw.Connection, operations: Iterable[int], mine: int, embedder: Embedder) -> None:
    edits = topology.edits_of(connection, operations)
    tied = topology.component(connection, {unit for edit in edits.values() for unit in edit.units()})
    connection.executemany("update operations set undone_by = ? where id = ?", [(mine, one) for one in edits])
    topology.settle(connection, tied, Describer(embedder))


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


def undo_run(connection: apsw.Connection, run: int, embedder: Embedder, now: Instant) -> int:
    """Take back all that one sleep decided; gives the operation that did so. Raises NotFound, UsageError."""
    mine_is = rows(connection, "select id, undone_by from operations where run = ? order by id", (run,))
    if not mine_is:
        raise NotFound(f"There was no sleep {run}; `erstwhile log` lists them.")
    if all(undone is not None for _, undone in mine_is):
        raise UsageError(f"Sleep {run} was undone already, by operation {mine_is[0][1]}.")
    mine = log(connection, None, "hand", "undo", now, "BY_HAND", {"run": run})
    _undo_edits(connection, [operation for operation, _ in mine_is], mine, embedder)
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
    holding = f"select unit_id from unit_spans where episode_row in {LISTED}"
    connection.execute(f"update units set stage = 0 where visible = 1 and id in ({holding})", (listed,))
    connection.execute(f"delete from claims where episode_row in {LISTED} and extractor not like 'model/%'", (listed,))
    for table in ("readings", "run_readings", "tidied"):
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
    tidied = noted("t.unit_id, e.id", "tidied t")
    edits = each(
        connection,
        "select kind, detail from operations where run = ? and phase = 'tidy' and reason = ? order by id",
        (run, APPLIED),
    )
    let_in = set(column(connection, f"{_LET_IN} = ?", (run,)))
    return Records(
        run,
        tuple((key, extractor, _claims(connection, row)) for row, key, extractor in readings)
        + tuple((key, f"{EXTRACTOR} {model}", _claims(connection, row, let_in)) for row, key, model in heard),
        tuple((topology.edit_of(kind, json.loads(detail)), json.loads(detail)) for kind, detail in edits),
        tuple(tidied),
    )  # fmt: skip


def _claims(connection: apsw.Connection, episode_row: int, let_in: set[str] | None = None) -> tuple[Claim, ...]:
    """What the reader made of a turn; with `let_in`, those of a model's claims."""
    return tuple(
        claim
        for _, claim in read_claims(connection, "where c.episode_row = ? order by c.row", (episode_row,))
        if (claim.id in let_in if let_in is not None else not claim.extractor.startswith(BY_MODEL))
    )


def replay(connection: apsw.Connection, said: Records, embedder: Embedder, now: Instant) -> int:
    """Do again what a run did, on a copy that is as the memory was before it; gives the run's number there."""
    run = next_run(connection)
    _replay_readings(connection, said, run, now)
    describer = Describer(embedder)
    while (said.edits or said.tidied) and topology.form(connection, describer):
        pass
    for edit, detail in said.edits:
        operation = log(connection, run, "tidy", edit.kind, now, APPLIED, detail)
        topology.apply(connection, edit, operation, describer)
    for unit, episode in said.tidied:
        connection.execute(
            "insert or ignore into tidied select ?, row, ? from episodes where id = ?", (unit, run, episode)
        )
        connection.execute("update units set stage = ? where id = ?", (topology.DIAGNOSED, read_id(unit)))
    connection.execute("update units set touched = 0 where touched = 1")
    log(connection, run, "sleep", "run", now, "REPLAYED", {"episodes": len(said.readings)})
    return run


def _replay_readings(connection: apsw.Connection, said: Records, run: int, now: Instant) -> None:
    of_turn = "from episodes where id = ?"
    for episode, extractor, claims in said.readings:
        insert_claims(connection, claims, now.us)
        if extractor.startswith(BY_MODEL):
            listening.hear_again(connection, run, episode, extractor.partition(" ")[2], claims, now)
            continue
        values = (extractor, now.us, episode)
        connection.execute(f"insert or ignore into readings select row, ?, ? {of_turn}", values)
        connection.execute(f"insert or ignore into run_readings select row, ? {of_turn}", (run, episode))
    for _ in catch_up(connection):
        pass


# -- the state


_STATE = (
    "select id, hops from units where visible = 0 order by 1",
    "select from_id, kind, to_id from unit_links where kind in ('version', 'sibling') order by 1, 2, 3",
)
"""What edits made: which units are off the surface, and what stands for them."""
_ALL = (
    "select id, origin, said_at, position, start, visible, hops, title, summary, hex(vector) from units order by 1",
    "select * from unit_spans order by 1, 2", "select * from unit_keywords order by 1, 2, 3",
    "select * from unit_links order by 1, 2, 3",
)  # fmt: skip


def decided(connection: apsw.Connection) -> str:
    """A hash over what edits have made of units: none made, none archived gives the same whatever turns there are."""
    return digest(connection, _STATE)


def everything(connection: apsw.Connection) -> str:
    """A hash over all units and links, down to descriptors."""
    return digest(connection, _ALL)


def digest(connection: apsw.Connection, queries: Iterable[str]) -> str:
    """A hash over the rows of queries."""
    total = blake2b(digest_size=16)
    for query in queries:
        for row in each(connection, query):
            total.update(json.dumps(row, ensure_ascii=False).encode())
        total.update(b"\0")
    return total.hexdigest()
