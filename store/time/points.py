"""One point of time is a day, a clock, or both in either order; what the words leave loose stays loose until it is
known whether they are an end of a range."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from store.time import clocks, days, units, words, yearly
from store.time.calendar import SIZE, LocalStretch, add, day_span, midnight, on_day, settle, unit_of, unit_span
from store.time.scan import DEEPEST, Found, Rule, Scan, integer, longest, year

_YEARS_AWAY = {"last": -1, "this": 0, "next": 1}
_OTHER_ERA = re.compile(r",? ?(?:\d+ )?(?:BCE?|CE|BE)\b")
"""A year of another era follows, or ended the date: "10 August 345 BC", "88 CE"."""
_AFTER_HOUR = frozenset(("tonight", "tomorrow", "this", "last", "yesterday"))
_BEFORE_HOUR = words.bag(
    "until till by before after from to for since between and or meet come you me us them there here"
)
"""After these a bare number may be an hour; after any other word it counts or names something ("iPhone 15")."""


def date_at(s: Scan, i: int) -> Found[LocalStretch]:
    """A day or a larger unit, without a time of day."""
    key = ("date", i)
    if key not in s.memo:
        if s.depth == DEEPEST:
            return None
        s.depth += 1
        try:
            found = longest(s, i, _RULES)
            era = s.match(found[1], _OTHER_ERA) if found is not None else None
            found = found if era is None else None
            s.memo[key] = _in_year(s, i, found) or _trailing(s, found) if found is not None else None
        finally:
            s.depth -= 1
    return s.memo[key]


def day_at(s: Scan, i: int) -> Found[LocalStretch]:
    """A day, without a time of day."""
    found = date_at(s, i)
    return found if found is not None and found[0].grain == "day" else None


def _in_year(s: Scan, i: int, found: tuple[LocalStretch, int]) -> Found[LocalStretch]:
    """ "Thanksgiving in nine months", "March in a year": the one of the year in which the offset ends; "October last
    year"."""
    when, j = found
    k = s.skip(j, "of")
    if when.cycle == "year" and s.word(k) in _YEARS_AWAY and s.word(k + 1) == "year":
        months = 12 * (s.now.year + _YEARS_AWAY[s.word(k)] - when.start.year)
        moved = replace(when, start=add(when.start, months, "month"), end=add(when.end, months, "month"), cycle=None)
        return moved, k + 2
    away = offset(s, j) if s.word(j) == "in" or s.word(j).isdecimal() else None
    if away is None or away[0].point is None or away[0].grain not in ("month", "year"):
        return None
    number = away[0].point.year
    if when.grain == "month":
        return (unit_of(number, "month", when.start.month), away[1]) if when.cycle == "year" else None
    feast = yearly.feast_name(s, i)
    return (yearly.span(feast[0], number), away[1]) if feast is not None else None


def _trailing(s: Scan, found: tuple[LocalStretch, int]) -> tuple[LocalStretch, int]:
    """ "(two months from today) on Tuesday": the first such weekday from there; "next Tuesday + 10 days"."""
    when, j = found
    added = units.measured(s, j + 1) if s.word(j) in ("+", "-") else None
    if added is not None and when.grain in ("day", "minute"):
        base = settle(when, s.now, s.prefers(j)).start
        return units.displaced(base, added[0], 1 if s.word(j) == "+" else -1), added[1]
    weekday = words.WEEKDAYS.get(s.word(j + 1))
    if weekday is None:
        return found
    if when.grain == "day" and when.cycle == "year" and s.word(j) == ",":
        return days.named_day(s, weekday, (when, j + 2), j) or found
    if when.point is not None and s.word(j) == "on":
        ahead = (weekday - when.point.weekday()) % 7
        near = ahead if ahead <= 3 or when.point > s.now else ahead - 7
        return day_span((when.point + timedelta(days=near)).date()), j + 2
    return found


