"""A message that teaches something is answered with what it taught, and not with what comes near it."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from app.core.turn import NO_MODEL, Closed, Request, take_turn
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW


def closed(memory: Memory, text: str) -> str:
    """What a message is answered with, without a model."""
    events = take_turn(memory, None, Request(Turn(text, "talk")), threading.Event())
    return next(event.text for event in events if isinstance(event, Closed))


@pytest.mark.parametrize("text", ["we're not moving after all", "scrap that about the move to Oslo"])
def test_a_plan_that_is_dropped_is_noted_and_no_question(memory: Memory, text: str) -> None:
    before = Instant.of(NOW.local() - timedelta(minutes=5))
    memory.reading.learn(memory.episodes.remember(Turn("We're moving to Oslo in August.", "talk", said_at=before)).id)
    assert closed(memory, text) == NO_MODEL


def test_a_question_behind_what_is_told_is_answered(memory: Memory) -> None:
    assert "never told" in closed(memory, "I'm 34. How old is my sister?")
