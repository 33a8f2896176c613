"""A lane shows a slot as it was believed at one moment: what was believed is solid, what no longer was is dashed, the
rest unseen.

Pure functions from facts to rows of cells; nothing here knows Textual.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import groupby
from math import ceil
from typing import Literal

from rich.cells import cell_len

from store.records import Fact, Precision
from widgets.look import about, value
from widgets.plain import one_line
from widgets.states import never_true
from widgets.time_scale import WEEK, Scale

State = Literal["believed", "then", "never"]
Paint = Literal["", "now", "was", "coming", "then", "never", "text", "disputed", "cursor"]
FOREVER = 2**62
FEW_BARS = 40
"""In a slot with more, what is no longer believed gets rows of its own instead of the gaps between what is."""
ACTIVITY = "said per week"
SPARKS = "▁▂▃▄▅▆▇█"
STEPS = frozenset({"update", "correct", "stop", "backfill", "elaborate"})
_UNPRINTED = dict.fromkeys((0x200C, 0x200D, 0xFE0E, 0xFE0F))


@dataclass(frozen=True, slots=True)
class Bar:
    """One fact on its lane."""

    fact: Fact
    state: State

    @property
    def first(self) -> int | None:
        return self.fact.valid_from.us if self.fact.valid_from else None

    @property
    def last(self) -> int | None:
        return self.fact.valid_to.us if self.fact.valid_to else None

    def holds(self, us: int) -> bool:
        return (self.first is None or self.first <= us) and (self.last is None or us < self.last)

    def overlaps(self, other: Bar) -> bool:
        return _before(self.first, other.last) and _before(other.first, self.last)


@dataclass(frozen=True, slots=True)
class Lane:
    """One row: bars that do not overlap. `label` is empty on the second and later rows of a slot."""

    label: str
    subject: str
    predicate: str
    bars: tuple[Bar, ...]

    def nearest(self, us: int) -> Bar | None:
        """The bar that holds at the instant, else the one that is closest to it."""
        return min(self.bars, key=lambda bar: (_distance(bar, us), bar.state != "believed"), default=None)


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a row; the second column of a wide character has no text."""

    text: str = " "
    paint: Paint = ""


BLANK = Cell()


@lru_cache(maxsize=4096)
def cell(text: str, paint: Paint) -> Cell:
    """A cell; the same one for the same text and paint."""
    return Cell(text, paint)


def lanes_of_slot(slot: Sequence[Fact], believed_at: int) -> list[Lane]:
    """The rows of one slot at a moment of belief (microseconds UTC); none while nothing of it was believed yet."""
    known = [fact for fact in slot if fact.believed_from.us <= believed_at]
    return [
        Lane(about(row[0].fact) if number == 0 else "", row[0].fact.subject, row[0].fact.predicate, tuple(row))
        for number, row in enumerate(_packed(_bars(known, believed_at)))
    ]


def by_slot(facts: Iterable[Fact]) -> list[list[Fact]]:
    """The facts of each subject and predicate together: "me" first, then the others by name; what changed most on top.

    Within a slot they stay in the order in which they came.
    """
    facts = list(facts)
    steps = Counter((fact.subject, fact.predicate) for fact in facts if fact.change in STEPS)
    facts.sort(key=lambda fact: (
        fact.subject != "me", fact.subject, -steps[fact.subject, fact.predicate], fact.predicate
    ))  # fmt: skip
    return [list(slot) for _key, slot in groupby(facts, key=lambda fact: (fact.subject, fact.predicate))]


def drawn(lane: Lane, scale: Scale, true_at: int, now: int) -> list[Cell]:
    """The lane as `scale.width` cells."""
    row = [BLANK] * scale.width
    for bar in sorted(lane.bars, key=lambda bar: bar.state == "believed"):
        _draw(row, bar, scale, true_at, now)
    # The latest first: what holds now is the one that must have its words.
    for bar in sorted(lane.bars, key=lambda bar: -FOREVER if bar.first is None else bar.first, reverse=True):
        _draw_words(row, bar, scale, now)
    return row


def activity(begun: Sequence[int], scale: Scale) -> list[Cell]:
    """How many beliefs a week began, as a line of sparks: each column shows its week, or the mean of its weeks;
    `begun` are their instants, in order.
    """
    counts = [
        (bisect_left(begun, last) - bisect_left(begun, first)) * WEEK / (last - first) for first, last in scale.weeks()
    ]
    most = max(counts, default=0)
    return [cell(SPARKS[ceil(number * 7 / most)] if number else " ", "was") for number in counts]


def axis(scale: Scale) -> list[Cell]:
    """Round dates, each where its label begins."""
    text = [" "] * scale.width
    for column, label in scale.ticks():
        if column + len(label) <= scale.width:
            text[column : column + len(label)] = label
    return [cell(character, "was" if character != " " else "") for character in text]


def with_cell(cells: list[Cell], column: int, over: Cell) -> list[Cell]:
    """A copy with one cell drawn over; the same cells, where the column is not among them."""
    return [*cells[:column], over, *cells[column + 1 :]] if 0 <= column < len(cells) else cells


