"""The wall clock and the machine's zone are read here only, and handed on, so that a test can hold both."""

from __future__ import annotations

from datetime import datetime, tzinfo

from store.records import Instant


def machine_zone() -> tzinfo:
    """The zone that this machine is set to."""
    from tzlocal import get_localzone

    return get_localzone()


def zone_named(name: str | None) -> tzinfo:
    """An IANA zone, or an offset such as +02:00; None is the machine's. Raises BadInput."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    from store.errors import BadInput
    from store.text.cleaning import quoted

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
