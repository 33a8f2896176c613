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
    month_span,
    run,
    season_of,
    settle,
    signed,
    unit_near,
    unit_span,
)
from store.time.scan import Found, Scan, amount, integer, unit


def _sign(s: Scan, i: int) -> tuple[int, int, str] | None:
    """last/this/next with what may stand before it: (step, place after, the word)."""
    the = s.skip(i, "the", "this", "these")
    word = s.word(the)
    if word in words.STEPS or word == "same":
        step = words.STEPS.get(word, 0)
        return step, the + 1, word if step else "this"
    if the > i and s.word(i) in ("this", "these"):
        return 0, the, "this"
    if s.word(i) == "that" and s.word(i + 1) in ("weekend",):
        return 0, i + 1, "this"
    return None


def relative(s: Scan, i: int) -> Found[LocalStretch]:
    """last week, this month, next Friday, the past two weeks, last March, the Saturday before last."""
    beyond = _before_last(s, i)
    if beyond is not None:
        return beyond
    found = _sign(s, i)
    if found is None:
        return _the_weekend(s, i) or _count_first(s, i)
    step, j, sign = found
    if sign == "last" and s.word(i - 1) in _MODALS and i == j - 1:
        return None
    counted = _counted(s, j, step) if step else None
    if counted is not None:
        return counted
    return _signed(s, i, j, step)


_MODALS = words.bag(
    "to will shall can can't should shouldn't would could might must won't didn't doesn't don't did does"
)
"""After these "last" is the verb."""


def _signed(s: Scan, i: int, j: int, step: int) -> Found[LocalStretch]:
    word = s.word(j)
    if word in words.WEEKDAYS and not word.endswith("days"):
        return _signed_weekday(s, i, j, step)
    if (
        word == "may"
        and not step
        and s.word(j + 1).isalpha()
        and s.word(j + 1) not in ("we", "i", "they", "and", "in", "at")
    ):
        return None
    if word in words.MONTHS and (len(word) > 3 or word == "may" or step):
        return _signed_month(s, j, step)
    if word in ("working", "work", "calendar"):
        j += 1
        word = s.word(j)
    if word in ("workweek",):
        return _week_of(s, unit_near(s.now, "week", step), j + 1)
    found = unit(s, j)
    if (
        found is None
        or (word.endswith("s") and not word.endswith("'s"))
        or (word == "day" and s.word(j + 1) in _OF_OLD)
    ):
        return None
    grain, k = found
    if grain in ("second", "minute", "hour"):
        return (run(s.now, step, 1, grain), k) if step else None
    if grain == "fortnight":
        return unit_near(s.now, "week", step) if step == 0 else run(s.now, step, 2.0, "week"), k
    when = unit_near(s.now, grain, step)
    return _week_of(s, when, k) if grain == "week" else (when, k)


_OF_OLD = ("of", "old")


def _week_of(s: Scan, week: LocalStretch, j: int) -> Found[LocalStretch]:
    """ "last week's Sunday", "next week on Tuesday", "this week Monday"."""
    k = s.skip(j, "'s", ",", "-", "on")
    weekday = words.WEEKDAYS.get(s.word(k))
    if (
        weekday is not None
        and not s.word(k).endswith("days")
        and (k > j or len(s.word(k)) > 2 or s.word(j - 1) == "week's")
    ):
        return day_span((week.start + timedelta(days=weekday)).date()), k + 1
    return week, j


def _signed_weekday(s: Scan, i: int, j: int, step: int) -> Found[LocalStretch]:
    today = s.now.date()
    weekday = words.WEEKDAYS[s.word(j)]
    ahead = (weekday - today.weekday()) % 7
    k = s.skip(j + 1, ".") if len(s.word(j)) < 6 and s.touches(j + 1) and j + 2 < s.size else j + 1
    if step < 0:
        return _dated_weekday(s, j, day_span(today - timedelta(days=7 - ahead)), k)
    if step > 0:
        return _dated_weekday(s, j, day_span(today + timedelta(days=ahead or 7)), k)
    if s.tense(i) in ("past", "perfect"):
        return day_span(today + timedelta(days=weekday - today.weekday())), k
    return _dated_weekday(s, j, day_span(today + timedelta(days=ahead)), k)


