"""A bare reply is read as the answer to the question before it; what the other asked is never asserted."""

from __future__ import annotations

import pytest

from store.reading.extract import read
from store.records import Claim
from tests.store.reading.turns import SPEAKERS, triples, turn


def replied(question: str, answer: str, *, asker: str = "assistant") -> list[Claim]:
    """The claims of an answer to the assistant's question, or to that of somebody else."""
    asked = turn(question, speaker=asker, role="assistant" if asker == "assistant" else "user")
    return read(turn(answer, position=1), [asked], SPEAKERS)


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        ("Where do you live?", "Utrecht.", "Utrecht"),
        ("How much do you weigh?", "12 and a half kilos now", "12 and a half kilos"),
        ("Nice! And how old are you?", "I'm 34.", "34"),
        ("How old is your son?", "Six.", "Six"),
        ("Which instrument do you play?", "The cello", "cello"),
        ("Sounds good. Who's your dentist?", "Dr. Farrow", "Dr. Farrow"),
        ("What are you allergic to?", "Cashews, mostly.", "Cashews"),
        ("Where do you work?", "Siemens", "Siemens"),
    ],
)
def test_a_bare_reply_answers_the_question_before_it(question: str, answer: str, value: str) -> None:
    claims = replied(question, answer)
    assert value in {claim.object for claim in claims}
    for claim in claims:
        assert claim.object in answer[claim.start : claim.end]


@pytest.mark.xfail(strict=True, reason="the reader that ships takes Ben for a child of Mia's")
def test_names_answer_for_all_that_were_asked_about() -> None:
    claims = replied("They're lovely! What are your kids called?", "Mia and Ben", asker="John")
    assert {claim.object for claim in claims} == {"Mia", "Ben"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much do you weigh?", "Why do you ask?"),
        ("Where do you live?", "I'd rather not say."),
        ("How old are you?", "That depends."),
        ("Do you live in Utrecht?", "Yes."),
        ("Shall we begin?", "Utrecht."),
    ],
)
def test_what_does_not_answer_teaches_nothing(question: str, answer: str) -> None:
    assert replied(question, answer) == []


def test_an_answer_to_oneself_is_none() -> None:
    asked = turn("Where do you live?")
    told = read(turn("Utrecht.", position=1), [asked], SPEAKERS)
    assert not [one for one in told if one.modality == "fact"]


def test_a_time_that_the_grammar_stumbles_on_breaks_nothing() -> None:
    assert triples(read(turn("It's still early in the season, but I live in Porto."), [], SPEAKERS)) == [
        ("me", "lives_in", "Porto")
    ]