def offset(s: Scan, i: int) -> Found[LocalStretch]:
    """two weeks ago, in three weeks, ten minutes later, a week from Tuesday, 2 days after next Friday."""
    forward = s.word(i) in ("in", "within")
    span = units.measured(s, s.skip(s.skip(i + 1, "about", "around"), "just", "another") if forward else i)
    if span is None:
        return _weekdays_from_now(s, i)
    parts, k = span
    k = s.skip(k, "'", "'s")
    if s.word(i) == "within":
        end = units.displaced(s.now, parts, 1)
        last = end.point or end.start
        return LocalStretch(s.now, last, parts[0][1], point=last), k
    if s.word(i) != "in":
        return _anchored(s, parts, k)
    k = s.skip(k, "time")
    return None if s.tense(k) in ("past", "perfect") else (units.displaced(s.now, parts, 1), k)


def _anchored(s: Scan, parts: list[tuple[float, str]], k: int) -> Found[LocalStretch]:
    word = s.word(k)
    if word in ("ago", "back") or (word == "earlier" and s.word(k + 1) != "than"):
        when = units.displaced(s.now, parts, -1)
        if s.word(k + 1) == "today" and when.point is not None:  # "a year ago today"
            return day_span(when.point.date()), k + 2
        month = words.MONTHS.get(s.word(k + 2)) if s.word(k + 1) == "in" and parts[-1][1] == "year" else None
        return (when, k + 1) if month is None else (unit_of(when.start.year, "month", month), k + 3)
    now = s.skip(k + 1, "right") if word == "from" else k
    if word in ("later", "hence", "out") or (word == "from" and s.word(now) == "now"):
        if word == "later" and s.word(k + 1) in words.PRESENT | words.PARTS.keys():
            return None
        return units.displaced(s.now, parts, 1), now + 1
    if word in ("after", "before", "from"):
        return _from_base(s, parts, k + 1, -1 if word == "before" else 1)
    if all(unit in ("week", "fortnight") for _, unit in parts):
        return _weeks_on(s, parts, k)
    return None


def _weeks_on(s: Scan, parts: list[tuple[float, str]], k: int) -> Found[LocalStretch]:
    """ "a week on Thursday", "a fortnight today": British, and always to come."""
    base = days.weekday_led(s, k + 1) if s.word(k) == "on" else None
    if base is None and s.word(k) in ("today", "tomorrow"):
        base = days.simple_day(s, k)
    if base is None or base[0].grain != "day" or base[0].cycle == "year":
        return None
    moved = units.displaced(settle(base[0], s.now, "future").start, parts, 1)
    return _sure_day(moved.point or moved.start), base[1]


def _sure_day(moment: datetime) -> LocalStretch:
    """The day of a moment, which is counted to the day."""
    return replace(day_span(moment.date()), point=midnight(moment.date()))


def _from_base(s: Scan, parts: list[tuple[float, str]], j: int, step: int) -> Found[LocalStretch]:
    base = date_at(s, j)
    if base is None or base[0].grain not in ("day", "minute"):
        return None
    when, k = base
    if when.grain == "day" and SIZE[parts[-1][1]] < SIZE["day"]:
        return None
    ahead = s.word(j - 1) == "from" or s.tense(j) == "future" or (s.tense(j) is None and s.prefer != "past")
    start = settle(when, s.now, "future" if ahead else s.prefers(j)).start
    moved = units.displaced(start, parts, step)
    return _sure_day(moved.point or moved.start) if SIZE[parts[0][1]] >= SIZE["day"] else moved, k


def _weekdays_from_now(s: Scan, i: int) -> Found[LocalStretch]:
    """three Fridays from now."""
    number = integer(s, i)
    weekday = words.WEEKDAYS.get(s.word(number[1])) if number is not None else None
    if number is None or weekday is None or not s.sequence(number[1] + 1, ("from", "now")):
        return None
    ahead = (weekday - s.now.weekday()) % 7 or 7
    return day_span((s.now + timedelta(days=ahead + 7 * (number[0] - 1))).date()), number[1] + 3


