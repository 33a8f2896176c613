"""A language other than English is a table of patterns; how found pieces join to dates with clocks, ranges and roles
is the same for all of them.

A pattern's builder gives a `Piece`, or None to decline. Leftmost and longest wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from store.time import calendar, clocks, lengths, spans
from store.time.calendar import LocalStretch, Reading
from store.time.scan import expand_year

if TYPE_CHECKING:
    from store.time.calendar import Kind, Prefer, TimeRole


@dataclass(frozen=True, slots=True)
class Context:
    """The moment of saying, and where loose times lie by the tense of the text."""

    now: datetime
    prefer: Prefer
    tensed: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """What one pattern read."""

    when: LocalStretch | None = None
    kind: Kind = "point"
    role: TimeRole = "at"
    amount: float | None = None
    unit: str | None = None
    part: str = ""
    """A part of the day, to be joined to a day before it."""


Builder = Callable[[re.Match[str], Context], Piece | None]


@dataclass(frozen=True)
class Language:
    """One language's table."""

    patterns: tuple[tuple[str, Builder], ...]
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

    @cached_property
    def compiled(self) -> tuple[tuple[re.Pattern[str], Builder], ...]:
        return tuple((re.compile(form, re.IGNORECASE), build) for form, build in self.patterns)

    @cached_property
    def roles(self) -> tuple[tuple[re.Pattern[str], TimeRole, bool], ...]:
        leading = [(re.compile(rf"(?:{form})$", re.IGNORECASE), role, True) for form, role in self.before]
        return (*leading, *((re.compile(form, re.IGNORECASE), role, False) for form, role in self.after))

    @cached_property
    def gaps(self) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
        forms = (self.clock_gap, self.range_gap, rf"(?:{self.range_lead})$", self.range_tail)
        clock, between, lead, tail = (re.compile(form, re.IGNORECASE) for form in forms)
        return clock, between, lead, tail

    @cached_property
    def and_gap(self) -> re.Pattern[str]:
        return re.compile(self.range_and, re.IGNORECASE)

    @cached_property
    def more_gap(self) -> re.Pattern[str]:
        return re.compile(self.length_gap, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece and where it stood."""

    start: int
    end: int
    piece: Piece


def read(text: str, language: Language, now: datetime, prefer: Prefer) -> list[Reading]:
    """The readings of a text in one language, left to right."""
    context = _context(text, language, now, prefer)
    found = _days_with_clocks(text, language, _pieces(text, language, context))
    readings = []
    for item in _ranges(text, language, context, found):
        try:
            readings.append(_reading(text, language, context, item))
        except (ValueError, OverflowError):  # it lies beyond the years of the calendar
            continue
    return readings


def _context(text: str, language: Language, now: datetime, prefer: Prefer) -> Context:
    if re.search(language.future, text, re.IGNORECASE):
        return Context(now, "future", True)
    if re.search(language.past, text, re.IGNORECASE):
        return Context(now, "past", True)
    return Context(now, prefer)


def _pieces(text: str, language: Language, context: Context) -> list[PlacedPiece]:
    candidates = []
    for pattern, build in language.compiled:
        for match in pattern.finditer(text):
            try:
                piece = build(match, context)
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
    joined: list[PlacedPiece] = []
    for item in found:
        if joined:
            gap = language.gaps[0].fullmatch(text, joined[-1].end, item.start)
            both = _together(joined[-1].piece, item.piece) if gap else None
            if both is None and (
                language.and_gap.fullmatch(text, joined[-1].end, item.start)
                or language.more_gap.fullmatch(text, joined[-1].end, item.start)
            ):
                both = _longer(joined[-1].piece, item.piece)
            if both is not None:
                joined[-1] = PlacedPiece(joined[-1].start, item.end, both)
                continue
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
        return Piece(clocks.to_part(first.when, second.part), part="")
    if _is_clock(first) and second.when.grain == "day" and second.when.cycle != "month":
        return Piece(_placed(second.when, first.when))
    return None


def _longer(first: Piece, second: Piece) -> Piece | None:
    """ "una hora y 30 minutos": two lengths, coarse and fine, that are one."""
    if (
        first.kind != "duration"
        or second.kind != "duration"
        or first.when is not None
        or not (first.unit and second.unit)
    ):
        return None
    if first.amount is None or second.amount is None or calendar.SIZE[first.unit] <= calendar.SIZE[second.unit]:
        return None
    return length(*lengths.summed([(first.amount, first.unit), (second.amount, second.unit)]))


def _is_clock(piece: Piece) -> bool:
    return piece.when is not None and piece.when.cycle == "day" and piece.when.grain in ("hour", "minute", "second")


def _placed(day: LocalStretch, clock: LocalStretch) -> LocalStretch:
    start = calendar.midnight(day.start.date()) + (clock.start - calendar.midnight(clock.start.date()))
    cycle = None if day.cycle == "day" else day.cycle
    return replace(clock, start=start, end=start + (clock.end - clock.start), cycle=cycle)


def _ranges(text: str, language: Language, context: Context, found: list[PlacedPiece]) -> list[PlacedPiece]:
    _, between, lead, tail = language.gaps
    joined: list[PlacedPiece] = []
    for item in found:
        last = joined[-1] if joined else None
        if last is None or not _may_join(last.piece, item.piece):
            joined.append(item)
            continue
        head = lead.search(text, max(0, last.start - _LEAD), last.start)
        foot = tail.match(text, item.end) if tail.pattern else None
        linked = between.fullmatch(text, last.end, item.start)
        if not linked and not ((head or foot) and language.and_gap.fullmatch(text, last.end, item.start)):
            joined.append(item)
            continue
        try:
            when = spans.joined(known(last.piece.when), known(item.piece.when), lambda when: settled(when, context))
        except (ValueError, OverflowError):  # the ends do not fit together
            joined.append(item)
            continue
        start = head.start() if head else last.start
        joined[-1] = PlacedPiece(start, foot.end() if foot else item.end, Piece(when, "range"))
    return joined


def _may_join(left: Piece, right: Piece) -> bool:
    if left.when is None or right.when is None or "frequency" in (left.kind, right.kind):
        return False
    return left.kind == right.kind == "point" and (_is_clock(right) or not _is_clock(left))


def known(when: LocalStretch | None) -> LocalStretch:
    """A time that was found to be there."""
    assert when is not None
    return when


def settled(when: LocalStretch, context: Context) -> LocalStretch:
    """A loose time placed by the tense; a clock time alone belongs to today."""
    if when.cycle is None:
        return when
    if when.cycle == "day":
        return replace(when, cycle=None)
    return replace(calendar.settle(when, context.now, context.prefer), cycle=None)


_LEAD = 60
"""Characters before an expression in which the words that lead up to it stand."""


def _reading(text: str, language: Language, context: Context, found: PlacedPiece) -> Reading:
    piece, start, end, role = found.piece, found.start, found.end, found.piece.role
    if role == "at" and piece.kind in ("point", "range"):
        for pattern, name, leads in language.roles:
            match = pattern.search(text, max(0, start - _LEAD), start) if leads else pattern.match(text, end)
            if match:
                role = name
                start, end = (match.start(), end) if leads else (start, match.end())
                break
    when = piece.when
    if when is not None:
        when = settled(when, replace(context, prefer="past") if role == "since" else context)
    frequency = " ".join(text[start:end].lower().split()) if piece.kind == "frequency" else None
    return Reading(start, end, piece.kind, when, role, piece.amount, piece.unit, frequency)


def day(c: Context, delta: int) -> Piece:
    """So many days from today."""
    return Piece(calendar.day_span((c.now + timedelta(days=delta)).date()))


def moment(c: Context) -> Piece:
    """Now."""
    return Piece(LocalStretch(c.now, c.now + timedelta(minutes=1), "minute", point=c.now))


def weekday(c: Context, number: int, sign: int | None = None) -> Piece:
    """A weekday: bare (None), the last one (-1), the one of this week (0), the next one (1)."""
    today = c.now.date()
    bare = calendar.day_span(today + timedelta(days=number - today.weekday()), "week")
    if sign is None:
        return Piece(bare)
    if sign == 0:
        return Piece(replace(bare, cycle=None))
    return Piece(replace(calendar.settle(bare, c.now, "past" if sign < 0 else "future"), cycle=None))


def weekday_of_week(c: Context, number: int, weeks: int) -> Piece:
    """A weekday of the week so many weeks from this one."""
    return Piece(calendar.day_span((calendar.unit_near(c.now, "week", weeks).start + timedelta(days=number)).date()))


def unit(c: Context, grain: str, step: int) -> Piece:
    """The calendar unit so many steps from the current one."""
    return Piece(calendar.unit_near(c.now, grain, step))


def month(c: Context, number: int, year: int | None = None, sign: int | None = None) -> Piece:
    """A month of a year, or the last, this year's or next one."""
    span = calendar.month_span(year or c.now.year, number)
    if year is not None or sign == 0:
        return Piece(span)
    loose = replace(span, cycle="year")
    if sign is None:
        return Piece(loose)
    first = calendar.floor(c.now, "month")
    found = calendar.before(loose, first - timedelta(days=1)) if sign < 0 else calendar.after(loose, c.now)
    return Piece(replace(found, cycle=None))


def calendar_date(c: Context, day_number: int, month_number: int, year: int | None = None) -> Piece:
    """A day of a month, loose by years where no year was said."""
    if year is not None:
        return Piece(calendar.day_span(date(year, month_number, day_number)))
    for back in range(9):
        try:
            return Piece(calendar.day_span(date(c.now.year - back, month_number, day_number), "year"))
        except ValueError:
            continue
    raise ValueError("no such day")


def day_of_month(c: Context, number: int) -> Piece:
    """The 24th, of a month that has it."""
    first = c.now.replace(day=1)
    while (calendar.add(first, 1, "month") - first).days < number:
        first = calendar.add(first, -1, "month")
    return Piece(calendar.day_span(first.replace(day=number).date(), "month"))


def offset(c: Context, amount: float, grain: str, step: int) -> Piece:
    """So many units from now. Raises ValueError for a thousand years and more, which are a date."""
    length(amount, grain)
    return Piece(calendar.offset(c.now, step * amount, grain))


def run(c: Context, amount: float, grain: str, step: int) -> Piece:
    """The past or coming so many units."""
    return Piece(calendar.run(c.now, step, amount, grain), "range")


def length(amount: float | None, grain: str) -> Piece:
    """A length. Raises ValueError for a thousand years and more, which are a date."""
    if amount is not None and amount >= 1000 and grain == "year":
        raise ValueError("that many years are a date")
    return Piece(None, "duration", "for", amount, grain)


def habit(amount: float | None = None, grain: str | None = None) -> Piece:
    """A habit."""
    return Piece(None, "frequency", "every", amount, grain)


def clock(c: Context, hour: int, minute: int = 0, second: int | None = None, part: str = "") -> Piece | None:
    """A time of the day of saying."""
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return None
    start = calendar.midnight(c.now.date()) + timedelta(hours=hour % 24, minutes=minute, seconds=second or 0)
    grain = "minute" if minute or second else "hour"
    size = timedelta(hours=1) if grain == "hour" else timedelta(minutes=1)
    when = LocalStretch(start, start + size, grain, "day", half_day=1 <= hour <= 12)
    return Piece(clocks.to_part(when, part) if part else when)


def part(c: Context, name: str, delta: int | None = None) -> Piece:
    """A part of a day: of today if loose, else of the day so far away."""
    base = calendar.midnight(c.now.date()) + timedelta(days=delta or 0)
    return Piece(replace(clocks.part_span(base, name), cycle="day" if delta is None else None), part=name)


def year(number: int) -> Piece:
    """A calendar year; two digits are expanded."""
    return Piece(calendar.year_span(expand_year(number)))


def season(c: Context, name: str, number: int | None = None, sign: int | None = None) -> Piece:
    """A season of a year, or the last, this or next one."""
    start = calendar.midnight(date(number or c.now.year, calendar.SEASON_MONTH[name], 1))
    span = LocalStretch(start, calendar.add(start, 3, "month"), "season", None if number else "year")
    if number is not None or sign is None:
        return Piece(span)
    if sign == 0:
        return Piece(replace(calendar.settle(span, c.now, "past" if c.prefer == "past" else "future"), cycle=None))
    current = calendar.unit_span(c.now, "season").start
    found = calendar.before(span, current - timedelta(days=1)) if sign < 0 else calendar.after(span, c.now)
    return Piece(replace(found, cycle=None))


def edge(piece: Piece, side: str) -> Piece | None:
    """The early, middle or late third of a unit."""
    from store.time.edges import narrowed

    when = narrowed(piece.when, side) if piece.when is not None else None
    return Piece(when) if when is not None else None
