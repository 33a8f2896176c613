"""What is not of the memory goes elsewhere, and what is stays: thirty of each, written before anybody tried."""

from __future__ import annotations

import json
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
    answer = memory.ask("What is the capital of France?")
    assert (answer.abstained, answer.about, answer.sources, answer.never_told) == (True, "world", (), False)


@pytest.mark.parametrize(
    "text",
    ["I moved to Leith in March.", "We got the keys to the flat in Bedminster on Friday", "My sister is a nurse"],
)
def test_what_is_told_asks_nothing(memory: Memory, text: str) -> None:
    assert memory.tells(text)


@pytest.mark.parametrize(
    "text", ["did i move to leith in march", "tell me about Lotte", "where's the spare key", "I moved where?"]
)
def test_what_is_asked_tells_nothing(memory: Memory, text: str) -> None:
    assert not memory.tells(text)
