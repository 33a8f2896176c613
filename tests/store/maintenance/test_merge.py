"""Merging gives the memory that heard both, in either order, once or twice, and brings back nothing that was erased."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.database.rows import rows
from store.errors import BadInput, NotAMemory, StoreError
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE
from tests.properties.talk import START, hear, sleep, state

DAY = 86_400_000_000


def turn(day: int, words: str, session: str = "s") -> Turn:
    return Turn(words, session, said_at=Instant(START + day * DAY, 3600), external_id=f"{day}", place=day)


MINE = [turn(1, "I live in Porto."), turn(40, "My brother Paul lives in Berlin.", "t"), turn(50, "I like figs.")]
THEIRS = [turn(20, "I moved to Lisbon."), turn(60, "My brother moved to Braga last month.", "u"), MINE[2]]


def open_at(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    paths = (tmp_path / "mine.db", tmp_path / "theirs.db")
    for path, said in zip(paths, (MINE, THEIRS), strict=True):
        with open_at(path) as memory:
            hear(memory, said)
    return paths


def test_either_order_gives_the_memory_that_heard_both(two: tuple[Path, Path], tmp_path: Path) -> None:
    with open_at(tmp_path / "both.db") as both:
        hear(both, MINE + THEIRS)
        expected = state(both)
    mine, theirs = two
    for name, first, second in (("a.db", mine, theirs), ("b.db", theirs, mine)):
        with open_at(tmp_path / name) as memory:
            memory.file.merge(first)
            brought = memory.file.merge(second)
            assert brought.episodes == 2
            assert state(memory) == expected
            assert [one for one in memory.file.check() if not one.ok] == []
            assert memory.reading.pending() == 0


def test_the_next_sleep_comes_to_what_the_memory_that_heard_both_has(two: tuple[Path, Path], tmp_path: Path) -> None:
    def made(memory: Memory) -> tuple[object, ...]:
        sentences = "select e.id, g.spans from gists g join episodes e on e.row = g.episode_row order by 1"
        return memory.state_hash(), rows(memory._database.reader(), sentences)

    with open_at(tmp_path / "both.db") as both:
        hear(both, MINE + THEIRS)
        expected = made(both)
    for name, order in (("a.db", two), ("b.db", two[::-1])):
        with open_at(tmp_path / name) as memory:
            for other in order:
                memory.file.merge(other)
            read = len(memory.log.operations())
            sleep(memory)
            assert made(memory) == expected
            assert [
                one.detail.get("episodes", 0) for one in memory.log.operations()[:-read] if one.phase == "sleep"
            ] == [0]


def test_merging_twice_changes_nothing_and_the_other_file_stays_as_it_was(two: tuple[Path, Path]) -> None:
    mine, theirs = two
    before = theirs.read_bytes()
    with open_at(mine) as memory:
        memory.file.merge(theirs)
        hashed = memory.state_hash()
        again = memory.file.merge(theirs)
        assert (again.episodes, again.claims) == (0, 0)
        assert memory.state_hash() == hashed
    assert theirs.read_bytes() == before


def test_corrections_come_along_and_what_was_taken_back_stays_so(two: tuple[Path, Path]) -> None:
    mine, theirs = two
    with open_at(theirs) as other:
        other.by_hand.correct("me", "lives_in", "Faro")
        other.by_hand.correct("me", "favourite_tea", "oolong")
        other.log.undo(other.log.operations(limit=1)[0].id)
    with open_at(mine) as memory:
        memory.file.merge(theirs)
        assert [fact.object for fact in memory.beliefs.facts(about="me", predicate="lives_in")] == ["Faro"]
        assert memory.beliefs.facts(about="me", predicate="favourite_tea") == []


def test_what_either_erased_stays_erased(two: tuple[Path, Path], tmp_path: Path) -> None:
    mine, theirs = two
    with open_at(theirs) as other:
        other.erasing.erase(other.erasing.selection(episode=MINE[2].external_id))
    for name, first, second in (("a.db", mine, theirs), ("b.db", theirs, mine)):
        with open_at(tmp_path / name) as memory:
            memory.file.merge(first)
            memory.file.merge(second)
            assert "figs" not in {fact.object for fact in memory.beliefs.timeline()}
            assert all("figs" not in one.text for key in memory.sessions.all() for one in memory.episodes.of(key.key))


def test_what_is_no_memory_is_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    with open_at(two[0]) as memory:
        with pytest.raises(BadInput, match="not a file"):
            memory.file.merge(tmp_path / "nowhere.db")
        (tmp_path / "text.db").write_text("words " * 2000)
        with pytest.raises((NotAMemory, StoreError), match="memory"):
            memory.file.merge(tmp_path / "text.db")
        assert len(memory.sessions.all()) == 2
