"""Every fact is a rectangle: across, when it was true; down, when it was believed. Nothing here knows Textual."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import accumulate, pairwise
from math import floor
from textwrap import wrap

from rich.cells import cell_len

from store.records import Fact
from widgets.lane_layout import BLANK, GROUPS, Cell, put
from widgets.plain import one_line
from widgets.states import DISPUTED, NEVER_TRUE, never_true
from widgets.time_scale import DAY, MINUTE, Scale
from widgets.whole_belief import ends, forgotten, starts
from widgets.wording import count, value

SAID_AT_ONCE = "·"
"""Where both times are the same: what is left of it was told late, what is right of it was foreseen."""
WORDS_OF_STILL = 12  # columns in which the length of a long stretch without any change can be told
HALF_A_YEAR = 182 * DAY  # what is shown in full around the moment that is looked at


@dataclass(frozen=True, slots=True)
class Area:
    """A fact on the map, in microseconds UTC; an open end reaches to the edge."""

    fact: Fact
    left: int
    right: int
    top: int
    bottom: int
    paint: str

    @property
    def words(self) -> str:
        """Its value; what never was so, and what is in dispute, is marked before any colour."""
        mark = f"{NEVER_TRUE} " if never_true(self.fact) else f"{DISPUTED} " if self.fact.disputed else ""
        return mark + value(self.fact)


@dataclass(frozen=True)
class BentScale(Scale):
    """A scale on which long stretches without any change take few columns each, so that the rest has most of them."""

    still: tuple[tuple[int, int], ...]  # those stretches, in microseconds UTC, in order
    narrow: int  # columns that each of them takes
    instants: tuple[float, ...]  # where it bends, with both ends
    columns: tuple[float, ...]  # the columns of these instants

    @classmethod
    def over(cls, world: tuple[int, int], still: tuple[tuple[int, int], ...], width: int, zone: tzinfo) -> BentScale:
        """All of `world` in so many columns."""
        narrow = max(1, min(WORDS_OF_STILL, width // (2 + 2 * len(still))))
        rest = world[1] - world[0] - sum(last - first for first, last in still)
        per_cell = max(1, -(-rest // max(1, width - narrow * len(still))))
        instants = (world[0], *(edge for stretch in still for edge in stretch), world[1])
        widths = (narrow if n % 2 else (end - begin) / per_cell for n, (begin, end) in enumerate(pairwise(instants)))
        columns = tuple(accumulate(widths, initial=0.0))
        return cls(world[0], per_cell, width, zone, still, narrow, instants, columns)

    @property
    def end(self) -> int:
        return self.at(self.width - 1) + self.per_cell // 2

    def place(self, us: int) -> float:
        return _along(us, self.instants, self.columns)

    def column(self, us: int) -> int:
        return floor(self.place(us))

    def at(self, column: int) -> int:
        return int(_along(column + 0.5, self.columns, self.instants))

    def ticks(self) -> Iterator[tuple[int, str]]:
        """Round dates, and instead of those of a stretch how long it is."""
        found = [one for one in super().ticks() if not self._in_still(one[0], one[0] + len(one[1]))]
        for first, last in self.still:
            months = round((last - first) / (30.44 * DAY))
            number, unit = (round(months / 12), "year") if months >= 12 else (months, "month")
            labels = f"≈ {count(number, unit)}", f"≈ {number} {unit[0]}", "≈"
            label = next(one for one in labels if cell_len(one) < self.narrow or one == "≈")
            found.append((self.column(first) + (self.narrow - cell_len(label)) // 2, label))
        yield from sorted(found)

    def marks(self) -> Iterator[int]:
        return (mark for mark in super().marks() if not self._in_still(mark, mark))

    def _in_still(self, left: int, right: int) -> bool:
        return any(left <= self.column(last) and self.column(first) <= right for first, last in self.still)


@dataclass(frozen=True, slots=True)
class Ranges:
    """What the map shows, in microseconds UTC: of the world, and of belief."""

    world: tuple[int, int]
    belief: tuple[int, int]
    still: tuple[tuple[int, int], ...] = ()
    """The stretches of the world without any change beside which what was lately told of would have no room."""

    @classmethod
    def of(cls, facts: Sequence[Fact], now: int, asked: int | None = None) -> Ranges:
        """All that was told, and a little around it, up to now and what is to come; `asked` is a moment of the world
        that is looked at (None: now)."""
        told = [edge.us for fact in facts for edge in (fact.valid_from, fact.valid_to) if edge is not None]
        said = [edge.us for one in facts for edge in (one.believed_from, one.believed_to) if edge is not None]
        first, last, near = min([*told, now]), max([*told, now]), now if asked is None else asked
        belief = min([*said, now]), max([*said, now])
        seen = (min(max(first, near + half), last) for half in (-HALF_A_YEAR, HALF_A_YEAR))
        recent = belief[1] - belief[0] + HALF_A_YEAR
        gaps = [one for one in pairwise(sorted({*told, *seen, now})) if one[1] - one[0] > 2 * recent]
        air = max(MINUTE, (last - first - sum(end - begin for begin, end in gaps)) // 16)
        still = tuple((begin + air, end - air) for begin, end in gaps if end - begin > 4 * air)
        return cls((first - air, last + 2 * air), (belief[0], max(belief[1], belief[0] + MINUTE)), still)

    def across(self, width: int, zone: tzinfo) -> Scale:
        """The world in so many columns."""
        if not self.still:
            return _scale(self.world, width, zone)
        return BentScale.over(self.world, self.still, width, zone)

    def down(self, height: int, zone: tzinfo) -> Scale:
        """Belief in so many rows."""
        return _scale(self.belief, height, zone)


def areas(facts: Sequence[Fact], ranges: Ranges) -> list[Area]:
    """The rectangles, the earliest belief first; each value has one colour."""
    ordered = sorted(facts, key=lambda one: (one.believed_from.us, one.valid_from.us if one.valid_from else 0))
    values = list(dict.fromkeys(value(one) for one in ordered))
    found: list[Area] = []
    for one in ordered:
        left = ranges.world[0] if one.valid_from is None else one.valid_from.us
        right = ranges.world[1] if one.valid_to is None else one.valid_to.us
        bottom = ranges.belief[1] if one.believed_to is None else one.believed_to.us
        group = GROUPS[values.index(value(one)) % len(GROUPS)]
        found.append(Area(one, left, right, one.believed_from.us, bottom, group))
    return found


def apart(facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts that one map can show: those of as many values as never hold at one point of both times; a value that
    meets another one is of the next map. What held first in the world comes first."""
    values: dict[tuple[str, bool], list[Fact]] = {}
    for one in sorted(facts, key=lambda fact: fact.valid_from.us if fact.valid_from else 0):
        values.setdefault((one.object, one.negative), []).append(one)
    maps = list[list[Fact]]()
    for held in values.values():
        room = (shown for shown in maps if not any(_meet(one, other) for one in held for other in shown))
        if (shown := next(room, None)) is None:
            maps.append(held)
        else:
            shown += held
    return [[one for one in facts if one in shown] for shown in maps]


