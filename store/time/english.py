"""At each place the longest reading wins, and nothing is read twice; a word that starts no rule costs one look-up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from store.time import feasts, habits, lengths, points, spans, words
from store.time.calendar import Reading
from store.time.scan import Found, Scan, ordinal
from store.time.words import ScannedWord

if TYPE_CHECKING:
    from store.time.calendar import Prefer, TimeRole

_SIGNALS = words.bag(
    """today tonight tonite tomorrow tmr tmrw tomoz yesterday yest yday now currently asap atm noon midday
    midnight noonish o'clock oclock ago later earlier last past previous prior next coming upcoming following this
    current since until till til before after every each daily weekly monthly yearly once twice thrice times
    weekday weekdays weeknight weeknights weekends between half quarter couple fortnight recently lately soon
    sometime someday nowadays eventually ages while then future moment present eod eom eoy bom boy rest remaining
    remainder same that early mid late beginning end start middle morning evening ½ workweek week's last's when
    age"""
)


@cache
def triggers() -> frozenset[str]:
    """The words without one of which a text holds no expression."""
    found: set[str] = set(_SIGNALS)
    for table in (words.MONTHS, words.WEEKDAYS, words.UNITS, words.SEASONS, words.PARTS, words.FREQUENT, words.DECADES):
        found |= table.keys()
    found |= feasts.STARTERS | words.ORDINALS.keys() | words.TENS.keys() | words.NIGHTS | {"workweek"}
    return frozenset(found)


@cache
def starters() -> frozenset[str]:
    """The words with which an expression can begin."""
    found = set(triggers())
    found |= words.NUMBERS.keys() | words.PAST | words.FUTURE | words.PRESENT | words.EDGES.keys() | words.TIMES.keys()
    found |= words.VAGUE_BY_FIRST.keys() | words.VAGUE_AMOUNTS | words.ROLES.keys() | words.ABOUT
    found |= words.bag(
        "the a an in for over within on at from between no not as up starting beginning ever anytime these"
    )
    found |= {
        "½",
        "'",
        "’",
        "‘",
        "q",
        "h",
        "@",
        "back",
        "another",
        "any",
        "just",
        "right",
        "whole",
        "entire",
        "n",
        "year",
        "most",
        "some",
        "or",
    }
    return frozenset(found)


_URL = re.compile(r"\w{1,20}://\S+|[^\s@]{1,64}@[^\s@]{1,80}\.\S+")


def read(text: str, toks: list[ScannedWord], now: datetime, utc_offset: int, prefer: Prefer) -> Iterator[Reading]:
    """The readings of an English text, left to right."""
    s = Scan(text, toks, now, utc_offset, prefer)
    begin, near = starters(), _near_triggers(s)
    i = 0
    masked = [match.span() for match in _URL.finditer(text)] if "://" in text or "@" in text else []
    while i < s.size:
        word = s.toks[i].word
        if masked and any(a <= s.toks[i].start < b for a, b in masked):
            i += 1
            continue
        if word.isdecimal() and s.touches(i) and (s.word(i - 1)[-1].isalpha() or s.word(i - 1) in ("%", "_")):
            i += 1
            continue
        found = _best(s, i) if near[i] and (word in begin or word.isdecimal()) else None
        if found is None:
            i += 1
            continue
        yield found[0]
        s.left = i = max(found[1], i + 1)


def _near_triggers(s: Scan) -> list[bool]:
    """For each token, whether it or one of the next few is a word of time or a number."""
    told, reach, near = triggers(), 0, [False] * s.size
    for i in range(s.size - 1, -1, -1):
        word = s.toks[i].word
        reach = _REACH if word in told or word.isdecimal() else reach - 1
        near[i] = reach > 0
    return near


_REACH = 6


_Reader = Callable[[Scan, int], Found[Reading]]


def _best(s: Scan, i: int) -> Found[Reading]:
    best: Found[Reading] = None
    for rule in _READERS:
        try:
            found = rule(s, i)
        except (ValueError, OverflowError):  # a day that no calendar has, or a year beyond its end
            continue
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    return best


def _point(s: Scan, i: int) -> Found[Reading]:
    """A point, with the hedge before it and without the preposition."""
    j = s.skip(i, *words.ABOUT) if s.word(i) in words.ABOUT else i
    about = j > i
    if (
        about
        and s.word(j) in ("the", "a")
        and s.word(j + 1) in words.UNITS
        and s.word(j + 2) not in ("ago", "later", "back")
    ):
        return None
    found = points.point(s, j)
    if found is None:
        return _in_part(s, i)
    when = points.settled(s, j, found[0])
    kind = "range" if when.grain not in ("part",) and _is_run(s, j) else "point"
    return replace(spans.reading(s, j if not about else i, found[1], kind, when), about=about), found[1]


def _is_run(s: Scan, i: int) -> bool:
    """ "the past two weeks" names a range, "last week" a point."""
    j = s.skip(i, "the", "this")
    signed = s.word(j) in words.PAST | words.FUTURE
    following = s.word(j + 1)
    return s.word(i) == "within" or (
        signed and (following.isdecimal() or following in words.NUMBERS or following in ("couple", "a"))
    )


def _in_part(s: Scan, i: int) -> Found[Reading]:
    """ "in the evening", "in the morning": a part of the day of saying."""
    from store.time import clocks
    from store.time.calendar import midnight

    if s.word(i) not in ("in", "at", "early", "late") or (
        s.word(i) == "at" and s.word(i + 1) != "lunch" and s.word(i + 1) != "night"
    ):
        return None
    found = clocks.part_of_day(s, i)
    if found is None or s.word(found[1] - 1).endswith("s") or (s.word(found[1] - 1) == "night" and s.word(i) == "at"):
        return None
    (part, side), j = found
    if s.word(j) in ("at", "around") or s.word(j).isdecimal() or s.word(j) in words.NUMBERS:
        clock = clocks.clock(s, j, bare=True)
        if clock is not None:
            when = points.settled(s, i, clocks.to_part(clock[0], part))
            return spans.reading(s, i, clock[1], "point", when), clock[1]
    when = points.settled(s, i, replace(clocks.part_span(midnight(s.now.date()), part, side), cycle="day"))
    return spans.reading(s, i, j, "point", when), j


def _vague(s: Scan, i: int) -> Found[Reading]:
    """A time that is named and not told: recently, a few years ago, when I was 12."""
    for phrase in words.VAGUE_BY_FIRST.get(s.word(i), ()):
        if s.sequence(i, phrase):
            return spans.reading(s, i, i + len(phrase), "point", None), i + len(phrase)
    return _vague_offset(s, i) or _age(s, i)


def _vague_offset(s: Scan, i: int) -> Found[Reading]:
    role: TimeRole = "for" if s.word(i) == "for" else "at"
    j = s.skip(i, "in", "for", "over", "the", "within")
    j = s.skip(s.skip(j, "the"), "last", "past", "next", "about")
    j = s.skip(s.skip(j, "a"), "couple") if s.word(j) == "a" and s.word(j + 1) in words.VAGUE_AMOUNTS else j
    amount = s.word(j) in words.VAGUE_AMOUNTS
    k = j + 1 if amount else j
    k = s.skip(k, "more", "short", "long")
    if s.word(k) not in words.UNITS or not s.word(k).endswith("s"):
        return None
    if s.word(k + 1) in ("ago", "back", "later", "earlier") or s.sequence(k + 1, ("from", "now")):
        end = k + (3 if s.word(k + 1) == "from" else 2)
        return spans.reading(s, i, end, "point", None), end
    if (s.word(i) in ("for", "in", "over") and (amount or s.word(i) == "for")) or (
        amount and s.word(j - 1) in ("past", "last", "next")
    ):
        kind = "duration" if role == "for" else "point"
        when = Reading(
            s.toks[i].start,
            s.toks[k].end,
            "duration" if kind == "duration" else "point",
            None,
            role,
            unit=words.UNITS[s.word(k)],
        )
        return when, k + 1
    if amount and s.word(j) == "some" and s.word(i) == "some":
        return None
    return None


def _age(s: Scan, i: int) -> Found[Reading]:
    """when I was 12, since I was 12, at the age of 30, in my twenties: needs a date of birth."""
    counted = s.word(i + 3).isdecimal() or s.word(i + 3) in words.NUMBERS or s.word(i + 3) in words.TENS
    if s.word(i) in ("when", "since", "until", "before") and s.word(i + 2) in ("was", "were") and counted:
        role: TimeRole = "at"
        if s.word(i) != "when":
            role = "since" if s.word(i) == "since" else "until" if s.word(i) == "until" else "before"
        end = s.skip(s.skip(i + 4, "years"), "old")
        return spans.reading(s, i, end, "point", None, role), end
    j = i
    for phrase in (("at", "the", "age", "of"), ("at", "age"), ("by", "age")):
        if s.sequence(i, phrase):
            j = i + len(phrase)
    if j > i and (s.word(j).isdecimal() or s.word(j) in words.NUMBERS | words.TENS):
        return spans.reading(s, i, j + 1, "point", None), j + 1
    if s.word(i) == "in" and s.word(i + 1) in ("my", "his", "her", "our", "their"):
        k = s.skip(s.skip(i + 2, "early", "late", "mid"), "-")
        if s.word(k) in words.DECADES or s.word(k) == "teens":
            return spans.reading(s, i, k + 1, "point", None), k + 1
    return None


_READERS: tuple[_Reader, ...] = (
    habits.of_every_month,
    habits.clock_every,
    habits.habit,
    _vague,
    spans.range_at,
    spans.bounded,
    _point,
    lengths.length,
)

__all__ = ["ordinal", "read", "starters", "triggers"]
