"""The wall clock and the machine's zone are read here only, and handed on, so that a test can hold both.

A question is always asked at two times, of the world and of belief; where neither is given, both are now.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from store.errors import BadInput
from store.records import Instant, Stretch
from store.text.cleaning import quoted


def machine_zone() -> tzinfo:
    """The zone that this machine is set to."""
    from tzlocal import get_localzone

    return get_localzone()


def zone_named(name: str | None) -> tzinfo:
    """An IANA zone, or an offset such as +02:00; None is the machine's. Raises BadInput."""
    if name is None:
        return machine_zone()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError, RecursionError):  # the last for a thousand slashes
        try:
            offset = datetime.strptime(name, "%z").tzinfo
        except ValueError:
            raise BadInput(f"“{quoted(name)}” is no zone; write one like Europe/Lisbon or +02:00.") from None
        assert offset is not None
        return offset


class SystemClock:
    """The machine's clock, in one zone."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def now(self) -> Instant:
        return Instant.of(datetime.now(self._zone))


class FrozenClock:
    """A clock that stands still: for the demo's pictures and for tests."""

    def __init__(self, moment: Instant) -> None:
        self._moment = moment

    def now(self) -> Instant:
        return self._moment


@dataclass(frozen=True, slots=True)
class Times:
    """The two times at which a question is asked; None is now."""

    as_of: Stretch | None = None
    believed: int | None = None

    @property
    def named(self) -> dict[str, Any]:
        """As a call of the memory takes them."""
        return {"as_of": self.as_of, "believed": self.believed}


def last_moment(stretch: Stretch) -> int | None:
    """As a belief time, in microseconds: what was believed at the end of a stretch; None where it has neither end."""
    return stretch.end - 1 if stretch.end is not None else stretch.start