def _dated_weekday(s: Scan, j: int, when: LocalStretch, k: int) -> Found[LocalStretch]:
    """ "next Friday 5/12", "this Friday (Jun-15)": the date says which, near the weekday meant."""
    dated = days.weekday_led(s, j)
    if dated is None or dated[1] <= k or dated[0].grain != "day" or dated[0].cycle == "week":
        return when, k
    if dated[0].cycle is None:
        return dated
    return replace(after(dated[0], when.start - timedelta(days=7)), cycle=None), dated[1]


def _signed_month(s: Scan, j: int, step: int) -> Found[LocalStretch]:
    dated = days.month_led(s, j)
    k = j + 1
    loose = loose_month(s.now, words.MONTHS[s.word(j)])
    if dated is not None and dated[0].grain == "day":
        loose, k = dated
    if loose.cycle is None:
        return None
    return signed(loose, step, s.now), k


def _counted(s: Scan, i: int, step: int) -> Found[LocalStretch]:
    """the last three weeks, the next couple of days."""
    number = amount(s, i)
    if number is None or (s.word(i) in ("a", "an") and number[0] == 1):
        return None
    j = s.skip(number[1], "business", "working", "full", "more")
    grain = unit(s, j)
    if grain is None or (s.word(j) in ("second",)):
        return None
    rest = amount(s, s.skip(grain[1], "and"))
    if rest is not None and s.word(grain[1]) != "and":
        finer = unit(s, rest[1])
        if finer is not None and SIZE[finer[0]] < SIZE[grain[0]]:
            base = add(s.now, step * rest[0], finer[0])
            return run(s.now, step, number[0], grain[0], base), finer[1]
    return run(s.now, step, number[0], grain[0]), grain[1]


def _the_weekend(s: Scan, i: int) -> Found[LocalStretch]:
    """ "over the weekend": the one that has been, or the one that comes, by the tense."""
    if not s.sequence(i, ("the", "weekend")) or s.word(i - 1) not in ("over", "on", "at", "for", "during"):
        return None
    back = s.prefers(i) == "past" and s.now.weekday() < 5
    return unit_near(s.now, "weekend", -1 if back else 0), i + 2


def _count_first(s: Scan, i: int) -> Found[LocalStretch]:
    """two upcoming weeks, the 5 past years."""
    number = integer(s, s.skip(i, "the"))
    if number is None or not 2 <= number[0] <= 400:
        return None
    sign = s.word(number[1])
    if sign not in words.PAST | words.FUTURE or (s.word(number[1]) in ("past",) and unit(s, number[1] + 1) is None):
        return None
    grain = unit(s, number[1] + 1)
    if grain is None or (sign == "last" and not s.word(number[1] + 1).endswith("s")):
        return None  # in "Windows 11 last week" the number is not of weeks
    return run(s.now, -1 if sign in words.PAST else 1, float(number[0]), grain[0]), grain[1]


_BEFORE_LAST = re.compile(r"(?:the )?(?P<what>\w+) (?:(?P<back>before last)|after next)\b", re.IGNORECASE)


def _before_last(s: Scan, i: int) -> Found[LocalStretch]:
    """the week before last, the Saturday before last, the year after next."""
    found = s.match(i, _BEFORE_LAST)
    if found is None:
        return None
    word, step, today = found[0]["what"].lower(), -1 if found[0]["back"] else 1, s.now.date()
    if word in words.WEEKDAYS:
        day = day_span(today + timedelta(days=words.WEEKDAYS[word] - today.weekday()), "week")
        once = settle(day, s.now, "past" if step < 0 else "future")
        return day_span((once.start + timedelta(days=7 * step)).date()), found[1]
    if word in words.MONTHS or word in words.SEASONS:
        named = (
            month_span(s.now.year, words.MONTHS[word])
            if word in words.MONTHS
            else season_of(s.now.year, words.SEASONS[word])
        )
        once = signed(replace(named, cycle="year"), step, s.now)
        return unit_span(add(once.start, step, "year"), named.grain), found[1]
    grain = words.UNITS.get(word)
    return (unit_near(s.now, grain, 2 * step), found[1]) if grain and SIZE[grain] >= SIZE["day"] else None
