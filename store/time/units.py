"""A unit of the calendar named by its distance from now, by its number, or by its place in a larger one."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from store.time import days, words
from store.time.calendar import (
    SIZE,
    LocalStretch,
    add,
    after,
    day_span,
    loose_month,
    run,
    season_of,
    settle,
    signed,
    unit_near,
    unit_span,
)
from store.time.scan import Found, Scan, amount, integer, unit

_MODALS = words.bag(
    "to will shall can can't should shouldn't would could might must won't didn't doesn't don't did does"
)
"""After these "last" is the verb."""


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
        found = days.month_led(s, j)
        if found is None or found[0].grain != "day":
            found = loose_month(s.now, words.MONTHS[word]), j + 1
        return (signed(found[0], step, s.now), found[1]) if found[0].cycle is not None else None
    j = s.skip(j, "working", "work", "calendar")
    found = ("week", j + 1) if s.word(j) == "workweek" else unit(s, j)
    plural = s.word(j).endswith("s") and not s.word(j).endswith("'s")
    if found is None or plural or (word == "day" and following in ("of", "old")):
        return None
    grain, k = found
    if grain in ("second", "minute", "hour"):
        return (run(s.now, step, 1, grain), k) if step else None
    if grain == "fortnight":
        return unit_near(s.now, "week", 0) if step == 0 else run(s.now, step, 2.0, "week"), k
    when = unit_near(s.now, grain, step)
    return _in_week(s, when, k) if grain == "week" else (when, k)


def _in_week(s: Scan, week: LocalStretch, j: int) -> Found[LocalStretch]:
    """ "last week's Sunday", "next week on Tuesday", "this week Monday"."""
    k = s.skip(j, "'s", ",", "-", "on")
    weekday = words.WEEKDAYS.get(s.word(k))
    if weekday is None or s.word(k).endswith("days") or (k == j and len(s.word(k)) < 3):
        return week, j
    return day_span((week.start + timedelta(days=weekday)).date()), k + 1


def _signed_weekday(s: Scan, i: int, j: int, step: int) -> Found[LocalStretch]:
    """ "last Friday", "next Friday 5/12", "this Friday (Jun-15)": a date says which, near the weekday meant."""
    today = s.now.date()
    weekday = words.WEEKDAYS[s.word(j)]
    ahead = (weekday - today.weekday()) % 7
    k = s.skip(j + 1, ".") if len(s.word(j)) < 6 and s.touches(j + 1) and j + 2 < s.size else j + 1
    if step == 0 and s.tense(i) in ("past", "perfect"):
        return day_span(today + timedelta(days=weekday - today.weekday())), k
    distance = ahead - 7 if step < 0 else ahead or 7 if step > 0 else ahead
    when = day_span(today + timedelta(days=distance))
    dated = days.weekday_led(s, j)
    if dated is None or dated[1] <= k or dated[0].grain != "day" or dated[0].cycle == "week":
        return when, k
    return replace(after(dated[0], when.start - timedelta(days=7)), cycle=None), dated[1]


def _counted(s: Scan, i: int, step: int) -> Found[LocalStretch]:
    """the last three weeks, the next couple of days."""
    number = amount(s, i)
    if number is None or (s.word(i) in ("a", "an") and number[0] == 1):
        return None
    j = s.skip(number[1], "business", "working", "full", "more")
    grain = unit(s, j) if s.word(j) != "second" else None
    return None if grain is None else (run(s.now, step, number[0], grain[0]), grain[1])


def _the_weekend(s: Scan, i: int) -> Found[LocalStretch]:
    """ "over the weekend": the one that has been, or the one that comes, by the tense."""
    if not s.sequence(i, ("the", "weekend")) or s.word(i - 1) not in ("over", "on", "at", "for", "during"):
        return None
    back = s.prefers(i) == "past" and s.now.weekday() < 5
    return unit_near(s.now, "weekend", -1 if back else 0), i + 2


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
    return run(s.now, -1 if sign in words.PAST else 1, float(number[0]), grain[0]), grain[1]


_BEFORE_LAST = re.compile(r"(?:the )?(?P<what>\w+) (?:(?P<back>before last)|after next)\b", re.IGNORECASE)


def _before_last(s: Scan, i: int) -> Found[LocalStretch]:
    """the week before last, the Saturday before last, the summer before last, the year after next."""
    found = s.match(i, _BEFORE_LAST)
    if found is None:
        return None
    word, step = found[0]["what"].lower(), -1 if found[0]["back"] else 1
    if word in words.WEEKDAYS:
        day = day_span(s.now.date() + timedelta(days=words.WEEKDAYS[word] - s.now.weekday()), "week")
        once = settle(day, s.now, "past" if step < 0 else "future")
        return day_span((once.start + timedelta(days=7 * step)).date()), found[1]
    if word in words.MONTHS or word in words.SEASONS:
        in_year = word in words.MONTHS
        named = loose_month(s.now, words.MONTHS[word]) if in_year else season_of(s.now.year, words.SEASONS[word])
        once = signed(replace(named, cycle="year"), step, s.now)
        return unit_span(add(once.start, step, "year"), named.grain), found[1]
    grain = words.UNITS.get(word)
    return (unit_near(s.now, grain, 2 * step), found[1]) if grain and SIZE[grain] >= SIZE["day"] else None
