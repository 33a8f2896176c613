"""A range has the width that its two ends were said with, and a loose end is placed by the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from store.time import clocks, points, words
from store.time.calendar import LocalStretch, Reading, after, before, midnight, on_day, settle
from store.time.scan import Found, Scan, integer, ordinal, reading, year

if TYPE_CHECKING:
    from store.time.calendar import TimeRole

_LINKS = frozenset(("to", "until", "till", "til", "through", "thru", "-", "–", "—", "~"))
_CLOCKS = ("hour", "minute", "second")


def range_at(s: Scan, i: int) -> Found[Reading]:
    """from A to B, between A and B, A - B; and on a day: tomorrow from 10 to 12."""
    lead = s.word(i) if s.word(i) in ("from", "between") else ""
    j = i + 1 if lead else i
    found = _dates(s, i, j, lead) or _clocks(s, i, j, lead) or _day_clocks(s, i)
    return None if found is None else (reading(s, i, found[1], found[0], kind="range"), found[1])


def _links(lead: str) -> frozenset[str]:
    return _LINKS | {"and"} if lead == "between" else _LINKS


def _dates(s: Scan, i: int, j: int, lead: str) -> Found[LocalStretch]:
    left = points.point(s, j)
    if left is None:
        return _number_first(s, i, j, lead)
    stamps = s.word(left[1]) == "/" and left[0].cycle is None and left[0].grain in _CLOCKS
    if s.word(left[1]) in _links(lead) or stamps:
        k = left[1] + 1
        right = points.point(s, s.skip(k, "the") if s.word(k + 1) not in words.EDGES else k) or points.point(s, k)
        if right is not None:
            first = _in_zone(s, left, right[1]) if left[0].cycle == "day" else left[0]
            if first.cycle == "day" and right[0].cycle is None and not s.word(k).isdecimal():
                first = replace(first, cycle=None)
            return joined(first, right[0], lambda when: points.settled(s, i, when)), right[1]
        if left[0].grain == "day":
            return _same_month(s, i, left[0], k)
    return _number_first(s, i, j, lead)


def _day_number(s: Scan, i: int) -> Found[int]:
    the = s.skip(i, "the")
    return ordinal(s, the) or (integer(s, the) if s.word(the).isdecimal() and len(s.word(the)) <= 2 else None)


def _same_month(s: Scan, i: int, left: LocalStretch, k: int) -> Found[LocalStretch]:
    """August 27th - 29th; May eighth - tenth, 2010."""
    day = _day_number(s, k)
    if day is None or not left.start.day < day[0] <= 31 or s.word(day[1]) in (":", "am", "pm"):
        return None
    named, end = year(s, s.skip(day[1], ",")) if left.cycle is not None else None, day[1]
    if named is not None:
        left, end = replace(left, start=left.start.replace(year=named[0]), cycle=None), named[1]
    last = left.start.replace(day=day[0]) + timedelta(days=1)
    return points.settled(s, i, replace(left, end=last)), end


def _number_first(s: Scan, i: int, j: int, lead: str) -> Found[LocalStretch]:
    """13 to 15 July; from the 13th to the 15th of July."""
    day = _day_number(s, j)
    right = points.day_at(s, day[1] + 1) if day is not None and s.word(day[1]) in _links(lead) else None
    if day is None or right is None or right[0].cycle == "week":
        return None
    if not 1 <= day[0] < right[0].start.day or (right[0].cycle == "month" and not lead):
        return None
    return points.settled(s, i, replace(right[0], start=right[0].start.replace(day=day[0]))), right[1]


def joined(left: LocalStretch, right: LocalStretch, place: Callable[[LocalStretch], LocalStretch]) -> LocalStretch:
    """Two ends made one stretch: a loose end is placed by the other; `place` settles the first if both are loose."""
    if left.cycle == "month" and right.grain == "day" and left.start.day < right.start.day:
        start = right.start.replace(day=left.start.day)
        left = replace(right, start=start, end=start + timedelta(days=1))
    if left.cycle is None and right.cycle == "day" and right.half_day and left.grain in _CLOCKS and not left.half_day:
        right = _half_days(left, right)[1]
    if left.cycle is None:
        first, last = left, after(right, left.start)
    elif right.cycle is None:
        first, last = before(left, right.start), right
    elif left.cycle == "day" and right.cycle != "day":
        last = place(right)
        first = before(left, last.start)
    else:
        left, right = _half_days(left, right) if left.grain in _CLOCKS else (left, right)
        whole = replace(left, end=_ending(after(right, left.start)), half_day=False)
        return replace(place(whole), cycle=None, point=None)
    if first.half_day and not last.half_day and first.grain in _CLOCKS:
        first, last = _half_days(first, last)
    if _ending(last) <= first.start:
        raise ValueError("the range runs backwards")
    grain = last.grain if first.point is not None and first.grain == "minute" else first.grain
    return replace(first, end=_ending(last), grain=grain, cycle=None, point=None)


def _ending(last: LocalStretch) -> datetime:
    """Where a range ends: with the last day, but at the last clock time."""
    return last.start if last.grain in _CLOCKS else last.end


def _half_days(left: LocalStretch, right: LocalStretch) -> tuple[LocalStretch, LocalStretch]:
    """In "5 to 6pm" the 5 is in the afternoon too; in "11 to 4" the 4 is."""
    half = timedelta(hours=12)
    begin, end = (when.start - midnight(when.start.date()) for when in (left, right))
    if left.half_day and not right.half_day and begin < half and begin + half <= end:
        return clocks.moved(left, 12), right
    if left.half_day and not right.half_day and left.start.hour == 12 and end < half:
        return clocks.moved(left, -12), right
    return left, clocks.moved(right, 12) if right.half_day and end <= begin < end + half else right


def _clock_range(s: Scan, j: int, lead: str) -> Found[tuple[LocalStretch, LocalStretch]]:
    """3-5pm, 9:30 till 11:00, 10 to 4."""
    left = clocks.clock(s, j, bare=True)
    if left is None or s.word(left[1]) not in _LINKS | ({"and"} if lead else set()):
        return None
    right = clocks.clock(s, left[1] + 1, bare=True)
    return None if right is None else (_half_days(_in_zone(s, left, right[1]), right[0]), right[1])


def _in_zone(s: Scan, left: tuple[LocalStretch, int], end: int) -> LocalStretch:
    """A clock time at the beginning of a range, which is in the zone that its end names."""
    zone = words.ZONES.get(s.word(end - 1))
    if zone is None or s.word(left[1] - 1) in words.ZONES:
        return left[0]
    return clocks.moved(left[0], s.utc_offset / 3600 - zone)


def _clocks(s: Scan, i: int, j: int, lead: str) -> Found[LocalStretch]:
    """from 2 to 3:30pm yesterday; from 8 to 10 this evening; 3-5pm."""
    found = _clock_range(s, j, lead)
    if found is None:
        return None
    (left, right), k = found
    place = s.skip(k, "on", "of", ",")
    part = points.part_point(s, place)
    day = part or points.day_at(s, place)
    if day is not None:
        said = clocks.part_of_day(s, day[1]) if part is None else None
        name = said[0][0] if said else ("night" if part and part[0].start.hour >= 18 else "")
        return _on_day(s, i, day[0], *(clocks.to_part(end, name) for end in (left, right))), (said or day)[1]
    if not (left.grain == right.grain == "minute") and _CLOCK_SIGNS.isdisjoint(s.words[i:k]):
        return None
    return _on_day(s, i, None, left, right), k


_CLOCK_SIGNS = frozenset(
    ("am", "pm", "a", "p", ":", "h", "noon", "midnight", "midday", "o'clock", "oclock", "morning", "night")
)
"""Without one of these two numbers and a dash are no hours."""


def _on_day(s: Scan, i: int, day: LocalStretch | None, left: LocalStretch, right: LocalStretch) -> LocalStretch:
    end = right.start if right.start > left.start else right.start + timedelta(days=1)
    whole = replace(left, end=end, cycle="day", half_day=False)
    return points.settled(s, i, on_day(day, whole) if day is not None else whole)


def _day_clocks(s: Scan, i: int) -> Found[LocalStretch]:
    """tomorrow from 10 to 12; Monday 11-4; 6/4 between 9.30-4.30pm; Friday morning from 9 to 11."""
    day = points.day_at(s, i)
    if day is None:
        return None
    said = clocks.part_of_day(s, day[1])
    k = s.skip(said[1] if said else day[1], ",")
    lead = s.word(k) if s.word(k) in ("from", "between") else ""
    found = _clock_range(s, k + 1 if lead else s.skip(k, "at"), lead)
    if found is None:
        return None
    left, right = (clocks.to_part(end, said[0][0]) for end in found[0]) if said else found[0]
    return _on_day(s, i, day[0], left, right), found[1]


def bounded(s: Scan, i: int) -> Found[Reading]:
    """since A, until B, before, after, by; A or later; from A on."""
    role, j = _role(s, i)
    if role is None:
        return _or_later(s, i)
    j = s.skip(j, "about", "around")
    found = points.point(s, j)
    both = _and_before(s, i, found) if found is not None and role in ("after", "since") else None
    if both is not None:
        return both
    if found is None and s.word(i) in ("until", "till", "by", "before", "after", "since"):
        found = _bare_hour(s, j)
    if found is None:
        return None
    when, loose = found[0], found[0].cycle not in (None, "day")
    if role == "since" and loose:  # it lies in the past, whatever the tense
        when = replace(settle(when, s.now, "past"), cycle=None)
    elif role == "until" and loose and s.tense(j) not in ("past", "perfect"):  # it lies ahead, unless it is told of
        when = replace(settle(when, s.now, "future"), cycle=None)
    else:
        when = points.settled(s, j, when)
    return reading(s, i, found[1], when, role), found[1]


def _and_before(s: Scan, i: int, left: tuple[LocalStretch, int]) -> Found[Reading]:
    """ "later than 9:30 but before 11:00": a range."""
    k = s.skip(left[1], ",")
    role, k = _role(s, k + 1) if s.word(k) == "but" else (None, k)
    right = points.point(s, k) if role in ("before", "until") else None
    if right is None:
        return None
    when = joined(left[0], right[0], lambda when: points.settled(s, i, when))
    return reading(s, i, right[1], when, kind="range"), right[1]


def _bare_hour(s: Scan, j: int) -> Found[LocalStretch]:
    if not s.word(j).isdecimal() or int(s.word(j)) > 12 or s.word(j + 1) not in ("", ".", ",", "!", "?", "tonight"):
        return None
    return clocks.clock(s, j, bare=True)


_ROLE = re.compile(
    r"(?:(?P<since>(?:ever )?since|as early as|as of|starting(?: from| on)?|beginning on)"
    r"|(?P<until>no later than|not later than|as late as|up (?:to|until)|until|till?|by|through|thru)"
    r"|(?P<after>later than|greater than|(?:anytime )?after)|(?P<before>earlier than|prior to|before))\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:(?P<since>(?:and |or )later|(?:and )?on ?wards?)|(?P<until>or earlier))\b", re.IGNORECASE)
_ROLES: dict[str | None, TimeRole] = {"since": "since", "until": "until", "after": "after", "before": "before"}


def _role(s: Scan, i: int, pattern: re.Pattern[str] = _ROLE) -> tuple[TimeRole | None, int]:
    found = s.match(i, pattern)
    return (None, i) if found is None else (_ROLES[found[0].lastgroup], found[1])


def _or_later(s: Scan, i: int) -> Found[Reading]:
    start = s.skip(i, "from")
    found = points.point(s, start)
    role, end = _role(s, found[1], _TAIL) if found is not None else (None, i)
    if found is None or role is None:
        return None
    return reading(s, i, end, points.settled(s, start, found[0]), role), end
