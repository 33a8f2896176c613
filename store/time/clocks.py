"""A number is a time of day only with a sign of one: a colon, am or pm, "o'clock", "at", or a part of the day."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from store.time import days, words
from store.time.calendar import PART_HOURS, LocalStretch, add, midnight
from store.time.scan import Found, Scan, integer
from store.time.words import either

_FIRST = words.NUMBERS.keys() | words.TENS.keys() | words.bag("the a half quarter noon midday midnight noonish mid")
"""The words with which a clock time can begin."""
_NOON = re.compile(
    r"(?:(?:the |12 )?(?:(?P<noon>noon(?:ish)?|midday)|midnight)|mid[- ](?:(?P<day>day)|night))\b", re.IGNORECASE
)
_BEFORE_HALF = words.bag("at @ about around till until")  # before "half two", which is British for half past two
_PAST_TO = re.compile(
    rf"(?:(?P<a>a )?(?P<part>half|quarter)|{either(words.NUMBERS, words.TENS, digits=True)}(?P<clear> min(?:ute)?s?)?)"
    r" (?P<sign>past|to|till|of|after|before)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    rf"(?P<h>\d\d?(?!\d)|{either(words.NUMBERS, ['twenty'])}\b(?!-))(?:(?P<sign>[:.h])(?P<mi>[0-5]\d)(?!\d)"
    r"(?::(?P<s>[0-5]\d)(?!\d))?|(?P<sure>ish\b| ?o['’]?clock\b)|(?P<hours>h\b)|\.(?=[ap]m?\b))?",
    re.IGNORECASE,
)
_FIRST_HOUR = 5  # hours below which "2h11" is a length of time, unless a word says otherwise
_BEFORE_AN_HOUR = words.bag("at from until till by to since around about à um")
_COUNTED = words.bag(
    "% percent points people degrees km miles kg euros dollars years year months weeks days hours "
    "minutes least most first last "
    "the a my this that all once"
)
_HALF = re.compile(
    r"(?P<ap>[ap])(?:m\b|\.m\b\.?)|(?<=\d)(?P<short>[ap])\b|(?:in|at) (?:the )?(?P<the>[ap])m\b|ampm\b", re.IGNORECASE
)


def at_time(s: Scan, hour: int, minute: int = 0, second: int = 0, grain: str = "minute") -> LocalStretch:
    """A clock time of the day of saying, loose by days."""
    start = midnight(s.now.date()) + timedelta(hours=hour, minutes=minute, seconds=second)
    return LocalStretch(start, add(start, 1, grain), grain, "day")


def clock(s: Scan, i: int, *, bare: bool = False) -> Found[LocalStretch]:
    """9:30, 7pm, 19h30, half past three, noon, 8 o'clock; "at 6" and, if `bare`, "6"."""
    j = s.skip(s.skip(i, "at", "@", "for"), "about", "around", "exactly")
    if days.full_date(s, j) is not None if s.word(j).isdecimal() else s.word(j) not in _FIRST:
        return None
    found = _spoken(s, j) or _digits(s, j, bare=bare or (j > i and s.word(j - 1) in ("at", "@", "around", "about")))
    if found is None:
        return None
    hedged = j > i and s.word(j - 1) in ("for", "about", "around") and s.word(j - 2) not in ("at", "@")
    if hedged and not bare and found[0].half_day and found[0].grain != "minute":
        return None
    when, k = _with_part(s, *found)
    zone = s.word(k)
    if zone not in words.ZONES or (zone == "z" and not s.touches(k)):
        return when, k
    return moved(when, s.utc_offset / 3600 - words.ZONES[zone]), k + 1


def _spoken(s: Scan, i: int) -> Found[LocalStretch]:
    noon = s.match(i, _NOON)
    if noon is not None:
        return at_time(s, 12 if noon[0]["noon"] or noon[0]["day"] else 0, grain="hour"), noon[1]
    half = integer(s, i + 1) if s.word(i) == "half" and s.word(i - 1) in _BEFORE_HALF else None
    if half is not None and 1 <= half[0] <= 12 and s.word(half[1]) not in words.UNITS:
        return replace(at_time(s, half[0] % 24, 30), half_day=True), half[1]
    return _past_to(s, i) or _hour_words(s, i)


