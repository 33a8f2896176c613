"""What people say in the course of a chat changes what they are told when they ask; see cases_talk.txt."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW

CASES = [
    line
    for line in Path(__file__).with_name("cases_talk.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


MISSED = "~ "
"""Before a case that the reader that ships takes wrongly: one that it takes rightly must lose the mark."""


def marked(case: str) -> Any:
    """A case as a parameter of the test."""
    missed = case.startswith(MISSED)
    text = case.removeprefix(MISSED)
    return pytest.param(text, id=text, marks=[pytest.mark.xfail(strict=True)] if missed else [])


@pytest.mark.parametrize("case", map(marked, CASES))
def test_an_answer_holds_what_was_said_last(memory: Memory, case: str) -> None:
    talk, _, answer = case.partition(" => ") if " => " in case else case.partition(" =>")
    *told, question = talk.split(" // ")
    for minute, text in enumerate(told, -len(told)):
        at = Instant.of(NOW.local() + timedelta(minutes=minute))
        memory.reading.learn(memory.episodes.remember(Turn(text, "talk", said_at=at)).id)
    found = memory.answering.ask(question).text.casefold()
    holds, _, lacks = answer.partition("| not ")
    wanted = holds.strip().casefold()
    assert found.startswith(wanted) if wanted in ("yes", "no") else wanted in found
    assert not lacks or lacks.strip().casefold() not in found


def test_what_a_turn_taught_is_told_in_the_order_of_its_words(memory: Memory) -> None:
    told = "My sister Ines has a boat, my brother Luka has a van, and my boss Darja has a kayak."
    taught = memory.reading.learn(memory.episodes.remember(Turn(told, "talk")).id)
    named = [one.new.object for one in taught if one.new is not None and not one.new.unsure]
    assert named == sorted(named, key=told.index)
    assert {"Ines", "Luka", "Darja"} <= set(named)
