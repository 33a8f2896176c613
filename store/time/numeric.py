"""A row of digits is a date or a clock only in a form that nothing else has: prices, versions, phone numbers, scores
and ratios stay unread."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import cache

from store.time import words
from store.time.calendar import LocalStretch, day_span, month_span
from store.time.scan import Found, Scan, expand_year

_EDGE = r"(?<![\w.,/$€£+#:])(?<![^/]\d-)(?<![^/\d]\d\d-)"
_TAIL = r"(?![\w/]|[.,:]\w|-(?!\d{1,2}/\d)\w)"


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    month = "|".join(sorted((word for word in words.MONTHS), key=len, reverse=True))
    start = r"(?<![\w.,/$€£+#])"
    forms = (
        ("ymd", rf"{start}(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}})(?=$|[^\d]|T\d)(?!\d|[-/]\d)"),
        ("compact", r"(?<!\d)(?<![\w.,$€£+#])((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\w|[.,]\d)"),
        ("mdy", rf"{start}(\d{{1,2}})\s?([-/])\s?(\d{{1,2}})\s?\2\s?(\d{{4}}|\d\d)(?!\d|[/]\d|-\d+-)"),
        ("dmy", rf"{start}(\d{{1,2}})\.(\d{{1,2}})\.(\d{{4}}|\d\d)(?!\w|\.\d)"),
        ("named", rf"{start}(\d{{1,2}})([-/])({month})\2(\d{{4}}|\d\d)(?!\w)"),
        ("named_first", rf"{start}(\d{{4}})([-/])({month})\2(\d{{1,2}})(?!\w)"),
        ("ym", rf"(?<!\d-){start}(\d{{4}})[-/](0?[1-9]|1[0-2])(?!\w|[-/.]\d)"),
        ("my", rf"(?<!\d-){start}(0?[1-9]|1[0-2])[-/](\d{{4}})(?!\w|[-/.]\d)"),
    )
    return tuple((name, re.compile(form, re.IGNORECASE)) for name, form in forms)


def full_date(s: Scan, i: int) -> Found[LocalStretch]:
    """2021-05-03, 5/3/2021, 3.5.2021, 31-Oct-74, 20210503, 2021-05."""
    word = s.word(i)
    if not word.isdecimal():
        return None
    for name, pattern in _patterns():
        match = pattern.match(s.text, s.toks[i].start)
        if match is None:
            continue
        when = _dated(name, match)
        if when is not None:
            return when, s.token_after(i, match.end())
    return None


def _dated(name: str, match: re.Match[str]) -> LocalStretch | None:
    if name in ("ym", "my"):
        year, month = (int(match[1]), int(match[2])) if name == "ym" else (int(match[2]), int(match[1]))
        return month_span(year, month) if 1800 < year < 2200 else None
    try:
        return day_span(_ymd(name, match))
    except ValueError:
        return None


def _ymd(name: str, match: re.Match[str]) -> date:
    if name == "ymd":
        return date(int(match[1]), int(match[3]), int(match[4]))
    if name == "compact":
        return date(int(match[1]), int(match[2]), int(match[3]))
    if name == "named":
        return date(expand_year(int(match[4])), words.MONTHS[match[3].lower()], int(match[1]))
    if name == "named_first":
        return date(int(match[1]), words.MONTHS[match[3].lower()], int(match[4]))
    if name == "dmy":
        return _day_first(int(match[1]), int(match[2]), expand_year(int(match[3])))
    first, second, year = int(match[1]), int(match[3]), expand_year(int(match[4]))
    if first > 12:
        return date(year, second, first)
    return date(year, first, second)


def _day_first(day: int, month: int, year: int) -> date:
    return date(year, day, month) if month > 12 else date(year, month, day)


@cache
def _short() -> re.Pattern[str]:
    return re.compile(rf"{_EDGE}(\d{{1,2}})\s?([-/.])\s?(\d{{1,2}}){_TAIL}(?!\s*(?:%|percent|stars|points|cups?|inch))")


_DATE_SIGNS = frozenset(("on", "by", "since", "until", "till", "before", "after", "from", "to", "between", "through"))


_TO_DATE = re.compile(r"\s?[-–]\s?\d{1,2}/\d{1,2}(?![\w/])")


def short_date(s: Scan, i: int) -> Found[LocalStretch]:
    """5/3 or 5-3 without a year: after a preposition or a weekday, or as the whole text; elsewhere it may be a
    ratio."""
    if not s.word(i).isdecimal():
        return None
    match = _short().match(s.text, s.toks[i].start)
    if match is None:
        return None
    j = s.token_after(i, match.end())
    previous = s.word(i - 1)
    after_day = previous in words.WEEKDAYS or (previous in (",", ".", "(") and s.word(i - 2) in words.WEEKDAYS)
    whole = i == 0 and j == s.size
    slash = match[2] == "/"
    ranged = (slash and _TO_DATE.match(s.text, match.end()) is not None) or (previous == "-" and s.word(i - 3) == "/")
    clock = slash and s.word(j) in ("at", "@", "between", "from") and s.word(j + 1).isdecimal()
    listed = slash and previous in (",", "or", "and", "-") and s.word(i - 2).isdecimal() and s.word(i - 3) == "/"
    if not (
        (after_day and match[2] != "-")
        or (whole and match[2] != ".")
        or (slash and previous in _DATE_SIGNS)
        or clock
        or listed
        or ranged
    ):
        return None
    month, day = int(match[1]), int(match[3])
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return day_span(_existing(s.now.year, month, day), "year"), j


def _existing(near: int, month: int, day: int) -> date:
    for step in range(9):
        try:
            return date(near - step, month, day)
        except ValueError:
            continue
    raise ValueError("no such day")


@cache
def _stamp() -> re.Pattern[str]:
    return re.compile(
        r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?(?![\w:])", re.IGNORECASE
    )


def stamp(s: Scan, i: int) -> Found[LocalStretch]:
    """2021-05-03T14:30:00+02:00 and its shorter forms, moved into the zone of the speaker."""
    match = _stamp().match(s.text, s.toks[i].start)
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(f"{match[1]}T{match[2]}")
    except ValueError:
        return None
    if match[3]:
        moment = shift_zone(s, moment, match[3])
    minute = match[2].count(":") == 1
    return LocalStretch(moment, moment + timedelta(seconds=60 if minute else 1), "minute"), s.token_after(
        i, match.end()
    )


def shift_zone(s: Scan, moment: datetime, zone: str) -> datetime:
    """A wall-clock time in a numeric zone as one in the speaker's."""
    if zone.upper() == "Z":
        seconds = 0
    else:
        digits = zone[1:].replace(":", "")
        seconds = (int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60) * (-1 if zone[0] == "-" else 1)
    return moment + timedelta(seconds=s.utc_offset - seconds)
