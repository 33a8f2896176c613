"""Only a turn that holds all that is asked is evidence, and of two states the one of the time that is asked about."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.evidence import bearing, in_own_words, names_somebody
from store.records import Hit, Instant
from tests.conftest import NOW, ZONE


def hit(day: str, text: str, speaker: str = "me") -> Hit:
    said_at = Instant.of(datetime.fromisoformat(day).replace(tzinfo=ZONE))
    return Hit("episode", text, None, "s1", speaker, text, said_at, 1.0)


TOLD = [
    hit("2025-02-01", "I joined the rowing club in Kiel."),
    hit("2023-06-06", "My rowing coach is called Piet."),
    hit("2025-01-07", "We adopted a cat."),
    hit("2024-03-03", "Should I sell my canoe?"),
    hit("2024-03-04", "If I had a boat, I would call the boat Albatross."),
    hit("2024-05-05", "My canoe is red.", speaker="Ana"),
    hit("2024-12-30", "The headlamp is broken."),
]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who is my rowing coach?", ["My rowing coach is called Piet."]),
        ("Which rowing club am I in?", ["I joined the rowing club in Kiel."]),
        ("Which pet do I have?", ["We adopted a cat."]),
        ("Which lamp is broken?", ["The headlamp is broken."]),
        ("What do I row in?", ["My rowing coach is called Piet.", "I joined the rowing club in Kiel."]),
        ("What did I row in 2023?", ["My rowing coach is called Piet."]),
        ("What is my swimming coach called?", []),
        ("How much does the rowing club cost?", []),
        ("Which colour is my canoe?", []),
        ("What would I call the boat?", []),
        ("What do I have?", []),
    ],
)
def test_what_bears_on_a_question(question: str, found: list[str]) -> None:
    assert [one.text for one in bearing(question, TOLD, NOW)] == found


def test_the_end_of_the_time_that_is_asked_about_may_be_given_apart() -> None:
    until = Instant.of(datetime(2024, 1, 1, tzinfo=ZONE)).us
    assert [one.text for one in bearing("What do I row in?", TOLD, None, until)] == ["My rowing coach is called Piet."]


def test_names_that_the_person_has_told() -> None:
    assert names_somebody("How old is Piet?", TOLD)
    assert names_somebody("What is Piet's surname?", TOLD)
    assert not names_somebody("How old is Vesuvius?", TOLD)
    assert not names_somebody("Kiel?", TOLD), "the first word is written large anyway"
    assert not names_somebody("What colour was it, Ana?", [TOLD[5]]), "somebody else's words"


def test_the_person_s_own_words_come_dated_on_one_line_and_few() -> None:
    said = in_own_words([hit(f"2024-01-0{day}", f"It is day {day}.\n\x1b[2J") for day in range(1, 6)])
    assert "Friday 5 January 2024: “It is day 5." in said
    assert "day 2" not in said
    assert "\x1b" not in said
