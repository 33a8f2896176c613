"""A feast or a season without a year lies on the side of now that its words or their tense say."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from store.time import feasts, words
from store.time.calendar import LocalStretch, midnight, season_of, settle, signed
from store.time.scan import Found, Scan, year

if TYPE_CHECKING:
    from store.time.calendar import Prefer


def holiday(s: Scan, i: int) -> Found[LocalStretch]:
    """Christmas, Easter 2013, last Thanksgiving, Christmas of next year."""
    the = s.skip(i, "the")
    sign = s.word(the) if s.word(the) in words.STEPS else ""
    start = the + 1 if sign else the
    if s.word(start) not in feasts.STARTERS or s.word(i - 1) in _OTHER_CALENDARS:
        return None
    found = _feast_name(s, start)
    if found is None:
        return None
    feast, j = found
    if s.word(j) == "weekend":
        day = place_feast(feast, words.STEPS.get(sign), s.now, s.prefers(i)).start
        saturday = day - timedelta(days=2 if day.weekday() == 0 else day.weekday() - 5)
        return LocalStretch(saturday, max(saturday + timedelta(days=2), day + timedelta(days=1)), "weekend"), j + 1
    k = s.skip(s.skip(j, ","), "of", "in")
    named = year(s, k)
    if named is not None:
        return span(feast, named[0]), named[1]
    if s.word(start) in feasts.WORDS:
        return None
    step = {"last": -1, "next": 1, "this": 0}.get(s.word(k))
    if step is not None and s.word(k + 1) == "year":
        return span(feast, s.now.year + step), k + 2
    return place_feast(feast, words.STEPS.get(sign), s.now, s.prefers(i)), j


def span(feast: feasts.Feast, number: int) -> LocalStretch:
    """A feast in a year; where its day is not sure, the days that it may be, with the likeliest as their point."""
    day = feast.rule(number)
    first = midnight(day - timedelta(days=feast.early))
    return LocalStretch(first, first + timedelta(days=feast.days), "day", point=None if feast.sure else midnight(day))


_OTHER_CALENDARS = words.bag("chinese lunar parsi jewish persian islamic tamil korean vietnamese thai hindu orthodox")


def holiday_in(s: Scan, i: int, number: int) -> LocalStretch | None:
    """The feast named here, in a year."""
    found = _feast_name(s, i)
    return span(found[0], number) if found is not None else None


def _feast_name(s: Scan, i: int) -> tuple[feasts.Feast, int] | None:
    for size in range(feasts.LONGEST, 0, -1):
        if i + size > s.size:
            continue
        name = " ".join(s.word(i + k) for k in range(size)).replace(" - ", "-").replace(" '", "'")
        if name in feasts.ENGLISH:
            trailing = s.skip(i + size, "'")
            return feasts.ENGLISH[name], s.skip(trailing, "day") if trailing > i + size else trailing
    return None


def place_feast(feast: feasts.Feast, step: int | None, now: datetime, prefer: Prefer) -> LocalStretch:
    """The feast that was or comes; the one of today is both, and neither the last nor the next."""
    each, today = [span(feast, now.year + year) for year in (-1, 0, 1)], midnight(now.date())
    if step == 0:
        return each[1]
    if step is None and prefer == "nearest":
        return min(each, key=lambda one: abs(one.start - today))
    if step == -1 or (step is None and prefer == "past"):
        return [one for one in each if one.start < today or (one.start == today and step is None)][-1]
    return next(one for one in each if one.end > today and (one.start > today or step is None))


def season(s: Scan, i: int) -> Found[LocalStretch]:
    """summer 2022, last winter, in the spring."""
    the = s.skip(i, "the")
    the = the + 1 if s.word(the) == "this" and s.word(the + 1) in words.PAST | words.FUTURE else the
    sign = s.word(the) if s.word(the) in words.STEPS else ""
    k = the + 1 if sign else the
    name = words.SEASONS.get(s.word(k))
    if name is None:
        return None
    named = year(s, s.skip(k + 1, "of", ","))
    if named is not None:
        return season_of(named[0], name), named[1]
    loose = replace(season_of(s.now.year, name), cycle="year")
    if sign:
        return signed_season(loose, words.STEPS[sign], s.now, s.prefers(0)), k + 1
    said = s.word(i - 1) in _SEASON_SIGNS
    if (said and (the > i or name != "autumn" or s.word(k) != "fall")) or s.word(i - 1) in words.EDGES:
        return loose, k + 1
    return None


_SEASON_SIGNS = words.bag("in since until till during before after of over through for")


def signed_season(loose: LocalStretch, step: int, now: datetime, prefer: Prefer) -> LocalStretch:
    """The last, the next or this season: the one that began last, or the nearest."""
    if step:
        return signed(loose, step, now)
    return replace(settle(loose, now, prefer if prefer == "past" else "nearest"), cycle=None)
