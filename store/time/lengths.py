"""A length without an anchor stays a length; with a perfect tense it reaches until now."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from store.time import counted, points, words
from store.time.calendar import LocalStretch, Reading, add, midnight, settle
from store.time.scan import Found, Scan
from store.time.spans import reading


def length(s: Scan, i: int) -> Found[Reading]:
    """for five years, two and a half hours, all week, a 30-minute call; with a perfect tense it ends now."""
    lead = i + 1 if s.word(i) in ("for", "over") else i
    j = s.skip(s.skip(lead, "about", "around", "almost", "nearly", "over", "roughly"), "the", "only", "just")
    about = s.word(lead) in words.ABOUT
    span = counted.measured(s, j)
    if span is None:
        return _whole(s, i, s.skip(lead, "the"))
    parts, k = span
    if s.word(j) == "one" and lead == i and s.word(j + 1) == "day":
        return None if s.word(k) == "at" else (reading(s, i, k, "point", None), k)
    if _no_length(s, i, j, k):
        return None
    number, grain = summed(parts)
    when = _until_now(s, i, number, grain) if s.word(i) in ("for", "over") else None
    found = Reading(s.toks[i].start, s.toks[k - 1].end, "duration", when, "for", number, grain, about=about)
    return _starting(s, i, parts, found, k) or (found, k)


def _no_length(s: Scan, i: int, j: int, k: int) -> bool:
    """An age, a price per day, "a day" as a noun, an ordinal second."""
    if (
        s.word(k) == "old"
        or (s.word(k) == "-" and s.word(k + 1) == "old")
        or (s.word(k) in ("of", "'s") and s.word(k + 1) == "age")
    ):
        return True
    bare = s.word(j) in ("a", "an") and k == j + 2
    return (bare and i == j) or s.word(k - 1) in ("may",) or (k - j == 1)


def summed(parts: list[tuple[float, str]]) -> tuple[float, str]:
    """A length in its finest unit: two years and three months are 27 months."""
    number, grain = parts[0]
    for finer_number, finer in parts[1:]:
        if grain not in _SECONDS or finer not in _SECONDS:
            return parts[0]
        number, grain = round(number * _SECONDS[grain] / _SECONDS[finer] + finer_number, 2), finer
    return number, grain


_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 2629800, "year": 31557600}
"""A month is the twelfth part of 365.25 days."""


def _until_now(s: Scan, i: int, number: float, grain: str) -> LocalStretch | None:
    if s.tense(i) != "perfect":
        return None
    moved = add(s.now, -number, grain)
    start = moved if grain in ("second", "minute", "hour") else midnight(moved.date())
    return LocalStretch(start, s.now, "minute" if grain in ("second", "minute", "hour") else grain)


def _whole(s: Scan, i: int, j: int) -> Found[Reading]:
    if s.word(j) not in ("all", "whole", "entire") or s.word(j + 1) not in words.UNITS or s.word(j + 1).endswith("s"):
        return None
    grain = words.UNITS[s.word(j + 1)]
    if s.word(j) == "all" and grain not in ("day", "week", "weekend", "month", "year"):
        return None
    return Reading(s.toks[i].start, s.toks[j + 1].end, "duration", None, "for", 1.0, grain), j + 2


def _starting(s: Scan, i: int, parts: list[tuple[float, str]], found: Reading, k: int) -> Found[Reading]:
    """ "for 3 days starting next Monday", "a week from today on" as a stretch."""
    j = s.skip(k, ",")
    sign = s.word(j)
    if sign not in ("starting", "beginning", "from") or (sign == "from" and j == k):
        return None
    first = points.point(s, s.skip(j + 1, "from", "on"))
    if first is None:
        return None
    start = first[0] if first[0].cycle is None else settle(first[0], s.now, "future")
    end: datetime = start.start
    for number, grain in parts:
        end = add(end, number, grain)
    when = replace(start, end=end, cycle=None)
    return replace(found, end=s.toks[first[1] - 1].end, kind="range", when=when, role="at"), first[1]
