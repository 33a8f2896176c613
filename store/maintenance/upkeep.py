"""What is derived is checked against what it derives from, both ways, and can be made anew without losing a word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import apsw

from store.beliefs import predicates, tables
from store.beliefs.fold import fold
from store.beliefs.refold import dirty_groups, group_claims, refold
from store.beliefs.settle import file_claims, settle_identities
from store.database.connections import Database
from store.database.rows import each, rows, scalar
from store.episodes import index
from store.episodes.append import episodes_where
from store.protocols import Embedder
from store.recall import stamps
from store.records import Finding, Progress
from store.sleep import auditing, derived, forest, salience, topology, units
from store.sleep.describe import Describer

STEP = 500

_COUNTS = (
    ("claims have a group", "select count(*) from claims where modality <> 'unsure' "
     "and row not in (select claim_row from claim_groups)"),
    ("groups have a claim", "select count(*) from claim_groups where claim_row not in (select row from claims)"),
    ("quotes lie in their turns", "select count(*) from claims c join episodes e on e.row = c.episode_row "
     "where c.start < 0 or c.end > length(e.text)"),
    ("facts rest on claims", "select count(*) from facts where id not in (select fact_id from fact_sources)"),
    ("sources are claims", "select count(*) from fact_sources where claim_row not in (select row from claims)"),
    ("facts have a subject", "select count(*) from facts where subject not in (select id from entities)"),
    ("facts replace facts", "select count(*) from supersessions where old_id not in (select id from facts)"),
    ("turns in trees are there", "select count(*) from forest_nodes where level = 0 and episode_row not in "
     "(select row from episodes)"),
    ("turns have their places", "select count(*) from episodes where secret = 0 and inactive = 0 and "
     "source <> 'command' and row not in (select item from forest_nodes where level = 0) and row not in "
     "(select episode_row from forest_turns)"),
    ("beliefs have their places", "select count(*) from facts where believed_to is null and id not in "
     "(select item from forest_nodes where level = 0) and id not in (select fact_id from forest_facts)"),
    ("beliefs have a standing", "select count(*) from facts where believed_to is null and id not in "
     "(select fact_id from salience) and id not in (select fact_id from salience_waits)"),
    ("claims are of turns", "select count(*) from claims where episode_row not in (select row from episodes)"),
)  # fmt: skip


def create_derived(connection: apsw.Connection) -> None:
    """Make the derived tables that are not there."""
    tables.create(connection)
    index.create(connection)
    stamps.create(connection)
    derived.create(connection)
    units.create(connection)


_SLOTS = "select value from settings where key = 'slots'"
"""By which registry of predicates the beliefs were folded."""


def is_current(connection: apsw.Connection) -> bool:
    """Whether the derived tables are there, as this version makes them."""
    return _is_whole(connection) and scalar(connection, _SLOTS) == predicates.slots()


def _is_whole(connection: apsw.Connection) -> bool:
    made = "select count(*) from sqlite_schema where name in ('waiting', 'forest_nodes', 'units')"
    return bool(scalar(connection, made) == 3) and stamps.complete(connection)


def renew(connection: apsw.Connection) -> None:
    """Make the derived tables as this version makes them, in the caller's transaction."""
    derived.drop(connection)
    tables.drop(connection)
    create_derived(connection)
    for _ in _file_all(connection):
        pass
    connection.execute("insert or replace into settings values ('slots', ?)", (predicates.slots(),))


def bring_current(database: Database) -> None:
    """Make the derived tables that this version needs and the file, from an older one, does not have. A file that may
    not be written to is read with the beliefs that it holds."""
    if database.read_only and _is_whole(database.reader()):
        return
    if not is_current(database.reader()):
        with database.writing() as connection:
            renew(connection)


def check(database: Database) -> list[Finding]:
    """Look at everything, change nothing."""
    connection = database.reader()
    found = database.integrity()
    with nullcontext(connection) if database.read_only else database.writing() as writer:
        found += index.check(writer)
    found += counted(connection)
    found.append(_facts_match(connection))
    return found + auditing.check(connection)


def counted(connection: apsw.Connection) -> list[Finding]:
    """The quick part of the check: that what is derived and what it derives from name each other."""
    counts = [(name, int(scalar(connection, sql))) for name, sql in _COUNTS]
    return [Finding(name, not count, f"{count} do not" if count else "") for name, count in counts]


def _facts_match(connection: apsw.Connection) -> Finding:
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
    return Finding("facts are what the claims fold to", not wrong, f"{wrong} slots differ" if wrong else "")


def rebuild(database: Database, embedder: Embedder) -> Iterator[Progress]:
    """Drop every derived table and make it again from the episodes and the claims, in one transaction."""
    with database.writing() as connection:
        keeps_units = bool(scalar(connection, "select exists (select 1 from units)"))
        index.drop(connection)
        derived.drop(connection)
        tables.drop(connection)
        create_derived(connection)
        yield from _reindex(connection, embedder)
        yield from _file_all(connection)
        topology.renew(connection)
        if keeps_units:
            yield from _put_together(connection, embedder)
        yield from forest.rebuild(connection)
        yield from salience.rebuild(connection)


def _file_all(connection: apsw.Connection) -> Iterator[Progress]:
    """File and fold every claim."""
    claims = [row[0] for row in each(connection, "select row from claims where modality <> 'unsure' order by row")]
    for start in range(0, len(claims), STEP):
        file_claims(connection, claims[start : start + STEP])
        yield Progress("claims", min(start + STEP, len(claims)), len(claims))
    settle_identities(connection)
    groups = dirty_groups(connection)
    for place, (subject, family) in enumerate(groups, 1):
        refold(connection, subject, family)
        if place % STEP == 0 or place == len(groups):
            yield Progress("fold", place, len(groups))


def _put_together(connection: apsw.Connection, embedder: Embedder) -> Iterator[Progress]:
    """Make the units that were dropped, and do again what was done to them."""
    index.note(connection, "units_embedder", embedder.fingerprint)
    total, done = int(scalar(connection, "select count(*) from loose")), 0
    describer = Describer(embedder)
    while placed := topology.form(connection, describer, STEP):
        done += placed
        yield Progress("units", done, total)


def _reindex(connection: apsw.Connection, embedder: Embedder) -> Iterator[Progress]:
    total = int(scalar(connection, "select count(*) from episodes"))
    done, batch = 0, []
    for episode in list(episodes_where(connection, "")):
        batch.append(episode)
        if len(batch) == STEP:
            index.add(connection, batch, embedder)
            done, batch = done + len(batch), []
            yield Progress("index", done, total)
    if batch:
        index.add(connection, batch, embedder)
        yield Progress("index", total, total)
