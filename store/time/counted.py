"""What is counted off keeps its place: the nth unit of a larger one, a third of it, or a length away from a moment."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from store.time import days, units, words, yearly
from store.time.calendar import (
    SIZE,
    LocalStretch,
    add,
    day_span,
    floor,
    loose_month,
    midnight,
    offset,
    settle,
    unit_near,
    unit_span,
    year_span,
)
from store.time.scan import Found, Scan, amount, unit, year
from store.time.words import either


def measured(s: Scan, i: int) -> tuple[list[tuple[float, str]], int] | None:
    """ "two years and three months", "a year and a half": the parts of a length, coarse to fine."""
    parts: list[tuple[float, str]] = []
    j = i
    while True:
        k = s.skip(s.skip(j, ","), "and") if parts else j
        number = amount(s, k)
        if number is None:
            break
        grain = unit(s, s.skip(s.skip(number[1], "-"), "more", "full", "whole", "of"))
        if grain is None and s.word(number[1]) in words.NIGHTS:
            grain = ("day", number[1] + 1)
        if grain is None or (parts and SIZE[grain[0]] >= SIZE[parts[-1][1]]):
            break
        half = s.sequence(grain[1], ("and", "a", "half"))
        parts.append((number[0] + (0.5 if half else 0), grain[0]))
        j = grain[1] + (3 if half else 0)
    return (parts, j) if parts else None


def displaced(base: datetime, parts: list[tuple[float, str]], step: int) -> LocalStretch:
    """`base` moved by a length, as coarse as its finest part."""
    moved = base
    for number, grain in parts[:-1]:
        moved = add(moved, step * number, grain)
    return offset(moved, step * parts[-1][0], parts[-1][1])


_NTH = re.compile(
    rf"(?:the )?(?:last|(?P<o>\d+(?:st|nd|rd|th)|{either(words.ORDINALS)})(?P<back> last)?) "
    rf"(?:(?P<weekday>{either(words.WEEKDAYS)})|(?P<unit>{either(words.UNITS)}|week[ -]end|half)) (?:of|in)\b",
    re.IGNORECASE,
)


def nth_of(s: Scan, i: int) -> Found[LocalStretch]:
    """the first Monday in October, the last week of July, the third day of next month, the second half of 2020."""
    found = s.match(i, _NTH)
    host = host_unit(s, found[1]) if found is not None else None
    if found is None or host is None:
        return None
    word = {name: text.lower() for name, text in found[0].groupdict().items() if text}
    count = -1 if "o" not in word else words.ORDINALS.get(word["o"]) or int(word["o"][:-2])
    grain = word.get("unit", "day").replace("-", "").replace(" ", "")
    weekday = words.WEEKDAYS.get(word.get("weekday", ""))
    when = pick(host[0], -count if "back" in word else count, weekday, words.UNITS.get(grain, grain))
    return (when, host[1]) if when is not None else None


def host_unit(s: Scan, i: int) -> Found[LocalStretch]:
    """The month, season, quarter or year in which something lies; settled by the tense where it is loose."""
    the = s.skip(i, "the")
    if s.word(the) in ("month", "year", "quarter", "week") and s.word(the + 1) != "of":
        return unit_near(s.now, words.UNITS[s.word(the)], 0), the + 1
    for rule in (days.month_led, units.relative, yearly.quarter, yearly.season, yearly.decade):
        found = rule(s, i)
        if found is not None and SIZE[found[0].grain] >= SIZE["week"]:
            return settle(found[0], s.now, s.prefers(i)), found[1]
    named = year(s, i)
    if named is not None:
        return year_span(named[0]), named[1]
    if s.word(i) in words.MONTHS:
        return settle(loose_month(s.now, words.MONTHS[s.word(i)]), s.now, s.prefers(i)), i + 1
    return None


def pick(host: LocalStretch, number: int, weekday: int | None, grain: str) -> LocalStretch | None:
    """The nth weekday or unit of a larger unit; a week belongs to where its Thursday lies."""
    if weekday is not None:
        first = host.start + timedelta(days=(weekday - host.start.weekday()) % 7)
        last = host.end - timedelta(days=1 + (host.end - timedelta(days=1) - timedelta(days=weekday)).weekday())
        found = first + timedelta(days=7 * (number - 1)) if number > 0 else last + timedelta(days=7 * (number + 1))
        return day_span(found.date()) if host.start <= found < host.end else None
    if grain in ("week", "weekend"):
        thursday = 3 if grain == "week" else 5
        day = pick(host, number, thursday, "day")
        return unit_span(day.start, grain) if day else None
    start = add(floor(host.start, grain), number - 1, grain) if number > 0 else add(host.end, number, grain)
    if not host.start <= start < host.end:
        return None
    return LocalStretch(start, add(start, 1, grain), grain)


def edge(s: Scan, i: int) -> Found[LocalStretch]:
    """mid June, the end of the year, early 2020, later this week, the beginning of next month."""
    the = s.skip(i, "the", "very")
    side = words.EDGES.get(s.word(the))
    if side is None:
        return _abbreviated(s, the) or _rest(s, the)
    j = s.skip(s.skip(the + 1, "-"), "part")
    k = s.skip(s.skip(j, "of", "in", "on"), "about", "around")
    if s.word(the) in ("start", "beginning", "end", "middle") and k == j:
        return None
    host = host_unit(s, k) or _day_host(s, k)
    if host is None:
        return None
    if s.word(the) in ("earlier", "later") and host[0].start < s.now < host[0].end:
        earlier = s.word(the) == "earlier"
        return replace(host[0], end=s.now) if earlier else replace(host[0], start=s.now), host[1]
    when = narrowed(host[0], side)
    return (when, host[1]) if when is not None else None


def _day_host(s: Scan, i: int) -> Found[LocalStretch]:
    if s.sequence(i, ("the", "day")):
        return day_span(s.now.date()), i + 2
    found = days.simple_day(s, i)
    return found if found is not None and found[0].grain == "day" else None


_ABBREVIATED = re.compile(
    r"(?:(?P<to>year|quarter|month|week) to date|(?P<end>eo[dmy])|(?P<begin>bom|(?-i:BOY)))\b", re.IGNORECASE
)


def _abbreviated(s: Scan, i: int) -> Found[LocalStretch]:
    found = s.match(i, _ABBREVIATED)
    if found is None:
        return None
    said = found[0]
    if said["to"]:
        return replace(unit_near(s.now, said["to"].lower(), 0), end=s.now), found[1]
    grain = {"d": "day", "m": "month", "y": "year"}[said[0][-1].lower()]
    when = narrowed(unit_near(s.now, grain, 0), "late" if said["end"] else "early")
    return (when, found[1]) if when else None


def _rest(s: Scan, i: int) -> Found[LocalStretch]:
    host = host_unit(s, i + 2) if s.word(i) in ("rest", "remainder", "remaining") else None
    return (replace(host[0], start=max(host[0].start, midnight(s.now.date()))), host[1]) if host else None


_CUTS = {"season": (1, 2), "quarter": (1, 2), "half": (2, 4), "year": (4, 8), "decade": (48, 84), "century": (400, 800)}
"""Months after which the first and the second third of a unit end."""


def narrowed(host: LocalStretch, side: str) -> LocalStretch | None:
    """The first, middle or last third of a unit, with the precision of the unit."""
    start = host.start
    if host.grain == "day":
        hours = {"early": (6, 12), "mid": (10, 14), "late": (18, 24)}[side]
        return LocalStretch(start + timedelta(hours=hours[0]), start + timedelta(hours=hours[1]), "part")
    if host.grain in _CUTS:
        cuts = [add(start, months, "month") for months in _CUTS[host.grain]]
    elif host.grain in ("month", "week"):
        lengths = (10, 20) if host.grain == "month" else (2, 5) if side == "mid" else (3, 4)
        cuts = [start + timedelta(days=length) for length in lengths]
    else:
        return None
    bounds = [start, *cuts, host.end]
    index = ("early", "mid", "late").index(side)
    return replace(host, start=bounds[index], end=bounds[index + 1])
