"""Only a turn that holds all that is asked is evidence, and of two states the one of the time that is asked about."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.evidence import bearing, cited, followed_up, in_own_words, named_end, names_somebody, speaks_of_told
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


SAID = [
    hit("2024-01-01", "The dentist put me on a waiting list."),
    hit("2024-02-01", "My thesis supervisor is Professor Brandt."),
    hit("2024-02-02", "Finally paid off the boat loan!"),
    hit("2024-03-01", "Owen does my taxes."),
    hit("2024-04-01", "my physio is called marlene"),
    hit("2024-05-01", "My film is on the bees of Kent."),
    hit("2024-06-01", "I keep eleven goats."),
]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who is my dentist?", 0),
        ("Who is my thesis supervisor?", 1),
        ("What is my thesis about?", 0),
        ("What is my film about?", 1),
        ("How much was my boat loan?", 0),
        ("How many goats do I keep?", 1),
        ("Who does my taxes?", 1),
        ("Who is my physio?", 1),
        ("When did I pay off my boat loan?", 1),
    ],
)
def test_a_turn_that_does_not_hold_the_kind_of_thing_that_is_asked_for_is_no_evidence(
    question: str, found: int
) -> None:
    assert len(bearing(question, SAID, NOW)) == found


def test_what_may_have_ended_it_since_follows() -> None:
    joined = hit("2022-01-03", "I joined a climbing gym called The Ledge.")
    later = hit("2023-05-09", "I cancelled my membership at The Ledge.")
    others = [hit("2021-05-09", "I cancelled my visit to The Ledge."), hit("2023-06-01", "The Ledge is high."), joined]
    asked: list[str] = []

    def search(words: str) -> list[Hit]:
        asked.append(words)
        return [later, *others, hit("2024-01-01", "I quit my job.")]

    joined, later = (Hit("episode", str(number), None, "s", "me", one.text, one.said_at, 1.0)
                     for number, one in enumerate((joined, later)))  # fmt: skip
    assert [one.text for one in followed_up([joined], search)] == [joined.text, later.text]
    assert "Ledge" in asked[0]
    assert followed_up([joined], search, joined.said_at.us + 1) == (joined,)
    assert followed_up([hit("2022-01-03", "i joined a gym.")], search) != ()
    assert followed_up([], search) == ()
    assert len(asked) == 2, "without a name there is nothing to look for"


def test_the_end_of_the_time_that_a_question_names() -> None:
    end = named_end("Where did I row in 2023?", NOW)
    assert end == Instant.of(datetime(2024, 1, 1, tzinfo=ZONE)).us
    assert named_end("Where do I row?", NOW) is None


def test_a_thing_that_was_told_of_in_these_words_is_the_person_s() -> None:
    told = [hit("2023-01-27", "I help out at the food bank every Friday.")]
    assert speaks_of_told("Who runs the food bank?", told)
    assert speaks_of_told("When does the food bank close?", told)
    assert not speaks_of_told("What is the food chain?", told)
    assert not speaks_of_told("Who runs the food bank?", [hit("2023-01-27", told[0].text, speaker="Ana")])


def test_a_reply_cites_the_turns_whose_words_it_took() -> None:
    told = [hit("2024-01-01", "I parked behind the mill."), hit("2024-01-02", "The car is red."),
            hit("2024-01-03", "The mill is closed, and the mill wheel stands behind it.")]  # fmt: skip
    assert [one.said_at for one in cited("Where is the car?", "Behind the mill.", told)] == [
        told[0].said_at, told[2].said_at,
    ]  # fmt: skip
    assert cited("Where is the car?", "I do not know.", told) == ()
