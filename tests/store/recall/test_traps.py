"""What a careless memory would answer is not answered: the replies that did harm, and two dozen that might.

Each story of traps.jsonl was written by somebody who had seen no code: what was told, what is asked, which words show a
wrong reply (`reject`), and whether the only right reply is that it was not told (`declines`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.core.clock import FrozenClock
from store.memory import Memory
from store.records import Answer, Instant, Turn
from tests.conftest import ZONE

STORIES = [json.loads(line) for line in Path(__file__).with_name("traps.jsonl").read_text("utf-8").splitlines()]


def asked(folder: Path, told: Sequence[tuple[str, str]], question: str, day: str) -> Answer:
    """The answer on a day, to whom all that was said by then."""
    with Memory.open(folder / "m.db", clock=FrozenClock(moment(day)), zone=ZONE) as memory:
        for at, text in told:
            memory.reading.learn(memory.episodes.remember(Turn(text, at[:7], said_at=moment(at))).id)
        return memory.answering.ask(question)


def moment(day: str) -> Instant:
    return Instant.of(datetime.fromisoformat(f"{day[:10]}T18:30").replace(tzinfo=ZONE))


CAUGHT = {
    "what car do I drive",
    "what was I doing before the bank?",
    "how much am i paying for the gym", "how many hens have we got", "am i ok with ordinary pasta, no sauce",
    "when did i move to lier", "when am I moving to Canada",
    "did the hall end up blue or green?",
}  # fmt: skip
"""Those in which it is still caught: one that is no longer must leave the list."""


def marked(story: dict[str, Any]) -> Any:
    """A story as a parameter of the test."""
    fails = [pytest.mark.xfail(strict=True)] if story["q"] in CAUGHT else []
    return pytest.param(story, id=story["q"], marks=fails)


@pytest.mark.parametrize("story", map(marked, STORIES))
def test_no_careless_answer(story: dict[str, Any], tmp_path: Path) -> None:
    told = [(one["at"], one["text"]) for one in story["told"]]
    answer = asked(tmp_path, told, story["q"], story["asked_at"])
    if story["declines"]:
        assert answer.abstained, (answer.text, story["why"])
    if not answer.abstained:
        assert not [one for one in story["reject"] if re.search(one, answer.text, re.IGNORECASE)], answer.text


@pytest.mark.parametrize(
    ("told", "question", "reject"),
    [
        ([("2026-02-01", "Our dog was called Olive."), ("2026-03-01", "On nights at the ward again until May.")],
         "Am I on nights or days?", "olive"),
        ([("2026-01-10", "Moved to Lisbon in January, finally."), ("2026-03-08", "Ran the Lisbon half on Sunday.")],
         "When did I move to Lisbon?", "8 march|half"),
        ([("2026-01-10", "I'm allergic to hazelnuts."), ("2026-02-10", "I eat vegetarian now.")],
         "Can I eat hazelnuts?", r"^yes|^\W*not that i know|vegetarian"),
        ([("2026-05-01", "Back from France, the capital was hot."), ("2026-06-01", "Paris again in the autumn.")],
         "What is the capital of France?", "you said|back from|nearest"),
    ],
)  # fmt: skip
def test_the_four_that_happened(told: list[tuple[str, str]], question: str, reject: str, tmp_path: Path) -> None:
    answer = asked(tmp_path, told, question, "2026-07-01")
    assert answer.abstained or not re.search(reject, answer.text, re.IGNORECASE), answer.text


def test_what_took_the_place_of_something_sold_is_the_answer_for_now(tmp_path: Path) -> None:
    told = [("2026-03-01", "I drive an old Volvo"), ("2026-06-01", "sold the Volvo last week, got a blue Kia instead")]
    assert "Kia" in asked(tmp_path, told, "what car do i drive?", "2026-06-20").text
