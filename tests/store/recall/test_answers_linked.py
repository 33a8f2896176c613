"""A question whose words name no predicate is answered by the belief that it asks for, or else by no belief."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory
from store.reading.asking.encoder import shipped

Say = Callable[..., None]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("which suburb have I ended up in", "lives_in"),
        ("who's above me at the office", "boss"),
        ("what's my take-home these days", "pay"),
        ("which tablets am I supposed to swallow", "medicine"),
        ("who do I share the kitchen with at home", "flatmate"),
        ("how old am I getting", "age"),
    ],
)
def test_the_network_says_what_is_asked_for(question: str, label: str) -> None:
    matters = shipped().intent(question).matters
    assert sum(matters.values()) == pytest.approx(1.0, abs=1e-3)
    assert label in sorted(matters, key=lambda one: -matters[one])[:3]


@pytest.fixture
def told(memory: Memory, say: Say) -> Memory:
    say("2025-03-03", "I live in Leiden. My boss is Marta.", "The canteen had pea soup again.")
    say("2025-06-10", "We moved to Zwolle last week.", "I'm 41 now, and my knees know it.")
    say("2025-07-01", "I take metformin twice a day.", "The neighbours' hedge is a disgrace.")
    return memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who's above me at the office", "Your boss is Marta."),
        ("how old am I getting", "You are 41"),
        ("what pills am I on", "You take metformin"),
    ],
)
def test_a_belief_answers(told: Memory, question: str, answer: str) -> None:
    found = told.answering.ask(question)
    assert not found.abstained
    assert found.text.startswith(answer)
    assert found.facts


@pytest.mark.parametrize("question", ["who's above the office", "what pills is Marta on", "how old is the hedge"])
def test_a_belief_about_somebody_else_does_not(told: Memory, question: str) -> None:
    assert not told.answering.ask(question).facts


@pytest.mark.parametrize(
    ("question", "answer"), [("what's my tortoise called", ""), ("what is my hamster's name", "Pip")]
)
def test_a_belief_about_another_thing_of_its_kind_does_not(
    memory: Memory, say: Say, question: str, answer: str
) -> None:
    say("2025-03-03", "Our hamster is called Pip.", "The canteen had pea soup again.")
    found = memory.answering.ask(question)
    assert answer in found.text and (found.abstained or bool(answer))