def weekday_week(s: Scan, i: int) -> Found[LocalStretch]:
    """ "Thursday week": a week after the coming Thursday; in "Thursday week 3 begins" the week has a number."""
    i = s.skip(i, "this", "coming")
    found = days.simple_day(s, i) if s.word(i) == "tomorrow" else days.weekday_led(s, i)
    if found is None or found[1] != i + 1 or s.word(i + 1) != "week" or s.word(i + 2).isdecimal():
        return None
    return _sure_day(settle(found[0], s.now, "future").start + timedelta(days=7)), i + 2


def week_holding(s: Scan, i: int) -> Found[LocalStretch]:
    """the week of October 7th, the weekend of the 3rd, the week commencing 4 February."""
    the = s.skip(i, "the")
    grain = s.word(the)
    if grain not in ("week", "weekend") or s.word(the + 1) not in ("of", "commencing", "starting", "beginning"):
        return None
    inner = longest(
        s, s.skip(the + 2, "on"), (days.full_date, days.month_led, days.day_led, yearly.holiday, days.weekday_led)
    )
    if inner is None or inner[0].grain != "day":
        return None
    return unit_span(settle(inner[0], s.now, s.prefers(i)).start, grain), inner[1]


def part_point(s: Scan, i: int) -> Found[LocalStretch]:
    """this morning, tonight, last night, late last night, the morning of 3 May."""
    edged = s.word(i) in ("early", "late", "later", "earlier")
    side, j = (words.EDGES[s.word(i)], i + 1) if edged else ("", i)
    today = midnight(s.now.date())
    if s.word(j) in ("tonight", "tonite"):
        return clocks.part_span(today, "night", side), j + 1
    part = words.PARTS.get(s.word(j + 1))
    if part is not None and not s.word(j + 1).endswith("s"):
        if s.word(j) == "this":
            return clocks.part_span(today, part, side), j + 2
        if s.word(j) == "yesterday" or (s.word(j) == "last" and part in ("night", "evening")):
            return clocks.part_span(today - timedelta(days=1), part, side), j + 2
    the = s.skip(j, "the")
    day = day_at(s, the + 2) if s.word(the) in words.PARTS and s.word(the + 1) == "of" else None
    if day is None:
        return None
    return replace(clocks.part_span(day[0].start, words.PARTS[s.word(the)], side), cycle=day[0].cycle), day[1]


_RULES: tuple[Rule, ...] = (
    days.full_date, days.short_date, days.simple_day, days.weekday_led, days.day_led, days.month_led,
    days.year_led, units.relative, units.nth_of, units.edge, offset, weekday_week, week_holding, yearly.holiday,
    yearly.season, yearly.quarter, yearly.decade, yearly.bare_year,
)  # fmt: skip


def point(s: Scan, i: int) -> Found[LocalStretch]:
    """A date, a clock time or both."""
    key = ("point", i)
    if key not in s.memo:
        s.memo[key] = _point(s, i)
    return s.memo[key]


def _point(s: Scan, i: int) -> Found[LocalStretch]:
    stamped = days.stamp(s, i) if s.word(i).isdecimal() else None
    if stamped is not None:
        return stamped
    best = _day_first(s, i)
    clock = _clock_first(s, i)
    return clock if clock is not None and (best is None or clock[1] > best[1]) else best


def _day_first(s: Scan, i: int) -> Found[LocalStretch]:
    part = part_point(s, i)
    found = date_at(s, i)
    if part is not None and (found is None or part[1] >= found[1]):
        return _clock_in_part(s, part, _part_name(part[0]))
    if found is None or found[0].grain != "day":
        return found
    when, j = found
    away = offset(s, j) if s.word(i) == "today" and s.word(j) == "in" else None
    if away is not None and away[0].grain == "minute":
        return away
    said = clocks.part_of_day(s, j)
    if said is not None and (s.word(j) != "at" or s.word(j + 1) in words.PARTS):
        (name, side), after = said
        week = days.host(s, after, "week") if when.cycle == "week" else None
        if week is not None:  # "Friday evening next week"
            day = week[0].start + timedelta(days=when.start.weekday())
            return clocks.part_span(day, name, side), week[1]
        return _clock_in_part(s, (replace(clocks.part_span(when.start, name, side), cycle=when.cycle), after), name)
    k = s.skip(s.skip(j, ",", "∙", ":", "."), "early", "late") if s.word(j) in (",", "∙", "early", "late") else j
    clock = clocks.clock(s, s.skip(k, "for", "on") if s.word(k + 1).isdecimal() else k, bare=False)
    if clock is None or clock[1] <= k:
        return found
    undated = not (s.word(j - 1).isdecimal() and len(s.word(j - 1)) == 4)
    late = year(s, clock[1]) if undated and s.word(clock[1]).isdecimal() else None
    if late is not None:  # "Tue Oct 7 5:35:16 2008"
        return on_day(day_span(when.start.replace(year=late[0]).date()), clock[0]), late[1]
    return on_day(when, clock[0]), clock[1]


