"""A feast or a season without a year lies on the side of now that its words or their tense say; four digits are a year
only with a sign that they are: a preposition, the word, or nothing else in the text."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from store.time import calendar, feasts, words
from store.time.calendar import LocalStretch, Prefer
from store.time.scan import Found, Scan, year
from store.time.words import either

_OTHER_CALENDARS = words.bag("chinese lunar parsi jewish persian islamic tamil korean vietnamese thai hindu orthodox")
_SEASON_SIGNS = words.bag("in since until till during before after of over through for")
_YEAR_SIGNS = words.bag(
    "in since until till of from to by before after during around year year's for about circa through between between "
    "than early late mid back and or = - – ~"
)
_UNITS_OF_MEASURE = words.bag(
    "steps km kg calories kcal words miles people dollars euros pounds meters metres m g ml % ft"
)
_AFTER_YEAR = words.bag(
    "and or to until till i we he she they it in on at the my but when because which that who with "
    "was is had has as for if so "
    "through by before after then until there you me from of also still"
)
_DECADE = re.compile(
    rf"(?P<the>the )?['’‘]?(?:(?P<word>{either(words.DECADES)})\b|(?P<n>(?:\d\d)?\d0)['’]?s\b)", re.IGNORECASE
)
_PART_OF_YEAR = re.compile(
    r"(?:(?P<before>\d{4})[ -]?)?(?P<part>[qh])(?P<n>[1-4])\b(?:(?: of |[ -])?(?P<after>\d{4})\b)?"
    r"|(?:the )?(?P<o>first|second|third|fourth|1st|2nd|3rd|4th) (?:quarter|qtr)\b(?:,? (?:of |in )?(?P<of>\d{4})\b)?"
    r"|(?:the )?week (?P<week>\d\d?)\b(?:(?:,| of| in)? (?P<in>\d{4})\b)?",
    re.IGNORECASE,
)


def holiday(s: Scan, i: int) -> Found[LocalStretch]:
    """Christmas, Easter 2013, last Thanksgiving, Christmas of next year."""
    the = s.skip(i, "the")
    sign = s.word(the) if s.word(the) in words.STEPS else ""
    start = the + 1 if sign else the
    if s.word(start) not in feasts.STARTERS or s.word(i - 1) in _OTHER_CALENDARS:
        return None
    found = feast_name(s, start)
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
    placed = place_feast(feast, words.STEPS.get(sign), s.now, s.prefers(i))
    weeks = s.word(i - 1) == "in" and s.word(i) == "the" and s.word(start) == "new"  # "in the new year" is not its day
    return calendar.unit_of(placed.start.year, "month", 1) if weeks else placed, j


def span(feast: feasts.Feast, number: int) -> LocalStretch:
    """A feast in a year; where its day is not sure, the days that it may be, with the likeliest as their point."""
    day = feast.rule(number)
    first = calendar.midnight(day - timedelta(days=feast.early))
    return LocalStretch(
        first, first + timedelta(days=feast.days), "day", point=None if feast.sure else calendar.midnight(day)
    )


def feast_name(s: Scan, i: int) -> tuple[feasts.Feast, int] | None:
    """The feast that is named here."""
    for size in range(feasts.LONGEST, 0, -1):
        name = " ".join(s.word(i + k) for k in range(size)).replace(" - ", "-").replace(" '", "'")
        if name in feasts.ENGLISH:
            trailing = s.skip(i + size, "'")
            return feasts.ENGLISH[name], s.skip(trailing, "day") if trailing > i + size else trailing
    return None


def place_feast(feast: feasts.Feast, step: int | None, now: datetime, prefer: Prefer) -> LocalStretch:
    """The feast that was or comes; the one of today is both, and neither the last nor the next."""
    each, today = [span(feast, now.year + year) for year in (-1, 0, 1)], calendar.midnight(now.date())
    if step == 0:
        return each[1]
    if step == -1 or (step is None and prefer == "past"):
        return [one for one in each if one.start < today or (one.start == today and step is None)][-1]
    return next(one for one in each if one.end > today and (one.start > today or step is None))


def season(s: Scan, i: int) -> Found[LocalStretch]:
    """summer 2022, last winter, in the spring."""
    the = s.skip(i, "the")
    the = the + 1 if s.word(the) == "this" and s.word(the + 1) in words.PAST | words.FUTURE else the
    step = words.STEPS.get(s.word(the))
    k = the if step is None else the + 1
    name = words.SEASONS.get(s.word(k))
    if name is None:
        return None
    named = year(s, s.skip(k + 1, "of", ","))
    if named is not None:
        return calendar.season_of(named[0], name), named[1]
    loose = replace(calendar.season_of(s.now.year, name), cycle="year")
    if step is not None:
        return signed_season(loose, step, s.now, s.prefers(0)), k + 1
    said = s.word(i - 1) in _SEASON_SIGNS and (the > i or s.word(k) != "fall")
    return (loose, k + 1) if said or s.word(i - 1) in words.EDGES else None


def signed_season(loose: LocalStretch, step: int, now: datetime, prefer: Prefer) -> LocalStretch:
    """The last, the next or this season: the one that began last, or the nearest."""
    if step:
        return calendar.signed(loose, step, now)
    return replace(calendar.settle(loose, now, prefer if prefer == "past" else "nearest"), cycle=None)


def bare_year(s: Scan, i: int) -> Found[LocalStretch]:
    """in 2021, the year 2021, 2021 as the whole text; a number without such a sign is no year."""
    if s.word(i - 1) == "new":
        return None
    if s.word(s.skip(i, "the", "calendar")) in ("year", "cy"):
        named = year(s, s.skip(s.skip(s.skip(i, "the", "calendar"), "year"), "of"))
        return (calendar.unit_of(named[0]), named[1]) if named else None
    named = year(s, i)
    if named is None or not (1200 <= named[0] <= 2200):
        return None
    before, after = s.word(i - 1), s.word(named[1])
    if before in ("-", "–") and (len(s.word(i - 2)) != 4 or (s.touches(i - 2) and s.word(i - 3) == "-")):
        return None
    whole = i == 0 and named[1] >= s.size - 1 and s.size <= 2
    said = before in _YEAR_SIGNS or (before in ("(", ",") and after in (")", ","))
    verb = after in ("was", "will", "is", "has") and not before.isalnum()
    ranged = after in ("-", "–", "to", "through", "until", "~") and year(s, named[1] + 1) is not None
    if not (whole or said or verb or ranged) or _counts_things(before, after):
        return None
    return calendar.unit_of(named[0]), named[1]


def _counts_things(before: str, after: str) -> bool:
    """ "for 2000 people", "of 1500 euros", "about 2000 of them": a plural noun or a unit follows."""
    if before in ("since", "until", "till", "during", "year"):
        return False
    if after in _UNITS_OF_MEASURE or after in words.UNITS:
        return True
    if before in ("for", "of", "about", "around", "to", "by", "from", "than", "and", "or", "between", "through"):
        return after.isalpha() and after not in _AFTER_YEAR
    return after.isalpha() and after.endswith("s") and after not in ("was", "is", "has", "this", "as")


def decade(s: Scan, i: int) -> Found[LocalStretch]:
    """the 90s, the 1990s, the nineties, the early 90s (with `edge`)."""
    found = s.match(i, _DECADE)
    if found is None:
        return None
    said, before = found[0], s.word(i - 1)
    if said["word"]:
        named = (said["the"] or before in words.EDGES) and before not in ("my", "his", "her", "their")
        return (calendar.decade_of(1900 + words.DECADES[said["word"].lower()]), found[1]) if named else None
    if len(said["n"]) == 2 and said[0][0].isdecimal() and before not in ("early", "late", "mid", "in", "-"):
        return None
    return calendar.decade_of(int(said["n"])), found[1]


def quarter(s: Scan, i: int) -> Found[LocalStretch]:
    """Q3 2020, 2020 Q3, the third quarter of 2020, H2 2019, week 23 of 2027."""
    found = s.match(i, _PART_OF_YEAR)
    if found is None:
        return None
    said = found[0]
    number = next((int(said[name]) for name in ("before", "after", "of", "in") if said[name]), None)
    if said["week"]:
        return calendar.part_of_year(number or s.now.year, "week", int(said["week"])), found[1]
    count = int(said["n"]) if said["n"] else words.ORDINALS.get(said["o"].lower()) or int(said["o"][0])
    when = calendar.part_of_year(
        number or s.now.year, "half" if (said["part"] or "q").lower() == "h" else "quarter", count
    )
    return replace(when, cycle=None if number else "year"), found[1]
