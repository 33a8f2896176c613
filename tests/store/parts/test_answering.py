"""What is asked again is answered from what the memory holds by then, whoever changed it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.memory import Memory
from store.recall import stamps
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE

WHERE = "Where do I live?"


@pytest.mark.parametrize("question", ["where did I work", "Where did I work?", "Where did I work"])
def test_what_a_question_asks_for_is_found_however_it_is_written(
    memory: Memory, say: Callable[..., None], question: str
) -> None:
    say("2024-03-03", "I work at Sonda.", "I cycle to work.", "Ana works at Barco.")
    assert memory.answering.asked_about(question) == (("me", "works_at"),)
    assert memory.answering.asked_about("where does Ana work") == (("Ana", "works_at"),)
    assert memory.answering.asked_about("what a day") == ()


def test_a_turn_that_teaches_changes_the_answer(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    memory.answering.ask(WHERE)
    memory.reading.learn(memory.episodes.remember(Turn("I moved to Lisbon yesterday.", "s")).id)
    assert "Lisbon" in memory.answering.ask(WHERE).text


def test_what_was_never_told_is_looked_for_again_after_every_turn(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    asked = "Where did I hide the spare key?"
    assert memory.answering.ask(asked).abstained
    memory.episodes.remember(Turn("I hid the spare key under the blue flower pot.", "s"))
    assert "flower pot" in memory.answering.ask(asked).text


def test_what_another_process_changes_is_seen(tmp_path: Path) -> None:
    def opened(hours: int) -> Memory:
        later = Instant.of(NOW.local() + timedelta(hours=hours))
        return Memory.open(tmp_path / "m.db", clock=FrozenClock(later), zone=ZONE)

    with opened(0) as one, opened(1) as other:
        one.reading.learn(one.episodes.remember(Turn("I live in Porto.", "s")).id)
        assert "Porto" in one.answering.ask(WHERE).text
        other.by_hand.correct("me", "lives_in", "Faro")
        assert "Faro" in one.answering.ask(WHERE).text


def test_erased_words_are_in_no_answer(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    memory.answering.ask(WHERE)
    memory.erasing.erase(memory.erasing.selection(session="s-2024-03-03"))
    found = memory.answering.ask(WHERE)
    assert found.abstained and "Porto" not in found.text


def test_a_rebuilt_file_is_stamped_again(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    before = stamps.identities(memory._database.reader())
    list(memory.file.rebuild())
    after = stamps.identities(memory._database.reader())
    assert before is not None and after is not None and before != after


def test_the_quote_is_by_the_person_under_the_name_that_they_chat_under(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE, person=["Ana"]) as memory:
        words = "I hid the spare key under the blue flower pot in the garden."
        list(memory.episodes.ingest([Turn(words, "s", speaker="Ana", said_at=NOW)]))
        (found,) = memory.recall.evidence("Where did I hide the spare key?", 1, None)
        assert found.mine and found.hit.text == words
