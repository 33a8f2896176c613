"""A lane shows a slot as it was at one moment of one time, drawn along the other: what was believed is filled, what no
longer was is dashed, the rest unseen.

Pure functions from facts to rows of cells; nothing here knows Textual."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import groupby, islice
from math import ceil
from operator import attrgetter
from typing import Literal, NamedTuple, get_args

from rich.cells import cell_len

from store.beliefs.predicates import Group, find
from store.records import Fact, Precision
from widgets.plain import one_line
from widgets.states import DISPUTED, NEVER_TRUE, never_true
from widgets.time_scale import DAY, Scale
from widgets.whole_belief import FOREVER
from widgets.wording import about, value

State = Literal["believed", "then", "never"]
Axis = Literal["true", "believed"]
GROUPS: tuple[Group, ...] = get_args(Group)  # the parts of a life, each of which has a colour
FEW_BARS = 40  # with more in a slot, what is no longer believed gets rows of its own and not the gaps between
SHORTEST_NAME = 7  # columns below which a name that is cut says nothing
ROWS_FOR_NAMES = 6  # rows over which short bars are spread at most, so that their names have room
SPARKS = "▁▂▃▄▅▆▇█"
STEPS = frozenset({"update", "correct", "stop", "backfill", "elaborate"})
_UNPRINTED = dict.fromkeys((0x200C, 0x200D, 0xFE0E, 0xFE0F))


def group_of(predicate: str) -> Group:
    return find(predicate).group


@dataclass(frozen=True, slots=True)
class Bar:
    """One fact on its lane, from its first instant to its last (microseconds UTC; None is an open end)."""

    fact: Fact
    state: State
    first: int | None
    last: int | None
    vague: bool = False  # nobody said when it began
    told: bool = True  # it is what the lane says of these instants, and not only what once was said of them

    @classmethod
    def in_the_world(cls, fact: Fact, state: State) -> Bar:
        """Along the time in which it was true."""
        first, last = fact.valid_from and fact.valid_from.us, fact.valid_to and fact.valid_to.us
        return cls(fact, state, first, last, fact.precision is Precision.OPEN, state == "believed")

    @classmethod
    def in_belief(cls, fact: Fact) -> Bar:
        """Along the time in which it was believed."""
        last = fact.believed_to and fact.believed_to.us
        return cls(fact, "never" if never_true(fact) else "believed", fact.believed_from.us, last)

    @property
    def begins(self) -> int:
        return -FOREVER if self.first is None else self.first

    @property
    def ends(self) -> int:
        return FOREVER if self.last is None else self.last

    def holds(self, us: int) -> bool:
        return self.begins <= us < self.ends

    def distance(self, us: int) -> int:
        """How far the instant lies from it; 0 where it holds."""
        return 0 if self.holds(us) else min(abs(self.begins - us), abs(self.ends - us)) + 1


@dataclass(frozen=True, slots=True)
class Lane:
    """One row: bars that do not overlap. `label` is empty on the second and later rows of a slot."""

    label: str
    subject: str
    predicate: str
    bars: tuple[Bar, ...]

    def holding(self, us: int) -> Bar | None:
        return next((bar for bar in self.bars if bar.told and bar.holds(us)), None)

    def nearest(self, us: int) -> Bar | None:
        """The bar that holds at the instant, else the one that is closest to it."""
        return min(self.bars, key=lambda bar: (bar.distance(us), bar.state != "believed"), default=None)


class Cell(NamedTuple):
    """One column of a row; the second column of a wide character has no text. `paint` names a style: of a group's bar
    "home-now", "home-was" or "home-line", or one of its own. `word` is a letter of a name, which nothing covers."""

    text: str = " "
    paint: str = ""
    word: bool = False


BLANK = Cell()


def lanes_of_slot(slot: Sequence[Fact], at: int, along: Axis = "true") -> list[Lane]:
    """The rows of one slot, along world time at a moment of belief, or along belief at a moment of the world
    (microseconds UTC); none where nothing of it was believed yet, or nothing ever told of that moment."""
    if along == "true":
        bars = _bars([fact for fact in slot if fact.believed_from.us <= at], at)
    else:
        bars = [Bar.in_belief(fact) for fact in slot if Bar.in_the_world(fact, "believed").holds(at)]
    return [
        Lane(about(row[0].fact) if number == 0 else "", row[0].fact.subject, row[0].fact.predicate, tuple(row))
        for number, row in enumerate(_packed(bars))
    ]


def by_slot(facts: Iterable[Fact]) -> list[list[Fact]]:
    """The facts of each subject and predicate together: "me" first, then by name; what changed most on top."""
    facts = list(facts)
    steps = Counter((fact.subject, fact.predicate) for fact in facts if fact.change in STEPS)
    facts.sort(key=lambda fact: (
        fact.subject != "me", fact.subject, -steps[fact.subject, fact.predicate], fact.predicate
    ))  # fmt: skip
    return [list(slot) for _key, slot in groupby(facts, key=lambda fact: (fact.subject, fact.predicate))]


def drawn(lane: Lane, scale: Scale, at: int, now: int) -> list[Cell]:
    """The lane as `scale.width` cells, with the cursor at an instant; what lies out of view is named at the edge."""
    row = [BLANK] * scale.width
    for bar in sorted(lane.bars, key=lambda bar: bar.state == "believed"):
        _draw(row, bar, scale, at, now)
    # The latest first: what holds now is the one that must have its words.
    bars = sorted(lane.bars, key=lambda bar: bar.begins, reverse=True)
    for bar in bars:
        _draw_words(row, bar, scale, now)
    told = [(bar, _span(bar, scale, now)) for bar in bars if bar.told]
    before = next((bar for bar, (_first, last) in told if last < 0), None)
    if before is not None and cell_len(words := f"‹ {value(before.fact)}") < _free_after(row, 0):
        put(row, 0, words, f"{group_of(before.fact.predicate)}-line")
    after = next((bar for bar, (first, _last) in reversed(told) if first >= len(row)), None)
    if after is not None and cell_len(words := f"› {value(after.fact)}") < _free_before(row, len(row)):
        put(row, len(row) - cell_len(words), words, f"{group_of(after.fact.predicate)}-line")
    return row


def activity(begun: Sequence[int], scale: Scale, now: int) -> list[Cell]:
    """How many beliefs began in a week (close up: a day, an hour, a minute), as a line of sparks: each column up to
    now's shows its week, or the mean of its weeks; `begun` are their instants, in order."""
    counts = [
        (bisect_left(begun, last) - bisect_left(begun, first)) / (last - first)
        for first, last in islice(scale.counts(), max(0, scale.column(now) + 1))
    ]
    most = max(counts, default=0)
    sparks = [Cell(SPARKS[min(7, ceil(number * 7 / most))] if number else " ", "quiet") for number in counts]
    return sparks + [BLANK] * (scale.width - len(sparks))


