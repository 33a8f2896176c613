"""What is derived is checked against what it derives from, both ways, and can be made anew without losing a word.

Whatever is derived is of a kind in DERIVED, by which it is made, checked, rebuilt, merged, and forgotten at an erase.
Each kind stands after those that it is made of. Caches beside the file are not listed: they go whole
(store.database.beside).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import chain

import apsw

from store.beliefs import predicates, tables
from store.beliefs.fold import fold
from store.beliefs.refold import dirty_groups, group_claims
from store.beliefs.settle import UNFILED, catch_up
from store.database.connections import Database
from store.database.rows import column, each, rows, scalar
from store.episodes import index
from store.episodes.append import episodes_where
from store.protocols import Derived, Embedder
from store.recall import stamps
from store.records import Finding, Progress
from store.sleep import derived, gists, salience

STEP = 500


def _has_table(name: str) -> Callable[[apsw.Connection], bool]:
    return lambda connection: bool(scalar(connection, "select 1 from sqlite_schema where name = ?", (name,)))


def _add_to_index(connection: apsw.Connection, turns: Sequence[int], embedder: Embedder) -> Iterator[Progress]:
    for start in range(0, len(turns), STEP):
        listed = ",".join(map(str, turns[start : start + STEP]))
        index.add(connection, list(episodes_where(connection, f"where e.row in ({listed})")), embedder)
        yield Progress("index", min(start + STEP, len(turns)), len(turns))


_OF_BELIEFS = {
    "claims have a group": f"select count(*) {UNFILED}",
    "groups have a claim": "select count(*) from claim_groups where claim_row not in (select row from claims)",
    "quotes lie in their turns": "select count(*) from claims c join episodes e on e.row = c.episode_row "
    "where c.start < 0 or c.end > length(e.text)",
    "facts rest on claims": "select count(*) from facts where id not in (select fact_id from fact_sources)",
    "sources are claims": "select count(*) from fact_sources where claim_row not in (select row from claims)",
    "facts have a subject": "select count(*) from facts where subject not in (select id from entities)",
    "facts replace facts": "select count(*) from supersessions where old_id not in (select id from facts)",
    "claims are of turns": "select count(*) from claims where episode_row not in (select row from episodes)",
}


def _facts_match(connection: apsw.Connection) -> Sequence[Finding]:
    """Fold every settled group again, and compare the facts that come out with those that are stored, both ways."""
    waiting = set(dirty_groups(connection))
    wrong = 0
    groups = {(row[0], row[1]) for row in each(connection, "select distinct subject, family from claim_groups")}
    groups |= {(row[0], row[1]) for row in each(connection, "select distinct subject, family from facts")}
    for subject, family in sorted(groups - waiting):
        claims = [claim for _, claim in group_claims(connection, (subject, family))]
        folded = {(one.id, one.piece.start, one.piece.end, one.piece.standing, one.believed_from, one.believed_to,
                   one.change, one.ended) for one in fold(claims, subject, family)}  # fmt: skip
        stored = set(rows(
            connection, "select id, world_from, world_to, standing, believed_from, believed_to, change, ended "
            "from facts where subject = ? and family = ?", (subject, family),
        ))  # fmt: skip
        wrong += folded != stored
    return [Finding("facts are what the claims fold to", not wrong, f"{wrong} slots differ" if wrong else "")]


def _forget_beliefs(connection: apsw.Connection, _turns: Sequence[int]) -> None:
    connection.execute("delete from aliases where mention not in (select mention from claim_groups)")
    for _ in catch_up(connection):
        pass
    connection.execute("delete from entities where id not in (select entity_id from aliases)")


_OF_SLEEP = {
    "turns have their sentences": "select count(*) from episodes where secret = 0 and inactive = 0 and "
    "source <> 'command' and row not in (select episode_row from gists) and row not in "
    "(select episode_row from gist_waits)",
    "beliefs have a standing": "select count(*) from facts where believed_to is null and id not in "
    "(select fact_id from salience) and id not in (select fact_id from salience_waits)",
}


def _weigh_again(connection: apsw.Connection, _turns: Sequence[int]) -> None:
    for _ in salience.rebuild(connection):
        pass


BELIEFS = Derived(
    create=tables.create, drop=tables.drop, is_there=_has_table("waiting"), counts=_OF_BELIEFS, check=_facts_match,
    add=lambda connection, *_: catch_up(connection), forget=_forget_beliefs,
)  # fmt: skip
DERIVED = (
    Derived(
        create=index.create, drop=index.drop, check=index.check, add=_add_to_index, forget=index.remove,
    ),
    BELIEFS,
    Derived(create=stamps.create, is_there=stamps.complete),
    Derived(
        create=derived.create, drop=derived.drop, is_there=_has_table("gists"), counts=_OF_SLEEP,
        finish=lambda connection, _: chain(gists.rebuild(connection), salience.rebuild(connection)),
        forget=_weigh_again,
    ),
)  # fmt: skip


_SLOTS = "select value from settings where key = 'slots'"
"""By which registry of predicates the beliefs were folded."""


def create_derived(connection: apsw.Connection) -> None:
    """Make the derived tables that are not there."""
    for kind in DERIVED:
        kind.create(connection)


def _make_anew(connection: apsw.Connection, kinds: Sequence[Derived]) -> None:
    for kind in reversed(kinds):
        kind.drop(connection)
    create_derived(connection)


def is_current(connection: apsw.Connection) -> bool:
    """Whether the derived tables are there, as this version makes them."""
    there = all(kind.is_there(connection) for kind in DERIVED)
    return there and scalar(connection, _SLOTS) == predicates.slots()


def renew(connection: apsw.Connection) -> None:
    """Make the beliefs, and the tables of what is made of them, as this version makes them, in the caller's
    transaction. The next sleep does the rest."""
    _make_anew(connection, DERIVED[DERIVED.index(BELIEFS) :])
    for _ in catch_up(connection):
        pass
    connection.execute("insert or replace into settings values ('slots', ?)", (predicates.slots(),))


def bring_current(database: Database) -> None:
    """Make the derived tables that this version needs and the file, from an older one, does not have. A file that may
    not be written to is read with the beliefs that it holds."""
    reader = database.reader()
    if not is_current(reader) and not (database.read_only and all(kind.is_there(reader) for kind in DERIVED)):
        with database.writing() as connection:
            renew(connection)


def check(database: Database) -> list[Finding]:
    """Look at everything, change nothing."""
    reader, found = database.reader(), database.integrity()
    with nullcontext(reader) if database.read_only else database.writing() as writer:
        found.append(index.inside(writer))
    return [*found, *counted(reader), *(finding for kind in DERIVED for finding in kind.check(reader))]


def counted(connection: apsw.Connection) -> list[Finding]:
    """The quick part of the check: that what is derived and what it derives from name each other."""
    counts = [(name, int(scalar(connection, sql))) for kind in DERIVED for name, sql in kind.counts.items()]
    return [Finding(name, not count, f"{count} do not" if count else "") for name, count in counts]


def rebuild(database: Database, embedder: Embedder) -> Iterator[Progress]:
    """Drop every derived table and make it again from the episodes and the claims, in one transaction."""
    with database.writing() as connection:
        _make_anew(connection, DERIVED)
        turns = column(connection, "select row from episodes order by row")
        for kind in DERIVED:
            yield from kind.add(connection, turns, embedder)
            yield from kind.finish(connection, embedder)
