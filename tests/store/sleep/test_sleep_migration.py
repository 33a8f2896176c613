"""A file of the first version is brought to this one with its turns: what was read stays read, the rest waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.database.rows import column
from store.errors import UsageError
from store.memory import Memory
from store.records import Turn
from tests.conftest import NOW, ZONE

BACK = """
create table planned (x);
drop trigger arrival; drop trigger reading; drop trigger reading_taken_back;
drop table unread; drop table run_readings; drop index operations_by_phase;
delete from _sqlite_migrations where name in ('m002_what_waits_for_a_sleep', 'm007_no_units_and_no_trees');
"""
UNITS = """
create table loose (episode_row integer primary key references episodes(row) on delete cascade);
create table tidied (unit_id text primary key, episode_row integer not null references episodes(row));
create table planned (unit_id text primary key, episode_row integer not null references episodes(row));
create table units (id integer primary key, title text);
create table unit_keywords (keyword text, unit_id integer references units(id) on delete cascade);
insert into loose select row from episodes;
insert into tidied select 'u1', row from episodes;
insert into units values (1, 'zebra crossing');
insert into unit_keywords values ('zebra', 1);
insert into operations (id, run, phase, kind, at, at_offset, reason, detail)
values (100, 1, 'tidy', 'merge', 0, 0, 'APPLIED', '{}'),
    (101, null, 'hand', 'undo', 0, 0, 'BY_HAND', '{"operation": 100}');
update operations set undone_by = 101 where id = 100;
delete from _sqlite_migrations where name = 'm007_no_units_and_no_trees';
"""
"""What a file of the sixth version has where it keeps units."""


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def test_turns_of_the_first_version_wait_if_no_sleep_has_read_them(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s")).id)
        memory.episodes.remember(Turn("I like figs.", "s"))
        for _ in memory._database._writer.execute(BACK):
            pass
        memory._database._writer.pragma("user_version", 1)
    with opened(path) as memory:
        assert memory.reading.pending() == 1 and memory.sleeping.restless() == (2, 1)
        for _ in memory.sleeping.run():
            pass
        assert {fact.object for fact in memory.beliefs.facts()} == {"Porto", "figs"}
        assert [one for one in memory.file.check() if not one.ok] == []


def test_units_of_an_earlier_version_go_to_the_last_byte(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.episodes.remember(Turn("I live in Porto.", "s"))
        for _ in memory._database._writer.execute(UNITS):
            pass
        memory._database._writer.pragma("user_version", 6)
        before = memory.state_hash()
    with opened(path) as memory:
        tables = column(memory._database.reader(), "select name from sqlite_schema where type = 'table'")
        assert not {"loose", "tidied", "planned", "units", "unit_keywords"} & set(tables)
        assert [one.kind for one in memory.log.operations()] == ["undo"]
        assert memory.state_hash() == before
        memory.episodes.remember(Turn("I like figs.", "s"))
        assert memory.reading.pending() == 2
        assert [one for one in memory.file.check() if not one.ok] == []
        with pytest.raises(UsageError):
            memory.log.undo(101)
    assert b"zebra" not in path.read_bytes()


def test_a_turn_waits_from_when_it_comes_until_it_is_read_and_again_when_its_reading_goes(memory: Memory) -> None:
    episode = memory.episodes.remember(Turn("I live in Porto.", "s"))
    assert memory.reading.pending() == 1
    memory.reading.learn(episode.id)
    assert memory.reading.pending() == 0
    with memory._database.writing() as connection:
        connection.execute("delete from readings")
    assert memory.reading.pending() == 1
    with memory._database.writing() as connection:
        connection.execute("delete from claims")
        connection.execute("insert into readings values (?, 'rules', 0)", (episode.row,))
        connection.execute("delete from episodes where row = ?", (episode.row,))
    assert memory.reading.pending() == 0