def axis(scale: Scale, cursor: int, mark: Cell, tick: str = "╷") -> list[Cell]:
    """Round dates, each a tick or where its label begins, and the mark in the cursor's column: none touches that."""
    row = [BLANK] * scale.width
    for column in scale.marks():
        if abs(column - cursor) > 1:
            row[column] = Cell(tick, "tick")
    for column, label in scale.ticks():
        end = column + len(label)
        if end <= scale.width and not column - 1 <= cursor <= end:
            row[column:end] = [Cell(letter, "axis") for letter in label]
            row[end : end + 1] = [BLANK] * (end < scale.width)
    return with_cell(row, cursor, mark)


def runs(cells: Iterable[Cell]) -> Iterator[tuple[str, str]]:
    """(text, paint) of each run of cells of one paint."""
    for paint, run in groupby(cells, key=attrgetter("paint")):
        yield "".join([one.text for one in run]), paint


def with_cell(cells: list[Cell], column: int, over: Cell) -> list[Cell]:
    """A copy with one cell drawn over; the same cells, where the column is not among them."""
    return [*cells[:column], over, *cells[column + 1 :]] if 0 <= column < len(cells) else cells


def _bars(slot: list[Fact], believed_at: int) -> list[Bar]:
    """What is believed; and of what no longer is, each value once, and only if no part of it is still believed."""
    believed = [fact for fact in slot if fact.believed_to is None or believed_at < fact.believed_to.us]
    seen = {(fact.object, fact.negative) for fact in believed}
    bars = [Bar.in_the_world(fact, "believed") for fact in believed]
    for fact in sorted(slot, key=lambda fact: -fact.believed_from.us):
        if (fact.object, fact.negative) not in seen:
            seen.add((fact.object, fact.negative))
            bars.append(Bar.in_the_world(fact, "never" if never_true(fact) else "then"))
    return bars


def _packed(bars: list[Bar]) -> list[list[Bar]]:
    """Rows in which no two bars overlap; what is believed in as few as can be, on top."""
    said = sorted(bar.fact.believed_from.us for bar in bars)
    a_name = (said[-1] - said[0]) // 10 if said else 0
    rows = _tight([bar for bar in bars if bar.state == "believed"], a_name)
    gone = [bar for bar in bars if bar.state != "believed"]
    if len(bars) > FEW_BARS:
        return rows + _tight(gone)
    for bar in gone:
        free = (row for row in rows if not any(bar.begins < one.ends and one.begins < bar.ends for one in row))
        if (row := next(free, None)) is None:
            rows.append([bar])
        else:
            row.append(bar)
    return rows


