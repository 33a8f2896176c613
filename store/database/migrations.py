"""Persistent tables only ever change through a migration here, in order, each in one transaction with its own record.

The migrations are sqlite-utils' own, run over the apsw connection through an adapter: sqlite-utils would otherwise open
the file with the standard library's second copy of SQLite. Derived tables are made by the modules that own them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlite_utils import Database as UtilsDatabase
    from sqlite_utils import Migrations

APPLICATION_ID = 0x45525354
SCHEMA_VERSION = 7

_FIRST = """
create table sessions (
    id integer primary key, key text not null unique, title text not null default '', source text not null,
    pinned integer not null default 0
) strict;
create table episodes (
    row integer primary key, id text not null unique, session_id integer not null references sessions(id),
    position integer not null, external_id text, speaker text not null,
    role text not null check (role in ('user', 'assistant', 'system', 'tool')), text text not null,
    said_at integer not null, said_offset integer not null, recorded_at integer not null,
    recorded_offset integer not null, source text not null, cut integer not null default 0,
    inactive integer not null default 0, secret integer not null default 0, original text
) strict;
create index episodes_by_session on episodes(session_id, said_at, position, id);
create index episodes_by_time on episodes(said_at);
create index episodes_by_external_id on episodes(external_id) where external_id is not null;
create table readings (
    episode_row integer primary key references episodes(row) on delete cascade,
    extractor text not null, read_at integer not null
) strict;
create table claims (
    row integer primary key, id text not null unique,
    episode_row integer not null references episodes(row) on delete cascade,
    start integer not null, end integer not null check (start < end), subject text not null,
    predicate text not null, object text not null, valid_from integer, valid_to integer, precision text not null,
    valid_offset integer not null, holds_now integer not null, cue text not null, replaces text,
    functional integer not null, negative integer not null, asserted_by text not null, standing integer not null,
    modality text not null, confidence real not null, extractor text not null, qualifiers text not null default '[]',
    recorded_at integer not null, check (valid_from is null or valid_to is null or valid_from < valid_to)
) strict;
create index claims_by_episode on claims(episode_row);
create index claims_by_subject on claims(subject, predicate);
create table withdrawals (
    claim_id text primary key, operation_id integer not null references operations(id) on delete cascade
) strict;
create table entities (id text primary key, name text not null, kind text not null, reason text not null) strict;
create table aliases (
    mention text primary key, entity_id text not null references entities(id) on delete cascade,
    reason text not null, operation_id integer references operations(id)
) strict;
create table operations (
    id integer primary key, run integer, phase text not null, kind text not null, at integer not null,
    at_offset integer not null, reason text not null, detail text not null default '{}',
    undone_by integer references operations(id)
) strict;
create index operations_by_run on operations(run);
create table accesses (
    id integer primary key, episode_row integer references episodes(row) on delete cascade, slot text,
    at integer not null, kind text not null
) strict;
create table pins (slot text not null, fact_id text not null, at integer not null, primary key (slot, fact_id)) strict;
create table tombstones (hash text primary key, erased_at integer not null) strict;
create table lease (
    only_one integer primary key check (only_one = 1), holder text not null, pid integer not null,
    taken_at integer not null
) strict;
create table settings (key text primary key, value text not null) strict;
"""

# What waits for a sleep is kept as it arrives, by triggers: no sleep looks through all turns for those that are new.
_SECOND = """
create table unread (episode_row integer primary key references episodes(row) on delete cascade) strict;
create table loose (episode_row integer primary key references episodes(row) on delete cascade) strict;
create trigger arrival after insert on episodes begin
    insert into unread values (new.row);
    insert into loose values (new.row);
end;
create trigger reading after insert on readings begin
    delete from unread where episode_row = new.episode_row;
end;
create trigger reading_taken_back after delete on readings
when exists (select 1 from episodes where row = old.episode_row) begin
    insert or ignore into unread values (old.episode_row);
