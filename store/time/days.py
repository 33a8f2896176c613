"""A date is read only where the words can mean nothing else: "may", "march", "second", "sat" alone are no dates, and a
row of digits is one only in a form that nothing else has. Prices, versions, phone numbers and ratios stay unread."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

from store.time import calendar, words
from store.time.calendar import LocalStretch
from store.time.scan import Found, Scan, expand_year, integer, ordinal, year
from store.time.words import either

_EDGE = r"(?<![\w.,/$€£+#:])(?<![^/]\d-)(?<![^/\d]\d\d-)"
_TAIL = r"(?![\w/]|[.,:]\w|-(?!\d{1,2}/\d)\w)"
_START, _MONTH = r"(?<![\w.,/$€£+#])", either(words.MONTHS)
_FULL = tuple(re.compile(form, re.IGNORECASE) for form in (
    rf"{_START}(?P<y>\d{{4}})([-/.])(?P<m>\d\d?)\2(?P<d>\d\d?)(?=$|[^\d]|T\d)(?!\d|[-/]\d)",
    r"(?<!\d)(?<![\w.,$€£+#])(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?!\w|[.,]\d)",
    rf"{_START}(?P<m>\d\d?)\s?([-/])\s?(?P<d>\d\d?)\s?\2\s?(?P<y>\d{{4}}|\d\d)(?!\d|[/]\d|-\d+-)",
    rf"{_START}(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>\d{{4}}|\d\d)(?!\w|\.\d)",
    rf"{_START}(?P<d>\d\d?)([-/])(?P<m>{_MONTH})\2(?P<y>\d{{4}}|\d\d)(?!\w)",
    rf"{_START}(?P<y>\d{{4}})([-/])(?P<m>{_MONTH})\2(?P<d>\d\d?)(?!\w)",
    rf"(?<!\d-){_START}(?P<y>\d{{4}})[-/](?P<m>0?[1-9]|1[0-2])(?!\w|[-/.]\d)",
    rf"(?<!\d-){_START}(?P<m>0?[1-9]|1[0-2])[-/](?P<y>\d{{4}})(?!\w|[-/.]\d)",
))  # fmt: skip
_SHORT = re.compile(rf"{_EDGE}(\d{{1,2}})\s?([-/.])\s?(\d{{1,2}}){_TAIL}(?!\s*(?:%|percent|stars|points|cups?|inch))")
_DATE_SIGNS = frozenset(("on", "by", "since", "until", "till", "before", "after", "from", "to", "between", "through"))
_TO_DATE = re.compile(r"\s?[-–]\s?\d{1,2}/\d{1,2}(?![\w/])")
_STAMP = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?(?![\w:])", re.IGNORECASE
)
_MONTH_SIGNS = (
    words.PAST
    | words.FUTURE
    | words.PRESENT
    | words.EDGES.keys()
    | words.bag("in since until till by before after during between through throughout every each from")
)
_NEAR = {"today": 0, "tomorrow": 1, "tmr": 1, "tmrw": 1, "tomoz": 1, "yesterday": -1, "yest": -1, "yday": -1}
_NOW = re.compile(
    r"(?:(?:right |just )?now|at the moment|at the minute|at present|at this time|currently|asap|atm)\b", re.IGNORECASE
)
_NO_NOUN = words.bag(
    "this was has does is its his hers ours always perhaps besides towards sometimes afterwards unless "
    "yes plus minus across versus tues thurs starts ends begins opens comes goes feels seems looks works"
)
_OF_AGE = words.bag("turned turns turning turn is was be are were i'm he's she's")
_POSSESSIVES = words.bag("my our your his her their")
_BEFORE_DAY = words.bag("on until till by since before after between to from for booked due now")
"""What stands before a day without its article: "booked 17th", "moved to 26th"."""
_AFTER_DAY = words.bag(
    "at and to through thru until till for we i you he she they it in with because but or so when which is was if from"
)
_WEEKDAY_SIGNS = words.bag("on by until till since before after from every this - to or")
_NO_OTHER_WORD = words.bag("mon thu fri")
"""Short weekdays that are nothing else: who "sat at 9 tables" or "wed at 30" names no day."""


def full_date(s: Scan, i: int) -> Found[LocalStretch]:
    """2021-05-03, 5/3/2021, 3.5.2021, 31-Oct-74, 20210503, 2021-05."""
    word = s.word(i)
    if not word.isdecimal():
        return None
    for pattern in _FULL:
        match = pattern.match(s.text, s.toks[i].start)
        when = None if match is None else _date(match.groupdict())
        if match is not None and when is not None:
            return when, s.token_after(i, match.end())
    return None


def _date(said: dict[str, str]) -> LocalStretch | None:
    """A date or a month; day and month change places where that is the only way."""
    year, month = expand_year(int(said["y"])), words.MONTHS.get(said["m"].lower()) or int(said["m"])
    if "d" not in said:
        return calendar.unit_of(year, "month", month) if 1800 < year < 2200 else None
    day = int(said["d"])
    if month > 12:
        month, day = day, month
    try:
        return calendar.day_span(date(year, month, day))
    except ValueError:
        return None


def short_date(s: Scan, i: int) -> Found[LocalStretch]:
    """5/3 or 5-3 without a year: after a preposition or a weekday, or as the whole text; elsewhere it may be a
    ratio."""
    match = _SHORT.match(s.text, s.toks[i].start) if s.word(i).isdecimal() else None
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
    when = calendar.day_of_year(s.now.year, month, day)
    if sign == "." and not whole and calendar.settle(when, s.now, "nearest").start.weekday() != words.WEEKDAYS[named]:
        return None  # "Thursday, 10.15" and "Friday 3.10" have a time of day
    return when, j


def _is_date(s: Scan, i: int, j: int) -> bool:
    """Whether what stands around 5/3 says that it is a date: a preposition, a clock time, another end of a range."""
    before = s.word(i - 1)
    clock = s.word(j) in ("at", "@", "between", "from") and s.word(j + 1).isdecimal()
    listed = before in (",", "or", "and", "-") and s.word(i - 2).isdecimal() and s.word(i - 3) == "/"
    return before in _DATE_SIGNS or clock or listed or _TO_DATE.match(s.text, s.toks[j - 1].end) is not None


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


def simple_day(s: Scan, i: int) -> Found[LocalStretch]:
    """today, yesterday, the day after tomorrow, now."""
    j = s.skip(i, "the")
    if s.word(j) == "day" and s.word(j + 1) in ("before", "after") and s.word(j + 2) in _NEAR:
        step = 1 if s.word(j + 1) == "after" else -1
        return calendar.day_span((s.now + timedelta(days=_NEAR[s.word(j + 2)] + step)).date()), j + 3
    if s.word(i) in _NEAR:
        return calendar.day_span((s.now + timedelta(days=_NEAR[s.word(i)])).date()), i + 1
    found = s.match(i, _NOW)
    return None if found is None else (calendar.moment(s.now), found[1])


def month_led(s: Scan, i: int) -> Found[LocalStretch]:
    """May 3rd, May the 3rd, May 3 2021, May 2021, May '21, May."""
    month = words.MONTHS.get(s.word(i))
    if month is None:
        return None
    # A full stop belongs to a month in short ("Sept. 3"), and ends a sentence after others ("in May.").
    dotted = s.touches(i + 1) and len(s.word(i)) < 5 and s.word(i) not in ("may", "june", "july") and i + 2 < s.size
    j = s.skip(i + 1, ".") if dotted else i + 1
    dash = s.skip(j, "-", "/", ",")
    the = s.skip(dash, "the")
    day = ordinal(s, the)
    if day is None and s.word(the).isdecimal() and len(s.word(the)) < 3 and not _is_measure(s, the + 1):
        day = integer(s, the)
    found = with_year(s, month, *day) if day is not None else None
    if found is not None:
        return found
    of = s.skip(dash, "of", "in")
    named = year(s, of, short=of > dash)
    if named is not None and not (of == j and named[0] > 2200):
        return calendar.unit_of(named[0], "month", month), named[1]
    return (calendar.loose_month(s.now, month), j) if _is_month(s, i, j) else None


