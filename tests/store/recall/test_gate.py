"""Whose words they are decides most; every weight has its feature; a turn that may not be quoted never is."""

from __future__ import annotations

from datetime import UTC

import pytest

from store.recall import gate
from store.recall.answer_frame import Asking
from store.recall.answer_quotes import LONGEST, may_answer, quote_of
from store.recall.answers import ask
from store.recall.evidence import Evidence, Word
from store.recall.gate_weights import ANSWERS, CLOSE, NEVER, QUOTED, UNTOLD
from store.records import Entity
from tests.store.recall.remembered import NOW, Remembered, turn

PEOPLE = [Entity("me", "me", "person", ("me",)), Entity("c", "Caroline", "person", ("caroline",)),
          Entity("m", "Melanie", "person", ("melanie",))]  # fmt: skip


def asking(question: str) -> Asking:
    return ask(question, Remembered([], PEOPLE), now=NOW, zone=UTC, as_of=None, believed=None)


def evidence(text: str, speaker: str, score: float = 18.0, said: str = "2024-05-02", before: str = "") -> Evidence:
    """A turn that holds every word of the question."""
    words = tuple(Word(term, 4.0, 1.0, float(bool(before))) for term in ("pottery", "workshop", "vase"))
    return Evidence(turn(text, said, speaker), speaker == "me", before, 0.6, words)


OTHERS = [
    evidence("Nice weather today.", "Melanie", 4.0, "2024-01-01"),
    evidence("Hello!", "Caroline", 3.0, "2024-02-01"),
]
SAID = "I made a blue vase at the pottery workshop last Saturday."
QUESTION = "When did Caroline make a vase at the pottery workshop?"


def likely(speaker: str) -> tuple[float, float]:
    """How sure the gate is that the turn answers when this one said it, and that nobody ever told."""
    found = gate.features(asking(QUESTION), [evidence(SAID, speaker), *OTHERS])
    sure = gate.answers(found[0])
    return sure, gate.untold(gate.overall(found, sure))


def test_the_one_who_is_asked_about_answers_and_the_other_does_not() -> None:
    own, other = likely("Caroline"), likely("Melanie")
    assert own[0] > other[0]
    assert own[1] < other[1]


def test_every_weight_has_its_feature_and_every_feature_is_small() -> None:
    found = gate.features(asking(QUESTION), [evidence(SAID, "Caroline"), *OTHERS])
    assert set(ANSWERS) == set(found[0])
    assert set(UNTOLD) == set(gate.overall(found, 0.5))
    assert all(-1.5 <= value <= 3 for one in found for value in one.values()), found


def test_the_points_lie_where_they_must() -> None:
    assert 0 < CLOSE < QUOTED < 1
    assert 0.5 < NEVER < 1


@pytest.mark.parametrize(
    ("question", "text", "speaker", "allowed"),
    [
        (QUESTION, SAID, "Caroline", True),
        (QUESTION, SAID, "assistant", False),
        ("Where did Sara make a vase?", SAID, "Caroline", False),
        ("When did I make a vase?", SAID, "Caroline", False),
        ("When did I make a vase?", SAID, "me", True),
        ("When did I make a vase?", "Somebody made a vase.", "me", False),
        ("When did my brother make a vase?", SAID, "me", False),
        ("When did I make a vase in 2021?", SAID, "me", False),
        ("When did I make a vase in May 2024?", SAID, "me", True),
    ],
)
def test_who_may_be_quoted(question: str, text: str, speaker: str, allowed: bool) -> None:
    assert may_answer(asking(question), evidence(text, speaker)) is allowed


def test_of_a_long_turn_the_part_that_says_it_is_quoted() -> None:
    long = " ".join(["It rained a lot on the way there and we sang."] * 12) + " " + SAID + " Then we went home."
    answer = quote_of(asking(QUESTION), evidence(long, "Caroline"))
    (source,) = answer.sources
    assert SAID in source.quote and len(source.quote) <= LONGEST
    assert long[source.start : source.end] == source.quote
    assert "27 April 2024" in answer.text and "2 May 2024" in answer.text


def test_nothing_is_quoted_where_nothing_was_found() -> None:
    assert gate.features(asking(QUESTION), []) == []
