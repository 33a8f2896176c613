"""The timeline and the map as pictures without cells: SVG that needs no font, no script and no other file.

Pure functions from facts to text; every word from outside is escaped here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from itertools import groupby
from operator import attrgetter
from xml.sax.saxutils import escape, quoteattr

from store.beliefs.predicates import Group
from store.records import Fact
from widgets.lane_groups import GROUPS, group_of
from widgets.lane_layout import Bar, Cell, Lane, drawn
from widgets.map_layout import Area, Ranges, areas, within
from widgets.plain import one_line
from widgets.states import never_true
from widgets.time_scale import Cursors, Scale
from widgets.wording import about, value

WIDTH = 1280
LEFT = 304
"""Pixels left of the lanes, or of the map."""
COLUMN = 8
"""Pixels of a letter, about."""
LINE = 18
"""Pixels from one line of text to the next."""
LANE = 28
HELD = 140
"""Pixels left of what holds."""
ON_A_PAGE = 23
"""Lanes of a picture that fills a page of paper, whose text is as large as that of a book."""
MAP = 560
"""Pixels of the map from top to bottom."""
HEAD = 120
"""Pixels above the ruler: a title, a sentence, what is so for good."""
FONT = "font-family='ui-sans-serif, system-ui, Helvetica, Arial, sans-serif'"
Colours = Mapping[str, str]
"""What each name of the theme looks like."""


@dataclass
class Picture:
    """Shapes, one below the other."""

    colours: Colours
    shapes: list[str] = field(default_factory=list)

    def text(
        self, x: float, y: float, words: str, colour: str, *, bold: bool = False, size: int = 14, clear: bool = False
    ) -> None:
        """`clear`: no line goes through the words."""
        look = " font-weight='bold'" if bold else ""
        if clear:
            look += f" paint-order='stroke' stroke-width='4' stroke={self._of('background')}"
        shown = escape(one_line(words))
        self.shapes.append(
            f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill={self._of(colour)}{look}>{shown}</text>"
        )

    def box(
        self, x: float, y: float, width: float, height: float, colour: str, *, full: bool = True, dashed: bool = False
    ) -> None:
        look = f"fill={self._of(colour)} fill-opacity='{1 if full else 0.25}'"
        if dashed:
            look = f"fill='none' stroke={self._of(colour)} stroke-dasharray='4 3'"
        self.shapes.append(
            f"<rect x='{x:.1f}' y='{y:.1f}' width='{max(2.0, width):.1f}' height='{height:.1f}' rx='3' {look}/>"
        )

    def mark(self, x: float, y: float, colour: str, *, full: bool) -> None:
        """A diamond around a point."""
        look = f"fill={self._of(colour)}" if full else f"fill='none' stroke={self._of(colour)}"
        self.shapes.append(f"<path d='M{x - 5:.1f} {y:.1f}l5 -6l5 6l-5 6z' {look}/>")

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 1) -> None:
        self.shapes.append(
            f"<line x1='{x:.1f}' y1='{y:.1f}' x2='{to_x:.1f}' y2='{to_y:.1f}' stroke={self._of(colour)} "
            f"stroke-width='{width}'/>"
        )

    def svg(self, height: float, title: str) -> str:
        """The whole file."""
        ground = f"<rect width='100%' height='100%' fill={self._of('background')}/>"
        head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0f}' {FONT} role='img'>"
        return "\n".join([head, f"<title>{escape(one_line(title))}</title>", ground, *self.shapes, "</svg>\n"])

    def _of(self, colour: str) -> str:
        return quoteattr(self.colours[colour])


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a picture."""

    title: str
    sentence: str
    for_good: str = ""


def timeline_pages(
    lanes: Sequence[Lane], span: tuple[int, int], at: Cursors, told: Heading, colours: Colours
) -> list[str]:
    """The lanes in as many pictures as pages are needed for them, each with its heading and both rulers."""
    parts = [lanes[first : first + ON_A_PAGE] for first in range(0, len(lanes), ON_A_PAGE)]
    return [
        timeline_svg(part, span, at, replace(told, title=f"{told.title} · page {number} of {len(parts)}"), colours)
        for number, part in enumerate(parts, 1)
    ]