def with_year(s: Scan, month: int, day: int, j: int) -> Found[LocalStretch]:
    """A day and month with the year that may follow; without one it stays loose."""
    if not 1 <= day <= 31:
        return None
    dash = s.word(j) in ("-", "/") and not (s.touches(j) and s.touches(j + 1))
    k = j if dash else s.skip(s.skip(j, ",", ".", "-", "/", "of"), "of", "in")
    if s.word(k - 1) in ("in", "of") or s.word(j) != ".":
        dashed = s.word(j) == "-" and s.word(j - 2) == "-"
        named = year(s, k, short=dashed or s.word(j) == "of" or (k == j and not _clock_follows(s, k)))
        if named is None and s.word(j) == "," and s.word(k).isdecimal() and len(s.word(k)) == 2:
            counts = _clock_follows(s, k) or s.word(k + 1).isalpha()  # "4 January, 32 lakh"
            named = None if counts else (expand_year(int(s.word(k))), k + 1)
        if named is not None:
            return calendar.day_span(date(named[0], month, day)), named[1]
    return calendar.day_of_year(s.now.year, month, day), j


def _clock_follows(s: Scan, i: int) -> bool:
    return s.word(i + 1) in (":", "am", "pm", "a", "p", "-", "h", "o'clock", "oclock", "to", ".") or _is_measure(
        s, i + 1
    )


