"""The timeline and the map as SVG that needs no font, no script and no other file; all foreign text is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from xml.sax.saxutils import escape, quoteattr

from store.records import Fact
from widgets.lane_layout import GROUPS, Bar, Lane, drawn, group_of
from widgets.map_layout import Area, Ranges, areas, within
from widgets.plain import one_line
from widgets.states import never_true
from widgets.time_scale import Cursors, Scale
from widgets.wording import about, value

WIDTH = 1280
LEFT = 304  # pixels left of the lanes, or of the map
COLUMN = 8  # pixels of a letter, about
LINE = 18  # pixels from one line of text to the next
LANE = 28
HELD = 140  # pixels left of what holds
ON_A_PAGE = 23  # lanes of a picture that fills a page of paper, whose text is as large as that of a book
MAP = 560  # pixels of the map from top to bottom
HEAD = 120  # pixels above the ruler: a title, a sentence, what is so for good
FONT = "font-family='ui-sans-serif, system-ui, Helvetica, Arial, sans-serif'"
Colours = Mapping[str, str]  # what each name of the theme looks like


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a picture."""

    title: str
    sentence: str
    for_good: str = ""


@dataclass
class Picture:
    """Shapes over a scale of world time, one below the other."""

    told: Heading
    scale: Scale
    at: Cursors
    colours: Colours
    shapes: list[str] = field(default_factory=list)

    def x(self, us: int) -> float:
        """Pixels from the left to an instant, within the picture."""
        return LEFT + min(max(self.scale.place(us), 0.0), float(self.scale.width)) * COLUMN

    def day(self, us: int) -> str:
        """The day of a cursor: "today", "5 September"."""
        return self.at.on(us).removeprefix("on ")

    def text(
        self, x: float, y: float, words: str, colour: str, *, bold: bool = False, size: int = 14, clear: bool = False
    ) -> None:
        """`clear`: no line goes through the words."""
        look = " font-weight='bold'" if bold else ""
        if clear:
            look += f" paint-order='stroke' stroke-width='4' stroke={self._of('background')}"
        at = f"x='{x:.1f}' y='{y:.1f}' font-size='{size}'"
        self.shapes.append(f"<text {at} fill={self._of(colour)}{look}>{escape(one_line(words))}</text>")

    def box(
        self, x: float, y: float, width: float, height: float, colour: str, *, full: bool = True, dashed: bool = False
    ) -> None:
        look = f"fill={self._of(colour)} fill-opacity='{1 if full else 0.25}'"
        if dashed:
            look = f"fill='none' stroke={self._of(colour)} stroke-dasharray='4 3'"
        at = f"x='{x:.1f}' y='{y:.1f}' width='{max(2.0, width):.1f}' height='{height:.1f}'"
        self.shapes.append(f"<rect {at} rx='3' {look}/>")

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 2) -> None:
        at = f"x1='{x:.1f}' y1='{y:.1f}' x2='{to_x:.1f}' y2='{to_y:.1f}'"
        self.shapes.append(f"<line {at} stroke={self._of(colour)} stroke-width='{width}'/>")

    def head(self) -> None:
        self.text(20, 36, self.told.title, "foreground", bold=True, size=22)
        self.text(20, 66, self.told.sentence, "foreground", size=16)
        self.text(20, 94, self.told.for_good, "quiet")

    def ruler(self, y: float, label: str, colour: str, cursor: int) -> None:
        """What it measures, the day of its cursor in the cursor's colour, and round dates that leave room for that."""
        day, x, scale = self.day(cursor), self.x(cursor), self.scale
        here = int((x - LEFT) // COLUMN)
        first = here if here + len(day) < scale.width else here - len(day) - 1
        self.box(0, y, WIDTH, LANE - 2, "panel")
        self.text(20, y + 19, label, "quiet", bold=True)
        self.text(x + 5 if first == here else LEFT + first * COLUMN, y + 17, day, colour, bold=True)
        for column in scale.marks():
            self.line(LEFT + column * COLUMN, y + LANE - 9, LEFT + column * COLUMN, y + LANE - 2, "quiet", 1)
        for column, words in scale.ticks():
            apart = column + len(words) < first or first + len(day) + 1 < column
            if column + len(words) < scale.width and apart:
                self.text(LEFT + column * COLUMN, y + 17, words, "foreground")

    def svg(self, height: float) -> str:
        head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0f}' {FONT} role='img'>"
        title = f"<title>{escape(one_line(self.told.title))}</title>"
        ground = f"<rect width='100%' height='100%' fill={self._of('background')}/>"
        return "\n".join([head, title, ground, *self.shapes, "</svg>\n"])

    def _of(self, colour: str) -> str:
        return quoteattr(self.colours[colour])


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
    columns = (WIDTH - LEFT) // COLUMN
    scale = Scale(span[0], max(1, (span[1] - span[0]) // columns), columns, at.zone)
    picture = Picture(told, scale, at, colours)
    bottom = HEAD + LANE * (len(lanes) + 1)
    picture.head()
    present = {group_of(lane.predicate) for lane in lanes}
    for number, group in enumerate(reversed([group for group in GROUPS if group in present]), 1):
        picture.box(WIDTH - 80 * number, 22, 14, 14, group)
        picture.text(WIDTH - 80 * number + 20, 34, group, "quiet")
    picture.ruler(HEAD, "true in the world", "primary", at.world)
    picture.ruler(bottom, "when you said it", "warning", at.belief)
    world, belief = picture.x(at.world), picture.x(at.belief)
    picture.line(world, HEAD, world, bottom, "primary")
    picture.line(belief, bottom, belief, bottom + LANE, "warning")
    for number, lane in enumerate(lanes):
        _lane(picture, lane, HEAD + LANE * (number + 1), named=bool(lane.label) or number == 0)
    return picture.svg(bottom + 2 * LANE)


def map_svg(facts: Sequence[Fact], at: Cursors, told: Heading, colours: Colours) -> str:
    """Both times of one question: the world across, belief down."""
    ranges = Ranges.of(facts, at.now, at.true_at)
    picture = Picture(told, ranges.across((WIDTH - LEFT) // COLUMN, at.zone), at, colours)
    down = ranges.down(MAP // COLUMN, at.zone)
    top, bottom = HEAD + LANE, HEAD + LANE + MAP
    picture.head()
    picture.ruler(HEAD, "true in the world →", "primary", at.world)
    picture.text(20, HEAD + 19 + LANE, "when you said it ↓", "quiet", bold=True)

    def y(us: int) -> float:
        return top + MAP * (us - ranges.belief[0]) / (ranges.belief[1] - ranges.belief[0])

    here = min(y(at.belief), bottom - 2)
    picture.text(LEFT - 90, here + 5, picture.day(at.belief), "warning", bold=True)
    for column, label in down.ticks():
        place = y(down.start + column * down.per_cell) + 14
        if abs(place - here - 5) >= LINE:
            picture.text(LEFT - 90, place, label, "foreground")
    for area in areas(facts, ranges):
        _area(picture, area, y(area.top), min(bottom, y(area.bottom)))
    picture.line(picture.x(at.world), HEAD, picture.x(at.world), bottom, "primary")
    picture.line(LEFT, y(at.belief), WIDTH, y(at.belief), "warning")
    return picture.svg(bottom + LANE)


def page(title: str, pictures: Iterable[str], rows: Iterable[tuple[str, str, str, str]]) -> str:
    """A page for print: pictures, each fitted to the paper, and rows of (about, value, when true, when believed)."""
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


def _lane(picture: Picture, lane: Lane, y: float, *, named: bool) -> None:
    at, scale = picture.at, picture.scale
    held = lane.holding(at.world)
    said = value(held.fact) if held else ""
    # What it is about has its column, and of that of what holds what this leaves free.
    room = max((HELD - 20) // COLUMN, (LEFT - 20) // COLUMN - len(said) - 1)
    label = one_line(about(lane.bars[0].fact) if named else "", room)
    beside = max(HELD, 20 + (len(label) + 1) * COLUMN)
    picture.text(20, y + 19, label, "quiet")
    picture.text(beside, y + 19, one_line(said, (LEFT - beside) // COLUMN), "foreground")
    for bar in sorted(lane.bars, key=lambda one: one.state == "believed"):
        _bar(picture, bar, y)
    column = 0
    for word, run in groupby(drawn(lane, scale, at.world, at.now), key=attrgetter("word")):
        letters = list(run)
        if word:
            paint = letters[0].paint
            ink = "on-signal" if paint == "disputed" or paint.endswith("-now") else "foreground"
            words, clear = "".join(one.text for one in letters), paint.endswith(("-line", "text"))
            ink = "error" if paint == "never" else ink
            picture.text(LEFT + column * COLUMN + 2, y + 19, words, ink, clear=clear)
        column += len(letters)


def _bar(picture: Picture, bar: Bar, y: float) -> None:
    at, scale = picture.at, picture.scale
    last = max(at.now, bar.first or at.now) if bar.last is None else bar.last
    left = picture.x(scale.start if bar.first is None else bar.first)
    width = picture.x(last) - left
    if last < scale.start or left >= WIDTH:
        return
    believed = bar.state == "believed"
    colour = "error" if bar.state == "never" else "warning" if bar.fact.disputed else group_of(bar.fact.predicate)
    if bar.last is not None and width <= COLUMN:  # a diamond around a point
        of = quoteattr(picture.colours[colour])
        look = f"fill={of}" if believed else f"fill='none' stroke={of}"
        picture.shapes.append(f"<path d='M{left + width / 2 - 5:.1f} {y + LANE / 2 - 1:.1f}l5 -6l5 6l-5 6z' {look}/>")
    else:
        full = believed and (bar.fact.disputed or bar.holds(at.world))
        picture.box(left, y + 2, width, LANE - 6, colour, full=full, dashed=not believed)


def _area(picture: Picture, area: Area, top: float, bottom: float) -> None:
    left, at = picture.x(area.left), picture.at
    width = picture.x(area.right) - left
    here = area.left <= at.world < area.right and area.top <= at.belief <= area.bottom
    wrong = never_true(area.fact)
    picture.box(left, top, width - 1, bottom - top - 1, "error" if wrong else area.paint, full=here, dashed=wrong)
    colour = "on-signal" if here and not wrong else "foreground"
    words = within(area.words, int(width / COLUMN) - 1, int((bottom - top) / LINE))
    for number, line in enumerate(words):
        picture.text(left + 6, (top + bottom) / 2 + 5 + LINE * (number - (len(words) - 1) / 2), line, colour, bold=True)
