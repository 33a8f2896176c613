"""A question is always asked at two times, of the world and of belief; where neither is given, both are now."""

from __future__ import annotations

from dataclasses import dataclass

from store.records import Stretch


@dataclass(frozen=True, slots=True)
class Times:
    """The two times at which a question is asked; None is now."""

    as_of: Stretch | None = None
    believed: int | None = None


def last_moment(stretch: Stretch) -> int | None:
    """As a belief time, in microseconds: what was believed at the end of a stretch; None where it has neither end."""
    return stretch.end - 1 if stretch.end is not None else stretch.start
