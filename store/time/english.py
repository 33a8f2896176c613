"""At each place the longest reading wins, and nothing is read twice; far from any word of time nothing is tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from store.time import clocks, feasts, points, spans, words
from store.time.calendar import Kind, Prefer, Reading, TimeRole, midnight
from store.time.scan import Found, Scan, longest, reading
from store.time.words import ScannedWord, either

_SIGNALS = words.bag(
    """today tonight tonite tomorrow tmr tmrw tomoz yesterday yest yday now currently asap atm noon midday
    midnight noonish o'clock oclock ago later earlier last past previous prior next coming upcoming following this
    current since until till til before after every each daily weekly monthly yearly once twice thrice times
    weekday weekdays weeknight weeknights weekends between half quarter couple fortnight recently lately soon
    sometime someday nowadays eventually ages while then future moment present eod eom eoy bom boy rest remaining
    remainder same that early mid late beginning end start middle morning evening ½ workweek week's last's when
    age"""
)
_TABLES = (words.MONTHS, words.WEEKDAYS, words.UNITS, words.SEASONS, words.PARTS, words.FREQUENT, words.DECADES)
_ORDERED = words.ORDINALS.keys() | words.TENS.keys() | words.NIGHTS
TRIGGERS = _SIGNALS | frozenset[str]().union(*_TABLES) | feasts.STARTERS | _ORDERED
"""The words without one of which a text holds no expression."""
_URL = re.compile(r"\w{1,20}://\S+|[^\s@]{1,64}@[^\s@]{1,80}\.\S+")
_REACH = 6  # tokens within which a word of time or a number follows what begins an expression
_NUMBER = either(words.NUMBERS, words.TENS, digits=True)
_VAGUE = re.compile(rf"{either(words.VAGUE)}\b", re.IGNORECASE)
_VAGUE_LENGTH = re.compile(
    r"(?:(?P<lead>in|for|over|within) )?(?:the )?(?:(?P<near>last|past|next)|about )?"
    r"(?P<few>\b(?:a )?(?:few|several|some|many|numerous) )?(?:(?:more|short|long) )?"
    rf"(?P<unit>{either(words.UNITS)})(?<=s)\b(?P<from> (?:ago|back|later|earlier|from now)\b)?",
    re.IGNORECASE,
)
_AGE = re.compile(
    rf"(?:(?P<role>when|since|until|before) \w+ (?:was|were)|at the age of|at age|by age) {_NUMBER}\b"
    rf"(?: years)?(?: old)?|in (?:my|his|her|our|their) (?:(?:early|late|mid)[ -])?"
    rf"(?:{either(words.DECADES)}|teens)\b",
    re.IGNORECASE,
)
_OF_AGE: dict[str, TimeRole] = {"since": "since", "until": "until", "before": "before"}


def read(text: str, toks: list[ScannedWord], now: datetime, utc_offset: int, prefer: Prefer) -> Iterator[Reading]:
    """The readings of an English text, left to right."""
    s = Scan(text, toks, now, utc_offset, prefer)
    told = [word in TRIGGERS or word.isdecimal() for word in s.words]
    near = [any(told[i : i + _REACH]) for i in range(s.size)]
    masked = [match.span() for match in _URL.finditer(text)] if "://" in text or "@" in text else []
    i = 0
    while i < s.size:
        word, previous = s.word(i), s.word(i - 1)
        hidden = any(a <= s.toks[i].start < b for a, b in masked)
        glued = word.isdecimal() and s.touches(i) and (previous[-1].isalpha() or previous in ("%", "_"))
        found = longest(s, i, _READERS) if near[i] and not (hidden or glued) else None
        if found is not None:
            yield found[0]
        i = found[1] if found is not None else i + 1


def _point(s: Scan, i: int) -> Found[Reading]:
    """A point, with the hedge before it and without the preposition."""
    j = s.skip(i, *words.ABOUT)
    found = points.point(s, j)
    if found is None:
        return _in_part(s, i)
    when = points.settled(s, j, found[0])
    kind: Kind = "range" if when.grain != "part" and _is_run(s, j) else "point"
    return reading(s, i, found[1], when, kind=kind, about=j > i)


def _is_run(s: Scan, i: int) -> bool:
    """ "the past two weeks" names a range, "last week" a point."""
    j = s.skip(i, "the", "this")
    following = s.word(j + 1)
    counted = following.isdecimal() or following in words.NUMBERS or following in ("couple", "a")
    return s.word(i) == "within" or (s.word(j) in words.PAST | words.FUTURE and counted)


def _in_part(s: Scan, i: int) -> Found[Reading]:
    """ "in the evening", "in the morning", "at lunch": a part of the day of saying."""
    if s.word(i) not in ("in", "early", "late") and not s.sequence(i, ("at", "lunch")):
        return None
    found = clocks.part_of_day(s, i)
    if found is None or s.word(found[1] - 1).endswith("s"):
        return None
    (part, side), j = found
    if s.word(j) in ("at", "around") or s.word(j).isdecimal() or s.word(j) in words.NUMBERS:
        clock = clocks.clock(s, j, bare=True)
        if clock is not None:
            return reading(s, i, clock[1], points.settled(s, i, clocks.to_part(clock[0], part)))
    when = replace(clocks.part_span(midnight(s.now.date()), part, side), cycle="day")
    return reading(s, i, j, points.settled(s, i, when))


def _vague(s: Scan, i: int) -> Found[Reading]:
    """A time that is named and not told: recently, when I was 12 (which needs a date of birth), a few years ago,
    for many years, in the past few weeks."""
    found = s.match(i, _VAGUE)
    if found is not None:
        return reading(s, i, found[1], None)
    age = s.match(i, _AGE)
    if age is not None:
        role = _OF_AGE.get((age[0]["role"] or "").lower(), "at")
        return reading(s, i, age[1], None, role)
    found = s.match(i, _VAGUE_LENGTH)
    if found is None:
        return None
    said, end = found
    if said["from"]:
        return reading(s, i, end, None)
    lead = (said["lead"] or "").lower()
    if lead != "for" and not (said["few"] and (lead in ("in", "over") or said["near"])):
        return None
    length: tuple[TimeRole, Kind] = ("for", "duration") if lead == "for" else ("at", "point")
    return reading(s, i, end, None, length[0], kind=length[1], unit=words.UNITS[said["unit"].lower()])


_READERS: tuple[Callable[[Scan, int], Found[Reading]], ...] = (
    spans.clock_every, spans.habit, _vague, spans.range_at, spans.bounded, _point, spans.length,
)  # fmt: skip
