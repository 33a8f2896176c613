"""What a reply rests on comes back with it, goes with whatever is erased, and travels with exports and merges."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from app.core.turn import Request, take_turn
from store.database.rows import rows
from store.memory import Memory
from store.records import Cited, Episode, Source, Stretch, Turn
from tests.conftest import NOW, ZONE
from tests.properties.test_machine import Moving
from tests.store.maintenance.test_erase import bytes_of
from tests.support.exporting import taken, written

WORDS = "We settled on EB Telheiras after the visit."


def source_of(turn: Episode, quote: str) -> Source:
    start = turn.text.index(quote)
    return Source(turn.id, None, start, start + len(quote), quote, turn.said_at, turn.speaker, turn.session)


def told(memory: Memory) -> tuple[Episode, Episode]:
    """A turn, and a reply in another conversation that cites it and was given another."""
    turn = memory.episodes.remember(Turn(WORDS, "before"))
    other = memory.episodes.remember(Turn("Ana likes it there.", "before"))
    cited = Cited((source_of(turn, "EB Telheiras"),), (other.id,), Stretch(NOW.us - 5, NOW.us), NOW.us - 1)
    memory.episodes.remember(Turn("Which school?", "now"))
    reply = memory.episodes.remember(Turn("EB Telheiras.", "now", speaker="memory", role="assistant"), cited)
    return turn, reply


def sources(memory: Memory) -> list[str]:
    return [source.quote for one in memory.episodes.page("now", 0, 10) for source in one.sources]


def test_a_page_brings_the_sources_of_its_replies(memory: Memory) -> None:
    turn, reply = told(memory)
    assert [one.sources for one in memory.episodes.page("now", 0, 10)] == [(), (source_of(turn, "EB Telheiras"),)]
    cited = memory.episodes.cited(reply.id)
    assert cited.sources == (source_of(turn, "EB Telheiras"),)
    assert [memory.episodes.get(one).text for one in cited.given] == ["Ana likes it there."]
    assert (cited.as_of, cited.believed) == (Stretch(NOW.us - 5, NOW.us), NOW.us - 1)
    assert memory.episodes.cited(turn.id) == Cited()


def test_what_is_erased_is_cited_by_nobody(memory: Memory) -> None:
    turn, reply = told(memory)
    chosen = memory.erasing.selection(episode=turn.id)
    assert chosen.episodes == (turn.id, reply.id)
    memory.erasing.erase(chosen)
    assert sources(memory) == []
    assert [one.text for one in memory.episodes.page("now", 0, 10)] == ["Which school?"]
    assert rows(memory._database.reader(), "select * from cited union all select *, 0 from asked") == []


def test_a_reply_goes_with_what_a_model_was_given_and_with_a_reply_that_it_cites(memory: Memory) -> None:
    turn, reply = told(memory)
    (given,) = memory.episodes.cited(reply.id).given
    again = memory.episodes.remember(Turn("As I said.", "later", role="assistant"), Cited((source_of(reply, "EB"),)))
    other = memory.episodes.remember(Turn("Good morning.", "later", role="assistant"))
    memory.erasing.erase(memory.erasing.selection(episode=given))
    assert [one.id for one in memory.episodes.page("later", 0, 10)] == [other.id]
    assert {turn.id}.isdisjoint((reply.id, again.id)) and memory.episodes.get(turn.id).text == WORDS


def test_a_reply_goes_with_the_turn_before_it_whose_words_it_alone_repeats(memory: Memory) -> None:
    turn = memory.episodes.remember(Turn("Zqxolga has her viva soon.", "chat"))
    for text in ("How exciting for zqxOlga!", "What else is new?"):
        memory.episodes.remember(Turn(text, "chat", role="assistant"))
    memory.episodes.remember(Turn("Is the viva hard?", "other"))
    memory.episodes.remember(Turn("A viva is a long talk.", "other", role="assistant"))
    memory.erasing.erase(memory.erasing.selection(episode=turn.id))
    assert [one.text for one in memory.episodes.page("chat", 0, 10)] == ["What else is new?"]
    assert len(memory.episodes.page("other", 0, 10)) == 2


def test_what_the_memory_itself_said_leaves_no_byte_with_what_it_said_it_of(memory: Memory) -> None:
    """Asked in a chat and answered by the beliefs, by a quote, and by more turns than are shown."""
    told_of = [
        memory.episodes.remember(Turn(f"{who} {what}.", f"told {what}"))
        for who in ("My brother Zqxmattis", "Zqxmattis also", "Zqxmattis")
        for what in ("lives in Zqxhoorn", "works at the zqxharbour", "keeps a zqxferret")
    ]
    for one in told_of:
        memory.reading.learn(one.id)
    for question in ("Where does Zqxmattis live?", "What does my brother keep?", "Who is my brother?"):
        list(take_turn(memory, None, Request(Turn(question, "asked")), Event()))
    assert any("Zqxhoorn" in one.text for one in memory.episodes.page("asked", 0, 20) if one.role == "assistant")
    for one in told_of:
        memory.erasing.erase(memory.erasing.selection(episode=one.id))
    memory.erasing.erase(memory.erasing.selection(about="Zqxmattis"))
    assert [word for word in (b"zqxhoorn", b"zqxharbour", b"zqxferret", b"zqx") if word in bytes_of(memory)] == []
    assert all(finding.ok for finding in memory.file.check())


def test_a_merge_and_an_import_bring_no_reply_that_rests_on_what_was_erased_here(
    memory: Memory, tmp_path: Path
) -> None:
    turn, _ = told(memory)
    with Memory.open(tmp_path / "other.db", clock=Moving(), zone=ZONE) as other:
        taken(other, written(memory))
        other.erasing.erase(other.erasing.selection(episode=turn.id))
        memory.episodes.remember(
            Turn("Still EB Telheiras.", "late", role="assistant"), Cited((source_of(turn, "EB Telheiras"),))
        )
        taken(other, written(memory))
        assert [one.key for one in other.sessions.all() if one.key == "late"] == [] and b"telheiras" not in bytes_of(
            other
        )
        other.file.merge(memory.path)
        assert other.episodes.page("late", 0, 1) == [] and b"telheiras" not in bytes_of(other)
        memory.file.merge(other.path)
        assert memory.episodes.page("late", 0, 1) == [] and b"telheiras" not in bytes_of(memory)


def test_a_turn_that_is_gone_meanwhile_is_passed_over(memory: Memory) -> None:
    turn, _ = told(memory)
    memory.erasing.erase(memory.erasing.selection(episode=turn.id))
    memory.episodes.remember(Turn("Yes.", "now", role="assistant"), Cited((source_of(turn, "EB"),), (turn.id,)))
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
        other.file.merge(memory.path)
        other.file.merge(memory.path)
        assert sources(other) == ["EB Telheiras"]
        reply = other.episodes.page("now", 1, 1)[0]
        assert other.episodes.cited(reply.id) == memory.episodes.cited(reply.id)


def test_an_export_after_an_erase_elsewhere_cites_nothing_of_it(memory: Memory, tmp_path: Path) -> None:
    turn, _ = told(memory)
    text = written(memory)
    with Memory.open(tmp_path / "other.db", clock=Moving(), zone=ZONE) as other:
        taken(other, text)
        other.erasing.erase(other.erasing.selection(episode=turn.id))
        taken(other, text)
        assert sources(other) == []


def test_the_memorys_own_way_of_speaking_takes_no_other_reply_along(memory: Memory) -> None:
    boss = memory.episodes.remember(Turn("My boss is called Oda.", "now"))
    source = source_of(boss, "Oda")
    reply = memory.episodes.remember(
        Turn("Oda. On 5 May 2026 you said: “Oda”", "now", speaker="memory", role="assistant"), Cited((source,))
    )
    home = memory.episodes.remember(Turn("I live in Kotor.", "now"))
    memory.episodes.remember(
        Turn("On 5 May 2026 you said: “Kotor”", "now", speaker="memory", role="assistant"),
        Cited((source_of(home, "Kotor"),)),
    )
    assert memory.erasing.selection(about="Oda").episodes == (boss.id, reply.id)
