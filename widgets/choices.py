"""A list of records behaves alike wherever it stands, and draws only the rows in view: 100,000 scroll like ten."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, ClassVar, cast

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.styles import RulesMap
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

from store.records import Change, Fact, Hit, JudgedHit, Session, Source
from widgets.jump import Spot
from widgets.look import QUIET, lines
from widgets.messages import FactChosen, SessionChosen, TextCopied, TurnChosen
from widgets.plain import plain
from widgets.wording import titled

MOST_DRAWN = 2000  # rows whose drawing is kept; beyond it, all are drawn anew


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what is shown, and the record behind it; None for a heading or a connector, which cannot be chosen."""

    shown: Content
    record: object = None


def heading(title: str, note: str = "", *, gap: bool = False) -> Row:
    """What the rows below it are, with a quiet note; `gap`: a blank line parts it from what stands above."""
    return Row(lines("\n" if gap else "", (title, "bold"), (f"  {note}" if note else "", QUIET)))


@dataclass(frozen=True, slots=True)
class Lines:
    """Rows of one line each, drawn when they come into view."""

    records: Sequence[object]
    draw: Callable[[Any], Content]

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, place: int) -> Row:
        return Row(self.draw(self.records[place]), self.records[place])

    def __iter__(self) -> Iterator[Row]:
        return map(self.__getitem__, range(len(self)))


