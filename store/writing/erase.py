"""After an erase no byte of the words is left in the file, and the memory equals one that never heard them.

Episodes are the only words that were said; all else derives from them. So erasing is: find the episodes, delete them
with their claims, fold what they touched anew, keep a tombstone (a hash) against a second import, and empty the WAL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from store.belief.settle import dirty_groups, refold, settle_identities
from store.database import Database
from store.records import Receipt
from store.rows import each, rows, scalar
from store.writing import index


@dataclass(frozen=True, slots=True)
class Selection:
    """The episodes that an erase is about to take, and what hangs on them."""

    episode_rows: tuple[int, ...]
    claims: int
    facts: int
    sessions: int


def select(connection: apsw.Connection, where: str, values: Sequence[object]) -> Selection:
    """The blast radius: which episodes (where, over e and s) would go, and what would go with them."""
    found = rows(
        connection, f"select e.row, e.session_id from episodes e join sessions s on s.id = e.session_id {where}", values
    )
    listed = ",".join(str(row[0]) for row in found)
    claims = int(scalar(connection, f"select count(*) from claims where episode_row in ({listed})"))
    facts = int(
        scalar(
            connection,
            "select count(distinct fs.fact_id) from fact_sources fs join claims c on c.row = fs.claim_row "
            f"where c.episode_row in ({listed})",
        )
    )
    return Selection(tuple(row[0] for row in found), claims, facts, len({row[1] for row in found}))


def about(connection: apsw.Connection, entity: str) -> Sequence[int]:
    """The rows of the episodes that claim anything about an entity, name it, or were said by it."""
    names = {row[0] for row in each(connection, "select name from entities where id = ?", (entity,))}
    names |= {row[0] for row in each(connection, "select mention from aliases where entity_id = ?", (entity,))}
    spoken = sorted(name for name in names if ">" not in name)
    found = {
        row[0]
        for row in each(
            connection,
            "select c.episode_row from claims c join claim_groups g on g.claim_row = c.row where g.subject = ?",
            (entity,),
        )
    }
    for name in spoken:
        found |= {row[0] for row in each(connection, "select row from episodes where instr(lower(text), lower(?)) > 0 "
                                         "or lower(speaker) = lower(?)", (name, name))}  # fmt: skip
    return sorted(found)


def erase(database: Database, episode_rows: Sequence[int], now: int) -> Receipt:
    """Delete episodes for good. One transaction, then the WAL is emptied."""
    listed = ",".join(map(str, episode_rows))
    with database.writing() as connection:
        before = select(connection, f"where e.row in ({listed})", ())
        connection.execute(
            "insert or ignore into dirty select g.subject, g.family from claim_groups g join claims c on "
            f"c.row = g.claim_row where c.episode_row in ({listed})"
        )
        index.remove(connection, episode_rows)
        connection.execute(
            f"insert or ignore into tombstones select id, ? from episodes where row in ({listed})", (now,)
        )
        connection.execute(f"delete from claims where episode_row in ({listed})")
        connection.execute(f"delete from episodes where row in ({listed})")
        connection.execute("delete from sessions where id not in (select session_id from episodes)")
        _forget_names(connection)
        for subject, family in dirty_groups(connection):
            refold(connection, subject, family)
        sessions = before.sessions
    database.truncate_wal()
    return Receipt(episodes=len(before.episode_rows), claims=before.claims, facts=before.facts, sessions=sessions)


def _forget_names(connection: apsw.Connection) -> None:
    """Names, reasons and log entries that nothing that is left speaks of go too; identities settle without them."""
    connection.execute("delete from aliases where mention not in (select mention from claim_groups)")
    settle_identities(connection)
    connection.execute("delete from entities where id not in (select entity_id from aliases)")
    connection.execute("delete from withdrawals where claim_id not in (select id from claims)")
    connection.execute(
        "delete from operations where json_extract(detail, '$.episode') is not null "
        "and json_extract(detail, '$.episode') not in (select id from episodes)"
    )
