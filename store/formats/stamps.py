"""A stamp is read by its unit or refused: a number's size says its unit, and a time before 1990 or after now is none.

Programs write UTC whatever the person's clock showed; such a stamp is moved into the person's zone, so that "last
night" is read in the night that they meant. A stamp with an offset of its own keeps it.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Any

from store.errors import BadInput, BadTime
from store.formats.report import Options
from store.records import EPOCH, Instant
from store.text.cleaning import quoted
from store.time.expressions import parse_iso

EARLIEST = 631_152_000
"""1990, in seconds."""
BEYOND = 4_102_444_800
"""2100, in seconds."""


def epoch(number: float, zone: tzinfo) -> Instant:
    """A number of seconds, milliseconds or microseconds since 1970, told apart by its size. Raises BadInput outside
    of 1990 to 2100."""
    size = abs(number)
    seconds = 0.0 if size > 1e17 else number / 1e6 if size > 1e14 else number / 1e3 if size > 1e11 else number
    if not EARLIEST <= seconds < BEYOND:
        raise BadInput(f"its time {quoted(number)} is outside of 1990 to 2100.")
    moment: datetime = EPOCH + timedelta(seconds=seconds)
    return Instant.of(moment.astimezone(zone))


def stamp(value: Any, options: Options) -> Instant | None:
    """A machine-written stamp, a number or ISO 8601, which is UTC where it has no offset; None where there is none.

    Raises BadInput or BadTime for one that cannot be read or is out of range.
    """
    if value is None or value == "" or isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        said = epoch(value, options.zone)
    elif isinstance(value, str):
        said = _written(value, options.zone)
    else:
        raise BadTime(f"{str(value)[:40]!r} is not a time")
    if said.us < EARLIEST * 1_000_000 or (options.latest is not None and said.us > options.latest.us):
        raise BadTime(f"its time {said.iso()} lies before 1990 or after now.")
    return said


def stamp_or_none(value: Any, options: Options) -> Instant | None:
    """As `stamp`, and None for what cannot be read: for the places where a neighbour's time can stand in."""
    try:
        return stamp(value, options)
    except (BadInput, BadTime, OverflowError, ValueError):
        return None


def spaced(start: Instant, place: int, step: timedelta = timedelta(seconds=30)) -> Instant:
    """The time of the `place`th turn of a session of which only the start is known."""
    return Instant(start.us + place * (step // timedelta(microseconds=1)), start.offset)


def _written(text: str, zone: tzinfo) -> Instant:
    if text.strip().replace(".", "", 1).isdigit():
        return epoch(float(text), zone)
    moment = datetime.fromisoformat(parse_iso(text, _utc()).iso())
    return Instant.of(moment if moment.utcoffset() else moment.astimezone(zone))


def _utc() -> tzinfo:
    zone = EPOCH.tzinfo
    assert zone is not None
    return zone
