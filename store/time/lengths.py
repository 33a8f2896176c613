"""A length without an anchor stays a length; with a perfect tense it reaches until now."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from store.time import counted, points, words
from store.time.calendar import Reading, add, run, settle
from store.time.scan import Found, Scan, reading


def length(s: Scan, i: int) -> Found[Reading]:
    """for five years, two and a half hours, all week, a 30-minute call; with a perfect tense it ends now."""
    led = s.word(i) in ("for", "over")
    lead = i + 1 if led else i
    j = s.skip(s.skip(lead, "about", "around", "almost", "nearly", "over", "roughly"), "the", "only", "just")
    span = counted.measured(s, j)
    if span is None:
        return _whole(s, i, s.skip(lead, "the"))
    parts, k = span
    if s.sequence(j, ("one", "day")) and not led:
        return None if s.word(k) == "at" else (reading(s, i, k, None), k)
    age = s.word(k) == "old" or s.sequence(k, ("-", "old")) or (s.word(k) in ("of", "'s") and s.word(k + 1) == "age")
    a_day = s.word(j) in ("a", "an") and k == j + 2 and i == j  # "20 euros a day"
    if age or a_day or k - j == 1:
        return None
    number, grain = summed(parts)
    when = run(s.now, -1, number, grain) if led and s.tense(i) == "perfect" else None
    found = reading(s, i, k, when, "for", kind="duration", amount=number, unit=grain, about=s.word(lead) in words.ABOUT)
    return _starting(s, parts, found, k) or (found, k)


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


def _whole(s: Scan, i: int, j: int) -> Found[Reading]:
    """all week, the whole summer."""
    grain = words.UNITS.get(s.word(j + 1), "")
    if s.word(j) not in ("all", "whole", "entire") or not grain or s.word(j + 1).endswith("s"):
        return None
    if s.word(j) == "all" and grain not in ("day", "week", "weekend", "month", "year"):
        return None
    return reading(s, i, j + 2, None, "for", kind="duration", amount=1.0, unit=grain), j + 2


def _starting(s: Scan, parts: list[tuple[float, str]], found: Reading, k: int) -> Found[Reading]:
    """ "for 3 days starting next Monday", "a week, from today" as a stretch."""
    j = s.skip(k, ",")
    if s.word(j) not in ("starting", "beginning") and not (s.word(j) == "from" and j > k):
        return None
    first = points.point(s, s.skip(j + 1, "from", "on"))
    if first is None:
        return None
    start = settle(first[0], s.now, "future")
    end: datetime = start.start
    for number, grain in parts:
        end = add(end, number, grain)
    when = replace(start, end=end, cycle=None)
    return replace(found, end=s.toks[first[1] - 1].end, kind="range", when=when, role="at"), first[1]
