"""A correction by hand holds from when to when it is said to hold, and an end leaves the beginning as it was."""

from __future__ import annotations

import pytest

from app.core import deeds
from store.memory import Memory
from store.records import Fact, Instant, Stretch, Turn
from store.time.expressions import parse_when
from tests.conftest import NOW


def _when(words: str) -> Stretch:
    return parse_when(words, NOW.local())


def _told(memory: Memory, text: str, value: str) -> Fact:
    memory.reading.learn(memory.episodes.remember(Turn(text, "talk", said_at=Instant.of(NOW.local()))).id)
    return next(one for one in memory.beliefs.facts() if one.object == value)


def _years(fact: Fact) -> tuple[int | None, int | None]:
    edges = (fact.valid_from, fact.valid_to)
    first, last = (None if one is None else one.local().year for one in edges)
    return first, last


@pytest.mark.parametrize(
    ("since", "until", "held"), [("2008", "2020", (2008, 2020)), ("", "2020", (2015, 2020)), ("2010", "", (2010, None))]
)
def test_a_correction_says_from_when_to_when(
    memory: Memory, since: str, until: str, held: tuple[int, int | None]
) -> None:
    wrong = _told(memory, "I've lived in Porto since 2015.", "Porto")
    correct = deeds.correct(wrong, "Porto", _when(since) if since else None, _when(until) if until else None)
    done = correct(memory)
    assert done.fact is not None and _years(done.fact) == held
