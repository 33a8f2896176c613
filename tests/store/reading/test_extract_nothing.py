"""What is not plainly asserted teaches nothing: questions, conditions, wishes, quotations, pasted text, jokes,
secrets, the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.reading.turns import said, triples

TURNS = [
    line.replace("\\n", "\n")
    for line in (Path(__file__).parent / "cases_nothing.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


def test_there_are_enough_turns() -> None:
    assert len(TURNS) >= 80


@pytest.mark.parametrize("text", TURNS)
def test_a_turn_that_asserts_nothing_teaches_nothing(text: str) -> None:
    role, _, words = text.partition("assistant: ")
    claims = said(words, role="assistant") if words and not role else said(text)
    assert [(claim.subject, claim.predicate, claim.object) for claim in claims if claim.modality == "fact"] == []


@pytest.mark.parametrize(
    "talk",
    [
        "And Marius?",
        "and hers?",
        "Marius too?",
        "who teaches the infants",
        "whose cousin is Trudy",
        "who looks after my diabetes",
        "since when am I with Valentina",
        "in which city does my daughter study, Ghent or Bruges",
        "has Joris passed his exams",
        "when did i join the choir at St. Bride's",
        "may I drink three glasses of wine",
        "how old is my uncle Nizar?",
        "where does runa live // and the christening",
        "where does runa live // and stellan // and last time",
    ],
)
def test_what_only_asks_teaches_nothing_to_rules_or_reader(talk: str) -> None:
    *before, text = talk.split(" // ")
    assert triples(said(text, *before)) == []


@pytest.mark.parametrize(
    "text",
    [
        "when I was ten I broke my arm",
        "I'm a nurse, ok?",
        "What's new with you? I live in Porto now",
        "we moved to Porto, did I tell you?",
    ],
)
def test_what_asks_by_the_way_teaches(text: str) -> None:
    assert said(text)