def _past_to(s: Scan, i: int) -> Found[LocalStretch]:
    """half past three, quarter to nine, twenty past eight, 10 minutes to 2pm, ten to midnight."""
    found = s.match(i, _PAST_TO)
    noon = s.match(found[1], _NOON) if found is not None else None
    if found is None:
        return None
    hour = _spoken(s, found[1]) if noon is not None else _digits(s, found[1], bare=True)
    if hour is None:
        return None
    said, sign = found[0], found[0]["sign"].lower()
    number = integer(s, i)
    minutes = {"half": 30, "quarter": 15}.get((said["part"] or "").lower()) or (number[0] if number else 0)
    clear = said["part"] or said["clear"] or sign == "past"
    if not 0 < minutes < 60 or not (clear or (not hour[0].half_day and (sign != "to" or noon is not None))):
        return None
    if sign not in ("past", "to") and ((said["part"] or "").lower() != "quarter" or (sign == "of" and not said["a"])):
        return None
    start = hour[0].start + timedelta(minutes=minutes if sign in ("past", "after") else -minutes)
    return replace(hour[0], start=start, end=start + timedelta(minutes=1), grain="minute"), hour[1]


def _hour_words(s: Scan, i: int) -> Found[LocalStretch]:
    """five thirty, ten-thirty, twelve oh three; eight o'clock goes through `_digits`."""
    hour = integer(s, i) if not s.word(i).isdecimal() else None
    if hour is None or not 1 <= hour[0] <= 12 or hour[1] != i + 1:
        return None
    j = s.skip(hour[1], "-")
    zero = s.skip(j, "oh", "o", "zero")
    spelled = s.skip(zero, "-")
    minute = integer(s, spelled) if not s.word(spelled).isdecimal() else None
    if minute is None or (zero == j and minute[0] < 10) or minute[0] > 59 or s.word(minute[1]) in words.UNITS:
        return None
    before = s.word(i - 1)
    signed = before in ("at", "from", "to", "until", "till", "by", "-") or zero > hour[1]
    whole = i == 0 and minute[1] == s.size
    if not (signed or whole or before in words.ORDINALS or before in words.WEEKDAYS):
        return None
    return _meridian(s, replace(at_time(s, hour[0] % 24, minute[0]), half_day=True), minute[1])


def _digits(s: Scan, i: int, *, bare: bool) -> Found[LocalStretch]:
    """9:30, 9:30:15, 19h30, 15h, 2.30pm, 7pm, 8 o'clock; "6" only if `bare`."""
    found = s.match(i, _CLOCK)
    if found is None:
        return _military(s, i) if bare or s.word(i + 1) in ("pm", "am", "p") else None
    said, j = found
    text = said["h"].lower()
    number = int(text) if text.isdecimal() else words.NUMBERS.get(text, 20)
    if (said["sign"] or "").lower() == "h" and number < _FIRST_HOUR and s.word(i - 1) not in _BEFORE_AN_HOUR:
        return None  # "ran 24k today, 2h11"
    if number > 24 or (s.touches(i) and said["sign"] and s.word(i - 1) in (":", ".", "/", "$", "€")):
        return None
    grain = "second" if said["s"] else "minute" if said["mi"] else "hour"
    open_half = 1 <= number <= 12 and (not said["mi"] or len(text) == 1 or number > 9)
    when = at_time(s, number % 24, int(said["mi"] or 0), int(said["s"] or 0), grain)
    half = _meridian(s, replace(when, half_day=open_half), j)
    if half is None or half[1] > j:
        return half
    if said["sign"]:
        return None if _no_minutes(s, i, j, said["sign"]) else half
    if said["hours"]:
        hours = number > 12 or s.word(j) in words.ZONES or s.word(i - 1) == "-"
        return (at_time(s, number % 24), j) if hours else None
    return _hour_alone(s, i, j, half[0], bare or said["sure"] is not None)


def _no_minutes(s: Scan, i: int, j: int, sign: str) -> bool:
    """Whether two numbers with a sign between them are a decimal, a share or a measure."""
    if sign == "." and (s.word(i - 1) not in ("at", "@") or _is_count(s, j)):
        return True
    return s.word(j) in ("%", "percent", "/") or (s.touches(j) and s.word(j) in (":", "km", "kg"))


