"""A question is always asked at two times, of the world and of belief; where neither is given, both are now."""

from __future__ import annotations

from dataclasses import dataclass

from store.records import Stretch


@dataclass(frozen=True, slots=True)
class Times:
    """The two times at which a question is asked; None is now."""

    as_of: Stretch | None = None
    believed: int | None = None
