"""A reply that speaks against what the model was told is flagged, and one that does not is left alone."""

from __future__ import annotations

import pytest

from app.core.doubts import claims, contradicts

CITY = ("Lisbon", ("Porto", "São Paulo"))


def flagged(reply: str, value: str, others: tuple[str, ...]) -> list[str]:
    return [sentence for sentence in claims(reply) if contradicts(sentence, value, others)]


@pytest.mark.parametrize(
    "reply",
    [
        "You live in Porto.",
        "That sounds nice! As you are in sao paulo, try the market.",
        "You do not live in Lisbon.",
        "You don’t live in Lisbon, so I cannot say.",
    ],
)
def test_flagged(reply: str) -> None:
    assert len(flagged(reply, *CITY)) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "You live in Lisbon.",
        "You live in Lisbon and lived in Porto before.",
        "You used to live in Porto.",
        "Until 2024 you were in Porto.",
        "Do you still live in Porto?",
        "Portobello is a mushroom.",
        "You are not in Porto.",
        "It is not far, and the trains that leave in the morning reach Lisbon by noon.",
        "",
    ],
)
def test_left_alone(reply: str) -> None:
    assert flagged(reply, *CITY) == []


def test_the_sentence_is_given_for_the_person_to_look_at() -> None:
    reply = "Hello! You live in Porto. Enjoy."
    assert flagged(reply, *CITY) == ["You live in Porto."]
    assert flagged(reply, "tram driver", ("baker",)) == []


def test_a_value_that_came_back_is_no_contradiction() -> None:
    assert flagged("You live in Lisbon.", "Lisbon", ("Porto", "lisbon")) == []


def test_values_are_words_not_patterns() -> None:
    assert flagged("You write C++ now.", "Rust", ("C++", "(", ""))


def test_a_place_within_a_place_is_named_by_either() -> None:
    street = ("Lisbon, Rua da Rosa", ("Porto, Rua das Flores", "Lisbon, Alfama"))
    assert flagged("You live in Lisbon.", *street) == []
    assert len(flagged("You live in Porto. Your street is Alfama.", *street)) == 2
