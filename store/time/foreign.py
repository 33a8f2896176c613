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
Values = Mapping[str, list[Any]]


def _entries(text: str) -> Iterator[list[str]]:
    """Name and content of each entry of a table; an indented line goes on with the one before it."""
    return (line.split(": ", 1) for line in re.sub(r"\n +", "", text.strip()).splitlines())


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
    range_tail: str = ""
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
            for slot in slots.split(", "):
                values = meanings(listed)
                found.setdefault(slot, {}).update(
                    {word: feasts.feast_of(value) for word, value in values.items()} if slot == "feast" else values
                )
        return found

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
            pattern = _SLOT.sub(partial(self._slot, count()), full)
            found.append((meaning, values, re.compile(pattern, re.IGNORECASE)))
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
                slot = group.partition("_")[0]
                name = _SAME.get(slot, slot)
                found[name] = [*found.get(name, ()), self._value(slot, text.lower())]
        return found

    def _value(self, slot: str, text: str) -> Any:
        if text in self.meant.get(slot, ()):
            return self.meant[slot][text]
        number = self.number(text.replace(",", "."))
        return number if slot == "n" else int(number)

    @cached_property
    def roles(self) -> tuple[tuple[re.Pattern[str], TimeRole, bool], ...]:
        leading = [(re.compile(rf"(?:{form})$", re.IGNORECASE), role, True) for form, role in self.before]
        return (*leading, *((re.compile(form, re.IGNORECASE), role, False) for form, role in self.after))

    @cached_property
    def gaps(self) -> tuple[re.Pattern[str], ...]:
        """Between a day and a clock, and two ends; before and after a range; "and"; between parts of a length."""
        lead = rf"(?:{self.range_lead})$"
        forms = (self.clock_gap, self.range_gap, lead, self.range_tail, self.range_and, self.length_gap)
        return tuple(re.compile(form, re.IGNORECASE) for form in forms)


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece and where it stood."""

    start: int
    end: int
    piece: Piece


def read(text: str, language: Language, now: datetime, prefer: Prefer) -> list[Reading]:
    """The readings of a text in one language, left to right."""
    said = _said(text, language, now, prefer)
    readings = []
    for item in _ranges(text, language, said, _days_with_clocks(text, language, _pieces(text, language, said))):
        try:
            readings.append(_reading(text, language, said, item))
        except (ValueError, OverflowError):  # it lies beyond the years of the calendar
            continue
    return readings


def _said(text: str, language: Language, now: datetime, prefer: Prefer) -> Said:
    if re.search(language.future, text, re.IGNORECASE):
        return Said(now, "future")
    return Said(now, "past" if re.search(language.past, text, re.IGNORECASE) else prefer)


def _pieces(text: str, language: Language, said: Said) -> list[PlacedPiece]:
    candidates = []
    for name, implied, pattern in language.compiled:
        for match in pattern.finditer(text):
            try:
                piece = MEANINGS[name](replace(said, values=language.values(match, implied)))
            except (ValueError, OverflowError):  # a day that no calendar has
                continue
            if piece is not None and match.end() > match.start():
                candidates.append(PlacedPiece(match.start(), match.end(), piece))
    candidates.sort(key=lambda found: (found.start, -found.end))
    chosen: list[PlacedPiece] = []
    for candidate in candidates:
        if not chosen or candidate.start >= chosen[-1].end:
            chosen.append(candidate)
    return chosen


def _days_with_clocks(text: str, language: Language, found: list[PlacedPiece]) -> list[PlacedPiece]:
    """A part of the day or a clock time right after a day belongs to it, and a day right after a clock time too."""
    clock_gap, *_, and_gap, length_gap = language.gaps
    joined: list[PlacedPiece] = []
    for item in found:
        both, last = None, joined[-1] if joined else None
        if last is not None and clock_gap.fullmatch(text, last.end, item.start):
            both = _together(last.piece, item.piece)
        if (
            last is not None
            and both is None
            and (and_gap.fullmatch(text, last.end, item.start) or length_gap.fullmatch(text, last.end, item.start))
        ):
            both = _longer(last.piece, item.piece)
        if last is not None and both is not None:
            joined[-1] = PlacedPiece(last.start, item.end, both)
        else:
            joined.append(item)
    return joined


def _together(first: Piece, second: Piece) -> Piece | None:
    if first.when is None or second.when is None or first.kind != "point" or second.kind != "point":
        return None
    if _is_clock(second) and first.part and not _is_clock(first):
        return Piece(_placed(first.when, clocks.to_part(second.when, first.part)))
    if first.when.grain == "day" and second.part and not _is_clock(second):
        hours = replace(clocks.part_span(first.when.start, second.part), cycle=first.when.cycle)
        return Piece(hours, part=second.part)
    if first.when.grain == "day" and _is_clock(second):
        return Piece(_placed(first.when, second.when))
    if _is_clock(first) and second.part and not _is_clock(second):
        return Piece(clocks.to_part(first.when, second.part))
    if _is_clock(first) and second.when.grain == "day" and second.when.cycle != "month":
        return Piece(_placed(second.when, first.when))
    return None


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


def _ranges(text: str, language: Language, said: Said, found: list[PlacedPiece]) -> list[PlacedPiece]:
    joined: list[PlacedPiece] = []
    for item in found:
        both = _range(text, language, said, joined[-1], item) if joined else None
        joined[-1:] = [both] if both is not None else [*joined[-1:], item]
    return joined


def _range(text: str, language: Language, said: Said, last: PlacedPiece, item: PlacedPiece) -> PlacedPiece | None:
    """Two points as the ends of a range."""
    _, between, lead, tail, and_gap, _ = language.gaps
    left, right = last.piece, item.piece
    if left.when is None or right.when is None or not left.kind == right.kind == "point":
        return None
    if _is_clock(left) and not _is_clock(right):
        return None
    head = lead.search(text, max(0, last.start - _LEAD), last.start)
    foot = tail.match(text, item.end) if tail.pattern else None
    linked = between.fullmatch(text, last.end, item.start)
    if not linked and not ((head or foot) and and_gap.fullmatch(text, last.end, item.start)):
        return None
    try:
        when = spans.joined(left.when, right.when, said.settled)
    except (ValueError, OverflowError):  # the ends do not fit together
        return None
    start, end = head.start() if head else last.start, foot.end() if foot else item.end
    return PlacedPiece(start, end, Piece(when, "range"))


_LEAD = 60
"""Characters before an expression in which the words that lead up to it stand."""


def _reading(text: str, language: Language, said: Said, found: PlacedPiece) -> Reading:
    piece, start, end, role = found.piece, found.start, found.end, found.piece.role
    if role == "at" and piece.kind in ("point", "range"):
        for pattern, name, leads in language.roles:
            match = pattern.search(text, max(0, start - _LEAD), start) if leads else pattern.match(text, end)
            if match:
                role = name
                start, end = (match.start(), end) if leads else (start, match.end())
                break
    placed = replace(said, prefer="past") if role == "since" else said
    when = None if piece.when is None else placed.settled(piece.when)
    frequency = " ".join(text[start:end].lower().split()) if piece.kind == "frequency" else None
    return Reading(start, end, piece.kind, when, role, piece.amount, piece.unit, frequency)
