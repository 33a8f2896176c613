"""What is not of the memory goes elsewhere, and what is stays: thirty of each, written before anybody tried."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from store.memory import Memory
from store.reading.asking.encoder import shipped

ASKED = [json.loads(line) for line in Path(__file__).with_name("routing.jsonl").read_text("utf-8").splitlines()]
MOST_WRONG = 3


def test_the_memory_is_asked_what_only_it_can_know() -> None:
    wrong = [
        one["text"] for one in ASKED if (shipped().intent(one["text"]).about == "memory") != (one["about"] == "memory")
    ]
    assert len(ASKED) == 60 and len(wrong) <= MOST_WRONG, wrong


def test_a_question_to_the_world_is_declined_as_one_and_quotes_nothing(memory: Memory) -> None:
    answer = memory.answering.ask("What is the capital of France?")
    assert (answer.abstained, answer.about, answer.sources, answer.never_told) == (True, "world", (), False)


@pytest.mark.parametrize(
    "text",
    ["I moved to Leith in March.", "We got the keys to the flat in Bedminster on Friday", "My sister is a nurse"],
)
def test_what_is_told_asks_nothing(memory: Memory, text: str) -> None:
    assert memory.answering.tells(text)


@pytest.mark.parametrize(
    "text", ["did i move to leith in march", "tell me about Lotte", "where's the spare key", "I moved where?"]
)
def test_what_is_asked_tells_nothing(memory: Memory, text: str) -> None:
    assert not memory.answering.tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "could you make up a limerick about my cat",
        "Summarise this: the council met on Tuesday and closed the road.",
        "pls translate into Dutch: I live in Porto and have two cats",
    ],
)
def test_what_is_to_be_written_is_no_question_of_memory(memory: Memory, say: Callable[..., None], text: str) -> None:
    say("2024-03-03", "The sea was rough, I nearly fell off the ferry with my cat.")
    answer = memory.answering.ask(text)
    assert (answer.abstained, answer.about, answer.sources) == (True, "request", ())
    assert not memory.answering.tells(text)