def _part_name(part: LocalStretch) -> str:
    return "night" if part.start.hour >= 18 else "afternoon" if part.start.hour >= 12 else "morning"


def _clock_in_part(s: Scan, part: tuple[LocalStretch, int], name: str) -> tuple[LocalStretch, int]:
    """ "this afternoon at 3:20", "tonight around 7"."""
    when, j = part
    signed = s.word(j) in ("at", "@", "around", "about") or s.word(j + 1) in (":", "am", "pm", "o'clock", "p", "a")
    clock = clocks.clock(s, s.skip(j, "around", "about"), bare=True) if signed else None
    if clock is None:
        return part
    return on_day(day_span(when.start.date(), when.cycle), clocks.to_part(clock[0], name)), clock[1]


def _clock_first(s: Scan, i: int) -> Found[LocalStretch]:
    """9:30, "at 5pm tomorrow", "8 tonight"."""
    clock = clocks.clock(s, i)
    if clock is not None:
        return _join(s, *clock) or clock
    begins = i == 0 or s.word(i - 1) in _BEFORE_HOUR or not (s.word(i - 1)[:1].isalnum() or s.touches(i))
    bare = clocks.clock(s, i, bare=True) if s.word(i + 1) in _AFTER_HOUR and begins else None
    if bare is None or not (part_point(s, bare[1]) or days.simple_day(s, bare[1])):
        return None
    return _join(s, *bare)


def _join(s: Scan, clock: LocalStretch, j: int) -> Found[LocalStretch]:
    """The day that follows a clock time: "at 5pm tomorrow", "9am on Tuesday", "8 tonight"."""
    k = s.skip(j, "on", ",", "of", "∙")
    part = part_point(s, k)
    if part is not None:
        return on_day(day_span(part[0].start.date()), clocks.to_part(clock, _part_name(part[0]))), part[1]
    day = day_at(s, k)
    if day is None:
        return None
    said = clocks.part_of_day(s, day[1])
    if said is not None and s.word(day[1]) != "at":
        return on_day(day[0], clocks.to_part(clock, said[0][0])), said[1]
    return on_day(day[0], clock), day[1]


def settled(s: Scan, i: int, when: LocalStretch) -> LocalStretch:
    """A loose point placed by the tense; a clock time alone belongs to today unless its sentence says otherwise."""
    if when.cycle != "day":
        return replace(settle(when, s.now, s.prefers(i)), cycle=None)
    tense = s.tense(i)
    if when.half_day and tense is not None:
        return _half_placed(when, s.now, forward=tense in ("future", "present"))
    day = timedelta()
    if tense in ("past", "perfect") and when.start > s.now:
        day = timedelta(days=-1)
    elif (tense == "future" or s.prefer == "future") and when.end <= s.now:
        day = timedelta(days=1)
    return replace(when, start=when.start + day, end=when.end + day, cycle=None)


def _half_placed(when: LocalStretch, now: datetime, *, forward: bool) -> LocalStretch:
    """A clock time without am or pm: the next, or the last, that the clock shows it."""
    half = timedelta(hours=12)
    start = when.start if forward else when.start - 2 * half
    while start < now if forward else start + half <= now:
        start += half
    return replace(when, start=start, end=start + (when.end - when.start), cycle=None, half_day=False)
