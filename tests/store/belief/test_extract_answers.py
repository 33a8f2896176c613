"""A fragment is read only as the answer to the question before it; what the other asked is never asserted."""

from __future__ import annotations

import pytest

from store.belief.extract import by_rules
from store.records import Claim
from tests.store.belief.turns import SPEAKERS, triples, turn


def replied(question: str, answer: str, *, asker: str = "assistant") -> list[Claim]:
    """The claims of an answer to the assistant's question, or to that of somebody else."""
    asked = turn(question, speaker=asker, role="assistant" if asker == "assistant" else "user")
    return by_rules(turn(answer, position=1), [asked], SPEAKERS)


@pytest.mark.parametrize(
    ("question", "answer", "claim"),
    [
        ("How much do you weigh?", "12 and a half kilos now", ("me", "weight", "12 and a half kilos")),
        ("Where do you live?", "Utrecht.", ("me", "lives_in", "Utrecht")),
        ("Nice! And how old are you?", "I'm 34.", ("me", "age", "34")),
        ("How old is your son?", "Six.", ("me>son", "age", "Six")),
        ("How many cats do you have?", "Three!", ("me", "number_of_cats", "Three")),
        ("What's your favourite film?", "Casablanca", ("me", "favourite_film", "Casablanca")),
        ("What's your shoe size?", "39", ("me", "shoe_size", "39")),
        ("What do you do for a living?", "Carpenter.", ("me", "job", "Carpenter")),
        ("Which instrument do you play?", "The cello", ("me", "plays", "cello")),
    ],
)
def test_a_fragment_answers_the_question_before_it(question: str, answer: str, claim: tuple[str, str, str]) -> None:
    assert claim in triples(replied(question, answer))


def test_names_answer_for_all_that_were_asked_about() -> None:
    claims = replied("They're lovely! What are the names of your dogs?", "Max and Daisy. We walk a lot.", asker="John")
    assert triples(claims)[:2] == [("me", "dog", "Max"), ("me", "dog", "Daisy")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much do you weigh?", "Why do you ask?"),
        ("Where do you live?", "I'd rather not say."),
        ("How old are you?", "That depends."),
        ("What is your favourite film?", "Hard to say, maybe Casablanca."),
        ("Do you live in Utrecht?", "Yes."),
        ("Shall we begin?", "Utrecht."),
        ("What's your plan?", "Seven."),
    ],
)
def test_what_does_not_answer_teaches_nothing(question: str, answer: str) -> None:
    assert replied(question, answer) == []


def test_an_answer_to_oneself_is_none() -> None:
    asked = turn("Where do you live?")
    assert by_rules(turn("Utrecht.", position=1), [asked], SPEAKERS) == []


def test_every_quote_is_the_answers_own() -> None:
    for claim in replied("How much do you weigh?", "About 70 kg, I think the scale is right."):
        assert "70 kg" in "About 70 kg, I think the scale is right."[claim.start : claim.end]


def test_a_style_that_another_person_is_asked_for_is_no_preference() -> None:
    before = [turn("Shall I tell you the story?", speaker="John")]
    assert by_rules(turn("Please keep it short.", position=1), before, SPEAKERS) == []
    assert triples(by_rules(turn("Please keep it short."), [], SPEAKERS)) == [("me", "response_style", "keep it short")]


def test_a_pronoun_goes_with_the_clause_before_it() -> None:
    claims = triples(by_rules(turn("Dr. Vale looked at her teeth. Rex isn't two, he's four."), [], SPEAKERS))
    assert ("rex", "age", "four") in claims


def test_a_time_that_the_grammar_stumbles_on_breaks_nothing() -> None:
    assert triples(by_rules(turn("It's still early in the season, but I live in Porto."), [], SPEAKERS)) == [
        ("me", "lives_in", "Porto")
    ]