end;
insert into unread select row from episodes where row not in (select episode_row from readings);
insert into loose select row from episodes;
create table run_readings (
    episode_row integer primary key references episodes(row) on delete cascade, run integer not null
) strict;
create index run_readings_by_run on run_readings(run);
create table tidied (
    unit_id text primary key, episode_row integer not null references episodes(row) on delete cascade,
    run integer not null
) strict;
create index tidied_by_episode on tidied(episode_row);
create index operations_by_phase on operations(phase, run);
"""

# What a model was asked about a turn, and what it said that was not let in: words, so they go with the turns.
_THIRD = """
create table heard (
    episode_row integer primary key references episodes(row) on delete cascade,
    before_row integer, model text not null, run integer not null, at integer not null, tries integer not null,
    open integer not null
) strict;
create index heard_by_run on heard(run);
create index heard_by_before on heard(before_row) where before_row is not null;
create table refused (
    id integer primary key, episode_row integer not null references episodes(row) on delete cascade,
    before_row integer references episodes(row) on delete cascade, run integer not null, model text not null,
    reason text not null, said text not null, at integer not null
) strict;
create index refused_by_episode on refused(episode_row);
create index refused_by_before on refused(before_row) where before_row is not null;
"""

# Which units a model has looked at; there are none any more (_SEVENTH).
_FOURTH = """
create table planned (
    unit_id text primary key, episode_row integer not null references episodes(row) on delete cascade,
    run integer not null, model text not null
) strict;
create index planned_by_episode on planned(episode_row);
create index planned_by_run on planned(run);
"""

# What a reply rests on: rows and places in their words, so that the words are kept once, and go with their turn.
_FIFTH = """
create table cited (
    episode_row integer not null references episodes(row) on delete cascade, place integer not null,
    source_row integer not null references episodes(row) on delete cascade, start integer not null,
    end integer not null check (start < end), shown integer not null, primary key (episode_row, place)
) strict;
create index cited_by_source on cited(source_row);
create table asked (
    episode_row integer primary key references episodes(row) on delete cascade, valid_from integer, valid_to integer,
    precision text, believed integer
) strict;
"""

# How a model speaks in one conversation, as JSON; empty where nothing was said about that.
_SIXTH = "alter table sessions add column options text not null default '';"


# Units, which earlier versions made of exchanges and edited, with what their sleeps noted of them; and trees over time.
# Without the indexes SQLite would look through three tables for each row of the log that goes, whether one names it.
_SEVENTH = """
drop trigger arrival;
create trigger arrival after insert on episodes begin
    insert into unread values (new.row);
end;
drop table loose;
drop table tidied;
drop table planned;
drop table if exists unit_edits;
drop table if exists unit_links;
drop table if exists unit_keywords;
drop table if exists unit_spans;
drop table if exists units;
create index of_undone on operations(undone_by);
create index of_withdrawn on withdrawals(operation_id);
create index of_alias on aliases(operation_id);
delete from operations where phase in ('tidy', 'plan');
drop index of_undone;
drop index of_withdrawn;
drop index of_alias;
drop trigger if exists forest_turn_came;
drop trigger if exists forest_turn_went;
drop trigger if exists forest_claim_came;
drop trigger if exists forest_claim_went;
drop trigger if exists forest_fact_came;
drop trigger if exists forest_fact_went;
drop trigger if exists forest_fact_closed;
drop table if exists forest_nodes;
drop table if exists forest_trees;
drop table if exists forest_gists;
drop table if exists forest_turns;
drop table if exists forest_facts;
"""


class _Cursor:
    """An apsw cursor that keeps its description after the last row, as DB-API promises and sqlite-utils expects."""

    def __init__(self, cursor: apsw.Cursor, description: Sequence[tuple[Any, ...]] | None) -> None:
        self._cursor = cursor
        self.description = description

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)

    def __next__(self) -> Any:
        return next(self._cursor)

    def __getattr__(self, name: str) -> Any:
        if name == "rowcount":
            return self._cursor.connection.changes()
        if name == "lastrowid":
            return self._cursor.connection.last_insert_rowid()
        return getattr(self._cursor, name)


class ApswAsDbApi:
    """As much of a DB-API connection over apsw as sqlite-utils' Migrations need."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Any = None) -> _Cursor:
        seen: list[Sequence[tuple[Any, ...]]] = []

        def trace(cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
            seen[:] = [tuple((*column, None, None, None, None, None) for column in cursor.get_description())]
            return True

        cursor = self._connection.cursor()
        cursor.exec_trace = trace
        cursor.execute(sql, parameters or None)
        return _Cursor(cursor, (seen and seen[0]) or None)

    def executescript(self, sql: str) -> None:
        self._connection.execute(sql).fetchall()

    def commit(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("commit")

    def rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("rollback")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


_STEPS = {
    "m001_persistent_tables": _FIRST,
    "m002_what_waits_for_a_sleep": _SECOND,
    "m003_what_a_model_heard": _THIRD,
    "m004_what_a_model_looked_at": _FOURTH,
    "m005_what_a_reply_rests_on": _FIFTH,
    "m006_how_a_model_speaks": _SIXTH,
    "m007_no_units_and_no_trees": _SEVENTH,
}
"""The SQL of each migration, by the name under which it is recorded, the oldest first."""


def migrations() -> Migrations:
    """The set of all migrations, oldest first."""
    from sqlite_utils import Migrations

    steps = Migrations("erstwhile")
    for name, script in _STEPS.items():

        @steps(name=name)
        def step(db: UtilsDatabase, script: str = script) -> None:
            db.conn.executescript(script)

    return steps


def migrate(connection: apsw.Connection) -> None:
    """Bring a file to SCHEMA_VERSION in one transaction, which two processes that start at once take in turn."""
    from sqlite_utils import Database as UtilsDatabase

    adapted: Any = ApswAsDbApi(connection)
    database = UtilsDatabase(adapted, execute_plugins=False, recursive_triggers=False)
    connection.execute("begin immediate")
    try:
        migrations().apply(database)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", SCHEMA_VERSION)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
