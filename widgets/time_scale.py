"""One column is one stretch of time, the same everywhere: instants become columns and columns instants here and
nowhere else.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from store.records import Instant, Precision
from widgets.wording import date_words, moment

DAY = 86_400_000_000
WEEK = 7 * DAY
FINEST = DAY // 24
COARSEST = DAY * 366 * 4

Unit = Literal["day", "week", "month", "year"]
_STEPS: tuple[tuple[Unit, int, int], ...] = (
    ("day", 1, 9),
    ("week", 1, 9),
    ("month", 1, 5),
    ("month", 2, 5),
    ("month", 3, 5),
    ("month", 6, 5),
    ("year", 1, 6),
    ("year", 2, 6),
    ("year", 5, 6),
    ("year", 10, 6),
    ("year", 50, 6),
)
"""What the labels of the axis may be apart, finest first: a unit, how many of it, and the columns that they need."""
_LENGTHS = {"day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}


@dataclass(frozen=True, slots=True)
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
        """The instant at the right edge."""
        return self.start + self.per_cell * self.width

    def column(self, us: int) -> int:
        """May lie outside 0 .. width-1."""
        return (us - self.start) // self.per_cell

    def at(self, column: int) -> int:
        """The middle of a column."""
        return self.start + column * self.per_cell + self.per_cell // 2

    def zoomed(self, factor: float, around: int) -> Scale:
        """Finer (factor below 1) or coarser, with the instant `around` staying in its column."""
        per_cell = min(COARSEST, max(FINEST, int(self.per_cell * factor)))
        column = min(self.width - 1, max(0, self.column(around)))
        return Scale(around - column * per_cell - per_cell // 2, per_cell, self.width, self.zone)

    def widened(self, width: int) -> Scale:
        """The same stretch of time over another number of columns."""
        per_cell = min(COARSEST, max(FINEST, self.per_cell * self.width // max(width, 10)))
        return Scale(self.start, per_cell, max(width, 10), self.zone)

    def showing(self, us: int) -> Scale:
        """Moved by as little as brings the instant into view."""
        column, margin = self.column(us), min(4, self.width // 4)
        if column < margin:
            return Scale(self.start - (margin - column) * self.per_cell, self.per_cell, self.width, self.zone)
        if column >= self.width - margin:
            beyond = column - (self.width - margin) + 1
            return Scale(self.start + beyond * self.per_cell, self.per_cell, self.width, self.zone)
        return self

    def weeks(self) -> Iterator[tuple[int, int]]:
        """For each column, the beginning of the first week that it touches, and the end of the last; weeks begin on
        Monday.
        """
        try:
            monday = Instant.of(_floor(moment(self.start, self.zone), "week", 1)).us
        except (OverflowError, ValueError):  # before the calendar
            monday = self.start
        for column in range(self.width):
            first, last = self.start + column * self.per_cell, self.start + (column + 1) * self.per_cell
            yield monday + (first - monday) // WEEK * WEEK, monday - (monday - last) // WEEK * WEEK

    def ticks(self) -> Iterator[tuple[int, str]]:
        """(column, label) of the axis, at round dates."""
        unit, amount = self._step()
        try:
            tick = _floor(moment(self.start, self.zone), unit, amount)
            while (us := Instant.of(tick).us) < self.end:
                if us >= self.start:
                    yield self.column(us), _label(tick, unit)
                tick = stepped(tick, unit, amount)
        except (OverflowError, ValueError):
            # Beyond the calendar there is nothing to label.
            return

    def _step(self) -> tuple[Unit, int]:
        for unit, amount, room in _STEPS:
            if _LENGTHS[unit] * amount >= room * self.per_cell:
                return unit, amount
        return _STEPS[-1][:2]


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
        """ "on 5 September"."""
        return f"on {date_words(Instant.of(moment(us, self.zone)), Precision.DAY, self.now)}"


def stepped(at: datetime, unit: Unit, amount: int) -> datetime:
    """`amount` units later, or earlier; the last day of a month stays within its month."""
    if unit in ("day", "week"):
        return at + timedelta(days=amount * (7 if unit == "week" else 1))
    months = at.year * 12 + at.month - 1 + amount * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, monthrange(year, month + 1)[1]))


def _floor(at: datetime, unit: Unit, amount: int) -> datetime:
    start = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "day":
        return start
    if unit == "week":
        return start - timedelta(days=start.weekday())
    if unit == "month":
        return start.replace(day=1, month=(start.month - 1) // amount * amount + 1)
    return start.replace(day=1, month=1, year=max(1, start.year // amount * amount))


def _label(at: datetime, unit: Unit) -> str:
    if unit == "year" or (unit == "month" and at.month == 1):
        return str(at.year)
    return f"{at:%b}" if unit == "month" else f"{at.day} {at:%b}"
