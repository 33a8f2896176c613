"""A row of digits is a date or a clock only in a form that nothing else has: prices, versions, phone numbers, scores
and ratios stay unread."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import cache

from store.time import words
from store.time.calendar import LocalStretch, day_of_year, day_span, month_span, settle
from store.time.scan import Found, Scan, expand_year
from store.time.words import either

_EDGE = r"(?<![\w.,/$€£+#:])(?<![^/]\d-)(?<![^/\d]\d\d-)"
_TAIL = r"(?![\w/]|[.,:]\w|-(?!\d{1,2}/\d)\w)"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    start, month = r"(?<![\w.,/$€£+#])", either(words.MONTHS)
    forms = (
        rf"{start}(?P<y>\d{{4}})([-/.])(?P<m>\d\d?)\2(?P<d>\d\d?)(?=$|[^\d]|T\d)(?!\d|[-/]\d)",
        r"(?<!\d)(?<![\w.,$€£+#])(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?!\w|[.,]\d)",
        rf"{start}(?P<m>\d\d?)\s?([-/])\s?(?P<d>\d\d?)\s?\2\s?(?P<y>\d{{4}}|\d\d)(?!\d|[/]\d|-\d+-)",
        rf"{start}(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>\d{{4}}|\d\d)(?!\w|\.\d)",
        rf"{start}(?P<d>\d\d?)([-/])(?P<m>{month})\2(?P<y>\d{{4}}|\d\d)(?!\w)",
        rf"{start}(?P<y>\d{{4}})([-/])(?P<m>{month})\2(?P<d>\d\d?)(?!\w)",
        rf"(?<!\d-){start}(?P<y>\d{{4}})[-/](?P<m>0?[1-9]|1[0-2])(?!\w|[-/.]\d)",
        rf"(?<!\d-){start}(?P<m>0?[1-9]|1[0-2])[-/](?P<y>\d{{4}})(?!\w|[-/.]\d)",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def full_date(s: Scan, i: int) -> Found[LocalStretch]:
    """2021-05-03, 5/3/2021, 3.5.2021, 31-Oct-74, 20210503, 2021-05."""
    word = s.word(i)
    if not word.isdecimal():
        return None
    for pattern in _patterns():
        match = pattern.match(s.text, s.toks[i].start)
        when = None if match is None else _dated(match.groupdict())
        if match is not None and when is not None:
            return when, s.token_after(i, match.end())
    return None


def _dated(said: dict[str, str]) -> LocalStretch | None:
    """A date or a month; day and month change places where that is the only way."""
    year, month = expand_year(int(said["y"])), words.MONTHS.get(said["m"].lower()) or int(said["m"])
    if "d" not in said:
        return month_span(year, month) if 1800 < year < 2200 else None
    day = int(said["d"])
    if month > 12:
        month, day = day, month
    try:
        return day_span(date(year, month, day))
    except ValueError:
        return None


@cache
def _short() -> re.Pattern[str]:
    return re.compile(rf"{_EDGE}(\d{{1,2}})\s?([-/.])\s?(\d{{1,2}}){_TAIL}(?!\s*(?:%|percent|stars|points|cups?|inch))")


_DATE_SIGNS = frozenset(("on", "by", "since", "until", "till", "before", "after", "from", "to", "between", "through"))
_TO_DATE = re.compile(r"\s?[-–]\s?\d{1,2}/\d{1,2}(?![\w/])")


def short_date(s: Scan, i: int) -> Found[LocalStretch]:
    """5/3 or 5-3 without a year: after a preposition or a weekday, or as the whole text; elsewhere it may be a
    ratio."""
    match = _short().match(s.text, s.toks[i].start) if s.word(i).isdecimal() else None
    if match is None:
        return None
    j, sign = s.token_after(i, match.end()), match[2]
    named = s.word(i - 2 if s.word(i - 1) in (",", ".", "(") else i - 1)
    whole = i == 0 and j == s.size
    of_week = named in words.WEEKDAYS and sign != "-"
    if not (of_week or (whole and sign != ".") or (sign == "/" and _is_date(s, i, j))):
        return None
    month, day = int(match[1]), int(match[3])
    if month > 12 or sign == ".":
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    when = day_of_year(s.now.year, month, day)
    if sign == "." and not whole and settle(when, s.now, "nearest").start.weekday() != words.WEEKDAYS[named]:
        return None  # "Thursday, 10.15" and "Friday 3.10" have a time of day
    return when, j


def _is_date(s: Scan, i: int, j: int) -> bool:
    """Whether what stands around 5/3 says that it is a date: a preposition, a clock time, another end of a range."""
    before = s.word(i - 1)
    clock = s.word(j) in ("at", "@", "between", "from") and s.word(j + 1).isdecimal()
    listed = before in (",", "or", "and", "-") and s.word(i - 2).isdecimal() and s.word(i - 3) == "/"
    return before in _DATE_SIGNS or clock or listed or _TO_DATE.match(s.text, s.toks[j - 1].end) is not None


_STAMP = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?(?![\w:])", re.IGNORECASE
)


def stamp(s: Scan, i: int) -> Found[LocalStretch]:
    """2021-05-03T14:30:00+02:00 and its shorter forms, moved into the zone of the speaker."""
    found = s.match(i, _STAMP)
    if found is None:
        return None
    match, j = found
    moment = datetime.fromisoformat(f"{match[1]}T{match[2]}{(match[3] or '').upper()}")
    shift = moment.utcoffset()
    if shift is not None:
        moment = moment.replace(tzinfo=None) + timedelta(seconds=s.utc_offset) - shift
    return LocalStretch(moment, moment + timedelta(seconds=60 if match[2].count(":") == 1 else 1), "minute"), j
