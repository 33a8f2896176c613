"""A unit of the calendar named by its distance from now, by its number, or by its place in a larger one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from store.expressions import days, words
from store.expressions.calendar import (
    SIZE,
    When,
    add,
    after,
    before,
    day_span,
    floor,
    midnight,
    offset,
    run,
    unit_near,
    unit_span,
)
from store.expressions.scan import Found, Scan, amount, integer, ordinal, unit, year


def _sign(s: Scan, i: int) -> tuple[int, int, str] | None:
    """last/this/next with what may stand before it: (step, place after, the word)."""
    the = s.skip(i, "the", "this", "these")
    word = s.word(the)
    if word == "same" or (i < the and s.word(i) == "the" and word == "current"):
        return 0, the + 1, "this"
    for step, table in ((-1, words.PAST), (1, words.FUTURE)):
        if word in table:
            return step, the + 1, word
    if word in words.PRESENT:
        return 0, the + 1, "this"
    if the > i and s.word(i) in ("this", "these"):
        return 0, the, "this"
    if s.word(i) == "that" and s.word(i + 1) in ("weekend",):
        return 0, i + 1, "this"
    return None


def relative(s: Scan, i: int) -> Found[When]:
    """last week, this month, next Friday, the past two weeks, last March, the Saturday before last."""
    beyond = _before_last(s, i)
    if beyond is not None:
        return beyond
    found = _sign(s, i)
    if found is None:
        return _count_first(s, i)
    step, j, sign = found
    if sign == "last" and s.word(i - 1) in _MODALS and i == j - 1:
        return None
    counted = _counted(s, j, step) if step else None
    if counted is not None:
        return counted
    return _signed(s, i, j, step, sign)


_MODALS = frozenset("to will shall can can't should shouldn't would could might must won't didn't doesn't don't did does".split(" "))
"""After these "last" is the verb."""


def _signed(s: Scan, i: int, j: int, step: int, sign: str) -> Found[When]:
    word = s.word(j)
    if word in words.WEEKDAYS and not word.endswith("days"):
        return _signed_weekday(s, i, j, step, sign)
    if word == "may" and not step and s.word(j + 1).isalpha() and s.word(j + 1) not in ("we", "i", "they", "and", "in", "at"):
        return None
    if word in words.MONTHS and (len(word) > 3 or word == "may" or step):
        return _signed_month(s, j, step)
    if word in ("working", "work", "calendar"):
        j += 1
        word = s.word(j)
    if word in ("workweek",):
        return _week_of(s, unit_near(s.now, "week", step), j + 1)
    found = unit(s, j)
    if found is None or (word.endswith("s") and not word.endswith("'s")) or s.word(j + 1) in ("of", "old") and found[0] == "day":
        return _weekend_split(s, j, step)
    if found[0] in ("second", "minute", "hour"):
        return _finer(s, found[0], step, found[1]) if step else None
    if found[0] == "week" and s.word(j + 1) in ("-", "end") and s.word(j + 1 + (s.word(j + 1) == "-")) == "end":
        return _weekend_split(s, j, step)
    when = _near(s, found[0], step, sign)
    return _week_of(s, when, found[1]) if found[0] == "week" else (when, found[1])


def _near(s: Scan, grain: str, step: int, sign: str) -> When:
    if grain == "fortnight":
        return unit_near(s.now, "week", step) if step == 0 else run(s.now, step, 2.0, "week")
    if grain == "weekend" and sign in ("past", "last") and s.now.weekday() < 5:
        return unit_near(s.now, "weekend", -1)
    if grain == "day" and step:
        return day_span((s.now + timedelta(days=step)).date())
    return unit_near(s.now, grain, step)


def _finer(s: Scan, grain: str, step: int, j: int) -> Found[When]:
    moved = add(s.now, step, grain)
    start, end = min(moved, s.now), max(moved, s.now)
    return When(start, end, "minute"), j


def _weekend_split(s: Scan, j: int, step: int) -> Found[When]:
    if s.word(j) == "week":
        k = s.skip(j + 1, "-")
        if s.word(k) == "end":
            return unit_near(s.now, "weekend", step), k + 1
    return None


def _week_of(s: Scan, week: When, j: int) -> Found[When]:
    """ "last week's Sunday", "next week on Tuesday", "this week Monday"."""
    k = s.skip(j, "'s", ",", "-", "on")
    weekday = words.WEEKDAYS.get(s.word(k))
    if weekday is not None and not s.word(k).endswith("days") and (k > j or len(s.word(k)) > 2 or s.word(j - 1) == "week's"):
        return day_span((week.start + timedelta(days=weekday)).date()), k + 1
    return week, j


def _signed_weekday(s: Scan, i: int, j: int, step: int, sign: str) -> Found[When]:
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


def _dated_weekday(s: Scan, j: int, when: When, k: int) -> Found[When]:
    """ "next Friday 5/12", "this Friday (Jun-15)": the date says which."""
    dated = days.weekday_led(s, j)
    if dated is not None and dated[1] > k and dated[0].grain == "day" and dated[0].cycle != "week":
        return replace(dated[0], cycle=None) if dated[0].cycle == "month" else dated[0], dated[1]
    return when, k


def _signed_month(s: Scan, j: int, step: int) -> Found[When]:
    dated = days.month_led(s, j)
    k = j + 1
    loose = replace(unit_span(datetime(s.now.year, words.MONTHS[s.word(j)], 1), "month"), cycle="year")
    if dated is not None and dated[0].grain == "day":
        loose, k = dated
    if loose.cycle is None:
        return None
    if step < 0:
        return replace(before(loose, floor(s.now, "month") - timedelta(days=1)), cycle=None), k
    if step > 0:
        return replace(after(loose, s.now), cycle=None), k
    return replace(loose, cycle=None), k


def _counted(s: Scan, i: int, step: int) -> Found[When]:
    """the last three weeks, the next couple of days."""
    number = amount(s, i)
    if number is None or s.word(i) in ("a", "an") and number[0] == 1:
        return None
    j = s.skip(number[1], "business", "working", "full", "more")
    grain = unit(s, j)
    if grain is None or (s.word(j) in ("second",)):
        return None
    rest = amount(s, s.skip(grain[1], "and"))
    if rest is not None and not (s.word(grain[1]) == "and"):
        finer = unit(s, rest[1])
        if finer is not None and SIZE[finer[0]] < SIZE[grain[0]]:
            base = add(s.now, step * rest[0], finer[0])
            return run(s.now, step, number[0], grain[0], base), finer[1]
    return run(s.now, step, number[0], grain[0]), grain[1]


def _count_first(s: Scan, i: int) -> Found[When]:
    """two upcoming weeks, the 5 past years."""
    number = integer(s, s.skip(i, "the"))
    if number is None:
        return None
    sign = s.word(number[1])
    if sign not in words.PAST | words.FUTURE or s.word(number[1]) in ("past",) and unit(s, number[1] + 1) is None:
        return None
    grain = unit(s, number[1] + 1)
    if grain is None:
        return None
    return run(s.now, -1 if sign in words.PAST else 1, float(number[0]), grain[0]), grain[1]


def _before_last(s: Scan, i: int) -> Found[When]:
    """the week before last, the Saturday before last, the year after next."""
    j = s.skip(i, "the")
    pair = (s.word(j + 1), s.word(j + 2))
    if pair not in (("before", "last"), ("after", "next")):
        return None
    step = -2 if pair[1] == "last" else 2
    word = s.word(j)
    if word in words.WEEKDAYS:
        once = _signed_weekday(s, i, j, 1 if step > 0 else -1, pair[1])
        if once is None:
            return None
        return day_span((once[0].start + timedelta(days=7 if step > 0 else -7)).date()), j + 3
    if word in words.MONTHS:
        month = _signed_month(s, j, 1 if step > 0 else -1)
        if month is None:
            return None
        start = add(month[0].start, 1 if step > 0 else -1, "year")
        return unit_span(start, "month"), j + 3
    grain = words.UNITS.get(word)
    if grain is None or SIZE[grain] < SIZE["day"]:
        return (_season_beyond(s, word, step), j + 3) if word in words.SEASONS else None
    return unit_near(s.now, grain, step), j + 3


def _season_beyond(s: Scan, word: str, step: int) -> When:
    loose = replace(days.season_of(s.now.year, words.SEASONS[word]), cycle="year")
    current = unit_span(s.now, "season")
    once = before(loose, current.start - timedelta(days=1)) if step < 0 else after(loose, s.now)
    return days.season_of(once.start.year + (1 if step > 0 else -1), words.SEASONS[word])


_YEAR_SIGNS = frozenset(
    "in since until till of from to by before after during around year year's for about circa through between between "
    "than early late mid back and or = - – ~".split(" ")
)


def bare_year(s: Scan, i: int) -> Found[When]:
    """in 2021, the year 2021, 2021 as the whole text; a number without such a sign is no year."""
    j = i
    if s.word(s.skip(i, "the", "calendar")) in ("year", "cy"):
        k = s.skip(s.skip(s.skip(i, "the", "calendar"), "year"), "of")
        named = year(s, k, short=False)
        return (unit_span(datetime(named[0], 1, 1), "year"), named[1]) if named else None
    named = year(s, j)
    if named is None or not (1200 <= named[0] <= 2200):
        return None
    whole = i == 0 and named[1] >= s.size - 1 and s.size <= 2
    if s.word(i - 1) in ("-", "–") and (len(s.word(i - 2)) != 4 or (s.touches(i - 2) and s.word(i - 3) == "-")):
        return None
    said = s.word(i - 1) in _YEAR_SIGNS or (s.word(i - 1) in ("(", ",") and s.word(named[1]) in (")", ","))
    verb = s.word(named[1]) in ("was", "will", "is", "has")
    if s.word(named[1]) in ("-", "–", "to", "through", "until", "~") and year(s, named[1] + 1) is not None:
        verb = True
    if not (whole or said or verb) or _counts_things(s, i, named[1]):
        return None
    return unit_span(datetime(named[0], 1, 1), "year"), named[1]


def _counts_things(s: Scan, i: int, j: int) -> bool:
    """ "for 2000 people", "of 1500 euros", "about 2000 of them": a plural noun or a unit follows."""
    following = s.word(j)
    if s.word(i - 1) in ("since", "until", "till", "during", "year"):
        return False
    if following in _UNITS_OF_MEASURE or following in words.UNITS:
        return True
    if s.word(i - 1) in ("for", "of", "about", "around", "to", "by", "from", "than", "and", "or", "between", "through"):
        return following.isalpha() and following not in _AFTER_YEAR and not following.startswith("'")
    return following.isalpha() and following.endswith("s") and following not in ("was", "is", "has", "this", "as")


_UNITS_OF_MEASURE = frozenset("steps km kg calories kcal words miles people dollars euros pounds meters metres m g ml % ft".split(" "))
_AFTER_YEAR = frozenset(
    "and or to until till i we he she they it in on at the my but when because which that who with was is had has as for if so "
    "through by before after then until there you me from of also still".split(" ")
)


def decade(s: Scan, i: int) -> Found[When]:
    """the 90s, the 1990s, the nineties, the early 90s (with `edge`)."""
    the = s.skip(i, "the")
    apostrophe = s.skip(the, "'", "’", "‘")
    word = s.word(apostrophe)
    if word in words.DECADES and the > i and s.word(i - 1) not in ("my", "his", "her", "their"):
        return unit_span(datetime(1900 + words.DECADES[word], 1, 1), "decade"), apostrophe + 1
    if not word.isdecimal() or len(word) not in (2, 4) or word[-1] != "0":
        return None
    tail = apostrophe + 1
    if s.word(tail) == "'" and s.touches(tail):
        tail += 1
    if s.word(tail) != "s" or not s.touches(tail):
        return None
    number = int(word)
    if len(word) == 2:
        if the == i and apostrophe == the and s.word(i - 1) not in ("early", "late", "mid", "in", "-"):
            return None
        number += 1900 if number >= 30 else 2000
    return unit_span(datetime(number, 1, 1), "decade"), tail + 1


def quarter(s: Scan, i: int) -> Found[When]:
    """Q3 2020, 2020 Q3, the third quarter of 2020, H2 2019, week 23 of 2027."""
    named = year(s, i)
    j = s.skip(named[1], "-") if named else i
    letter = s.word(j)
    if letter in ("q", "h") and s.touches(j + 1) and s.word(j + 1) in ("1", "2", "3", "4") and s.touches(j) | (j == i) | (named is not None):
        later = year(s, s.skip(s.skip(j + 2, "-"), "of")) if named is None else None
        place = named or later
        return _part_of_year(s, i, letter, int(s.word(j + 1)), place[0] if place else None), later[1] if later else j + 2
    return _nth_quarter(s, i) or _week_number(s, i)


def _part_of_year(s: Scan, i: int, letter: str, count: int, number: int | None) -> When:
    months, grain = (3, "quarter") if letter == "q" else (6, "half")
    start = datetime(number or s.now.year, 1 + (count - 1) * months % 12, 1)
    return When(start, add(start, months, "month"), grain, cycle=None if number else "year")


def _nth_quarter(s: Scan, i: int) -> Found[When]:
    """the third quarter, the 1st quarter of 2013."""
    count = ordinal(s, s.skip(i, "the"))
    if count is None or not 1 <= count[0] <= 4 or s.word(count[1]) not in ("quarter", "qtr"):
        return None
    named = year(s, s.skip(s.skip(count[1] + 1, ","), "of", "in"))
    return _part_of_year(s, i, "q", count[0], named[0] if named else None), named[1] if named else count[1] + 1


def _week_number(s: Scan, i: int) -> Found[When]:
    j = s.skip(i, "the")
    if s.word(j) != "week" or not s.word(j + 1).isdecimal() or not 1 <= int(s.word(j + 1)) <= 53:
        return None
    later = year(s, s.skip(j + 2, "of", ",", "in"))
    monday = date.fromisocalendar(later[0] if later else s.now.year, int(s.word(j + 1)), 1)
    when = unit_span(midnight(monday), "week")
    return when, later[1] if later else j + 2


def measured(s: Scan, i: int) -> tuple[list[tuple[float, str]], int] | None:
    """ "two years and three months": the parts of a length, coarse to fine."""
    parts: list[tuple[float, str]] = []
    j = i
    while True:
        k = s.skip(s.skip(j, ","), "and") if parts else j
        number = amount(s, k)
        if number is None or (parts and s.word(k) in ("a", "an") and s.word(k + 1) not in words.UNITS):
            break
        grain = unit(s, s.skip(s.skip(number[1], "-") if number[1] > k + 0 else number[1], "more", "full", "whole", "of"))
        if grain is None and s.word(number[1]) in words.NIGHTS:
            grain = ("day", number[1] + 1)
        if grain is None or (parts and SIZE[grain[0]] >= SIZE[parts[-1][1]]):
            break
        half = _and_half(s, grain[1])
        parts.append((number[0] + half[0], grain[0]))
        j = half[1]
    return (parts, j) if parts else None


def _and_half(s: Scan, i: int) -> tuple[float, int]:
    """ "a year and a half"."""
    if s.word(i) == "and" and s.word(i + 1) in ("a", "one") and s.word(i + 2) == "half":
        return 0.5, i + 3
    return 0.0, i


def displaced(base: datetime, parts: list[tuple[float, str]], step: int) -> When:
    """`base` moved by a length, as coarse as its finest part."""
    moved = base
    for number, grain in parts[:-1]:
        moved = add(moved, step * number, grain)
    return offset(moved, step * parts[-1][0], parts[-1][1])


def nth_of(s: Scan, i: int) -> Found[When]:
    """the first Monday in October, the last week of July, the third day of next month, the second half of 2020."""
    the = s.skip(i, "the")
    count = _count_word(s, the)
    if count is None:
        return None
    number, j = count
    inner = words.WEEKDAYS.get(s.word(j))
    grain = unit(s, j)
    if s.word(j) == "week" and s.word(j + 1) == "end":
        grain = ("weekend", j + 2)
    if s.word(j) == "half":
        grain = ("half", j + 1)
    if inner is None and grain is None:
        return None
    k = j + 1 if inner is not None else (grain[1] if grain else j)
    if s.word(k) not in ("of", "in"):
        return None
    host = host_unit(s, k + 1)
    if host is None:
        return None
    when = _pick(host[0], number, inner, grain[0] if grain and inner is None else "day")
    return (when, host[1]) if when is not None else None


def _count_word(s: Scan, i: int) -> Found[int]:
    if s.word(i) == "last":
        return -1, i + 1
    number = ordinal(s, i)
    if number is None:
        return None
    if s.word(number[1]) == "last":
        return -number[0], number[1] + 1
    return number


def host_unit(s: Scan, i: int) -> Found[When]:
    """The month, season, quarter or year in which something lies; settled by the tense where it is loose."""
    from store.expressions.calendar import settle

    the = s.skip(i, "the")
    if s.word(the) in ("month", "year", "quarter", "week", "season") and s.word(the + 1) not in ("of",):
        return unit_near(s.now, words.UNITS[s.word(the)], 0), the + 1
    for rule in (days.month_led, relative, quarter, days.season, decade):
        found = rule(s, i)
        if found is not None and SIZE[found[0].grain] >= SIZE["week"]:
            return settle(found[0], s.now, s.prefers(i)), found[1]
    named = year(s, i)
    if named is not None:
        return unit_span(datetime(named[0], 1, 1), "year"), named[1]
    if s.word(i) in words.MONTHS:
        loose = replace(unit_span(datetime(s.now.year, words.MONTHS[s.word(i)], 1), "month"), cycle="year")
        return settle(loose, s.now, s.prefers(i)), i + 1
    return None


def _pick(host: When, number: int, weekday: int | None, grain: str) -> When | None:
    """The nth weekday or unit of a larger unit; a week belongs to where its Thursday lies."""
    if weekday is not None:
        first = host.start + timedelta(days=(weekday - host.start.weekday()) % 7)
        last = host.end - timedelta(days=1 + (host.end - timedelta(days=1) - timedelta(days=weekday)).weekday())
        found = first + timedelta(days=7 * (number - 1)) if number > 0 else last + timedelta(days=7 * (number + 1))
        return day_span(found.date()) if host.start <= found < host.end else None
    if grain in ("week", "weekend"):
        thursday = 3 if grain == "week" else 5
        day = _pick(host, number, thursday, "day")
        return unit_span(day.start, grain) if day else None
    start = add(floor(host.start, grain), number - 1, grain) if number > 0 else add(host.end, number, grain)
    if not host.start <= start < host.end:
        return None
    return When(start, add(start, 1, grain), grain)
