"""A belief is told with what was said of the same since, of which the reader was too unsure for a belief."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW

BUT = [
    (
        "I've got type 2 diabetes, on metformin 500 twice a day",
        "bloods came back, doctor's upping the metformin to 1000 twice a day",
        "How much metformin am I on?",
    ),
    ("Carol works part time at the library", "Carol's packing in the library at Christmas", "Does Carol still work?"),
]


def _told(memory: Memory, *texts: str, first: int = 2) -> None:
    """Say each of these a day after the one before, beginning `first` days ago."""
    for days, text in enumerate(texts):
        at = Instant.of(NOW.local() + timedelta(days=days - first))
        memory.reading.learn(memory.episodes.remember(Turn(text, "talk", said_at=at)).id)


@pytest.mark.parametrize(("first", "since", "question"), BUT)
def test_what_may_have_changed_since_is_quoted_beside(memory: Memory, first: str, since: str, question: str) -> None:
    _told(memory, first)
    before = memory.answering.ask(question)
    _told(memory, since, first=1)
    after = memory.answering.ask(question)
    assert "said: “" not in before.text
    assert after.facts[0].object == before.facts[0].object
    assert f"said: “{since}”" in after.text
    assert {one.quote for one in after.sources} > {one.quote for one in before.sources}


@pytest.mark.parametrize(("first", "since", "question"), BUT)
def test_it_is_not_quoted_of_what_was_believed_before_it(memory: Memory, first: str, since: str, question: str) -> None:
    _told(memory, first, since)
    by_then = Instant.of(NOW.local() - timedelta(days=1, hours=12)).us
    assert since not in memory.answering.ask(question, believed=by_then).text


def test_what_only_says_it_again_is_not_quoted(memory: Memory) -> None:
    _told(memory, "Carol works part time at the library", "Carol is at the library today")
    assert "But " not in memory.answering.ask("Does Carol still work?").text
