"""A curve is drawn in one row of braille: what it is at its ends is said in figures, too."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from store.records import Fact
from widgets.look import CHANGED, LINK, NOW, QUIET, lines
from widgets.plain import one_line
from widgets.wording import count, day_words

_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The bits of a braille cell: its left column and its right one, from the lowest dot."""
PIN = "▪"


def braille(levels: Sequence[float], width: int, most: float = 1.0) -> str:
    """The levels (0 .. `most`) as one row of `width` cells, two points in each."""
    if not levels or width < 1 or most <= 0:
        return ""
    points = 2 * width
    cells = [0] * width
    for point in range(points):
        level = levels[min(len(levels) - 1, point * len(levels) // points)]
        height = max(0, min(3, int(level / most * 4)))
        for dot in _DOTS[point % 2][: height + 1]:
            cells[point // 2] |= dot
    return "".join(chr(0x2800 + cell) for cell in cells)


def days_left(curve: Sequence[tuple[int, float]], line: float) -> int | None:
    """In how many days the curve drops below the line; None: not within it."""
    return next((day for day, level in curve if level < line), None)


def fading_line(fact: Fact, curve: Sequence[tuple[int, float]], line: float, width: int) -> Content:
    """One belief: its curve, when it drops below the line, and what it says: "measure 37" would say nothing."""
    left = days_left(curve, line)
    room = 40 if width >= 130 else 24 if width >= 90 else 12
    most = max((level for _day, level in curve), default=1.0)
    drawn = braille([level for _day, level in curve], room, most)
    when = "stays" if left is None else "now" if left == 0 else f"in {count(left, 'day')}"
    style = QUIET if left is None else CHANGED if left <= 14 else NOW
    pin = (f"{PIN} ", LINK) if fact.pinned else "  "
    what = lines((one_line(fact.text.removesuffix("."), 60), "bold"))
    row = lines(pin, (drawn, style), (f"  {when:<13}", style), what)
    said = f"last said {day_words(max(source.said_at for source in fact.sources))}" if fact.sources else ""
    if said and row.cell_length + len(said) + 2 <= (room_for := min(width, 110)):
        row = lines(row, " " * (room_for - row.cell_length - len(said)), (said, QUIET))
    return row.truncate(max(10, width), ellipsis=True)
