"""`ask` serves an answer again only while nothing that it rests on has changed, whoever changed it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.memory import Memory
from store.parts.answering import _midnight
from store.recall import stamps
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE

WHERE = "Where do I live?"


class Moved:
    """A clock that can be set."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> Instant:
        return self.at


def test_a_turn_that_teaches_nothing_leaves_the_answer(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    then = "Where did I live in April 2024?"
    assert [memory.answering.ask(then).tier for _ in range(2)] == [2, 0]
    memory.reading.learn(memory.episodes.remember(Turn("What a day!", "s")).id)
    assert memory.answering.ask(then).tier == 0


@pytest.mark.parametrize("question", ["where did I work", "Where did I work?", "Where did I work"])
def test_what_a_question_asks_for_is_found_however_it_is_written(
    memory: Memory, say: Callable[..., None], question: str
) -> None:
    say("2024-03-03", "I work at Sonda.", "I cycle to work.", "Ana works at Barco.")
    assert memory.answering.asked_about(question) == (("me", "works_at"),)
    assert memory.answering.asked_about("where does Ana work") == (("Ana", "works_at"),)
    assert memory.answering.asked_about("what a day") == ()


def test_a_turn_that_teaches_ends_it(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    memory.answering.ask(WHERE)
    memory.reading.learn(memory.episodes.remember(Turn("I moved to Lisbon yesterday.", "s")).id)
    found = memory.answering.ask(WHERE)
    assert found.tier == 2 and "Lisbon" in found.text


def test_what_was_never_told_is_looked_for_again_after_every_turn(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    asked = "Where did I hide the spare key?"
    assert [memory.answering.ask(asked).tier for _ in range(2)] == [2, 0]
    memory.episodes.remember(Turn("I hid the spare key under the blue flower pot.", "s"))
    found = memory.answering.ask(asked)
    assert found.tier == 2 and "flower pot" in found.text


def test_another_process_ends_it_too(tmp_path: Path) -> None:
    def opened(hours: int) -> Memory:
        later = Instant.of(NOW.local() + timedelta(hours=hours))
        return Memory.open(tmp_path / "m.db", clock=FrozenClock(later), zone=ZONE)

    with opened(0) as one, opened(1) as other:
        one.reading.learn(one.episodes.remember(Turn("I live in Porto.", "s")).id)
        assert [one.answering.ask(WHERE).tier for _ in range(2)] == [2, 0]
        other.by_hand.correct("me", "lives_in", "Faro")
        assert "Faro" in one.answering.ask(WHERE).text


def test_erased_words_are_in_no_kept_answer(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    memory.answering.ask(WHERE)
    memory.erasing.erase(memory.erasing.selection(session="s-2024-03-03"))
    assert not memory.answering._answers._kept
    found = memory.answering.ask(WHERE)
    assert found.abstained and "Porto" not in found.text


def test_midnight_ends_it(tmp_path: Path) -> None:
    clock = Moved()
    with Memory.open(tmp_path / "m.db", clock=clock, zone=ZONE) as memory:
        memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s")).id)
        assert memory.answering.ask(WHERE).tier == 2
        clock.at = Instant.of(NOW.local() + timedelta(hours=1))
        assert memory.answering.ask(WHERE).tier == 0
        clock.at = Instant.of(NOW.local() + timedelta(hours=12))
        assert memory.answering.ask(WHERE).tier == 2
    assert Instant(_midnight(NOW.us, ZONE), 3600).iso() == "2026-06-02T00:00:00+01:00"


def test_a_question_by_the_hour_is_never_kept(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    assert [memory.answering.ask("Where did I live two hours ago?").tier for _ in range(2)] == [2, 2]


def test_a_rebuilt_file_is_stamped_again(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    before = stamps.beliefs(memory._database.reader())
    list(memory.file.rebuild())
    after = stamps.beliefs(memory._database.reader())
    assert before is not None and after is not None and before != after


def test_the_quote_is_by_the_person_under_the_name_that_they_chat_under(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE, person=["Ana"]) as memory:
        words = "I hid the spare key under the blue flower pot in the garden."
        list(memory.episodes.ingest([Turn(words, "s", speaker="Ana", said_at=NOW)]))
        (found,) = memory.recall.evidence("Where did I hide the spare key?", 1, None)
        assert found.mine and found.hit.text == words