def drawn_map(found: Sequence[Area], across: Scale, down: Scale, true_at: int, believed_at: int) -> list[list[Cell]]:
    """`down.width` rows of `across.width` cells. What lies where the cursors cross is strong, all else pale."""
    rows = [[BLANK] * across.width for _ in range(down.width)]
    for number, row in enumerate(rows):
        column = across.column(down.at(number))
        if 0 <= column < len(row):
            row[column] = Cell(SAID_AT_ONCE, "quiet")
    for area in found:
        _fill(rows, area, across, down, true_at, believed_at)
    return rows


def _fill(rows: list[list[Cell]], area: Area, across: Scale, down: Scale, true_at: int, believed_at: int) -> None:
    # Where one ends and another begins on one day, its column is that of the latter, whichever is drawn first.
    left = max(0, across.column(area.left))
    right = across.width if area.fact.valid_to is None else min(across.width, across.column(area.right))
    top, bottom = max(0, down.column(area.top)), min(down.width, down.column(area.bottom - 1) + 1)
    bottom = max(bottom, top + 1)  # what was believed for an hour is a row, too
    right = max(right, left + 1)
    here = area.left <= true_at < area.right and area.top <= believed_at < area.bottom
    paint = f"{area.paint}-{'now' if here else 'was'}"
    mark = "╱" if never_true(area.fact) else " "
    for row in rows[top:bottom]:
        row[left:right] = [Cell(mark, paint)] * len(row[left:right])
        if left < len(row):
            row[left] = Cell("▎", paint)
    words = within(area.words, right - left - 1, bottom - top)
    for number, line in enumerate(words, top + (bottom - top - len(words)) // 2):
        if number < len(rows):
            put(rows[number], left + 1, line)


def within(words: str, width: int, height: int) -> list[str]:
    """The words within a rectangle: on one line, else on as many as it has; none where they would say nothing."""
    if cell_len(words) <= width or height < 2:
        return [one_line(words, width)] if width >= min(4, cell_len(words)) else []
    lines = wrap(words, width, break_long_words=False) if width > 1 else []
    if 0 < len(lines) <= height and all(cell_len(line) <= width for line in lines):
        return lines
    return [one_line(words, width)] if width >= 4 else []


def _along(at: float, line: Sequence[float], other: Sequence[float]) -> float:
    """What lies on the other line where `at` lies on this one, from one point of both to the next, and beyond."""
    n = min(max(bisect_right(line, at), 1), len(line) - 1)
    return other[n - 1] + (at - line[n - 1]) * (other[n] - other[n - 1]) / (line[n] - line[n - 1])


def _meet(one: Fact, other: Fact) -> bool:
    world = max(starts(one), starts(other)) < min(ends(one), ends(other))
    belief = max(one.believed_from.us, other.believed_from.us) < min(forgotten(one), forgotten(other))
    return world and belief


def _scale(span: tuple[int, int], cells: int, zone: tzinfo) -> Scale:
    return Scale(span[0], max(1, -((span[0] - span[1]) // max(1, cells))), max(1, cells), zone)