class Choices(ScrollView, can_focus=True):
    """Rows that can be chosen. Posts Chosen with the record, and Pointed when the mark moves."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"choices--row", "choices--marked"}
    DEFAULT_CSS = """
    Choices {
        border: none; padding: 0 1; background: $background; color: $foreground;
        height: auto; max-height: 100%; overflow-x: hidden; scrollbar-size-vertical: 1;
        & > .choices--row { color: $foreground; }
        & > .choices--marked {
            color: $block-cursor-blurred-foreground; background: $block-cursor-blurred-background; text-style: none;
        }
        &:focus > .choices--marked {
            color: $block-cursor-foreground; background: $block-cursor-background; text-style: none;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "open", key_display="enter", id="list.open"),
        Binding("down,j", "cursor_down", "down", show=False, id="list.down"),
        Binding("up,k", "cursor_up", "up", show=False, id="list.up"),
        Binding("home,g", "first", "first", show=False, id="list.first"),
        Binding("end,G", "last", "last", show=False, id="list.last"),
        Binding("pagedown", "page(1)", "page down", show=False, id="list.page_down"),
        Binding("pageup", "page(-1)", "page up", show=False, id="list.page_up"),
        Binding("y", "copy", "copy", show=False, id="list.copy"),
    ]
    HELP = """
    ### List
    `↑ ↓` or `j k` move, `g G` first and last, `enter` opens, `y` copies the words.
    """
    highlighted: reactive[int | None] = reactive(None)  # the place of the marked row

    @dataclass
    class Chosen(Message):
        """A row was chosen; `record` is what stands behind it."""

        choices: Choices
        record: Any

    @dataclass
    class Pointed(Message):
        """The highlight moved to a row; `record` is what stands behind it."""

        choices: Choices
        record: Any

    @dataclass
    class Widened(Message):
        """The list has another width: rows that were made for one want to be made anew."""

        choices: Choices

    def __init__(self, rows: Sequence[Row] = (), *, opens: bool = True, id: str | None = None) -> None:
        super().__init__(id=id)
        self.opens = opens  # choosing a row does something
        self.rows: tuple[Row, ...] | Lines = ()
        self._starts: Sequence[int] = (0,)
        """The line on which each row begins, and the one after the last; until they are measured, of one line each."""
        self._measured = -1  # the width for which the rows were measured
        self._width = 0
        """The width that the list had when its rows were given, which may be before it is laid out, or while hidden."""
        self._drawn: dict[tuple[int, Style], list[Strip]] = {}
        self.show_rows(rows)

    @property
    def pointed(self) -> object:
        place = self.highlighted
        return None if place is None or place >= len(self.rows) else self.record(place)

    def record(self, place: int) -> object:
        return self.rows.records[place] if isinstance(self.rows, Lines) else self.rows[place].record

    def show_rows(self, rows: Sequence[Row] | Lines, at: int | None = None) -> None:
        """Replace all rows; the highlight goes to the first row that can be chosen, or to row `at`."""
        had_mark = self.pointed is not None
        self.rows = rows if isinstance(rows, Lines) else tuple(rows)
        self._measured, self._width = -1, self.size.width
        self._starts = range(len(self.rows) + 1)
        if at is None or not 0 <= at < len(rows) or self.record(at) is None:
            at = self._choosable(0, 1)
        self.set_reactive(Choices.highlighted, at)
        self._fit(relaid=True)
        self.scroll_to_mark()
        self._point()
        if had_mark != (self.pointed is not None):
            self.refresh_bindings()

    # -- where rows are

    def _fit(self, *, relaid: bool = False) -> None:
        """Measure the rows for the present width."""
        width = self.scrollable_content_region.width
        # Asked for its height, a list has measured its rows before it has a place to scroll them in.
        known = width == self._measured and self.virtual_size.height == self._starts[-1]
        if width <= 0 or (known and not relaid):
            return
        self._measure(width)
        size = Size(width, self._starts[-1])
        if size != self.virtual_size:
            # A list that has its place keeps it, however many rows it holds; its scrollbar asks for what it needs.
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
            self.refresh(layout=self.styles.is_auto_height)
        self.refresh()

    def _measure(self, width: int) -> None:
        self._drawn.clear()
        self._measured = width
        if not isinstance(self.rows, Lines):
            rules = cast(RulesMap, self.styles)
            heights = (row.shown.get_height(rules, width) for row in self.rows)
            self._starts = list(accumulate(heights, initial=0))

    def _place_at(self, line: int) -> int:
        return bisect_right(self._starts, line) - 1

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        if width != self._measured:
            self._measure(width)
        return self._starts[-1]

    def on_resize(self) -> None:
        self._fit()
        self.scroll_to_mark()
        if self._width != self.size.width:
            self._width = self.size.width
            self.post_message(self.Widened(self))

    def notify_style_update(self) -> None:
        self._drawn.clear()
        super().notify_style_update()

    # -- drawing

    def render_line(self, y: int) -> Strip:
        line = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if self._measured != width:
            self._fit()
        if line >= self._starts[-1]:
            return Strip.blank(width, self.get_visual_style("choices--row").rich_style)
        place = self._place_at(line)
        looks = ["choices--marked"] if place == self.highlighted and self.record(place) is not None else []
        strips = self._strips(place, self.get_visual_style("choices--row", *looks), width)
        offset = line - self._starts[place]
        return strips[offset] if offset < len(strips) else Strip.blank(width)

    def _strips(self, place: int, style: Style, width: int) -> list[Strip]:
        known = self._drawn.get((place, style))
        if known is None:
            if len(self._drawn) >= MOST_DRAWN:
                self._drawn.clear()
            shown = self.rows[place].shown
            if isinstance(self.rows, Lines):  # without what only text that wraps needs: a long list draws many at once
                pieces = shown.render(style, end="", parse_style=self.app.stylesheet.parse_style)
                drawn = [Strip([Segment(text, look.rich_style) for text, look in pieces])]
            else:
                drawn = Visual.to_strips(self, shown, width, None, style)
            meta = {"option": place}
            known = [strip.adjust_cell_length(width, style.rich_style).apply_meta(meta) for strip in drawn]
            self._drawn[place, style] = known
        return known

    # -- the mark

    def validate_highlighted(self, place: int | None) -> int | None:
        return None if place is None or not self.rows else max(0, min(place, len(self.rows) - 1))

    def watch_highlighted(self) -> None:
        self.scroll_to_mark()
        self._point()

    def _point(self) -> None:
        if self.pointed is not None:
            self.post_message(self.Pointed(self, self.pointed))

    def scroll_to_mark(self) -> None:
        if self.highlighted is None or not self.is_mounted or self._measured < 0:
            return
        first, last = self._starts[self.highlighted : self.highlighted + 2]
        region = Region(0, first, max(1, self._measured), max(1, last - first))
        self.scroll_to_region(region, force=True, animate=False, immediate=True)

    def _choosable(self, place: int, direction: int) -> int | None:
        while 0 <= place < len(self.rows):
            if self.record(place) is not None:
                return place
            place += direction
        return None

    def _mark(self, place: int, direction: int) -> None:
        found = self._choosable(place, direction)
        found = self._choosable(place, -direction) if found is None else found
        if found is not None:
            self.highlighted = found

    def spots(self) -> Iterator[Spot]:
        region, top = self.scrollable_content_region, self.scroll_offset.y
        place = self._place_at(top) if self.rows and self._measured >= 0 else len(self.rows)
        while place < len(self.rows) and (line := self._starts[place] - top) < region.height:
            if line >= 0 and self.record(place) is not None:
                at = Offset(self.region.x, region.y + line)
                yield Spot(at, partial(self._go_to, place), partial(self._go_to, place, opened=True))
            place += 1

    def _go_to(self, place: int, *, opened: bool = False) -> None:
        self.focus()
        self.highlighted = place
        if opened:
            self.action_select()

    # -- what keys and mouse do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is a key only where it opens something."""
        return self.opens and self.pointed is not None if action == "select" else True

    def action_cursor_down(self) -> None:
        self._mark(0 if self.highlighted is None else self.highlighted + 1, 1)

    def action_cursor_up(self) -> None:
        self._mark(0 if self.highlighted is None else self.highlighted - 1, -1)
        if self.highlighted is not None and self._choosable(self.highlighted - 1, -1) is None:
            self.scroll_home(animate=False)  # a heading above the first choice is seen again

    def action_first(self) -> None:
        self._mark(0, 1)
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        self._mark(len(self.rows) - 1, -1)

    def action_page(self, direction: int) -> None:
        if self.rows:
            line = self._starts[self.highlighted or 0] + direction * max(1, self.scrollable_content_region.height)
            self._mark(self._place_at(max(0, min(line, self._starts[-1] - 1))), direction)

    def action_select(self) -> None:
        if self.pointed is not None:
            self.post_message(self.Chosen(self, self.pointed))

    def action_copy(self) -> None:
        if words := words_of(self.pointed):
            self.post_message(TextCopied(words))

    def on_click(self, event: events.Click) -> None:
        place = event.style.meta.get("option")
        if isinstance(place, int) and place < len(self.rows) and self.record(place) is not None:
            self.highlighted = place
            self.action_select()


def opened(record: object) -> Message | None:
    """What the person asks for by opening a record; None where there is nothing more to see of it."""
    if isinstance(record, Change):
        record = record.new or record.old
    if isinstance(record, JudgedHit):
        record = record.hit
    match record:
        case Fact():
            return FactChosen(record)
        case Hit():
            return TurnChosen(record.session, record.id)
        case Source():
            return TurnChosen(record.session, record.episode)
        case Session():
            return SessionChosen(record.key)
    return None


def words_of(record: object) -> str:
    """The words of a record, as one would paste them; empty where it has none."""
    if isinstance(record, Change):
        record = record.new or record.old
    if isinstance(record, Fact | Hit):
        return plain(record.text).strip()
    if isinstance(record, Session):
        return plain(titled(record))
    return plain(record) if isinstance(record, str) else ""
