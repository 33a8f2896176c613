"""Both times in one picture: where the cursors cross lies what was believed then of that time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import ClassVar

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from store.records import Fact
from widgets.lane_layout import GROUPS, Cell, axis, runs, with_cell
from widgets.map_layout import Area, Ranges, areas, drawn_map
from widgets.messages import FactChosen
from widgets.time_scale import DAY, Scale
from widgets.wording import moment

LEFT = 13  # columns left of the map: the ruler of belief


class BeliefMap(Widget, can_focus=True):
    """World time across, belief down, a rectangle for each fact, and a cursor in each time."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "map--ruler", "map--axis", "map--cursor", "map--text", "map--quiet", "map--tick",
        *(f"map--{group}-{state}" for group in GROUPS for state in ("now", "was")),
    }  # fmt: skip
    DEFAULT_CSS = """
    BeliefMap { height: 1fr; padding: 0 1; }
    BeliefMap > .map--ruler { background: $panel; color: $quiet; }
    BeliefMap:focus > .map--ruler { color: $primary; text-style: bold; }
    BeliefMap > .map--tick { background: $panel; color: $quiet; }
    BeliefMap > .map--axis { background: $panel; color: $foreground; }
    BeliefMap > .map--cursor { color: $warning; text-style: bold; }
    BeliefMap > .map--text { color: $foreground; }
    BeliefMap > .map--quiet { color: $quiet; }
    """ + "".join(
        f"""
    BeliefMap > .map--{group}-now {{ background: ${group}; color: $on-signal; text-style: bold; }}
    BeliefMap > .map--{group}-was {{ background: ${group} 25%; color: $foreground; }}
    """
        for group in GROUPS
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(-1, 0)", "world", key_display="← →", id="map.left"),
        Binding("right,l", "move(1, 0)", "later in the world", show=False, id="map.right"),
        Binding("up,k", "move(0, -1)", "belief", key_display="↑ ↓", id="map.up"),
        Binding("down,j", "move(0, 1)", "later in belief", show=False, id="map.down"),
        Binding("enter", "open", "chain", key_display="enter", id="map.open"),
    ]
    HELP = """
    ### What did I believe when
    Each rectangle is one belief. Across is the time that it is about, down is the time in which you believed it: a row
    is all that you believed at one moment, a column all that you ever believed of one. The arrows move the two
    cursors; what lies where they cross is what you believed then of that time. The dots are where both times are the
    same: left of them lies what you told late, right of them what you foresaw. ✗ and strokes were never true. Where
    the ruler says ≈, a long time without any change is drawn short.
    """

    @dataclass
    class Pointed(Message):
        """The cursors stand elsewhere; `fact` lies there, if any does. Instants in microseconds UTC."""

        fact: Fact | None
        true_at: int
        believed_at: int

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, BeliefMap.Pointed)

    def __init__(self, *, zone: tzinfo, id: str | None = None) -> None:
        super().__init__(id=id)
        self.zone, self.now = zone, 0
        self.facts: Sequence[Fact] = ()
        self._ranges = Ranges((0, 1), (0, 1))
        self._areas: list[Area] = []
        self.true_at = self.believed_at = 0
        self._rows: list[list[Cell]] | None = None

    def show(self, facts: Sequence[Fact], now: int, true_at: int | None = None, believed_at: int | None = None) -> None:
        """The rectangles of one question, and both cursors; all in microseconds UTC. None is now; where both are, and
        nothing lies there, they stand in the middle of what was believed last."""
        self.facts, self.now = facts, now
        self._ranges = Ranges.of(facts, now, true_at)
        self._areas = areas(facts, self._ranges)
        self.true_at, self.believed_at = (now if us is None else us for us in (true_at, believed_at))
        if self._areas and self.pointed is None and true_at is believed_at is None:
            last = self._areas[-1]
            self.true_at = (last.left + last.right) // 2
            if last.bottom < self._ranges.belief[1]:
                self.believed_at = (last.top + last.bottom) // 2
        self._moved()

    @property
    def across(self) -> Scale:
        return self._ranges.across(max(10, self.size.width - LEFT), self.zone)

    @property
    def down(self) -> Scale:
        return self._ranges.down(max(1, self.size.height - 1), self.zone)

    @property
    def pointed(self) -> Fact | None:
        """What was believed at the one cursor of the time at the other."""
        at, of = self._believed, self.true_at
        found = [area for area in self._areas if area.left <= of < area.right and area.top <= at < area.bottom]
        return found[-1].fact if found else None

    @property
    def _believed(self) -> int:
        """The cursor of belief, within the last row where it stands on now."""
        return min(self.believed_at, self._ranges.belief[1] - 1)

    def _moved(self) -> None:
        self._rows = None
        self.refresh()
        self.post_message(self.Pointed(self.pointed, self.true_at, self.believed_at))

    def go(self, true_at: int, believed_at: int) -> None:
        """Put the cursors somewhere, within what is shown."""
        (left, right), (top, bottom) = self._ranges.world, self._ranges.belief
        self.true_at = max(left, min(true_at, right - 1))
        self.believed_at = max(top, min(believed_at, bottom))
        self._moved()

    def action_move(self, across: int, down: int) -> None:
        believed = self.believed_at
        if down:
            scale = self.down
            row = min(scale.width - 1, max(0, scale.column(self._believed) + down))
            believed = self._ranges.belief[1] if row == scale.width - 1 else scale.at(row)
        scale = self.across
        self.go(scale.at(scale.column(self.true_at) + across) if across else self.true_at, believed)

    def action_open(self) -> None:
        if self.pointed is not None:
            self.post_message(FactChosen(self.pointed))

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is not None and place.x >= LEFT and place.y >= 1:
            self.go(self.across.at(place.x - LEFT), self.down.at(place.y - 1))

    def on_resize(self) -> None:
        self._rows = None

    def render_line(self, y: int) -> Strip:
        if y == 0:
            cells = axis(self.across, self.across.column(self.true_at), Cell("▼", "cursor"))
            head = Segment(set_cell_size("said ↓ true →", LEFT), self._look("ruler"))
            return self._joined([head], cells, "axis")
        if self._rows is None:
            self._rows = drawn_map(self._areas, self.across, self.down, self.true_at, self._believed)
        row = y - 1
        if row >= len(self._rows):
            return self._joined([], [])
        here = row == min(self.down.width - 1, max(0, self.down.column(self._believed)))
        return self._joined([self._when(row, here)], self._crossed(self._rows[row], here))

    def _when(self, row: int, here: bool) -> Segment:
        """The day of a row (of a young memory, the minute), every third one, and where the cursor stands."""
        down = self.down
        at = moment(self.believed_at if here else down.at(row), self.zone)
        words = f"{at:%H:%M}" if down.width * down.per_cell < 2 * DAY else f"{at.day} {at:%b %Y}"
        shown = f"{words if here or row % 3 == 0 else '':>{LEFT - 2}}{'▶' if here else ' '} "
        return Segment(set_cell_size(shown, LEFT), self._look("cursor" if here else "ruler"))

    def _crossed(self, row: list[Cell], here: bool) -> list[Cell]:
        """A row with the lines of both cursors; words and rectangles win over the line of belief."""
        column = self.across.column(self.true_at)
        if here:
            row = [Cell("─", "cursor") if one.text in " ·" and not one.word and one.paint in ("", "quiet") else one
                   for one in row]  # fmt: skip
        if 0 <= column < len(row) and row[column].word:
            return row
        return with_cell(row, column, Cell("┼" if here else "│", "cursor"))

    def _joined(self, heads: list[Segment], cells: Sequence[Cell], ground: str = "") -> Strip:
        painted = [Segment(text, self._look(paint or ground)) for text, paint in runs(cells)]
        return Strip([*heads, *painted]).adjust_cell_length(self.size.width, self.rich_style)

    def _look(self, component: str) -> Style:
        return self.get_component_rich_style(f"map--{component}") if component else self.rich_style
