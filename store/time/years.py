"""Four digits are a year only with a sign that they are: a preposition, the word, or nothing else in the text."""

from __future__ import annotations

from dataclasses import replace

from store.time import words
from store.time.calendar import LocalStretch, decade_of, part_of_year, year_span
from store.time.scan import Found, Scan, ordinal, year

_YEAR_SIGNS = words.bag(
    "in since until till of from to by before after during around year year's for about circa through between between "
    "than early late mid back and or = - – ~"
)


def bare_year(s: Scan, i: int) -> Found[LocalStretch]:
    """in 2021, the year 2021, 2021 as the whole text; a number without such a sign is no year."""
    j = i
    if s.word(i - 1) == "new":
        return None
    if s.word(s.skip(i, "the", "calendar")) in ("year", "cy"):
        k = s.skip(s.skip(s.skip(i, "the", "calendar"), "year"), "of")
        named = year(s, k, short=False)
        return (year_span(named[0]), named[1]) if named else None
    named = year(s, j)
    if named is None or not (1200 <= named[0] <= 2200):
        return None
    whole = i == 0 and named[1] >= s.size - 1 and s.size <= 2
    if s.word(i - 1) in ("-", "–") and (len(s.word(i - 2)) != 4 or (s.touches(i - 2) and s.word(i - 3) == "-")):
        return None
    said = s.word(i - 1) in _YEAR_SIGNS or (s.word(i - 1) in ("(", ",") and s.word(named[1]) in (")", ","))
    verb = s.word(named[1]) in ("was", "will", "is", "has") and (i == 0 or not s.word(i - 1).isalnum())
    if s.word(named[1]) in ("-", "–", "to", "through", "until", "~") and year(s, named[1] + 1) is not None:
        verb = True
    if not (whole or said or verb) or _counts_things(s, i, named[1]):
        return None
    return year_span(named[0]), named[1]


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


_UNITS_OF_MEASURE = words.bag(
    "steps km kg calories kcal words miles people dollars euros pounds meters metres m g ml % ft"
)
_AFTER_YEAR = words.bag(
    "and or to until till i we he she they it in on at the my but when because which that who with "
    "was is had has as for if so "
    "through by before after then until there you me from of also still"
)


def decade(s: Scan, i: int) -> Found[LocalStretch]:
    """the 90s, the 1990s, the nineties, the early 90s (with `edge`)."""
    the = s.skip(i, "the")
    apostrophe = s.skip(the, "'", "’", "‘")
    word = s.word(apostrophe)
    if (
        word in words.DECADES
        and (the > i or s.word(i - 1) in words.EDGES)
        and s.word(i - 1) not in ("my", "his", "her", "their")
    ):
        return decade_of(1900 + words.DECADES[word]), apostrophe + 1
    if not word.isdecimal() or len(word) not in (2, 4) or word[-1] != "0":
        return None
    tail = apostrophe + 1
    if s.word(tail) == "'" and s.touches(tail):
        tail += 1
    if s.word(tail) != "s" or not s.touches(tail):
        return None
    bare = the == i and apostrophe == the and s.word(i - 1) not in ("early", "late", "mid", "in", "-")
    if len(word) == 2 and bare:
        return None
    return decade_of(int(word)), tail + 1


def quarter(s: Scan, i: int) -> Found[LocalStretch]:
    """Q3 2020, 2020 Q3, the third quarter of 2020, H2 2019, week 23 of 2027."""
    named = year(s, i)
    j = s.skip(named[1], "-") if named else i
    letter = s.word(j)
    if (
        letter in ("q", "h")
        and s.touches(j + 1)
        and s.word(j + 1) in ("1", "2", "3", "4")
        and s.touches(j) | (j == i) | (named is not None)
    ):
        later = year(s, s.skip(s.skip(j + 2, "-"), "of")) if named is None else None
        place = named or later
        return _part_of_year(s, letter, int(s.word(j + 1)), place[0] if place else None), later[1] if later else j + 2
    return _nth_quarter(s, i) or _week_number(s, i)


def _part_of_year(s: Scan, letter: str, count: int, number: int | None) -> LocalStretch:
    when = part_of_year(number or s.now.year, "quarter" if letter == "q" else "half", count)
    return replace(when, cycle=None if number else "year")


def _nth_quarter(s: Scan, i: int) -> Found[LocalStretch]:
    """the third quarter, the 1st quarter of 2013."""
    count = ordinal(s, s.skip(i, "the"))
    if count is None or not 1 <= count[0] <= 4 or s.word(count[1]) not in ("quarter", "qtr"):
        return None
    named = year(s, s.skip(s.skip(count[1] + 1, ","), "of", "in"))
    return _part_of_year(s, "q", count[0], named[0] if named else None), named[1] if named else count[1] + 1


def _week_number(s: Scan, i: int) -> Found[LocalStretch]:
    j = s.skip(i, "the")
    if s.word(j) != "week" or not s.word(j + 1).isdecimal() or not 1 <= int(s.word(j + 1)) <= 53:
        return None
    later = year(s, s.skip(j + 2, "of", ",", "in"))
    when = part_of_year(later[0] if later else s.now.year, "week", int(s.word(j + 1)))
    return when, later[1] if later else j + 2
