"""A time is never said more exactly than it was said: each instant is worded at its own precision.

Dates read year-month-day, so that they line up and mean the same everywhere.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from store.records import EPOCH, Fact, Instant, Precision, Source
from widgets.plain import one_line

_FORMATS: dict[Precision, str] = {
    Precision.EXACT: "%Y-%m-%d %H:%M",
    Precision.DAY: "%Y-%m-%d",
    Precision.WEEK: "%Y-%m-%d",
    Precision.MONTH: "%Y-%m",
    Precision.SEASON: "%Y-%m",
    Precision.YEAR: "%Y",
    Precision.OPEN: "%Y-%m-%d",
}
_PREFIXES = {Precision.WEEK: "week of ", Precision.SEASON: "season from ", Precision.OPEN: "by "}


def moment(us: int, zone: tzinfo) -> datetime:
    """Microseconds since 1970 as an aware datetime in `zone`."""
    return (EPOCH + timedelta(microseconds=us)).astimezone(zone)


def megabytes(size: int) -> str:
    """1,204.5 MB"""
    return f"{size / 1e6:,.1f} MB"


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
    """One end of a stretch at the precision in which it was said; "by" where nobody said it: it had come by then."""
    return _PREFIXES.get(precision, "") + at.local().strftime(_FORMATS[precision])


def since(fact: Fact) -> str:
    """When it became true, in few words: "since 2024-05", "2019 → 2024-05", "on 2024-03-02"."""
    start = _edge(fact.valid_from, fact.precision, fact.valid_from_after)
    if fact.valid_to is None:
        if fact.precision is Precision.OPEN and fact.valid_from is not None and fact.valid_from_after is None:
            return f"known since {day(fact.valid_from)}"
        return f"since {start}" if start else "always, as far as known"
    end = _edge(fact.valid_to, fact.precision_to, fact.valid_to_after)
    if not start:
        return f"until {end}"
    return _at(fact, start) if _is_one_point(fact) else f"{start} → {end}"


def world_stretch(fact: Fact) -> str:
    """The world axis in full: "2024-05 → now"."""
    start = _edge(fact.valid_from, fact.precision, fact.valid_from_after) or "unknown"
    if fact.valid_to is None:
        return f"{start} → now"
    end = _edge(fact.valid_to, fact.precision_to, fact.valid_to_after)
    return _at(fact, start) if _is_one_point(fact) else f"{start} → {end}"


def belief_stretch(fact: Fact) -> str:
    """The belief axis in full, to the day: "2024-05-14 → now"."""
    end = day(fact.believed_to) if fact.believed_to else "now"
    return f"{day(fact.believed_from)} → {end}"


def _edge(at: Instant | None, precision: Precision, not_before: Instant | None) -> str:
    """One end in words; a boundary that nobody said, but that lies between two sayings, is "about" the later one."""
    if at is None:
        return ""
    return f"about {at.local():{_FORMATS[precision]}}" if not_before else point(at, precision)


def _at(fact: Fact, start: str) -> str:
    return f"{'in' if fact.precision in (Precision.MONTH, Precision.YEAR) else 'on'} {start}"


def _is_one_point(fact: Fact) -> bool:
    """An event of one day, month or year: both ends would be worded alike or as neighbours."""
    if fact.valid_from is None or fact.valid_to is None:
        return False
    longest = {Precision.EXACT: 1, Precision.DAY: 1, Precision.WEEK: 7, Precision.MONTH: 31, Precision.YEAR: 366}
    days = longest.get(fact.precision)
    return days is not None and fact.valid_to.us - fact.valid_from.us <= days * 86_400_000_000


def read_by(source: Source) -> str:
    """Which model read it in the words; empty where rules did, or it was said by hand."""
    return f"  read by {one_line(source.by.partition(' ')[2], 24)}" if source.by.startswith("model/") else ""


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
