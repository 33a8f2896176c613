"""A newer reader reads old turns again in sleep: what the older one heard gives way, what was said by hand stays."""

from __future__ import annotations

import pytest

from store.beliefs.tables import insert_claims
from store.memory import Memory
from store.records import Claim, Instant, Precision, Stretch, Turn
from tests.conftest import NOW

OLD = "rules/1 reader/0"


def sleep(memory: Memory) -> int:
    run = memory.sleeping.run()
    while True:
        try:
            next(run)
        except StopIteration as end:
            return int(end.value.episodes)


@pytest.fixture
def read_long_ago(memory: Memory) -> Memory:
    """A turn that an older reader read, and misread."""
    episode = memory.episodes.remember(Turn("I live in Porto with my sister Ada.", "s"))
    claim = Claim(
        id="old", episode=episode.id, start=0, end=15, subject="me", predicate="lives_in", object="Braga",
        valid=Stretch(None, None, Precision.OPEN), holds_now=True, said_at=episode.said_at, session="s",
        position=episode.position, extractor="reader/0",
    )  # fmt: skip
    with memory._database.writing() as connection:
        insert_claims(connection, [claim], NOW.us)
        connection.execute("insert into readings values (?, ?, ?)", (episode.row, OLD, NOW.us))
    for _ in memory.file.rebuild():
        pass
    return memory


def places(memory: Memory) -> list[str]:
    return [one.object for one in memory.beliefs.facts(about="me", predicate="lives_in")]


def test_what_the_older_one_heard_gives_way(memory: Memory) -> None:
    episode = memory.episodes.remember(Turn("I live in Porto with my sister Ada.", "s"))
    with memory._database.writing() as connection:
        connection.execute("insert into readings values (?, ?, ?)", (episode.row, OLD, NOW.us))
    assert sleep(memory) == 1 and places(memory) == ["Porto"]
    assert sleep(memory) == 0
    assert not [one for one in memory.file.check() if not one.ok]


def test_a_rebuild_does_it_at_once_and_leaves_nothing_of_the_old(read_long_ago: Memory) -> None:
    assert places(read_long_ago) == ["Porto"]
    assert not [one for one in read_long_ago.beliefs.facts(everything=True) if one.object == "Braga"]
    assert not [one for one in read_long_ago.file.check() if not one.ok]


def test_what_was_said_by_hand_stays(memory: Memory) -> None:
    earlier = Instant(NOW.us - 86_400_000_000, NOW.offset)
    episode = memory.episodes.remember(Turn("I live in Porto with my sister Ada.", "s", said_at=earlier))
    memory.reading.learn(episode.id)
    memory.by_hand.correct("me", "lives_in", "Cascais")
    with memory._database.writing() as connection:
        connection.execute("update readings set extractor = ? where extractor <> 'by hand'", (OLD,))
    assert sleep(memory) == 1
    assert places(memory) == ["Cascais"]


def test_the_turns_of_a_sleep_that_was_taken_back_are_not_read_unasked(memory: Memory) -> None:
    list(memory.episodes.ingest([Turn("I live in Porto with my sister Ada.", "s", said_at=NOW)]))
    assert sleep(memory) == 1
    memory.log.undo_run(1)
    with memory._database.writing() as connection:
        connection.execute("update readings set extractor = ?", (OLD,))
    assert sleep(memory) == 0 and places(memory) == []