def _bars(slot: list[Fact], believed_at: int) -> list[Bar]:
    """What is believed; and of what no longer is, each value once, and only if no part of it is still believed."""
    believed = [fact for fact in slot if fact.believed_to is None or believed_at < fact.believed_to.us]
    seen = {(fact.object, fact.negative) for fact in believed}
    bars = [Bar(fact, "believed") for fact in believed]
    for fact in sorted(slot, key=lambda fact: -fact.believed_from.us):
        if (fact.object, fact.negative) not in seen:
            seen.add((fact.object, fact.negative))
            bars.append(Bar(fact, "never" if never_true(fact) else "then"))
    return bars


def _packed(bars: list[Bar]) -> list[list[Bar]]:
    """Rows in which no two bars overlap; what is believed in as few as can be, on top."""
    rows = _tight([bar for bar in bars if bar.state == "believed"])
    gone = [bar for bar in bars if bar.state != "believed"]
    if len(bars) > FEW_BARS:
        return rows + _tight(gone)
    for bar in gone:
        free = next((row for row in rows if not any(bar.overlaps(other) for other in row)), None)
        if free is None:
            rows.append([bar])
        else:
            free.append(bar)
    return rows


def _tight(bars: list[Bar]) -> list[list[Bar]]:
    """In order of their beginnings, each bar goes to the row that has been free for longest."""
    rows: list[list[Bar]] = []
    ends: list[tuple[int, int]] = []
    for bar in sorted(bars, key=lambda bar: -FOREVER if bar.first is None else bar.first):
        start = -FOREVER if bar.first is None else bar.first
        if ends and ends[0][0] <= start:
            place = heappop(ends)[1]
            rows[place].append(bar)
        else:
            place = len(rows)
            rows.append([bar])
        heappush(ends, (FOREVER if bar.last is None else bar.last, place))
    return rows


def _before(start: int | None, end: int | None) -> bool:
    return start is None or end is None or start < end


def _distance(bar: Bar, us: int) -> int:
    if bar.holds(us):
        return 0
    gaps = [abs(edge - us) for edge in (bar.first, bar.last) if edge is not None]
    return min(gaps, default=0) + 1


def _span(bar: Bar, scale: Scale, now: int) -> tuple[int, int]:
    """First and last column, unclipped; an open end reaches to now."""
    first = scale.column(bar.first) if bar.first is not None else -1
    if bar.last is None:
        return first, max(first, scale.column(max(now, bar.first or now)))
    return first, max(first, scale.column(bar.last - 1))


def _paint(bar: Bar, true_at: int) -> Paint:
    if bar.state != "believed":
        return "then" if bar.state == "then" else "never"
    if bar.fact.disputed:
        return "disputed"
    if bar.holds(true_at):
        return "now"
    return "coming" if bar.first is not None and bar.first > true_at else "was"


def _draw(row: list[Cell], bar: Bar, scale: Scale, true_at: int, now: int) -> None:
    first, last = _span(bar, scale, now)
    paint = _paint(bar, true_at)
    if first == last and bar.last is not None:
        if 0 <= first < len(row):
            row[first] = cell("◆" if bar.state == "believed" else "◇", paint)
        return
    start, end = max(0, first), min(len(row), last + 1)
    if start < end:
        row[start:end] = [cell("─" if bar.state == "believed" else "╌", paint)] * (end - start)
    if 0 <= first < len(row):
        row[first] = cell("╶" if bar.fact.precision is Precision.OPEN else "├", paint)
    if 0 <= last < len(row):
        row[last] = cell("▶" if bar.last is None else "┤", paint)


def _draw_words(row: list[Cell], bar: Bar, scale: Scale, now: int) -> None:
    """The value inside its bar, right of it, or left of it, wherever all of it fits; else cut, where there is most
    room.
    """
    first, last = _span(bar, scale, now)
    words = value(bar.fact)
    needed = cell_len(words) + 2
    left = max(first, -1)
    inside = min(last, len(row)) - left - 3
    after = _free_after(row, last + 1) if 0 <= last < len(row) else 0
    if inside >= needed:
        _put(row, left + 2, f" {words} ")
    elif after >= needed:
        _put(row, last + 2, words)
    elif 0 <= first < len(row) and _free_before(row, first) >= needed:
        _put(row, first - needed + 1, words)
    elif inside > max(4, after):
        _put(row, left + 2, f" {one_line(words, inside - 2)} ")
    elif after >= 4:
        _put(row, last + 2, one_line(words, after - 2))


def _free_after(row: list[Cell], start: int) -> int:
    for column in range(start, len(row)):
        if row[column].paint:
            return column - start
    return len(row) - start


def _free_before(row: list[Cell], end: int) -> int:
    for column in range(min(end, len(row)) - 1, -1, -1):
        if row[column].paint:
            return end - column - 1
    return max(0, end)


def _put(row: list[Cell], column: int, words: str) -> None:
    """Write over the cells, never past the end, a wide character taking two."""
    for character in words.translate(_UNPRINTED):
        width = cell_len(character)
        if width == 0 or column < 0 or column + width > len(row):
            continue
        row[column] = cell(character, "text")
        if width == 2:
            row[column + 1] = cell("", "text")
        column += width