def _hour_alone(s: Scan, i: int, j: int, when: LocalStretch, bare: bool) -> Found[LocalStretch]:
    """An hour without minutes: "8 in the evening", "at 6 30", "at 6"."""
    if s.touches(j) and (
        s.word(j)[:1].isalnum() or (s.word(j) in (".", ",") and s.touches(j + 1) and s.word(j + 1).isdecimal())
    ):
        return None
    if s.word(i - 1) in ("at", "@") and s.word(j).isdecimal() and len(s.word(j)) == 2 and int(s.word(j)) < 60:
        return replace(at_time(s, when.start.hour, int(s.word(j))), half_day=when.half_day), j + 1
    told = _with_part(s, when, j)
    return told if told[1] > j or (bare and not _is_count(s, j)) else None


def _military(s: Scan, i: int) -> Found[LocalStretch]:
    """ "at 1030", "330 p.m.", "0730-0930"."""
    word, before, after = s.word(i), s.word(i - 1), s.word(i + 1)
    if not word.isdecimal() or len(word) not in (3, 4) or int(word[-2:]) > 59 or int(word[:-2]) > 23:
        return None
    if _is_count(s, i + 1) or (1900 <= int(word) < 2100 and before not in ("at", "@")):
        return None
    ranged = s.word(i - 2).isdecimal() and len(s.word(i - 2)) == 4 and s.word(i - 3) in ("between", "from")
    signed = ranged or before in words.bag("at @ from between until till by before after")
    if not signed and after not in ("am", "pm", "p", "a"):
        return None
    if s.touches(i + 1) and after in (",", ".") and s.touches(i + 2) and s.word(i + 2).isdecimal():
        return None
    when = replace(at_time(s, int(word[:-2]), int(word[-2:])), half_day=1 <= int(word[:-2]) <= 12)
    return _meridian(s, when, i + 1)


def _is_count(s: Scan, j: int) -> bool:
    """Whether the number before `j` counts a thing ("at 10 percent", "at 3 places")."""
    word = s.word(j)
    plural = word.isalpha() and len(word) > 3 and word.endswith("s") and word not in ("this", "tues", "thurs")
    return word in _COUNTED or plural


def _meridian(s: Scan, when: LocalStretch, j: int) -> Found[LocalStretch]:
    """am and pm in their spellings; the time is no longer open by half a day then."""
    found = s.match(j, _HALF)
    if found is None:
        return when, j
    if found[0].lastgroup is None:
        return when, found[1]
    letter, hour = found[0][found[0].lastgroup].lower(), when.start.hour
    if hour > 12:
        return None
    return moved(when, 12 if letter == "p" and hour < 12 else -12 if letter == "a" and hour == 12 else 0), found[1]


def moved(when: LocalStretch, hours: float) -> LocalStretch:
    """A clock time so many hours later, now certain of its half of the day."""
    step = timedelta(hours=hours)
    return replace(when, start=when.start + step, end=when.end + step, half_day=False)


def _with_part(s: Scan, when: LocalStretch, j: int) -> tuple[LocalStretch, int]:
    """ "8 o'clock in the evening", "one at night", "3 in the morning"."""
    k = s.skip(s.skip(s.skip(j, "in", "at"), "the"), "early", "late")
    part = words.PARTS.get(s.word(k))
    if part is None or part == "lunch" or k == j or s.word(k).endswith("s"):
        return when, j
    return to_part(when, part), k + 1


def to_part(when: LocalStretch, part: str) -> LocalStretch:
    """A clock time without am or pm, placed in a part of the day."""
    if not when.half_day:
        return when
    hour = when.start.hour
    if hour == 12 and part in ("night", "morning"):
        return moved(when, -12 if part == "morning" else 0)
    later = (part in ("afternoon", "evening") and hour < 12) or (part == "night" and 5 < hour < 12)
    return moved(when, 12 if later else 0)


def part_span(day: datetime, part: str, edge: str = "") -> LocalStretch:
    """The hours of a part of a day; "early" and "late" take half of them."""
    first, last = PART_HOURS[part]
    middle = (first + last) / 2
    start = timedelta(hours=middle if edge == "late" else first)
    end = timedelta(hours=middle if edge == "early" else last)
    return LocalStretch(day + start, day + end, "part")


def part_of_day(s: Scan, i: int) -> Found[tuple[str, str]]:
    """morning, in the evening, early in the morning, late afternoon: (part, edge)."""
    edged = s.word(i) in ("early", "late", "later", "earlier")
    j = s.skip(s.skip(i + 1 if edged else i, "in", "at"), "the")
    k = s.skip(j, "early", "late")
    part = words.PARTS.get(s.word(k))
    if part is None:
        return None
    return (part, words.EDGES.get(s.word(i) if edged else s.word(j), "")), k + 1
