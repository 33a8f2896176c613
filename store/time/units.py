"""A unit of the calendar named by its distance from now, by its number, by its place in a larger one, or by a length
away from a moment."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from store.time import calendar, days, words, yearly
from store.time.calendar import SIZE, LocalStretch
from store.time.scan import Found, Scan, amount, integer, unit, year
from store.time.words import either

_MODALS = words.bag(
    "to will shall can can't should shouldn't would could might must won't didn't doesn't don't did does"
)
"""After these "last" is the verb."""
_BEFORE_LAST = re.compile(r"(?:the )?(?P<what>\w+) (?:(?P<back>before last)|after next)\b", re.IGNORECASE)
_NTH = re.compile(
    rf"(?:the )?(?:last|(?P<o>\d+(?:st|nd|rd|th)|{either(words.ORDINALS)})(?P<back> last)?) "
    rf"(?:(?P<weekday>{either(words.WEEKDAYS)})|(?P<unit>{either(words.UNITS)}|week[ -]end|half)) (?:of|in)\b",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"(?:(?P<to>year|quarter|month|week) to date|(?P<end>eo[dmy])|(?P<begin>bom|(?-i:BOY)))\b", re.IGNORECASE
)
_CUTS = {"season": (1, 2), "quarter": (1, 2), "half": (2, 4), "year": (4, 8), "decade": (48, 84), "century": (400, 800)}
"""Months after which the first and the second third of a unit end."""


def relative(s: Scan, i: int) -> Found[LocalStretch]:
    """last week, this month, next Friday, the past two weeks, last March, the Saturday before last."""
    beyond = _before_last(s, i)
    if beyond is not None:
        return beyond
    the = s.skip(i, "the", "this", "these")
    word = s.word(the)
    if word in words.STEPS or word == "same":
        step, j = words.STEPS.get(word, 0), the + 1
    elif s.word(i) in ("this", "these") or s.sequence(i, ("that", "weekend")):
        step, j = 0, i + 1
    else:
        return _the_weekend(s, i) or _count_first(s, i)
    if word == "last" and the == i and s.word(i - 1) in _MODALS:
        return None
    return (_counted(s, j, step) if step else None) or _signed(s, i, j, step)


def _signed(s: Scan, i: int, j: int, step: int) -> Found[LocalStretch]:
    word = s.word(j)
    if word in words.WEEKDAYS and not word.endswith("days"):
        return _signed_weekday(s, i, j, step)
    following = s.word(j + 1)
    if word == "may" and not step and following.isalpha() and following not in ("we", "i", "they", "and", "in", "at"):
        return None
    if word in words.MONTHS and (len(word) > 3 or word == "may" or step):
        dated = days.month_led(s, j)
        if dated is None or dated[0].grain != "day":
            dated = calendar.loose_month(s.now, words.MONTHS[word]), j + 1
        return (calendar.signed(dated[0], step, s.now), dated[1]) if dated[0].cycle is not None else None
    j = s.skip(j, "working", "work", "calendar")
    found = ("week", j + 1) if s.word(j) == "workweek" else unit(s, j)
    plural = s.word(j).endswith("s") and not s.word(j).endswith("'s")
    if found is None or plural or (word == "day" and following in ("of", "old")):
        return None
    grain, k = found
    if grain in ("second", "minute", "hour"):
        return (calendar.run(s.now, step, 1, grain), k) if step else None
    if grain == "fortnight":
        return calendar.unit_near(s.now, "week", 0) if step == 0 else calendar.run(s.now, step, 2.0, "week"), k
    when = calendar.unit_near(s.now, grain, step)
    return _in_week(s, when, k) if grain == "week" else (when, k)


def _in_week(s: Scan, week: LocalStretch, j: int) -> Found[LocalStretch]:
    """ "last week's Sunday", "next week on Tuesday", "this week Monday"."""
    k = s.skip(j, "'s", ",", "-", "on")
    weekday = words.WEEKDAYS.get(s.word(k))
    if weekday is None or s.word(k).endswith("days") or (k == j and len(s.word(k)) < 3):
        return week, j
    return calendar.day_span((week.start + timedelta(days=weekday)).date()), k + 1


def _signed_weekday(s: Scan, i: int, j: int, step: int) -> Found[LocalStretch]:
    """ "last Friday", "next Friday 5/12", "this Friday (Jun-15)": a date says which, near the weekday meant."""
    today = s.now.date()
    weekday = words.WEEKDAYS[s.word(j)]
    ahead = (weekday - today.weekday()) % 7
    k = s.skip(j + 1, ".") if len(s.word(j)) < 6 and s.touches(j + 1) and j + 2 < s.size else j + 1
    if step == 0 and s.tense(i) in ("past", "perfect"):
        return calendar.day_span(today + timedelta(days=weekday - today.weekday())), k
    distance = ahead - 7 if step < 0 else ahead or 7 if step > 0 else ahead
    when = calendar.day_span(today + timedelta(days=distance))
    dated = days.weekday_led(s, j)
    if dated is None or dated[1] <= k or dated[0].grain != "day" or dated[0].cycle == "week":
        return when, k
    return replace(calendar.after(dated[0], when.start - timedelta(days=7)), cycle=None), dated[1]


def _counted(s: Scan, i: int, step: int) -> Found[LocalStretch]:
    """the last three weeks, the next couple of days."""
    number = amount(s, i)
    if number is None or (s.word(i) in ("a", "an") and number[0] == 1):
        return None
    j = s.skip(number[1], "business", "working", "full", "more")
    grain = unit(s, j) if s.word(j) != "second" else None
    return None if grain is None else (calendar.run(s.now, step, number[0], grain[0]), grain[1])


def _the_weekend(s: Scan, i: int) -> Found[LocalStretch]:
    """ "over the weekend": the one that has been, or the one that comes, by the tense."""
    if not s.sequence(i, ("the", "weekend")) or s.word(i - 1) not in ("over", "on", "at", "for", "during"):
        return None
    back = s.prefers(i) == "past" and s.now.weekday() < 5
    return calendar.unit_near(s.now, "weekend", -1 if back else 0), i + 2


def _count_first(s: Scan, i: int) -> Found[LocalStretch]:
    """two upcoming weeks, the 5 past years; in "Windows 11 last week" the number is not of weeks."""
    number = integer(s, s.skip(i, "the"))
    if number is None or not 2 <= number[0] <= 400:
        return None
    sign, grain = s.word(number[1]), unit(s, number[1] + 1)
    if sign not in words.PAST | words.FUTURE or grain is None:
        return None
    if sign == "last" and not s.word(number[1] + 1).endswith("s"):
        return None
    return calendar.run(s.now, -1 if sign in words.PAST else 1, float(number[0]), grain[0]), grain[1]


def _before_last(s: Scan, i: int) -> Found[LocalStretch]:
    """the week before last, the Saturday before last, the summer before last, the year after next."""
    found = s.match(i, _BEFORE_LAST)
    if found is None:
        return None
    word, step = found[0]["what"].lower(), -1 if found[0]["back"] else 1
    if word in words.WEEKDAYS:
        day = calendar.day_span(s.now.date() + timedelta(days=words.WEEKDAYS[word] - s.now.weekday()), "week")
        once = calendar.settle(day, s.now, "past" if step < 0 else "future")
        return calendar.day_span((once.start + timedelta(days=7 * step)).date()), found[1]
    if word in words.MONTHS or word in words.SEASONS:
        in_year = word in words.MONTHS
        named = (
            calendar.loose_month(s.now, words.MONTHS[word])
            if in_year
            else calendar.season_of(s.now.year, words.SEASONS[word])
        )
        once = calendar.signed(replace(named, cycle="year"), step, s.now)
        return calendar.unit_span(calendar.add(once.start, step, "year"), named.grain), found[1]
    grain = words.UNITS.get(word)
    return (calendar.unit_near(s.now, grain, 2 * step), found[1]) if grain and SIZE[grain] >= SIZE["day"] else None


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
        moved = calendar.add(moved, step * number, grain)
    return calendar.offset(moved, step * parts[-1][0], parts[-1][1])


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
        return calendar.unit_near(s.now, words.UNITS[s.word(the)], 0), the + 1
    for rule in (days.month_led, relative, yearly.quarter, yearly.season, yearly.decade):
        found = rule(s, i)
        if found is not None and SIZE[found[0].grain] >= SIZE["week"]:
            return calendar.settle(found[0], s.now, s.prefers(i)), found[1]
    named = year(s, i)
    if named is not None:
        return calendar.unit_of(named[0]), named[1]
    if s.word(i) in words.MONTHS:
        return calendar.settle(calendar.loose_month(s.now, words.MONTHS[s.word(i)]), s.now, s.prefers(i)), i + 1
    return None


def pick(host: LocalStretch, number: int, weekday: int | None, grain: str) -> LocalStretch | None:
    """The nth weekday or unit of a larger unit; a week belongs to where its Thursday lies."""
    if weekday is None and grain in ("week", "weekend"):
        day = pick(host, number, 3 if grain == "week" else 5, "day")
        return calendar.unit_span(day.start, grain) if day else None
    if weekday is not None:
        first = host.start + timedelta(days=(weekday - host.start.weekday()) % 7)
        past = host.end + timedelta(days=(weekday - host.end.weekday()) % 7)
        start = first + timedelta(days=7 * (number - 1)) if number > 0 else past + timedelta(days=7 * number)
    elif number > 0:
        start = calendar.add(calendar.floor(host.start, grain), number - 1, grain)
    else:
        start = calendar.add(host.end, number, grain)
    inside = host.start <= start < host.end
    return LocalStretch(start, calendar.add(start, 1, grain), grain) if inside else None


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
    host = host_unit(s, k) or days.simple_day(s, k) or relative(s, k)
    if s.sequence(k, ("the", "day")):
        host = calendar.day_span(s.now.date()), k + 2
    if host is None:
        return None
    if s.word(the) in ("earlier", "later") and host[0].start < s.now < host[0].end:
        earlier = s.word(the) == "earlier"
        return replace(host[0], end=s.now) if earlier else replace(host[0], start=s.now), host[1]
    when = narrowed(host[0], side)
    return (when, host[1]) if when is not None else None


def _abbreviated(s: Scan, i: int) -> Found[LocalStretch]:
    found = s.match(i, _ABBREVIATED)
    if found is None:
        return None
    said = found[0]
    if said["to"]:
        return replace(calendar.unit_near(s.now, said["to"].lower(), 0), end=s.now), found[1]
    grain = {"d": "day", "m": "month", "y": "year"}[said[0][-1].lower()]
    when = narrowed(calendar.unit_near(s.now, grain, 0), "late" if said["end"] else "early")
    return (when, found[1]) if when else None


def _rest(s: Scan, i: int) -> Found[LocalStretch]:
    host = host_unit(s, i + 2) if s.word(i) in ("rest", "remainder", "remaining") else None
    return (replace(host[0], start=max(host[0].start, calendar.midnight(s.now.date()))), host[1]) if host else None


def narrowed(host: LocalStretch, side: str) -> LocalStretch | None:
    """The first, middle or last third of a unit, with the precision of the unit."""
    start = host.start
    if host.grain == "day":
        hours = {"early": (6, 12), "mid": (10, 14), "late": (18, 24)}[side]
        return LocalStretch(start + timedelta(hours=hours[0]), start + timedelta(hours=hours[1]), "part")
    if host.grain in _CUTS:
        cuts = [calendar.add(start, months, "month") for months in _CUTS[host.grain]]
    elif host.grain in ("month", "week"):
        lengths = (10, 20) if host.grain == "month" else (2, 5) if side == "mid" else (3, 4)
        cuts = [start + timedelta(days=length) for length in lengths]
    else:
        return None
    bounds = [start, *cuts, host.end]
    index = ("early", "mid", "late").index(side)
    return replace(host, start=bounds[index], end=bounds[index + 1])
