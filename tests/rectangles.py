"""Rectangles of facts of which everything is known, for what a memory reads as light ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from store.records import ChangeKind, Fact
from widgets.lane_index import LaneIndex
from widgets.lane_layout import by_slot


class KnownRectangle(NamedTuple):
    """A rectangle of which everything is known already."""

    subject: str
    predicate: str
    object: str
    valid_from: int | None
    valid_to: int | None
    believed_from: int
    believed_to: int | None
    change: ChangeKind
    whole: Fact

    @classmethod
    def of(cls, one: Fact) -> KnownRectangle:
        """The fact as a rectangle."""
        since, until, forgotten = (
            None if edge is None else edge.us for edge in (one.valid_from, one.valid_to, one.believed_to)
        )
        return cls(
            one.subject, one.predicate, one.object, since, until, one.believed_from.us, forgotten, one.change, one
        )

    def fact(self, now: int) -> Fact:
        return self.whole


def index_of(facts: Iterable[Fact]) -> LaneIndex:
    """An index of facts, in whatever order they come."""
    return LaneIndex(KnownRectangle.of(one) for slot in by_slot(facts) for one in slot)
