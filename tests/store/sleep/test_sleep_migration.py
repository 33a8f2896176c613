"""A file of the first version is brought to this one with its turns: what was read stays read, the rest waits."""

from __future__ import annotations

from pathlib import Path

from app.core.clock import FrozenClock
from store.memory import Memory
from store.records import Turn
from tests.conftest import NOW, ZONE

BACK = """
drop trigger arrival; drop trigger reading; drop trigger reading_taken_back;
drop table unread; drop table loose; drop table run_readings; drop table tidied; drop index operations_by_phase;
drop table unit_edits; drop table unit_links; drop table unit_keywords; drop table unit_spans; drop table units;
delete from _sqlite_migrations where name = 'm002_what_waits_for_a_sleep';
"""


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
        for _ in memory.sleeping.run(tidy=True):
            pass
        assert {fact.object for fact in memory.beliefs.facts()} == {"Porto", "figs"}
        assert [one for one in memory.file.check() if not one.ok] == []


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
