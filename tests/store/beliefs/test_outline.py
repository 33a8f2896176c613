"""An outline has every rectangle, the person's first, and each of them leads to the whole fact."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory
from tests.rectangles import index_of
from widgets.lane_index import LaneIndex

Say = Callable[..., None]
SHARED = (
    "subject", "predicate", "object", "text", "slot", "valid_from", "valid_to", "believed_from", "believed_to",
    "precision", "precision_to", "change", "ended", "disputed", "negative",
)  # fmt: skip


@pytest.fixture
def moved(memory: Memory, say: Say) -> Memory:
    """Somebody who moved, and a friend."""
    say("2024-03-03", "I live in Porto.")
    say("2024-06-03", "I moved to Lisbon last week.")
    say("2024-03-04", "Ana works at Nokia.")
    return memory


def test_it_has_every_rectangle_and_begins_with_the_person(moved: Memory) -> None:
    found = moved.beliefs.outline()
    assert sorted(one.id for one in found) == sorted(one.id for one in moved.beliefs.timeline())
    subjects = list(dict.fromkeys(one.subject for one in found))
    assert subjects == ["me", "Ana"]
    assert [one.id for one in moved.beliefs.outline(2)] == [one.id for one in found[:2]]
    assert [one.id for one in moved.beliefs.outline(99)] == [one.id for one in found]


def test_a_rectangle_is_the_fact_without_what_has_to_be_looked_up(moved: Memory) -> None:
    whole = {one.id: one for one in moved.beliefs.timeline()}
    for one in moved.beliefs.outline():
        fact, full = one.fact(moved.latest()), whole[one.id]
        for name in SHARED:
            assert getattr(fact, name) == getattr(full, name), name
        assert fact.sources == ()
        assert moved.beliefs.fact(one.id).sources == full.sources


def test_lanes_of_an_outline_are_those_of_the_facts(moved: Memory) -> None:
    light = LaneIndex(moved.beliefs.outline(), moved.latest()).matching("")
    whole = index_of(moved.beliefs.timeline()).matching("")
    assert [slot.label for slot in light.slots] == [slot.label for slot in whole.slots]
    assert light.begun == whole.begun
    assert [slot.eras["true"] for slot in light.slots] == [slot.eras["true"] for slot in whole.slots]
