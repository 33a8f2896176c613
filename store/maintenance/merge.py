"""Merging two memories gives the memory that heard both: what either holds is held, what either erased stays erased.

Turns, claims and readings are taken over as they are, nothing is read again; identities settle and the fold does the
rest. So the order of merging makes no difference, and merging twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import apsw

from store.beliefs.settle import mark_claim
from store.beliefs.tables import insert_claims, read_claims
from store.database.connections import Database
from store.database.rows import LISTED, Row, column, each, rows, scalar
from store.database.runs import log
from store.episodes.append import INSERT, SAID
from store.errors import BadInput
from store.maintenance import backups, upkeep
from store.maintenance.lines import ROWS, Kind
from store.protocols import Embedder
from store.records import Instant

_CITING = f"""
select distinct r.id from cited c join episodes r on r.row = c.episode_row join episodes e on e.row = c.source_row
where e.id in {LISTED}
"""
"""The replies that rest on turns (a JSON list of ids)."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge brought."""

    episodes: int
    claims: int
    erased: tuple[int, ...]
    """Rows of turns that the other memory had erased, and of its replies that rest on what was erased here; the caller
    erases them here too."""


def private_copy(path: Path, target: Path) -> AbstractContextManager[Database]:
    """A copy of another memory that may be opened like our own, under a name that goes with it. Raises BadInput,
    NotAMemory, TooNew, StoreError."""
    if not path.is_file():
        raise BadInput(f"{path} is not a file; name the memory to merge.")
    return backups.private_copy(path, target, "`erstwhile import` reads other files")


def merge(database: Database, other: Database, embedder: Embedder, now: Instant) -> Merged:
    """Take over what the other memory holds, in one transaction."""
    theirs = other.reader()
    with database.writing() as mine:
        take_sessions(mine, theirs)
        new = take_episodes(mine, theirs)
        claims = take_claims(mine, theirs, now)
        operation = log(mine, None, "hand", "merge", now, "BY_HAND", {"episodes": len(new), "claims": len(claims)})
        for (claim,) in each(theirs, "select claim_id from withdrawals"):
            if scalar(mine, "select 1 from claims where id = ?", (claim,)):
                withdraw(mine, claim, operation)
        for slot, fact_id, at in each(theirs, "select slot, fact_id, at from pins"):
            mine.execute("insert or ignore into pins values (?, ?, ?)", (slot, fact_id, at))
        for name in ("reading", "heard", "cited", "asked"):
            take_rows(mine, theirs, ROWS[name])
        citing = column(theirs, _CITING, (json.dumps(column(mine, "select hash from tombstones")),))
        of_replies = f"select row from episodes where role = 'assistant' and id in {LISTED}"
        orphans = column(mine, of_replies, (json.dumps(citing),))
        for kind in upkeep.DERIVED:
            for _ in kind.add(mine, new, embedder):
                pass
        erased = set(orphans)
        for key, at in each(theirs, "select hash, erased_at from tombstones"):
            here = column(mine, "select row from episodes where id = ?", (key,))
            erased.update(here)
            if not here:
                mine.execute("insert or ignore into tombstones values (?, ?)", (key, at))
    return Merged(len(new), len(claims), tuple(sorted(erased)))


def take_rows(
    mine: apsw.Connection, theirs: apsw.Connection, kind: Kind, run_of: Callable[[int], int] = lambda _: 0,
    but: Collection[int] = (),
) -> list[Row]:  # fmt: skip
    """Add the rows of a table that are about turns which are here, in their order there, unless they are here already,
    or (`but`) about one of these turns of here; gives those that are new, as they are here. Another turn that a row
    names is null where it is not here; `run_of` gives the number of a sleep."""
    columns = [one.column for one in kind.fields]
    marks = [f"?{place}" for place in range(1, len(columns) + 1)]
    same = " and ".join(f"{one.column} is {mark}" for one, mark in zip(kind.fields, marks, strict=True)
                        if one.form != "run")  # fmt: skip
    put = (
        f"insert or ignore into {kind.table} ({', '.join(columns)}) select {', '.join(marks)} "
        f"where not exists (select 1 from {kind.table} where {same})"
    )
    new: list[Row] = []
    there = ", ".join(one.read() for one in kind.fields)
    for values in each(theirs, f"select {there} from {kind.table} t order by t.rowid"):
        here = list(values)
        for place, one in enumerate(kind.fields):
            if one.form == "turn" and values[place] is not None:
                here[place] = scalar(mine, "select row from episodes where id = ?", (values[place],))
        about = columns.index("episode_row")
        if here[about] in but or (here[about] is None and values[about] is not None):
            continue
        for place, one in enumerate(kind.fields):
            if one.form == "run":
                here[place] = run_of(values[place])
        mine.execute(put, here)
        if mine.changes():
            new.append(tuple(here))
    return new


def take_sessions(mine: apsw.Connection, theirs: apsw.Connection) -> None:
    """Make the conversations of which a turn will be here. One of which a turn was erased here gets no title and
    no system prompt: they may hold the words."""
    found = each(
        theirs, "select s.key, s.title, s.source, s.pinned, s.options, json_group_array(e.id) from sessions s "
        "join episodes e on e.session_id = s.id group by s.id order by s.key",
    )  # fmt: skip
    for key, title, source, pinned, options, turns in found:
        erased, count = rows(
            mine, "select sum(value in (select hash from tombstones)), count(*) from json_each(?)", (turns,)
        )[0]
        if erased < count:
            mine.execute(
                "insert into sessions (key, title, source, pinned, options) values (?1, ?2, ?3, ?4, ?5) "
                "on conflict (key) do update set title = case when title = '' then ?2 else title end, "
                "pinned = max(pinned, ?4), options = case when options = '' then ?5 else options end",
                (key, "" if erased else title, source, pinned, "" if erased else options),
            )


def take_episodes(mine: apsw.Connection, theirs: apsw.Connection) -> list[int]:
    """Insert what is neither here nor erased here; gives the rows of what came, ascending."""
    new: list[int] = []
    here = set(column(mine, "select id from episodes union select hash from tombstones"))
    sessions: dict[str, int] = dict(rows(mine, "select key, id from sessions"))
    found = f"select (select key from sessions where id = session_id), id, {SAID} from episodes order by row"
    for session, key, *said in each(theirs, found):
        if key not in here:
            mine.execute(INSERT, (key, sessions[session], *said))
            new.append(mine.last_insert_rowid())
    return new


def take_claims(mine: apsw.Connection, theirs: apsw.Connection, now: Instant) -> list[int]:
    """Take over the claims of turns that were read there and not here, and what a model made of turns that none has
    heard here; gives the new rows. That they were read is taken over after that."""
    read_here = set(column(mine, "select e.id from readings r join episodes e on e.row = r.episode_row"))
    heard_here = set(column(mine, "select e.id from heard h join episodes e on e.row = h.episode_row"))
    here = set(column(mine, "select id from episodes"))
    wanted = [claim for _, claim in read_claims(theirs, "order by c.row", ()) if claim.episode in here
              and claim.episode not in (heard_here if claim.extractor.startswith("model/") else read_here)]  # fmt: skip
    return insert_claims(mine, wanted, now.us)


def withdraw(mine: apsw.Connection, claim: str, operation: int) -> bool:
    """Let an entry of the log take back a claim, unless one has done so; gives whether it did."""
    mine.execute("insert or ignore into withdrawals values (?, ?)", (claim, operation))
    if new := mine.changes() > 0:
        for row in column(mine, "select row from claims where id = ?", (claim,)):
            mark_claim(mine, row)
    return new