def _is_measure(s: Scan, i: int) -> bool:
    """Whether a number before this place counts something: "May 5 people", "April, 13 yr old", "March 5 of us"."""
    word = s.word(i)
    if word == "of":
        return s.word(i + 1) in ("us", "them", "you", "my", "our", "the", "these", "those")
    if word in ("%", "percent", "people", "yo") or word in words.UNITS or (word == ":" and s.touches(i)):
        return True
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "'s"))
    return plural and not (s.toks[i].capital or word in _NO_NOUN)


def _is_month(s: Scan, i: int, j: int) -> bool:
    """Whether a sign says that a word alone, which ends before j, is meant as a month."""
    word, previous = s.word(i), s.word(i - 1)
    if word in words.CLEAR_MONTHS:
        return True
    whole = i == 0 and j == s.size
    joined = previous in ("-", "and", "or", "to", "/") and (
        s.word(i - 2) in words.CLEAR_MONTHS
        or (s.word(i - 2) in words.MONTHS and (s.word(i - 3) in _MONTH_SIGNS or previous in ("-", "to")))
    )
    if len(word) < 4 and word != "may":
        return (whole and s.size > 1) or previous in _MONTH_SIGNS or joined or s.word(j) in ("-", "to")
    if word == "may" and previous == "this":  # "this may take longer"
        return not s.word(j).isalpha() or s.word(j) in ("we", "i", "in", "at")
    if word == "may" and (s.word(i - 2) == "may" or s.word(j) in ("or", "not")):
        return False
    ranged = s.word(j) in ("to", "-", "through") and s.word(j + 1) in words.MONTHS
    then = previous in ("was", "were") and not s.word(j).isalpha()  # "281 was March"
    subject = s.toks[i].capital and word in ("march", "april", "august") and s.word(j) in ("was", "is", "will", "has")
    of_year = s.word(j) == "in" and words.UNITS.get(s.word(j + 2)) == "year"
    return whole or previous in _MONTH_SIGNS or joined or ranged or of_year or then or subject


def year_led(s: Scan, i: int) -> Found[LocalStretch]:
    """2024/August, 2017 April."""
    named = year(s, i) if s.word(i).isdecimal() else None
    if named is None:
        return None
    j = s.skip(named[1], "-", "/", ",")
    month = words.MONTHS.get(s.word(j))
    return None if month is None else (calendar.unit_of(named[0], "month", month), j + 1)


def day_led(s: Scan, i: int) -> Found[LocalStretch]:
    """3 May 2021, the 3rd of May, the 24th, the 20th of next month, 31-Oct-74."""
    the = s.skip(i, "the")
    ordered = ordinal(s, the)
    number = ordered or (integer(s, the) if s.word(the) != "zero" else None)
    if number is None or not 1 <= number[0] <= 31:
        return None
    day, j = number
    k = s.skip(s.skip(j, "-", "/", "day", "."), "of", ",", "in", "-")
    month = words.MONTHS.get(s.word(k))
    spelled = ordered is None and not s.word(the).isdecimal()
    if ordered and s.word(i - 1) in _POSSESSIVES and s.word(j) != "of" and s.word(j) not in words.MONTHS:
        return None  # "our 25th in June" is an anniversary, and "her 30th" a birthday
    if s.word(i - 1) in ("$", "€", "£") or (spelled and s.word(k) in ("may", "march")):
        return None
    if ordered is None and s.word(k - 1) == "in" and (spelled or s.word(i - 1) in _OF_AGE):
        return None  # "turned four in August"
    if month is not None:
        dot = s.skip(k + 1, ".") if len(s.word(k)) < 5 and s.touches(k + 1) and s.word(k + 2).isdecimal() else k + 1
        return with_year(s, month, day, dot)
    if s.word(k - 1) == "of" and k > j:
        named = host(s, k, "month")
        if named is not None:
            return calendar.day_span(named[0].start.replace(day=day).date()), named[1]
    return (calendar.day_of_month(s.now, day), j) if (ordered or the > i) and _is_day(s, i, the, j) else None


