"""Words are never finer than the precision that was given: a month is named as a month, whatever its first day is."""

from __future__ import annotations

from datetime import datetime, timedelta

from store.records import Instant, Precision, Stretch
from store.time.calendar import PART_HOURS, unit_span
from store.time.words import MONTHS

_MONTHS = {number: name.capitalize() for name, number in reversed(MONTHS.items())}
"""By number, each in full: its first name."""
_SEASONS = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


def describe(stretch: Stretch, *, about: bool = False) -> str:
    """A stretch in words; "about" where the words or the boundary are uncertain."""
    if stretch.start is None or stretch.end is None:
        return _open_ended(stretch, about)
    start, end = _local(stretch.start, stretch.offset), _local(stretch.end, stretch.offset)
    words = _closed(start, _whole(end), stretch.precision)
    return f"about {words}" if about and not words.startswith(("about ", "around ")) else words


def _open_ended(stretch: Stretch, about: bool) -> str:
    edge = stretch.start if stretch.start is not None else stretch.end
    if edge is None:
        return "at an unknown time"
    moment = _local(edge, stretch.offset)
    grain = {Precision.EXACT: "second", Precision.OPEN: "day"}.get(stretch.precision, stretch.precision.value)
    unit = unit_span(moment, grain)
    hedge = "about " if about else ""
    word = "since" if stretch.start is not None else "until"
    return f"{word} {hedge}{_closed(unit.start, unit.end, stretch.precision)}"


def _local(us: int, offset: int) -> datetime:
    return Instant(us, offset).local().replace(tzinfo=None)


def _whole(end: datetime) -> datetime:
    """An end that a clock change moved an hour off midnight, put back: the stretch keeps only the offset of its
    start."""
    near = (end + _HOUR).replace(hour=0, minute=0, second=0, microsecond=0)
    return near if abs(end - near) <= _HOUR else end


def _date(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month]} {moment.year}"


def _season(start: datetime) -> str:
    name = _SEASONS.get(start.month)
    if name is None:
        return f"the {('first', 'second', 'third', 'fourth')[(start.month - 1) // 3]} quarter of {start.year}"
    return f"winter {start.year}/{(start.year + 1) % 100:02}" if name == "winter" else f"{name} {start.year}"


def _closed(start: datetime, end: datetime, precision: Precision) -> str:
    describers = {
        Precision.EXACT: _moment,
        Precision.DAY: _days,
        Precision.WEEK: _weeks,
        Precision.MONTH: _months,
        Precision.SEASON: _seasons,
        Precision.YEAR: _years,
        Precision.OPEN: _days,
    }
    return describers[precision](start, end)


def _moment(start: datetime, end: datetime) -> str:
    if end - start <= _HOUR:
        return f"{start:%H:%M} on {_date(start)}"
    if start.date() == end.date():
        return f"{start:%H:%M} to {end:%H:%M} on {_date(start)}"
    return f"{start:%H:%M} on {_date(start)} to {end:%H:%M} on {_date(end)}"


def _days(start: datetime, end: datetime) -> str:
    if end - start < timedelta(hours=20):
        return _part(start, end)
    last = end - timedelta(microseconds=1)
    if last.date() == start.date():
        return _date(start)
    if (last.year, last.month) == (start.year, start.month):
        return f"{start.day} to {_date(last)}"
    first = f"{start.day} {_MONTHS[start.month]}" if last.year == start.year else _date(start)
    return f"{first} to {_date(last)}"


def _part(start: datetime, end: datetime) -> str:
    """The part of the day that holds a few hours, or the day where no part does."""
    day = start.replace(hour=0, minute=0)
    for name in ("morning", "afternoon", "night", "evening"):
        first, last = PART_HOURS[name]
        if day + first * _HOUR <= start and end <= day + last * _HOUR:
            return f"the {name} of {_date(start)}"
    return _date(start)


def _weeks(start: datetime, end: datetime) -> str:
    length = round((end - start) / _DAY)
    if length == 1:
        return f"about {_date(start)}"
    if length == 2 and start.weekday() == 5:
        return f"the weekend of {_date(start)}"
    return f"the week of {_date(start)}" if length == 7 else _days(start, end)


def _months(start: datetime, end: datetime) -> str:
    last = end - timedelta(microseconds=1)
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


def _seasons(start: datetime, end: datetime) -> str:
    last = end - timedelta(microseconds=1)
    months = (last.year - start.year) * 12 + last.month - start.month + 1
    return _season(start) if months <= 3 else f"{_season(start)} to {_months(last, end)}"


def _years(start: datetime, end: datetime) -> str:
    last = end - timedelta(microseconds=1)
    if last.year == start.year:
        return f"{_third(start.month - 1, last.month - 1, 12)}{start.year}"
    if start.year % 10 == 0 and last.year == start.year + 9 and start.month == 1:
        return f"the {start.year}s"
    return f"{start.year} to {last.year}"


def describe_span(us_from: int, us_to: int) -> str:
    """A length in the two coarsest units that matter; "about" where it is rounded to weeks."""
    seconds = abs(us_to - us_from) // 1_000_000
    for limit, size, name in ((60, 0, ""), (7200, 60, "minute"), (172_800, 3600, "hour"), (2_419_200, 86_400, "day")):
        if seconds < limit:
            return _count(int(seconds // size), name) if size else "less than a minute"
    days = seconds / 86_400
    if days < 60:
        weeks = round(days / 7)
        return f"{'' if abs(days - weeks * 7) < 0.1 else 'about '}{_count(weeks, 'week')}"
    return _calendar_span(min(us_from, us_to), max(us_from, us_to))


def _calendar_span(us_from: int, us_to: int) -> str:
    start, end = _local(us_from, 0), _local(us_to, 0)
    months = (end.year - start.year) * 12 + end.month - start.month
    months += round((end.day - start.day) / 30.44)
    years, rest = divmod(months, 12)
    if years == 0:
        return _count(rest, "month")
    return _count(years, "year") + (f" and {_count(rest, 'month')}" if rest else "")


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