def timeline_svg(lanes: Sequence[Lane], span: tuple[int, int], at: Cursors, told: Heading, colours: Colours) -> str:
    """Every lane along world time, between the two rulers; `span` is what is shown of it (microseconds UTC)."""
    picture = Picture(colours)
    scale = _scale(span, at.zone)
    bottom = HEAD + LANE * (len(lanes) + 1)
    _head(picture, told)
    _legend(picture, {group_of(lane.predicate) for lane in lanes})
    _ruler(picture, scale, HEAD, ("true in the world", "primary"), at, at.world)
    _ruler(picture, scale, bottom, ("when you said it", "warning"), at, at.belief)
    world, belief = (_x(scale, us) for us in (at.world, at.belief))
    picture.line(world, HEAD, world, bottom, "primary", 2)
    picture.line(belief, bottom, belief, bottom + LANE, "warning", 2)
    for number, lane in enumerate(lanes):
        _lane(picture, lane, scale, HEAD + LANE * (number + 1), at, named=bool(lane.label) or number == 0)
    return picture.svg(bottom + 2 * LANE, told.title)


def map_svg(facts: Sequence[Fact], at: Cursors, told: Heading, colours: Colours) -> str:
    """Both times of one question: the world across, belief down."""
    picture = Picture(colours)
    ranges = Ranges.of(facts, at.now, at.true_at)
    scale = ranges.across((WIDTH - LEFT) // COLUMN, at.zone)
    down = ranges.down(MAP // COLUMN, at.zone)
    top, bottom = HEAD + LANE, HEAD + LANE + MAP
    _head(picture, told)
    _ruler(picture, scale, HEAD, ("true in the world →", "primary"), at, at.world)
    picture.text(20, HEAD + 19 + LANE, "when you said it ↓", "quiet", bold=True)

    def y(us: int) -> float:
        return top + MAP * (us - ranges.belief[0]) / (ranges.belief[1] - ranges.belief[0])

    here = min(y(at.belief), bottom - 2)
    picture.text(LEFT - 90, here + 5, _day(at, at.belief), "warning", bold=True)
    for column, label in down.ticks():
        place = y(down.start + column * down.per_cell) + 14
        if abs(place - here - 5) >= LINE:
            picture.text(LEFT - 90, place, label, "foreground")
    for area in areas(facts, ranges):
        _area(picture, area, scale, y(area.top), min(bottom, y(area.bottom)), at)
    picture.line(_x(scale, at.world), HEAD, _x(scale, at.world), bottom, "primary", 2)
    picture.line(LEFT, y(at.belief), WIDTH, y(at.belief), "warning", 2)
    return picture.svg(bottom + LANE, told.title)


def page(title: str, pictures: Iterable[str], rows: Iterable[tuple[str, str, str, str]]) -> str:
    """A page for print: the pictures, each fitted to the paper, and a table of what they show: (about, value, when it
    was true, when it was believed).
    """
    body = "\n".join(f"<figure>{picture}</figure>" for picture in pictures)
    table = "\n".join(f"<tr>{''.join(f'<td>{escape(one_line(part))}</td>' for part in row)}</tr>" for row in rows)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(one_line(title))}</title><style>
@page {{ size: A4 landscape; margin: 12mm; }}
body {{ font: 10pt/1.4 ui-sans-serif, system-ui, Helvetica, Arial, sans-serif; margin: 1.5em; color: #26292f; }}
figure {{ margin: 0 0 1.5em 0; break-after: page; break-inside: avoid; }}
svg {{ width: 100%; height: auto; max-height: 185mm; }}
@media print {{ body {{ margin: 0; }} figure {{ margin: 0; }} }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; padding: 0.2em 1em 0.2em 0; border-bottom: 1px solid #d6d0c4; vertical-align: top; }}
tr {{ break-inside: avoid; }}
</style></head><body>
{body}
<table><thead><tr><th>What</th><th>Value</th><th>True</th><th>Believed</th></tr></thead><tbody>
{table}
</tbody></table>
</body></html>
"""


def _scale(span: tuple[int, int], zone: tzinfo) -> Scale:
    columns = (WIDTH - LEFT) // COLUMN
    return Scale(span[0], max(1, (span[1] - span[0]) // columns), columns, zone)


def _x(scale: Scale, us: int) -> float:
    return LEFT + min(max(scale.place(us), 0.0), float(scale.width)) * COLUMN


def _head(picture: Picture, told: Heading) -> None:
    picture.text(20, 36, told.title, "foreground", bold=True, size=22)
    picture.text(20, 66, told.sentence, "foreground", size=16)
    picture.text(20, 94, told.for_good, "quiet")


def _legend(picture: Picture, present: Collection[Group]) -> None:
    """Which colour is which part of life, at the right."""
    shown = [group for group in GROUPS if group in present]
    for number, group in enumerate(shown):
        x = WIDTH - 80 * (len(shown) - number)
        picture.box(x, 22, 14, 14, group)
        picture.text(x + 20, 34, group, "quiet")


def _ruler(picture: Picture, scale: Scale, y: float, told: tuple[str, str], at: Cursors, cursor: int) -> None:
    """What it measures, the day of its cursor in the cursor's colour, and round dates that leave room for that."""
    label, colour = told
    day, x = _day(at, cursor), _x(scale, cursor)
    here = int((x - LEFT) // COLUMN)
    first = here if here + len(day) < scale.width else here - len(day) - 1
    picture.box(0, y, WIDTH, LANE - 2, "panel")
    picture.text(20, y + 19, label, "quiet", bold=True)
    picture.text(x + 5 if first == here else LEFT + first * COLUMN, y + 17, day, colour, bold=True)
    for column in scale.marks():
        picture.line(LEFT + column * COLUMN, y + LANE - 9, LEFT + column * COLUMN, y + LANE - 2, "quiet")
    for column, words in scale.ticks():
        apart = column + len(words) < first or first + len(day) + 1 < column
        if column + len(words) < scale.width and apart:
            picture.text(LEFT + column * COLUMN, y + 17, words, "foreground")


def _day(at: Cursors, us: int) -> str:
    """The day of a cursor: "today", "5 September"."""
    return at.on(us).removeprefix("on ")


def _lane(picture: Picture, lane: Lane, scale: Scale, y: float, at: Cursors, *, named: bool) -> None:
    held = lane.holding(at.world)
    said = value(held.fact) if held else ""
    # What it is about has its column, and of that of what holds what this leaves free.
    room = max((HELD - 20) // COLUMN, (LEFT - 20) // COLUMN - len(said) - 1)
    label = one_line(about(lane.bars[0].fact) if named else "", room)
    beside = max(HELD, 20 + (len(label) + 1) * COLUMN)
    picture.text(20, y + 19, label, "quiet")
    picture.text(beside, y + 19, one_line(said, (LEFT - beside) // COLUMN), "foreground")
    for bar in sorted(lane.bars, key=lambda one: one.state == "believed"):
        _bar(picture, bar, scale, y, at)
    for column, words, paint in names(drawn(lane, scale, at.world, at.now)):
        picture.text(LEFT + column * COLUMN + 2, y + 19, words, _ink(paint), clear=paint.endswith(("-line", "text")))


def names(cells: Sequence[Cell]) -> Iterator[tuple[int, str, str]]:
    """(column, words, paint) of what is written in a lane's cells."""
    column = 0
    for word, run in groupby(cells, key=attrgetter("word")):
        letters = list(run)
        if word:
            yield column, "".join(one.text for one in letters), letters[0].paint
        column += len(letters)


def _ink(paint: str) -> str:
    """The colour of words on a cell that is painted so."""
    if paint == "never":
        return "error"
    return "on-signal" if paint == "disputed" or paint.endswith("-now") else "foreground"


def _bar(picture: Picture, bar: Bar, scale: Scale, y: float, at: Cursors) -> None:
    last = max(at.now, bar.first or at.now) if bar.last is None else bar.last
    left = _x(scale, scale.start if bar.first is None else bar.first)
    width = _x(scale, last) - left
    if last < scale.start or left >= WIDTH:
        return
    believed = bar.state == "believed"
    colour = "error" if bar.state == "never" else "warning" if bar.fact.disputed else group_of(bar.fact.predicate)
    if bar.last is not None and width <= COLUMN:
        picture.mark(left + width / 2, y + LANE / 2 - 1, colour, full=believed)
    else:
        full = believed and (bar.fact.disputed or bar.holds(at.world))
        picture.box(left, y + 2, width, LANE - 6, colour, full=full, dashed=not believed)


def _area(picture: Picture, area: Area, scale: Scale, top: float, bottom: float, at: Cursors) -> None:
    left = _x(scale, area.left)
    width = _x(scale, area.right) - left
    here = area.left <= at.world < area.right and area.top <= at.belief <= area.bottom
    wrong = never_true(area.fact)
    picture.box(left, top, width - 1, bottom - top - 1, "error" if wrong else area.paint, full=here, dashed=wrong)
    colour = "on-signal" if here and not wrong else "foreground"
    words = within(area.words, int(width / COLUMN) - 1, int((bottom - top) / LINE))
    for number, line in enumerate(words):
        picture.text(left + 6, (top + bottom) / 2 + 5 + LINE * (number - (len(words) - 1) / 2), line, colour, bold=True)
