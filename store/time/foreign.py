"""A language other than English is a table: its words by what they mean, and its forms with slots for such words.

What a form means is a name in store.time.meanings, where all languages share one rule for it; how the pieces that are
found join to dates with clocks, ranges and roles is shared, too. Of forms the leftmost and longest wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, Any

from store.time import calendar, clocks, feasts, lengths, spans
from store.time.calendar import LocalStretch, Reading
from store.time.meanings import MEANINGS, Piece, Said
from store.time.words import meanings, value_of

if TYPE_CHECKING:
    from store.time.calendar import Prefer, TimeRole

_DIGITS = {
    "n": r"\d+(?:[.,]\d+)?", "y": r"\d{4}", "yy": r"\d{4}|\d\d", "mm": r"\d{1,2}", "d": r"\d{1,2}", "h": r"\d{1,2}",
    "mi": r"\d\d", "s": r"\d\d",
}  # fmt: skip
"""The digits that a slot takes beside its words."""
_SAME = {"yy": "y", "mm": "m", "ap": "part", "span": "n"}
"""Slots that only look for other words than the slot whose value they give."""
_SLOT, _PHRASE = re.compile(r"<([a-z]+)>"), re.compile(r"<([A-Z]+)>")
_LEAD = 60
"""Characters before an expression in which the words that lead up to it stand."""
Values = Mapping[str, list[Any]]


def _entries(text: str) -> Iterator[list[str]]:
    """Name and content of each entry of a table; an indented line goes on with the one before it."""
    return (line.split(": ", 1) for line in re.sub(r"\n +", "", text.strip()).splitlines())


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


@dataclass(frozen=True)
class Language:
    """One language's table."""

    words: str
    """By slot, its words and what they mean, as store.time.words.meanings reads them."""
    forms: str
    """Each meaning with the values that its words imply ("clock h=12"), and a pattern in which <w> is a word of slot w;
    a slot that stands in a pattern twice has two values. A name in capitals is a phrase of the patterns below it."""
    clock_gap: str
    """What may stand between a day and its clock time."""
    range_gap: str
    range_lead: str
    range_and: str = r"(?!)"
    """A gap such as "and", which makes a range only after a lead ("between") or before a tail."""
    length_gap: str = r"(?!)"
    """What may stand between the coarse and the fine part of a length."""
    before: tuple[tuple[str, TimeRole], ...] = ()
    """Patterns that end right before an expression and give it a role."""
    after: tuple[tuple[str, TimeRole], ...] = ()
    range_tail: str = r"(?!)"
    past: str = r"(?!)"
    future: str = r"(?!)"
    endings: Mapping[str, str] = field(default_factory=dict)
    """What may follow the words of a slot, as part of the word."""
    digits: Mapping[str, str] = field(default_factory=dict)
    """What a slot takes beside its words, where it is more than the usual digits."""
    number: Callable[[str], float] = float
    """Reads what no table of words holds."""

    @cached_property
    def meant(self) -> Mapping[str, Mapping[str, Any]]:
        """By slot, each of its words and what it means."""
        found: dict[str, dict[str, Any]] = {}
        for slots, listed in _entries(self.words):
            values = meanings(listed)
            for slot in slots.split(", "):
                found.setdefault(slot, {}).update(values)
        return found | {"feast": {word: feasts.feast_of(rule) for word, rule in found["feast"].items()}}

    @cached_property
    def compiled(self) -> tuple[tuple[str, Values, re.Pattern[str]], ...]:
        """Each form: its meaning, the values that it implies, its pattern."""
        found = []
        phrases: dict[str, str] = {}
        for name, form in _entries(self.forms):
            full = _PHRASE.sub(lambda match: phrases[match[1]], form)  # called at once
            if name.isupper():
                phrases[name] = full
                continue
            meaning, *implied = name.split()
            values = {slot: [value_of(value)] for slot, value in (one.split("=") for one in implied)}
            found.append((meaning, values, _pattern(_SLOT.sub(partial(self._slot, count()), full))))
        return tuple(found)

    def _slot(self, places: Iterator[int], match: re.Match[str]) -> str:
        slot, place = match[1], next(places)
        forms = [re.escape(word) for word in sorted(self.meant.get(slot, ()), key=len, reverse=True)]
        digits = {**_DIGITS, **self.digits}.get(slot)
        inner = "|".join([*forms, digits] if digits else forms)
        return rf"(?:(?P<{slot}_{place}>{inner}){self.endings.get(slot, '')})"

    def values(self, match: re.Match[str], implied: Values) -> Values:
        """What the words in the slots of a match mean. Raises ValueError for what is no number."""
        found = dict(implied)
        for group, text in match.groupdict().items():
            if text:
                slot, word = group.partition("_")[0], text.lower()
                value = self.meant.get(slot, {}).get(word)
                if value is None:
                    number = self.number(word.replace(",", "."))
                    value = number if slot == "n" else int(number)
                name = _SAME.get(slot, slot)
                found[name] = [*found.get(name, ()), value]
        return found


