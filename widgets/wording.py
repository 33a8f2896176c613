"""A time is never said more exactly than it was said: each instant is worded at its own precision.

Dates read year-month-day, so that they line up and mean the same everywhere.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from store.records import EPOCH, Fact, Instant, Precision

_FORMATS: dict[Precision, str] = {
    Precision.EXACT: "%Y-%m-%d %H:%M",
    Precision.DAY: "%Y-%m-%d",
    Precision.WEEK: "%Y-%m-%d",
    Precision.MONTH: "%Y-%m",
    Precision.SEASON: "%Y-%m",
    Precision.YEAR: "%Y",
    Precision.OPEN: "%Y-%m-%d",
}
_PREFIXES = {Precision.WEEK: "week of ", Precision.SEASON: "season from ", Precision.OPEN: "at least "}


def moment(us: int, zone: tzinfo) -> datetime:
    """Microseconds since 1970 as an aware datetime in `zone`."""
    return (EPOCH + timedelta(microseconds=us)).astimezone(zone)


def day(at: Instant) -> str:
    """2024-05-14"""
    return at.local().strftime("%Y-%m-%d")


def clock_time(at: Instant) -> str:
    """14:02"""
    return at.local().strftime("%H:%M")


def long_day(at: Instant) -> str:
    """Tuesday 14 May 2024"""
    local = at.local()
    return f"{local:%A} {local.day} {local:%B %Y}"


def point(at: Instant, precision: Precision) -> str:
    """One end of a stretch at the precision in which it was said; "at least" where nobody said it."""
    return _PREFIXES.get(precision, "") + at.local().strftime(_FORMATS[precision])


def since(fact: Fact) -> str:
    """When it became true, in few words: "since 2024-05", "2019 → 2024-05", "on 2024-03-02"."""
    start = point(fact.valid_from, fact.precision) if fact.valid_from else ""
    about = "about " if fact.valid_from_after else ""
    if fact.valid_to is None:
        return f"since {about}{start}" if start else "always, as far as known"
    end = ("about " if fact.valid_to_after else "") + point(fact.valid_to, fact.precision_to)
    if not start:
        return f"until {end}"
    return f"on {start}" if _is_one_point(fact) else f"{about}{start} → {end}"


def world_stretch(fact: Fact) -> str:
    """The world axis in full: "2024-05 → now"."""
    start = point(fact.valid_from, fact.precision) if fact.valid_from else "unknown"
    if fact.valid_from_after:
        start = "about " + start
    if fact.valid_to is None:
        return f"{start} → now"
    end = ("about " if fact.valid_to_after else "") + point(fact.valid_to, fact.precision_to)
    return f"on {start}" if _is_one_point(fact) else f"{start} → {end}"


def belief_stretch(fact: Fact) -> str:
    """The belief axis in full, to the day: "2024-05-14 → now"."""
    end = day(fact.believed_to) if fact.believed_to else "now"
    return f"{day(fact.believed_from)} → {end}"


def _is_one_point(fact: Fact) -> bool:
    """An event of one day, month or year: both ends would be worded alike or as neighbours."""
    if fact.valid_from is None or fact.valid_to is None:
        return False
    longest = {Precision.EXACT: 1, Precision.DAY: 1, Precision.WEEK: 7, Precision.MONTH: 31, Precision.YEAR: 366}
    days = longest.get(fact.precision)
    return days is not None and fact.valid_to.us - fact.valid_from.us <= days * 86_400_000_000


def count(number: int, one: str, many: str = "") -> str:
    """1 turn, 2 turns, no turns"""
    word = one if number == 1 else many or one + "s"
    return f"{number:,} {word}" if number else f"no {word}"


def seconds(amount: float) -> str:
    """A waiting time for people: 40 s, 12 min"""
    return f"{amount:.0f} s" if amount < 90 else f"{amount / 60:.0f} min"


def milliseconds(amount: float) -> str:
    """0.4 ms, 38 ms, 1.2 s"""
    if amount < 10:
        return f"{amount:.1f} ms"
    return f"{amount:.0f} ms" if amount < 1000 else f"{amount / 1000:.1f} s"
