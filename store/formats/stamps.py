"""A stamp is read by its unit or refused: a number's size says its unit, and a time before 1990 or after now is none.

Programs write UTC whatever the person's clock showed; such a stamp is moved into the person's zone, so that "last
night" is read in the night that they meant. A stamp with an offset of its own keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
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
    return Instant.of((EPOCH + timedelta(seconds=seconds)).astimezone(zone))


def stamp(value: Any, options: Options) -> Instant | None:
    """A machine-written stamp, a number or ISO 8601, which is UTC where it has no offset; None where there is none.

    Raises BadInput or BadTime for one that cannot be read or is out of range.
    """
    if value is None or value == "" or isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().replace(".", "", 1).isdigit():
        value = float(value)
    if isinstance(value, int | float):
        said = epoch(value, options.zone)
    elif isinstance(value, str):
        moment = datetime.fromisoformat(parse_iso(value, UTC).iso())
        said = Instant.of(moment if moment.utcoffset() else moment.astimezone(options.zone))
    else:
        raise BadTime(f"{str(value)[:40]!r} is not a time")
    if said.us < EARLIEST * 1_000_000 or (options.latest is not None and said.us > options.latest.us):
        raise BadTime(f"its time {said.iso()} lies before 1990 or after now.")
    return said


def stamp_of(item: Mapping[str, Any], options: Options, *names: str) -> Instant | None:
    """The first of these fields that is a stamp; None where a neighbour's time has to stand in."""
    for name in names:
        try:
            if (said := stamp(item.get(name), options)) is not None:
                return said
        except (BadInput, BadTime, OverflowError, ValueError):
            continue
    return None