def host(s: Scan, i: int, grain: str) -> Found[LocalStretch]:
    """this month, the month, last week; "the week" alone names none."""
    the = s.skip(i, "the", "this")
    step = words.STEPS.get(s.word(the))
    place = the if step is None else the + 1
    if s.word(place) not in (grain, f"{grain}'s") or (grain == "week" and step is None and s.word(i) != "this"):
        return None
    return calendar.unit_near(s.now, grain, step or 0), place + 1


def _is_day(s: Scan, i: int, the: int, j: int) -> bool:
    """Whether a number from `i` to `j` (behind its article from `the`) names a day: "the 24th", "the 24" at the end;
    not "the 2nd time", "the 90s"."""
    if s.word(j) in ("s", "'s", "/", "%", ".") and s.touches(j) and s.word(j + 1).isdecimal():
        return False
    spelled, last = not s.word(the).isdecimal(), j >= s.size
    comma = s.word(i - 1) in (",", ".")
    if s.word(i - 1) in words.WEEKDAYS or (comma and s.word(i - 2) in words.WEEKDAYS):  # "Tuesday the 4th"
        return not (spelled and the == i and s.word(i - 1) == ",")
    if the == i and s.word(i - 1) not in _BEFORE_DAY:
        return False
    if spelled:  # "we moved on the first."
        return the > i and s.word(i - 1) == "on" and (last or s.word(j) in (".", ",", "!", ";"))
    if not (last or not s.word(j)[0].isalnum() or s.word(j) in _AFTER_DAY) or (s.word(j) == "-" and s.touches(j)):
        return False
    return last or s.word(j - 1) in words.SUFFIXES or s.word(j) in (".", "!", "?", ",", "at")


def weekday_led(s: Scan, i: int) -> Found[LocalStretch]:
    """Friday; Tuesday the 19th; Tuesday, 3 May; Friday of next week."""
    word = s.word(i)
    weekday = words.WEEKDAYS.get(word)
    if weekday is None or word.endswith("days"):
        return None
    j = s.skip(i + 1, ".") if len(word) < 6 and s.touches(i + 1) and (i + 2 < s.size or i == 0) else i + 1
    for rule in (full_date, short_date, month_led, day_led):
        found = rule(s, s.skip(j, ",", "-", "("))
        if found is not None and found[0].grain == "day":
            return named_day(s, weekday, found, i)
    number = int(s.word(j)) if s.word(j).isdecimal() and len(s.word(j)) == 2 else 0
    if 12 < number <= 31 and s.word(j + 1) not in (":", "-", ".") and not _is_measure(s, j + 1):
        loose = calendar.day_span(date(s.now.year - s.now.year % 4, 1, number), "month")
        return named_day(s, weekday, (loose, j + 1), i)
    week = host(s, s.skip(s.skip(j, ",", "-"), "of", "in", "from", "on"), "week")
    if week is not None:
        return calendar.day_span((week[0].start + timedelta(days=weekday)).date()), week[1]
    if not _is_weekday(s, i, j):
        return None
    return calendar.day_span(s.now.date() + timedelta(days=weekday - s.now.weekday()), "week"), j


def named_day(s: Scan, weekday: int, found: tuple[LocalStretch, int], i: int) -> Found[LocalStretch]:
    """A date that names its weekday too: the weekday picks the month or year that was left open."""
    when, j = found[0], s.skip(found[1], ")")
    if when.cycle == "month":
        day = calendar.on_weekday(when, weekday, s.now, s.prefers(i))
        return None if day is None else (day, j)
    if when.cycle == "year":
        first, step = calendar.settle(when, s.now, s.prefers(i)), -1 if s.prefers(i) == "past" else 1
        for moved in (calendar.shift(first, cycles) for cycles in (0, step, 2 * step)):
            if moved is not None and moved.start.weekday() == weekday:
                return replace(moved, cycle=None), j
    return when, j


def _is_weekday(s: Scan, i: int, j: int) -> bool:
    """Whether a weekday alone is meant as one: in full, or with a sign."""
    word = s.word(i)
    if word in words.CLEAR_WEEKDAYS or (i == 0 and j == s.size) or s.word(i - 1) in _WEEKDAY_SIGNS:
        return True
    sure = s.toks[i].capital or word in _NO_OTHER_WORD or s.word(j + 1) in (":", "am", "pm")
    return sure and (s.word(j) in words.PARTS or s.word(j) in ("at", "@", "-") or s.word(j).isdecimal())