def _tight(bars: list[Bar], room: int = 0) -> list[list[Bar]]:
    """In order of their beginnings, each bar goes to the row that has been free for longest; what is shorter than the
    room for a name takes that, while the rows are few."""
    rows: list[list[Bar]] = []
    ends: list[tuple[int, int]] = []
    for bar in sorted(bars, key=lambda bar: bar.begins):
        free = ends and ends[0][0] <= bar.begins
        if free or (len(rows) >= ROWS_FOR_NAMES and rows[ends[0][1]][-1].ends <= bar.begins):
            place = heappop(ends)[1]
            rows[place].append(bar)
        else:
            place = len(rows)
            rows.append([bar])
        heappush(ends, (max(bar.ends, bar.begins + room), place))
    return rows


def _span(bar: Bar, scale: Scale, now: int) -> tuple[int, int]:
    """First and last column, unclipped; an open end reaches to now. What is as short as a column has one."""
    first = scale.column(bar.first) if bar.first is not None else -1
    if bar.last is None:
        return first, max(first, scale.column(max(now, bar.first or now)))
    if bar.first is not None and bar.last - bar.first <= scale.per_cell:
        return first, first
    return first, max(first, scale.column(bar.last - 1))


def _draw(row: list[Cell], bar: Bar, scale: Scale, at: int, now: int) -> None:
    first, last = _span(bar, scale, now)
    group = group_of(bar.fact.predicate)
    paint = "never" if bar.state == "never" else f"{group}-line"
    if first == last and bar.last is not None:
        if 0 <= first < len(row):
            row[first] = Cell("◆" if bar.state == "believed" else "◇", paint)
        return
    if bar.state == "believed":
        paint = "disputed" if bar.fact.disputed else f"{group}-{'now' if bar.holds(at) else 'was'}"
    start, end = max(0, first), min(len(row), last + 1)
    if start < end:
        row[start:end] = [Cell(" " if bar.state == "believed" else "╌", paint)] * (end - start)
    if 0 <= first < len(row):
        row[first] = Cell(_cap(bar), paint)
    if bar.last is None and bar.state == "believed" and start < last < len(row):
        row[last] = Cell("▸", paint)


def _cap(bar: Bar) -> str:
    """How a bar begins: nobody said when, it was never so, it is disputed, or here."""
    if bar.state != "believed":
        return NEVER_TRUE if bar.state == "never" else "╌"
    return DISPUTED if bar.fact.disputed else "░" if bar.vague else "▎"


def _draw_words(row: list[Cell], bar: Bar, scale: Scale, now: int) -> None:
    """The value inside its bar; else behind it, where all of it fits; a mark's behind it cut, if it must be; else cut,
    inside. What has begun has no words right of now, where they would be taken for what is to come. Before its bar they
    stand where now, or the edge, takes the room behind it, of a mark or of a bar that has no room: else they would be
    taken for what held then, or for the name of another mark."""
    first, last = _span(bar, scale, now)
    # Where a bar begins out of view, so does the mark of what never was so.
    words = f"{NEVER_TRUE} {value(bar.fact)}" if bar.state == "never" and first < 0 else value(bar.fact)
    left, today = max(first, -1), scale.column(now)
    # The line of now stands where the bar begins, and covers its mark.
    marked = f"{_cap(bar)} {words}" if bar.state != "believed" and first == today else words
    inside = min(last + 1, len(row)) - left - 1
    mark = bar.last is not None and (first == last or bar.last - (bar.first or 0) <= DAY)
    after = free = _free_after(row, last + 1) if 0 <= last < len(row) else 0
    if first <= today:
        after = min(after, today - last - 1)
    # Before it: up to the edge, or the line of now, or well apart from what stands there.
    before, most = _free_before(row, first), first - (today + 1 if 0 <= today < first else 0)
    room = cell_len(words) + 1
    paint = "text" if bar.state == "never" else f"{group_of(bar.fact.predicate)}-line"
    if inside >= room:
        put(row, left + 1, words)
    elif after > room:
        put(row, last + 2, words, paint)
    elif (
        (mark or inside <= 4)
        and (after < free or last + 1 + free == len(row))
        and most > cell_len(marked)
        and (before >= most or before > cell_len(marked) + 3)
    ):
        put(row, first - cell_len(marked) - 1, marked, paint)
    elif mark and after > SHORTEST_NAME:
        put(row, last + 2, one_line(words, after - 2), paint)
    elif inside > 4:
        put(row, left + 1, one_line(words, inside - 1))


def _free_after(row: list[Cell], start: int) -> int:
    return next((column for column in range(start, len(row)) if row[column].paint), len(row)) - start


def _free_before(row: list[Cell], end: int) -> int:
    filled = next((column for column in range(min(end, len(row)) - 1, -1, -1) if row[column].paint), None)
    return max(0, end) if filled is None else end - filled - 1


def put(row: list[Cell], column: int, words: str, paint: str = "text") -> None:
    """Write over the cells, in the paint of each that has one, never past the end, a wide character taking two."""
    for character in words.translate(_UNPRINTED):
        width = cell_len(character)
        if width == 0 or column < 0 or column + width > len(row):
            continue
        row[column] = Cell(character, row[column].paint or paint, True)
        if width == 2:
            row[column + 1] = Cell("", row[column].paint, True)
        column += width
