"""What a reply rests on comes back with it, goes with whatever is erased, and travels with exports and merges."""

from __future__ import annotations

from pathlib import Path

from store.memory import Memory
from store.records import Cited, Episode, Source, Stretch, Turn
from store.rows import rows
from tests.conftest import NOW, ZONE
from tests.exporting import taken, written
from tests.properties.test_machine import Moving

WORDS = "We settled on EB Telheiras after the visit."


def source_of(turn: Episode, quote: str) -> Source:
    start = turn.text.index(quote)
    return Source(turn.id, None, start, start + len(quote), quote, turn.said_at, turn.speaker, turn.session)


def told(memory: Memory) -> tuple[Episode, Episode]:
    """A turn, and a reply in another conversation that cites it and was given another."""
    turn = memory.remember(Turn(WORDS, "before"))
    other = memory.remember(Turn("Ana likes it there.", "before"))
    cited = Cited((source_of(turn, "EB Telheiras"),), (other.id,), Stretch(NOW.us - 5, NOW.us), NOW.us - 1)
    memory.remember(Turn("Which school?", "now"))
    reply = memory.remember(Turn("EB Telheiras.", "now", speaker="memory", role="assistant"), cited)
    return turn, reply


def sources(memory: Memory) -> list[str]:
    return [source.quote for one in memory.page("now", 0, 10) for source in one.sources]


def test_a_page_brings_the_sources_of_its_replies(memory: Memory) -> None:
    turn, reply = told(memory)
    assert [one.sources for one in memory.page("now", 0, 10)] == [(), (source_of(turn, "EB Telheiras"),)]
    cited = memory.cited(reply.id)
    assert cited.sources == (source_of(turn, "EB Telheiras"),)
    assert [memory.episode(one).text for one in cited.given] == ["Ana likes it there."]
    assert (cited.as_of, cited.believed) == (Stretch(NOW.us - 5, NOW.us), NOW.us - 1)
    assert memory.cited(turn.id) == Cited()


def test_what_is_erased_is_cited_by_nobody(memory: Memory) -> None:
    turn, reply = told(memory)
    memory.erase(memory.selection(episode=turn.id))
    assert sources(memory) == []
    assert memory.episode(reply.id).text == "EB Telheiras."
    memory.erase(memory.selection(session="now"))
    assert rows(memory._reader, "select * from cited union all select *, 0 from asked") == []


def test_a_turn_that_is_gone_meanwhile_is_passed_over(memory: Memory) -> None:
    turn, _ = told(memory)
    memory.erase(memory.selection(episode=turn.id))
    memory.remember(Turn("Yes.", "now", role="assistant"), Cited((source_of(turn, "EB"),), (turn.id,)))
    assert sources(memory) == []


def test_an_export_and_a_merge_bring_them(memory: Memory, tmp_path: Path) -> None:
    told(memory)
    text = written(memory)
    with Memory.open(tmp_path / "taken.db", clock=Moving(), zone=ZONE) as other:
        taken(other, text)
        assert sources(other) == ["EB Telheiras"]
        assert written(other) == text
        assert not +taken(other, text).counts
    with Memory.open(tmp_path / "merged.db", clock=Moving(), zone=ZONE) as other:
        other.merge(memory.path)
        other.merge(memory.path)
        assert sources(other) == ["EB Telheiras"]
        reply = other.page("now", 1, 1)[0]
        assert other.cited(reply.id) == memory.cited(reply.id)


def test_an_export_after_an_erase_elsewhere_cites_nothing_of_it(memory: Memory, tmp_path: Path) -> None:
    turn, _ = told(memory)
    text = written(memory)
    with Memory.open(tmp_path / "other.db", clock=Moving(), zone=ZONE) as other:
        taken(other, text)
        other.erase(other.selection(episode=turn.id))
        taken(other, text)
        assert sources(other) == []
