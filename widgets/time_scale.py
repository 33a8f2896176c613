"""Instants become columns and columns instants here and nowhere else: a column is one stretch of time everywhere."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from store.records import Instant, Precision
from widgets.wording import date_words, moment

DAY = 86_400_000_000
WEEK = 7 * DAY
MINUTE = DAY // 24 // 60
FINEST = MINUTE // 600  # a column of a memory that is a few seconds old
COARSEST = DAY * 366 * 4

Unit = Literal["minute", "day", "week", "month", "year"]
_STEPS: tuple[tuple[Unit, int, int], ...] = (
    ("minute", 1, 7), ("minute", 2, 7), ("minute", 5, 7), ("minute", 10, 7), ("minute", 30, 7), ("minute", 60, 7),
    ("minute", 180, 7), ("minute", 360, 7), ("day", 1, 9), ("day", 2, 9), ("day", 3, 8), ("week", 1, 8), ("week", 2, 7),
    ("month", 1, 5), ("month", 2, 5), ("month", 3, 5), ("month", 6, 5), ("year", 1, 6), ("year", 2, 6), ("year", 5, 6),
    ("year", 10, 6), ("year", 50, 6),
)  # fmt: skip
"""What the labels of the axis may be apart, finest first: a unit, how many of it, and the columns that they need."""
_LENGTHS = {"minute": MINUTE, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}
_COUNTED = (("week", WEEK), ("day", DAY), ("hour", 60 * MINUTE), ("minute", MINUTE))
"""By what the things said are counted, longest first."""


@dataclass(frozen=True)
class Scale:
    """`start` is the instant (microseconds UTC) at the left edge of column 0, `per_cell` each column's."""

    start: int
    per_cell: int
    width: int
    zone: tzinfo

    @classmethod
    def fitting(cls, first: int, last: int, width: int, zone: tzinfo) -> Scale:
        """Shows all of [first, last], however short it is, with a little air on both sides."""
        width = max(width, 10)
        per_cell = min(COARSEST, max(FINEST, (last - first) // max(1, width - 5)))
        return cls(first - 2 * per_cell, per_cell, width, zone)

    @property
    def end(self) -> int:
        return self.start + self.per_cell * self.width

    def column(self, us: int) -> int:
        """May lie outside 0 .. width-1."""
        return (us - self.start) // self.per_cell

    def place(self, us: int) -> float:
        """How many columns it lies right of the left edge."""
        return (us - self.start) / self.per_cell

    def at(self, column: int) -> int:
        """The middle of a column."""
        return self.start + column * self.per_cell + self.per_cell // 2

    def zoomed(self, factor: float, around: int) -> Scale:
        """Finer (factor below 1) or coarser, with the instant `around` staying in its column."""
        per_cell = min(COARSEST, max(FINEST, int(self.per_cell * factor)))
        column = min(self.width - 1, max(0, self.column(around)))
        return replace(self, start=around - column * per_cell - per_cell // 2, per_cell=per_cell)

    def widened(self, width: int) -> Scale:
        """The same stretch of time over another number of columns."""
        width = max(width, 10)
        per_cell = min(COARSEST, max(FINEST, self.per_cell * self.width // width))
        return replace(self, per_cell=per_cell, width=width)

    def showing(self, us: int) -> Scale:
        """Moved by as little as brings the instant into view."""
        column, margin = self.column(us), min(4, self.width // 4)
        beyond = min(0, column - margin) or max(0, column - (self.width - margin) + 1)
        return replace(self, start=self.start + beyond * self.per_cell)

    @property
    def counted(self) -> tuple[str, int]:
        """The longest of which two are in view, and how long it is."""
        return next(one for one in _COUNTED if self.per_cell * self.width >= 2 * one[1] or one == _COUNTED[-1])

    def counts(self) -> Iterator[tuple[int, int]]:
        """For each column, the beginning of the first stretch to count by that it touches, and the end of the last;
        weeks begin on Monday.
        """
        _name, length = self.counted
        unit: Unit = "week" if length == WEEK else "day" if length == DAY else "minute"
        try:
            begun = Instant.of(_floor(moment(self.start, self.zone), unit, max(1, length // MINUTE))).us
        except (OverflowError, ValueError):  # before the calendar
            begun = self.start
        for column in range(self.width):
            first, last = self.start + column * self.per_cell, self.start + (column + 1) * self.per_cell
            yield begun + (first - begun) // length * length, begun - (begun - last) // length * length

    def ticks(self) -> Iterator[tuple[int, str]]:
        """(column, label) of the axis, at round dates; hours stand after their day. Where the first of them lies far
        from the left edge, that is dated, too."""
        unit, amount = self._labelled()
        free, found = 0, list(self._round(unit, amount))
        try:
            edge = _label(moment(self.start, self.zone), "day" if unit in ("minute", "week") else unit)
        except (OverflowError, ValueError):  # beyond the calendar
            edge = ""
        if edge and (unit == "minute" or not found or found[0][0] > len(edge) + 1):
            yield 0, edge
            free = len(edge) + 1
        for column, at in found:
            label = _label(at, unit)
            if column >= free:
                free = column + len(label) + 1
                yield column, label

    def _labelled(self) -> tuple[Unit, int]:
        """What the labels are apart."""
        return next((one[:2] for one in _STEPS if self._holds(*one)), _STEPS[-1][:2])

    def marks(self) -> Iterator[int]:
        """Columns of the axis that need no room for a label: each day, week or month, wherever two columns are left
        for it; weeks only where they have labels, for months begin within them."""
        weeks = self._labelled()[0] == "week"
        steps = (one[:2] for one in _STEPS if (one[0] != "week" or weeks) and self._holds(*one[:2], 2))
        for column, _at in self._round(*next(steps, _STEPS[-1][:2])):
            yield column

    def _round(self, unit: Unit, amount: int) -> Iterator[tuple[int, datetime]]:
        try:
            tick = _floor(moment(self.start, self.zone), unit, amount)
            while (us := Instant.of(tick).us) < self.end:
                if us >= self.start:
                    yield self.column(us), tick
                tick = stepped(tick, unit, amount)
        except (OverflowError, ValueError):
            return  # beyond the calendar there is nothing to label

    def _holds(self, unit: Unit, amount: int, columns: int) -> bool:
        return _LENGTHS[unit] * amount >= columns * self.per_cell


@dataclass(frozen=True, slots=True)
class Cursors:
    """Where the cursors stand (microseconds UTC; None is now)."""

    true_at: int | None
    believed_at: int | None
    now: int
    zone: tzinfo

    @property
    def world(self) -> int:
        return self.now if self.true_at is None else self.true_at

    @property
    def belief(self) -> int:
        return self.now if self.believed_at is None else self.believed_at

    def on(self, us: int) -> str:
        """ "on 5 September", "today"."""
        at = moment(us, self.zone)
        if at.date() == moment(self.now, self.zone).date():
            return "today"
        return f"on {date_words(Instant.of(at), Precision.DAY, self.now)}"


def stepped(at: datetime, unit: Unit, amount: int) -> datetime:
    """`amount` units later, or earlier; the last day of a month stays within its month."""
    if unit in ("minute", "day", "week"):
        return at + amount * timedelta(microseconds=_LENGTHS[unit])
    months = at.year * 12 + at.month - 1 + amount * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, monthrange(year, month + 1)[1]))


def _floor(at: datetime, unit: Unit, amount: int) -> datetime:
    start = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "minute":
        return start + timedelta(minutes=(at.hour * 60 + at.minute) // amount * amount)
    if unit in ("day", "week"):
        return start - timedelta(days=(start.toordinal() - 1) % (amount * (7 if unit == "week" else 1)))
    if unit == "month":
        return start.replace(day=1, month=(start.month - 1) // amount * amount + 1)
    return start.replace(day=1, month=1, year=max(1, start.year // amount * amount))


def _label(at: datetime, unit: Unit) -> str:
    if unit == "year" or (unit == "month" and at.month == 1):
        return str(at.year)
    if unit == "minute" and (at.hour or at.minute):
        return f"{at:%H:%M}"
    return f"{at:%b}" if unit == "month" else f"{at.day} {at:%b}"
