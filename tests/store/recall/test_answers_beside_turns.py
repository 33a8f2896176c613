"""What is believed answers, and a turn that tells more, or what will be, stands beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory
from store.reading.asking.encoder import shipped
from store.recall.evidence import Evidence
from store.recall.turns import judged
from store.records import Hit
from tests.store.recall.remembered import at

Say = Callable[..., None]


def test_the_work_of_somebody_is_where_they_work_if_nothing_else_is_known(memory: Memory, say: Say) -> None:
    say("2026-05-05", "My brother is Wim. Wim works at the harbour office.", "My sister Els is a vet at the zoo.")
    assert memory.answering.ask("What does my brother do?").text.startswith("Wim works at the harbour office")
    assert "vet" in memory.answering.ask("What does Els do?").text


@pytest.mark.parametrize(
    "text", ["I owe Marek 45 quid for the football tickets", "also we still owe the Petersens two chairs"]
)
def test_what_is_told_and_not_heard_is_no_question(text: str) -> None:
    hit = Hit("episode", "a", None, "s", "me", text, at("2026-05-05T10:00"), 1.0)
    assert judged("what do we owe and to whom?", shipped(), [Evidence(hit, mine=True)])


def test_a_mother_stays_who_she_is_whoever_elses_is_told_of(memory: Memory, say: Say) -> None:
    say("2026-05-05", "My mum is called Ingrid, she turned 70 in March.", "Jonas is my boyfriend.")
    say(
        "2026-05-12", "Met his parents. His mother is called Maud and his father is Didier, they're in their seventies."
    )
    assert "Ingrid" in memory.answering.ask("who is my mother?").text


def test_who_somebody_is_ends_with_what_was_said_and_is_not_believed(memory: Memory, say: Say) -> None:
    say("2026-05-05", "My daughter Noor is seven.", "swimming for Noor on Saturday at 10.30")
    said = memory.answering.ask("tell me about Noor").text
    assert "She is seven" in said
    assert "10:30" in said or "10.30" in said
