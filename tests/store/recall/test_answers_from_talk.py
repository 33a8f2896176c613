"""What a few made-up people told over a month is answered from their beliefs, and what they never told is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory

Say = Callable[..., None]


@pytest.mark.parametrize(
    ("question", "manner"),
    [
        ("How should you format information for me?", True),
        ("How do I want you to answer?", True),
        ("How do I like my eggs?", False),
        ("How should I format the disk?", False),
    ],
)
def test_only_questions_about_the_answers_ask_for_their_manner(
    memory: Memory, say: Say, question: str, manner: bool
) -> None:
    say("2026-05-05", "Please keep answers brief and always give sources.")
    assert ("keep answers brief" in memory.answering.ask(question).text) is manner


def test_what_will_be_is_told_by_its_own_name(memory: Memory, say: Say) -> None:
    say("2026-05-05", "From 15 December my address will be 12 Elm Road.")
    assert (
        memory.answering.ask("What will my address be?").text
        == "Your address will be 12 Elm Road, from 15 December 2026."
    )


def test_advice_that_nobody_gave_is_asked_of_the_world(memory: Memory, say: Say) -> None:
    say("2026-05-05", "The van failed its MOT, we might replace it in spring.")
    assert memory.answering.ask("Which van should I buy?").about == "world"


@pytest.mark.parametrize(
    ("told", "question", "wanted"),
    [
        ("Hey there, I'm Ilze and I work nights at a bakery.", "What's my name?", "Ilze"),
        ("Until May I was at Bosch, and in June I started at Continental.", "Where did I work in July?", "Continental"),
        ("Our parrot is called Coco, we got him nine years ago.", "How long have we had Coco?", "Nine years."),
        ("My aunt drives a tram.", "What's my aunt's job?", "tram"),
        ("At Siemens my boss was Herr Kraus, now it's Frau Lenz.", "Who is my boss?", "Lenz"),
    ],
)
def test_what_was_just_told_is_answered(memory: Memory, say: Say, told: str, question: str, wanted: str) -> None:
    say("2026-11-26", told)
    assert wanted in memory.answering.ask(question).text


@pytest.mark.parametrize("question", ["Do I have a dog?", "What's my sister's name?", "Do I have a cat?"])
def test_nothing_is_near_to_what_was_never_told(memory: Memory, say: Say, question: str) -> None:
    say("2026-11-26", "My brother Tam lives in Hue. I'm allergic to latex. The viewing is on Friday.")
    found = memory.answering.ask(question)
    assert found.abstained
    assert not found.sources


def test_who_one_is_begins_with_the_name(memory: Memory, say: Say) -> None:
    say("2026-11-26", "My brother is Tam. I like tea. I play the oud. My name is Ilze and I live in Riga.")
    assert memory.answering.ask("Who am I?").text.startswith("You are called Ilze.")


def test_years_ago_are_counted_as_years(memory: Memory, say: Say) -> None:
    say("2026-11-26", "I got divorced from Ivo four years ago.")
    assert memory.answering.ask("How long have I been divorced?").text.startswith("For about 4 years:")
