"""Words are never finer than the precision that was given: a month is named as a month, whatever its first day is."""

from __future__ import annotations

from datetime import datetime, timedelta

from store.records import Instant, Precision, Stretch
from store.time.calendar import PART_HOURS, unit_span
from store.time.words import MONTHS

_MONTHS = {number: name.capitalize() for name, number in reversed(MONTHS.items())}
"""By number, each in full: its first name."""
_SEASONS = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def describe(stretch: Stretch) -> str:
    """A stretch in words."""
    edge = stretch.start if stretch.start is not None else stretch.end
    if edge is None:
        return "at an unknown time"
    if stretch.start is None or stretch.end is None:
        grain = {Precision.EXACT: "second", Precision.OPEN: "day"}.get(stretch.precision, stretch.precision.value)
        unit = unit_span(_local(edge, stretch.offset), grain)
        words = _closed(unit.start, unit.end, stretch.precision)
        return f"{'since' if stretch.start is not None else 'until'} {words}"
    end = _local(stretch.end, stretch.offset)
    # A clock change may move the end an hour off midnight, for the stretch keeps only the offset of its start.
    near = (end + _HOUR).replace(hour=0, minute=0, second=0, microsecond=0)
    return _closed(_local(stretch.start, stretch.offset), near if abs(end - near) <= _HOUR else end, stretch.precision)


def _local(us: int, offset: int) -> datetime:
    return Instant(us, offset).local().replace(tzinfo=None)


def _date(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month]} {moment.year}"


def _closed(start: datetime, end: datetime, precision: Precision) -> str:
    last = end - timedelta(microseconds=1)
    if precision is Precision.EXACT:
        return _moment(start, end)
    if precision is Precision.WEEK:
        return _weeks(start, last)
    if precision is Precision.MONTH:
        return _months(start, last)
    if precision is Precision.SEASON:
        short = (last.year - start.year) * 12 + last.month - start.month < 3
        return _season(start) if short else f"{_season(start)} to {_months(last, last)}"
    if precision is Precision.YEAR:
        return _years(start, last)
    return _days(start, last)


def _moment(start: datetime, end: datetime) -> str:
    if end - start <= _HOUR:
        return f"{start:%H:%M} on {_date(start)}"
    first = f"{start:%H:%M}" if start.date() == end.date() else f"{start:%H:%M} on {_date(start)}"
    return f"{first} to {end:%H:%M} on {_date(end)}"


def _days(start: datetime, last: datetime) -> str:
    if last - start < timedelta(hours=20):
        return _part(start, last)
    if last.date() == start.date():
        return _date(start)
    if (last.year, last.month) == (start.year, start.month):
        return f"{start.day} to {_date(last)}"
    first = f"{start.day} {_MONTHS[start.month]}" if last.year == start.year else _date(start)
    return f"{first} to {_date(last)}"


def _part(start: datetime, last: datetime) -> str:
    """The part of the day that holds a few hours, or the day where no part does."""
    day = start.replace(hour=0, minute=0)
    for name in ("morning", "afternoon", "night", "evening"):
        first, end = PART_HOURS[name]
        if day + first * _HOUR <= start and last < day + end * _HOUR:
            return f"the {name} of {_date(start)}"
    return _date(start)


def _weeks(start: datetime, last: datetime) -> str:
    length = (last - start) // _DAY + 1
    if length == 2 and start.weekday() != 5:
        return _days(start, last)
    prefix = {1: "about", 2: "the weekend of", 7: "the week of"}.get(length)
    return f"{prefix} {_date(start)}" if prefix else _days(start, last)


def _months(start: datetime, last: datetime) -> str:
    if (last.year, last.month) == (start.year, start.month):
        return f"{_third(start.day - 1, last.day - 1, 30)}{_MONTHS[start.month]} {start.year}"
    first = _MONTHS[start.month] + ("" if last.year == start.year else f" {start.year}")
    return f"{first} to {_MONTHS[last.month]} {last.year}"


def _third(first: int, last: int, size: int) -> str:
    """Which third of a unit a part covers, from the places of its first and last piece."""
    if last - first > size * 0.6:
        return ""
    middle = (first + last) / 2 / size
    return "early " if middle < 0.34 else "late " if middle > 0.66 else "mid "


def _season(start: datetime) -> str:
    name = _SEASONS.get(start.month)
    if name is None:
        return f"the {('first', 'second', 'third', 'fourth')[(start.month - 1) // 3]} quarter of {start.year}"
    return f"winter {start.year}/{(start.year + 1) % 100:02}" if name == "winter" else f"{name} {start.year}"


def _years(start: datetime, last: datetime) -> str:
    if last.year == start.year:
        return f"{_third(start.month - 1, last.month - 1, 12)}{start.year}"
    decade = start.year % 10 == 0 and last.year == start.year + 9 and start.month == 1
    return f"the {start.year}s" if decade else f"{start.year} to {last.year}"


def describe_span(us_from: int, us_to: int) -> str:
    """A length in the two coarsest units that matter; "about" where it is rounded to weeks or to months."""
    seconds = abs(us_to - us_from) // 1_000_000
    if seconds < 60:
        return "less than a minute"
    for limit, size, name in ((7200, 60, "minute"), (172_800, 3600, "hour"), (2_419_200, 86_400, "day")):
        if seconds < limit:
            return _count(seconds // size, name)
    days = seconds / 86_400
    if days < 60:
        weeks = round(days / 7)
        return f"{'' if abs(days - weeks * 7) < 0.1 else 'about '}{_count(weeks, 'week')}"
    start, end = (_local(us, 0) for us in sorted((us_from, us_to)))
    over = (end.day - start.day) / 30.44
    months = (end.year - start.year) * 12 + end.month - start.month + round(over)
    parts = [(months // 12, "year"), (months % 12, "month")]
    about = "" if abs(over - round(over)) < 0.1 else "about "
    return about + " and ".join(_count(number, name) for number, name in parts if number)


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
