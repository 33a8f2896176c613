"""Every fact is a rectangle: across, when it was true; down, when it was believed. A row of the map is what was
believed at one moment, a column what was ever believed of one.

Pure functions from facts to cells; nothing here knows Textual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from rich.cells import cell_len

from store.records import Fact
from widgets.lane_groups import GROUPS
from widgets.lane_layout import BLANK, Cell, cell, put
from widgets.plain import one_line
from widgets.states import never_true
from widgets.time_scale import DAY, Scale
from widgets.wording import value

SAID_AT_ONCE = "·"
"""Where both times are the same: what is left of it was told late, what is right of it was foreseen."""


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
        """Its value; what never was so is marked before any colour."""
        return f"✗ {value(self.fact)}" if never_true(self.fact) else value(self.fact)


@dataclass(frozen=True, slots=True)
class Ranges:
    """What the map shows, in microseconds UTC: of the world, and of belief."""

    world: tuple[int, int]
    belief: tuple[int, int]

    @classmethod
    def of(cls, facts: Sequence[Fact], now: int) -> Ranges:
        """All that was told, and a little around it, up to now and what is to come."""
        told = [edge.us for fact in facts for edge in (fact.valid_from, fact.valid_to) if edge is not None]
        said = [edge.us for one in facts for edge in (one.believed_from, one.believed_to) if edge is not None]
        world, belief = (min([*told, now]), max([*told, now])), (min([*said, now]), max([*said, now]))
        return cls(_with_air(*world), (belief[0], max(belief[1], belief[0] + DAY)))

    def across(self, width: int, zone: tzinfo) -> Scale:
        """The world in so many columns."""
        return _scale(self.world, width, zone)

    def down(self, height: int, zone: tzinfo) -> Scale:
        """Belief in so many rows."""
        return _scale(self.belief, height, zone)


def areas(facts: Sequence[Fact], ranges: Ranges) -> list[Area]:
    """The rectangles, the earliest belief first; each value has one colour."""
    ordered = sorted(facts, key=lambda one: (one.believed_from.us, one.valid_from.us if one.valid_from else 0))
    values = list(dict.fromkeys(value(one) for one in ordered))
    return [
        Area(
            one,
            ranges.world[0] if one.valid_from is None else one.valid_from.us,
            ranges.world[1] if one.valid_to is None else one.valid_to.us,
            one.believed_from.us,
            ranges.belief[1] if one.believed_to is None else one.believed_to.us,
            GROUPS[values.index(value(one)) % len(GROUPS)],
        )
        for one in ordered
    ]


def apart(facts: Sequence[Fact]) -> list[list[Fact]]:
    """The facts that one map can show: those of as many values as never hold at one point of both times; a value that
    meets another one is of the next map. What held first in the world comes first."""
    values: dict[tuple[str, bool], list[Fact]] = {}
    for one in sorted(facts, key=lambda fact: fact.valid_from.us if fact.valid_from else 0):
        values.setdefault((one.object, one.negative), []).append(one)
    maps = list[list[Fact]]()
    for held in values.values():
        room = next((shown for shown in maps if not any(_meet(one, other) for one in held for other in shown)), None)
        if room is None:
            maps.append(held)
        else:
            room += held
    return [[one for one in facts if one in shown] for shown in maps]


def drawn_map(found: Sequence[Area], across: Scale, down: Scale, true_at: int, believed_at: int) -> list[list[Cell]]:
    """`down.width` rows of `across.width` cells. What lies where the cursors cross is strong, all else pale."""
    rows = [[BLANK] * across.width for _ in range(down.width)]
    for number, row in enumerate(rows):
        column = across.column(down.at(number))
        if 0 <= column < len(row):
            row[column] = cell(SAID_AT_ONCE, "quiet")
    for area in found:
        _fill(rows, area, across, down, true_at, believed_at)
    return rows


def _fill(rows: list[list[Cell]], area: Area, across: Scale, down: Scale, true_at: int, believed_at: int) -> None:
    left, right = max(0, across.column(area.left)), min(across.width, max(across.column(area.right - 1), 0) + 1)
    top, bottom = max(0, down.column(area.top)), min(down.width, down.column(area.bottom - 1) + 1)
    bottom = max(bottom, top + 1)  # what was believed for an hour is a row, too
    right = max(right, left + 1)
    here = area.left <= true_at < area.right and area.top <= believed_at < area.bottom
    paint = f"{area.paint}-{'now' if here else 'was'}"
    mark = "╱" if never_true(area.fact) else " "
    for row in rows[top:bottom]:
        row[left:right] = [cell(mark, paint)] * len(row[left:right])
        if left < len(row):
            row[left] = cell("▎", paint)
    room = right - left - 2
    if room >= min(4, cell_len(area.words)) and top < len(rows):
        put(rows[top + (bottom - top - 1) // 2], left + 1, one_line(area.words, room))


def _meet(one: Fact, other: Fact) -> bool:
    def open_end(edge: int | None) -> int:
        return 2**62 if edge is None else edge

    def starts(fact: Fact) -> int:
        return -(2**62) if fact.valid_from is None else fact.valid_from.us

    def ends(fact: Fact) -> int:
        return open_end(fact.valid_to and fact.valid_to.us)

    def forgotten(fact: Fact) -> int:
        return open_end(fact.believed_to and fact.believed_to.us)

    world = max(starts(one), starts(other)) < min(ends(one), ends(other))
    belief = max(one.believed_from.us, other.believed_from.us) < min(forgotten(one), forgotten(other))
    return world and belief


def _with_air(first: int, last: int) -> tuple[int, int]:
    air = max(DAY, (last - first) // 16)
    return first - air, last + air


def _scale(span: tuple[int, int], cells: int, zone: tzinfo) -> Scale:
    return Scale(span[0], max(1, -((span[0] - span[1]) // max(1, cells))), max(1, cells), zone)
