"""Merging two memories gives the memory that heard both: what either holds is held, what either erased stays erased.

Turns, claims and readings are taken over as they are, nothing is read again; identities settle and the fold does the
rest. So the order of merging makes no difference, and merging twice changes nothing. What a sleep there has made of the
turns comes along where a sleep here would make the same (store.maintenance.takeover).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import apsw

from store.beliefs.settle import mark_claim
from store.beliefs.tables import insert_claims, read_claims
from store.database.connections import Database
from store.database.rows import column, each, rows, scalar
from store.database.runs import log
from store.errors import BadInput
from store.maintenance import backups, takeover, upkeep
from store.protocols import Embedder
from store.records import Instant

_COPIED = (
    "position, external_id, speaker, role, text, said_at, said_offset, recorded_at, recorded_offset, source, cut, "
    "inactive, secret, original"
)


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
        _withdrawals(mine, theirs, operation)
        for slot, fact_id, at in each(theirs, "select slot, fact_id, at from pins"):
            mine.execute("insert or ignore into pins values (?, ?, ?)", (slot, fact_id, at))
        orphans = _cited(mine, theirs)
        fits = takeover.fits(mine, theirs, embedder)
        for kind in upkeep.DERIVED:
            left = kind.copy(mine, theirs, new, embedder) if fits else list(new.values())
            for _ in kind.add(mine, left, embedder):
                pass
        erased = {*orphans, *_erased(mine, theirs)}
    return Merged(len(new), len(claims), tuple(sorted(erased)))


def _cited(mine: apsw.Connection, theirs: apsw.Connection) -> list[int]:
    """Take over what replies rest on, of those of which nothing is known here. Gives the rows of those that rest on
    what was erased here."""
    orphans: list[int] = []
    found = each(
        theirs, "select r.id, c.place, e.id, c.start, c.end, c.shown from cited c "
        "join episodes r on r.row = c.episode_row join episodes e on e.row = c.source_row",
    )  # fmt: skip
    for row in found:
        mine.execute(
            "insert or ignore into cited select r.row, ?2, e.row, ?4, ?5, ?6 from episodes r, episodes e "
            "where r.id = ?1 and e.id = ?3", row,
        )  # fmt: skip
        orphans += [
            int(reply) for (reply,) in each(
                mine, "select r.row from episodes r, tombstones t where r.id = ?1 and r.role = 'assistant' "
                "and t.hash = ?2", (row[0], row[2]),
            )
        ]  # fmt: skip
    times = "a.valid_from, a.valid_to, a.precision, a.believed"
    for row in each(theirs, f"select r.id, {times} from asked a join episodes r on r.row = a.episode_row"):
        mine.execute("insert or ignore into asked select row, ?2, ?3, ?4, ?5 from episodes where id = ?1", row)
    return orphans


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


def take_episodes(mine: apsw.Connection, theirs: apsw.Connection) -> dict[int, int]:
    """Insert what is neither here nor erased here; gives the rows of what came, there and here, both ascending."""
    new: dict[int, int] = {}
    marks = ", ".join("?" * len(_COPIED.split(",")))
    ours = ", ".join(f"e.{name.strip()}" for name in _COPIED.split(","))
    found = f"select e.row, e.id, s.key, {ours} from episodes e join sessions s on s.id = e.session_id order by e.row"
    for row, key, session, *copied in each(theirs, found):
        mine.execute(
            f"insert or ignore into episodes (id, session_id, {_COPIED}) select ?, (select id from sessions where "
            f"key = ?), {marks} where not exists (select 1 from tombstones where hash = ?)",
            (key, session, *copied, key),
        )
        if mine.changes():
            new[row] = mine.last_insert_rowid()
    return new


def take_claims(
    mine: apsw.Connection, theirs: apsw.Connection, now: Instant, run_of: Callable[[int], int] = lambda _: 0
) -> list[int]:
    """Take over the claims of turns that were read there and not here, and that they were read; so too what a model
    made of turns that none has heard here, in the sleep that `run_of` gives for that of there (0: none of here). Gives
    the new rows."""
    read_here = set(column(mine, "select e.id from readings r join episodes e on e.row = r.episode_row"))
    heard_here = set(column(mine, "select e.id from heard h join episodes e on e.row = h.episode_row"))
    here = set(column(mine, "select id from episodes"))
    wanted = [claim for _, claim in read_claims(theirs, "order by c.row", ()) if claim.episode in here
              and claim.episode not in (heard_here if claim.extractor.startswith("model/") else read_here)]  # fmt: skip
    added = insert_claims(mine, wanted, now.us)
    for key, extractor, at in rows(
        theirs, "select e.id, r.extractor, r.read_at from readings r join episodes e on e.row = r.episode_row"
    ):
        mine.execute("insert or ignore into readings select row, ?, ? from episodes where id = ?", (extractor, at, key))
    for key, before, model, run, at, tries, still in rows(
        theirs, "select e.id, b.id, h.model, h.run, h.at, h.tries, h.open from heard h join episodes e on e.row = "
        "h.episode_row left join episodes b on b.row = h.before_row",
    ):  # fmt: skip
        mine.execute(
            "insert or ignore into heard select row, (select row from episodes where id = ?), ?, ?, ?, ?, ? "
            "from episodes where id = ?", (before, model, run_of(run), at, tries, still, key),
        )  # fmt: skip
    return added


def _withdrawals(mine: apsw.Connection, theirs: apsw.Connection, operation: int) -> None:
    for (claim_id,) in each(theirs, "select claim_id from withdrawals"):
        claim_row = scalar(mine, "select row from claims where id = ?", (claim_id,))
        if claim_row is None:
            continue
        mine.execute("insert or ignore into withdrawals values (?, ?)", (claim_id, operation))
        if mine.changes():
            mark_claim(mine, claim_row)


def _erased(mine: apsw.Connection, theirs: apsw.Connection) -> list[int]:
    """Rows of our turns that the other memory erased; its tombstones of turns that we never had are kept as ours."""
    gone: list[int] = []
    for key, at in each(theirs, "select hash, erased_at from tombstones"):
        row = scalar(mine, "select row from episodes where id = ?", (key,))
        if row is None:
            mine.execute("insert or ignore into tombstones values (?, ?)", (key, at))
        else:
            gone.append(int(row))
    return gone
