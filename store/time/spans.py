"""What is no point of time: ranges, bounds, lengths and habits.

A range has the width that its two ends were said with, and a loose end is placed by the other. A length without an
anchor stays a length; with a perfect tense it reaches until now. A habit has no place in time: it keeps its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from store.time import clocks, points, units, words
from store.time.calendar import LocalStretch, Reading, TimeRole, add, after, before, midnight, on_day, run, settle
from store.time.scan import Found, Scan, integer, ordinal, reading, year
from store.time.words import either

_TO = frozenset(("to", "until", "till", "til", "through", "thru", "-", "–", "—", "~"))
_LINKS = (_TO, _TO | {"and"})
"""What stands between the ends of a range, and of one that "between" leads."""
_CLOCKS = ("hour", "minute", "second")
_CLOCK_SIGNS = frozenset(
    ("am", "pm", "a", "p", ":", "h", "noon", "midnight", "midday", "o'clock", "oclock", "morning", "night")
)
"""Without one of these two numbers and a dash are no hours."""
_ROLE = re.compile(
    r"(?:(?P<since>(?:ever )?since|as early as|as of|starting(?: from| on)?|beginning on)"
    r"|(?P<until>no later than|not later than|as late as|up (?:to|until)|until|till?|by|through|thru)"
    r"|(?P<after>later than|greater than|(?:anytime )?after)|(?P<before>earlier than|prior to|before))\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:(?P<since>(?:and |or )later|(?:and )?on ?wards?)|(?P<until>or earlier))\b", re.IGNORECASE)
_FROM_TAIL = re.compile(
    rf"{_TAIL.pattern}|(?P<on>on)(?= *(?:[.,;:!?)]|\Z|(?:at|in|and|but|with|we|i)\b))", re.IGNORECASE
)
_SOON, _BEEN = timedelta(days=31), frozenset(["was", "were", "had", "been", "felt"])
_ROLES: dict[str | None, TimeRole] = {
    "since": "since",
    "on": "since",
    "until": "until",
    "after": "after",
    "before": "before",
}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 2629800, "year": 31557600}
"""A month is the twelfth part of 365.25 days."""
_UNIT, _DAY, _NUMBER = either(words.UNITS), either(words.WEEKDAYS), either(words.NUMBERS, words.TENS, digits=True)
_DAYS = rf"{_DAY}(?:(?:,| and| or| &) {_DAY}(?!(?<!s) \d))*"
_NTH = rf"(?: (?:\d+(?:st|nd|rd|th)|{either(words.ORDINALS)}|{_NUMBER}))?"
_TARGET = (
    rf"(?:{_DAYS}(?: {either(words.PARTS)})?|{either(words.PARTS, words.MONTHS, words.SEASONS)}|weekdays?|weeknight"
    rf"|workday|christmas|easter|(?!second of){_UNIT})"
)
"""What a habit recurs on."""
_COUNT = rf"(?:a )?(?:(?P<n>{_NUMBER})(?: ?(?:or|to|-) ?{_NUMBER})?|few|couple of|couple|several|many)"
_EVERY = (
    rf"(?:every|each) (?P<each>(?!second\b){_UNIT})\b"
    rf"|(?:every|each)(?: single| other| few| couple)?(?: of)?{_NTH} {_TARGET}\b|any (?:weekend|day|year|month|week)\b"
)
_MONTHLY = r"(?:the \w+|\d+(?:st|nd|rd|th)) of (?:every|each) (?P<monthly>month)\b"
_OFTEN = (
    rf"(?:(?P<times>once|twice|thrice)|{_COUNT} ?(?:times?|x|hours|days|nights|evenings)) "
    rf"(?:an?|per|every|each) (?P<unit>{_UNIT})\b|one (?:an?|per|every|each) (?P<one>day|week|month)\b"
)
_ADVERB = rf"(?P<often>{either(words.FREQUENT)})\b"
_PLURAL = (
    rf"(?:(?:on|at) )?(?:(?:most|some) )?(?:{_DAY} (?:mornings|evenings|afternoons|nights)"
    rf"|(?=\w+days\b){_DAYS})\b|(?:(?:on|at)(?: most| some)?|most|some|\A) ?(?:weekends|weekdays|weeknights)\b"
)
_HABIT, _RECURRING = (re.compile(form, re.IGNORECASE) for form in (
    f"(?:{_EVERY}|{_MONTHLY}|{_OFTEN}|{_ADVERB}|{_PLURAL})", f"(?:{_EVERY}|{_ADVERB}|{_PLURAL})",
))  # fmt: skip


def range_at(s: Scan, i: int) -> Found[Reading]:
    """from A to B, between A and B, A - B; and on a day: tomorrow from 10 to 12."""
    lead = s.word(i) if s.word(i) in ("from", "between") else ""
    j = i + 1 if lead else i
    found = _dates(s, i, j, lead) or _clocks(s, i, j, lead) or _day_clocks(s, i)
    return None if found is None else reading(s, i, found[1], found[0], kind="range")


def _dates(s: Scan, i: int, j: int, lead: str) -> Found[LocalStretch]:
    left = points.point(s, j)
    if left is None:
        return _number_first(s, i, j, lead)
    stamps = s.word(left[1]) == "/" and left[0].cycle is None and left[0].grain in _CLOCKS
    if s.word(left[1]) in _LINKS[lead == "between"] or stamps:
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
    right = points.day_at(s, day[1] + 1) if day is not None and s.word(day[1]) in _LINKS[lead == "between"] else None
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
    if left is None or s.word(left[1]) not in _LINKS[bool(lead)]:
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
        ends = s.word(j + 1) in ("", ".", ",", "!", "?", "tonight")
        found = clocks.clock(s, j, bare=True) if ends and s.word(j).isdecimal() and int(s.word(j)) <= 12 else None
    if found is None:
        return None
    when, loose = found[0], found[0].cycle not in (None, "day")
    if role == "since" and loose:  # it lies in the past, whatever the tense
        when = replace(settle(when, s.now, "past"), cycle=None)
    elif role == "until" and loose and s.tense(j) not in ("past", "perfect"):  # it lies ahead, unless it is told of
        when = replace(settle(when, s.now, "future"), cycle=None)
    else:
        when = points.settled(s, j, when)
    return reading(s, i, found[1], when, role)


def _and_before(s: Scan, i: int, left: tuple[LocalStretch, int]) -> Found[Reading]:
    """ "later than 9:30 but before 11:00": a range."""
    k = s.skip(left[1], ",")
    role, k = _role(s, k + 1) if s.word(k) == "but" else (None, k)
    right = points.point(s, k) if role in ("before", "until") else None
    if right is None:
        return None
    when = joined(left[0], right[0], lambda when: points.settled(s, i, when))
    return reading(s, i, right[1], when, kind="range")


def _role(s: Scan, i: int, pattern: re.Pattern[str] = _ROLE) -> tuple[TimeRole | None, int]:
    found = s.match(i, pattern)
    return (None, i) if found is None else (_ROLES[found[0].lastgroup], found[1])


def _or_later(s: Scan, i: int) -> Found[Reading]:
    start = s.skip(i, "from")
    found = points.point(s, start)
    role, end = _role(s, found[1], _TAIL if start == i else _FROM_TAIL) if found is not None else (None, i)
    if found is None or role is None:
        return None
    when = points.settled(s, start, found[0])
    if start > i and found[0].cycle == "year":  # "gave me the late shift from December on"
        ahead = replace(settle(found[0], s.now, "future"), cycle=None)
        told = any(s.word(end + place) in _BEEN for place in range(5))  # "from December on I was ill"
        when = ahead if ahead.start - s.now <= _SOON and not told else when
    return reading(s, i, end, when, role)


def length(s: Scan, i: int) -> Found[Reading]:
    """for five years, two and a half hours, all week, a 30-minute call; with a perfect tense it ends now."""
    led = s.word(i) in ("for", "over")
    lead = i + 1 if led else i
    j = s.skip(s.skip(lead, "about", "around", "almost", "nearly", "over", "roughly"), "the", "only", "just")
    span = units.measured(s, j)
    if span is None:
        return _whole(s, i, s.skip(lead, "the"))
    parts, k = span
    if s.sequence(j, ("one", "day")) and not led:
        return None if s.word(k) == "at" else reading(s, i, k, None)
    age = s.word(k) == "old" or s.sequence(k, ("-", "old")) or (s.word(k) in ("of", "'s") and s.word(k + 1) == "age")
    a_day = s.word(j) in ("a", "an") and k == j + 2 and i == j  # "20 euros a day"
    if age or a_day or k - j == 1:
        return None
    number, grain = summed(parts)
    when = run(s.now, -1, number, grain) if led and s.tense(i) == "perfect" else None
    found = reading(s, i, k, when, "for", kind="duration", amount=number, unit=grain, about=s.word(lead) in words.ABOUT)
    return _starting(s, parts, *found) or found


def summed(parts: list[tuple[float, str]]) -> tuple[float, str]:
    """A length in its finest unit: two years and three months are 27 months."""
    number, grain = parts[0]
    for finer_number, finer in parts[1:]:
        if grain not in _SECONDS or finer not in _SECONDS:
            return parts[0]
        number, grain = round(number * _SECONDS[grain] / _SECONDS[finer] + finer_number, 2), finer
    return number, grain


def _whole(s: Scan, i: int, j: int) -> Found[Reading]:
    """all week, the whole summer."""
    grain = words.UNITS.get(s.word(j + 1), "")
    if s.word(j) not in ("all", "whole", "entire") or not grain or s.word(j + 1).endswith("s"):
        return None
    if s.word(j) == "all" and grain not in ("day", "week", "weekend", "month", "year"):
        return None
    return reading(s, i, j + 2, None, "for", kind="duration", amount=1.0, unit=grain)


def _starting(s: Scan, parts: list[tuple[float, str]], found: Reading, k: int) -> Found[Reading]:
    """ "for 3 days starting next Monday", "a week, from today" as a stretch."""
    j = s.skip(k, ",")
    if s.word(j) not in ("starting", "beginning") and not (s.word(j) == "from" and j > k):
        return None
    first = points.point(s, s.skip(j + 1, "from", "on"))
    if first is None or range_at(s, j) is not None:  # "for twelve years, from 2008 to 2020"
        return None
    start = settle(first[0], s.now, "future")
    end: datetime = start.start
    for number, grain in parts:
        end = add(end, number, grain)
    when = replace(start, end=end, cycle=None)
    return replace(found, end=s.toks[first[1] - 1].end, kind="range", when=when, role="at"), first[1]


def habit(s: Scan, i: int) -> Found[Reading]:
    """every Tuesday, twice a week, on weekends, Friday mornings, the 19th of every month; with a time of day."""
    found = s.match(i, _HABIT)
    if found is None:
        return None
    said, end = found
    clock = clocks.clock(s, s.skip(end, "at"), bare=s.word(end) == "at")
    if clock is not None and clock[0].cycle == "day" and s.word(clock[1]) not in ("-", "to", "–"):
        end = clock[1]
    number, unit = _rate(s, i, said)
    return reading(s, i, end, None, "every", kind="frequency", amount=number, unit=unit)


def _rate(s: Scan, i: int, said: re.Match[str]) -> tuple[float | None, str | None]:
    """How often in which unit, where the words say it plainly: "three times a week" is (3, week)."""
    word = {name: text.lower() for name, text in said.groupdict().items() if text}
    if "often" in word:
        return 1.0, words.FREQUENT[word["often"]]
    if "each" in word or "one" in word or "monthly" in word:
        return 1.0, words.UNITS[word.get("each") or word.get("one") or word["monthly"]]
    if "times" in word:
        return words.TIMES[word["times"]], words.UNITS[word["unit"]]
    number = integer(s, i) if "n" in word else None
    return (None, None) if number is None else (float(number[0]), words.UNITS[word["unit"]])


def clock_every(s: Scan, i: int) -> Found[Reading]:
    """6am every day, at nine on Mondays."""
    point = clocks.clock(s, i)
    found = s.match(point[1], _RECURRING) if point is not None else None
    return None if found is None else reading(s, i, found[1], None, "every", kind="frequency")
