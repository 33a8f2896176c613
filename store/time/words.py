"""Every English word that means a time is in one of these tables, lower case; the rules hold no words of their own
beyond prepositions."""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class ScannedWord(NamedTuple):
    """One word, number or sign: lower case with straight apostrophes, and its place in the text."""

    word: str
    start: int
    end: int
    capital: bool


def bag(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def numbered(names: list[str], first: int = 0) -> dict[str, int]:
    """Each word of each entry with the number of its entry."""
    return {word: number for number, entry in enumerate(names, first) for word in entry.split()}


def meanings(text: str) -> dict[str, Any]:
    """ "a, b = x; c, d = 1..": each word, or words, and what it means; with two dots, counted up from there."""
    found = {}
    for entry in text.split(";"):
        names, _, meaning = entry.rpartition("=")
        for place, name in enumerate(names.split(",")):
            counted = int(meaning[:-2]) + place if meaning.endswith("..") else value_of(meaning.strip())
            found[" ".join(name.split())] = counted
    return found


def value_of(text: str) -> Any:
    """A number where the text is one."""
    number = re.fullmatch(r"-?\d+(\.\d+)?", text)
    return text if number is None else float(text) if number[1] else int(text)


_MONTH_NAMES = (
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sep sept",
    "october oct",
    "november nov",
    "december dec",
)
MONTHS = numbered(list(_MONTH_NAMES), 1)
CLEAR_MONTHS = bag("january february july september october november december")
"""Months whose full name is hardly ever anything else; the others need a sign that a month is meant."""

_WEEKDAY_NAMES = (
    "monday mon mondays",
    "tuesday tue tues tuesdays",
    "wednesday wed weds wednesdays",
    "thursday thu thur thurs thursdays",
    "friday fri fridays",
    "saturday sat saturdays",
    "sunday sun sundays",
)
WEEKDAYS = numbered(list(_WEEKDAY_NAMES))
CLEAR_WEEKDAYS = frozenset(word for word in WEEKDAYS if word not in ("mon", "wed", "sat", "sun", "thu", "fri"))

UNITS = {
    word: unit
    for unit, names in {
        "second": "second seconds sec secs",
        "minute": "minute minutes min mins",
        "hour": "hour hours hr hrs",
        "day": "day days",
        "weekend": "weekend weekends",
        "week": "week weeks wk wks",
        "fortnight": "fortnight fortnights",
        "month": "month months mo mos",
        "quarter": "quarter quarters qtr qtrs",
        "year": "year years yr yrs",
        "decade": "decade decades",
        "century": "century centuries",
    }.items()
    for word in names.split()
}
SHORT_UNITS = {"s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week", "y": "year"}
"""Read only when they touch their number ("3h")."""
NIGHTS = frozenset(("night", "nights"))

SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}
PARTS = {
    "morning": "morning",
    "mornings": "morning",
    "lunch": "lunch",
    "lunchtime": "lunch",
    "afternoon": "afternoon",
    "afternoons": "afternoon",
    "afternoonish": "afternoon",
    "evening": "evening",
    "evenings": "evening",
    "night": "night",
    "nights": "night",
    "night-time": "night",
    "nighttime": "night",
}

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
NUMBERS = {word: number for number, word in enumerate(_SMALL.split())}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {word: number * 10 for number, word in enumerate(_TENS.split(), 2)}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), 1)} | {"thirtieth": 30}
SUFFIXES = frozenset(("st", "nd", "rd", "th"))
DECADES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70} | {
    "eighties": 80,
    "nineties": 90,
}

PAST = frozenset(("last", "past", "previous", "prior", "preceding"))
FUTURE = frozenset(("next", "coming", "upcoming", "following"))
PRESENT = frozenset(("this", "current", "present"))
EDGES = {
    "early": "early",
    "beginning": "early",
    "start": "early",
    "mid": "mid",
    "middle": "mid",
    "late": "late",
    "end": "late",
    "earlier": "early",
    "later": "late",
}
ABOUT = frozenset(("about", "around", "approximately", "roughly", "circa", "nearly", "almost", "ca", "approx"))

ROLES = {
    "since": "since",
    "until": "until",
    "till": "until",
    "til": "until",
    "by": "until",
    "before": "before",
    "after": "after",
    "through": "until",
    "thru": "until",
}
FREQUENT = {
    "daily": "day",
    "nightly": "day",
    "everyday": "day",
    "hourly": "hour",
    "weekly": "week",
    "biweekly": "week",
    "bi-weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "bimonthly": "month",
    "bi-monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "annual": "year",
    "semiannually": "year",
    "semi-annually": "year",
    "semiannual": "year",
    "biannually": "year",
}
TIMES = {"once": 1.0, "one": 1.0, "twice": 2.0, "thrice": 3.0}

VAGUE_AMOUNTS = frozenset(("few", "several", "some", "many", "numerous"))
VAGUE = (
    ("the", "other", "day"),
    ("the", "other", "night"),
    ("the", "other", "week"),
    ("the", "other", "evening"),
    ("the", "other", "morning"),
    ("a", "while", "ago"),
    ("a", "while", "back"),
    ("some", "time", "ago"),
    ("sometime", "ago"),
    ("a", "long", "time", "ago"),
    ("not", "long", "ago"),
    ("long", "ago"),
    ("ages", "ago"),
    ("back", "then"),
    ("back", "in", "the", "day"),
    ("these", "days"),
    ("one", "of", "these", "days"),
    ("once", "upon", "a", "time"),
    ("a", "while", "now"),
    ("some", "day"),
    ("someday",),
    ("recently",),
    ("lately",),
    ("nowadays",),
    ("soon",),
    ("sometime", "soon"),
    ("eventually",),
    ("in", "a", "while"),
    ("for", "a", "while"),
    ("for", "ages"),
    ("in", "the", "past"),
    ("in", "the", "future"),
    ("in", "the", "near", "future"),
)
"""Word sequences that name a time without saying which."""
VAGUE_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _words in sorted(VAGUE, key=len, reverse=True):
    VAGUE_BY_FIRST.setdefault(_words[0], []).append(_words)

ZONES = {"utc": 0.0, "gmt": 0.0, "z": 0.0, "est": -5.0, "edt": -4.0, "cst": -6.0, "cdt": -5.0, "mst": -7.0} | {
    "mdt": -6.0,
    "pst": -8.0,
    "pdt": -7.0,
    "cet": 1.0,
    "cest": 2.0,
    "bst": 1.0,
    "jst": 9.0,
}