def read(text: str, language: Language, now: datetime, prefer: Prefer) -> list[Reading]:
    """The readings of a text in one language, left to right."""
    ahead, told = (re.search(form, text, re.IGNORECASE) for form in (language.future, language.past))
    said = Said(now, "future" if ahead else "past" if told else prefer)
    joined: list[Piece] = []
    for item in _pieces(text, language, said):
        both = _both(text, language, joined[-1], item) if joined else None
        joined[-1:] = [both] if both is not None else [*joined[-1:], item]
    ranges: list[Piece] = []
    for item in joined:
        both = _range(text, language, said, ranges[-1], item) if ranges else None
        ranges[-1:] = [both] if both is not None else [*ranges[-1:], item]
    readings = []
    for item in ranges:
        try:
            readings.append(_reading(text, language, said, item))
        except (ValueError, OverflowError):  # it lies beyond the years of the calendar
            continue
    return readings


def _pieces(text: str, language: Language, said: Said) -> list[Piece]:
    candidates = []
    for name, implied, pattern in language.compiled:
        for match in pattern.finditer(text):
            try:
                piece = MEANINGS[name](replace(said, values=language.values(match, implied)))
            except (ValueError, OverflowError):  # a day that no calendar has
                continue
            if piece is not None and match.end() > match.start():
                candidates.append(replace(piece, start=match.start(), end=match.end()))
    candidates.sort(key=lambda found: (found.start, -found.end))
    chosen: list[Piece] = []
    for candidate in candidates:
        if not chosen or candidate.start >= chosen[-1].end:
            chosen.append(candidate)
    return chosen


def _both(text: str, language: Language, first: Piece, second: Piece) -> Piece | None:
    """Two pieces as one: a day with its part or clock time in either order, or the parts of a length."""

    def joins(form: str) -> bool:
        return _pattern(form).fullmatch(text, first.end, second.start) is not None

    both = _together(first, second) if joins(language.clock_gap) else None
    if both is None and (joins(language.range_and) or joins(language.length_gap)):
        both = _longer(first, second)
    return replace(both, start=first.start, end=second.end) if both is not None else None


def _together(first: Piece, second: Piece) -> Piece | None:
    if first.when is None or second.when is None or first.kind != "point" or second.kind != "point":
        return None
    if _is_clock(second) and not _is_clock(first):
        if first.part:
            return Piece(_placed(first.when, clocks.to_part(second.when, first.part)))
        return Piece(_placed(first.when, second.when)) if first.when.grain == "day" else None
    if first.when.grain == "day" and second.part:
        hours = replace(clocks.part_span(first.when.start, second.part), cycle=first.when.cycle)
        return Piece(hours, part=second.part)
    if not _is_clock(first) or _is_clock(second):
        return None
    if second.part:
        return Piece(clocks.to_part(first.when, second.part))
    placed = second.when.grain == "day" and second.when.cycle != "month"
    return Piece(_placed(second.when, first.when)) if placed else None


def _longer(first: Piece, second: Piece) -> Piece | None:
    """ "una hora y 30 minutos": two lengths, coarse and fine, that are one."""
    if first.when is not None or not (first.kind == second.kind == "duration" and first.unit and second.unit):
        return None
    if first.amount is None or second.amount is None or calendar.SIZE[first.unit] <= calendar.SIZE[second.unit]:
        return None
    return Piece(None, "duration", "for", *lengths.summed([(first.amount, first.unit), (second.amount, second.unit)]))


def _is_clock(piece: Piece) -> bool:
    return piece.when is not None and piece.when.cycle == "day" and piece.when.grain in ("hour", "minute", "second")


def _placed(day: LocalStretch, clock: LocalStretch) -> LocalStretch:
    placed = calendar.on_day(day, clock)
    return replace(placed, cycle=None) if day.cycle == "day" else placed


def _range(text: str, language: Language, said: Said, left: Piece, right: Piece) -> Piece | None:
    """Two points as the ends of a range."""
    if left.when is None or right.when is None or not left.kind == right.kind == "point":
        return None
    if _is_clock(left) and not _is_clock(right):
        return None
    head = _pattern(rf"(?:{language.range_lead})$").search(text, max(0, left.start - _LEAD), left.start)
    foot = _pattern(language.range_tail).match(text, right.end)
    gap = rf"{language.range_gap}|{language.range_and}" if head or foot else language.range_gap
    if not _pattern(gap).fullmatch(text, left.end, right.start):
        return None
    try:
        when = spans.joined(left.when, right.when, said.settled)
    except (ValueError, OverflowError):  # the ends do not fit together
        return None
    start, end = head.start() if head else left.start, foot.end() if foot else right.end
    return Piece(when, "range", start=start, end=end)


def _reading(text: str, language: Language, said: Said, piece: Piece) -> Reading:
    start, end, role = piece.start, piece.end, piece.role
    if role == "at" and piece.kind in ("point", "range"):
        lead = max(0, start - _LEAD)
        before = [(_pattern(rf"(?:{form})$").search(text, lead, start), name) for form, name in language.before]
        after = [(_pattern(form).match(text, end), name) for form, name in language.after]
        match, role = next((one for one in before + after if one[0]), (None, role))
        if match is not None:
            start, end = min(start, match.start()), max(end, match.end())
    placed = replace(said, prefer="past") if role == "since" else said
    when = None if piece.when is None else placed.settled(piece.when)
    frequency = " ".join(text[start:end].lower().split()) if piece.kind == "frequency" else None
    return Reading(start, end, piece.kind, when, role, piece.amount, piece.unit, frequency)
