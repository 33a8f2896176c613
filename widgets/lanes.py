"""The two cursors are always somewhere: moving one of them redraws the lanes as they were, and nothing is fetched for
it.

Only the rows in view are laid out, so that a long memory scrolls like a short one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import ClassVar, Literal

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from store.records import Fact, Instant
from widgets.jump import Spot
from widgets.lane_index import At, LaneIndex, LaneRows, LaneView, Slot
from widgets.lane_layout import ACTIVITY, BLANK, Cell, Lane, activity, axis, cell, drawn, with_cell
from widgets.messages import FactChosen, TimesMoved
from widgets.plain import one_line
from widgets.time_scale import DAY, Scale, Unit, stepped
from widgets.wording import moment

Axis = Literal["true", "believed"]
MOST_DRAWN = 2000
"""Rows whose drawing is kept; beyond it, all are drawn anew."""
_STEP_KEYS: tuple[tuple[str, Unit], ...] = (("d", "day"), ("w", "week"), ("m", "month"), ("y", "year"))


class Lanes(Widget, can_focus=True):
    """Beliefs over time, with the cursors "true at" and "believed at"."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"lanes--{name}"
        for name in (
            "now",
            "was",
            "coming",
            "then",
            "never",
            "text",
            "disputed",
            "label",
            "axis",
            "row",
            "cursor",
            "past-cursor",
        )
    }
    DEFAULT_CSS = """
    Lanes { height: 1fr; padding: 0 1; }
    Lanes > .lanes--now { color: $success; }
    Lanes > .lanes--was, Lanes > .lanes--then, Lanes > .lanes--axis { color: $quiet; }
    Lanes > .lanes--coming { color: $primary; }
    Lanes > .lanes--never { color: $error; }
    Lanes > .lanes--disputed { color: $warning; }
    Lanes > .lanes--text, Lanes > .lanes--label { color: $foreground; }
    Lanes > .lanes--row { background: $block-cursor-blurred-background; }
    Lanes:focus > .lanes--row { background: $block-cursor-background; }
    Lanes > .lanes--cursor { color: $primary; }
    Lanes > .lanes--past-cursor { color: $warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "row(-1)", "up", show=False, id="timeline.up"),
        Binding("down,j", "row(1)", "down", show=False, id="timeline.down"),
        Binding("pageup", "row(-15)", "page up", show=False, id="timeline.page_up"),
        Binding("pagedown", "row(15)", "page down", show=False, id="timeline.page_down"),
        Binding("home", "end(-1)", "first", show=False, id="timeline.first"),
        Binding("end,G", "end(1)", "last", show=False, id="timeline.last"),
        Binding("enter", "open", "chain", key_display="enter", id="timeline.open"),
        Binding("left_square_bracket", "change('true', -1)", "change", key_display="[ ]", id="timeline.previous"),
        Binding("right_square_bracket", "change('true', 1)", "next change", show=False, id="timeline.next"),
        Binding("left_curly_bracket", "change('believed', -1)", "belief", key_display="{ }", id="timeline.unlearn"),
        Binding("right_curly_bracket", "change('believed', 1)", "next belief", show=False, id="timeline.learn"),
        Binding("left,h", "nudge(-1)", "earlier", show=False, id="timeline.earlier"),
        Binding("right,l", "nudge(1)", "later", show=False, id="timeline.later"),
        *(
            Binding(key, f"step('{unit}', {way})", f"{unit} {word}", show=False, id=f"timeline.{unit}{ending}")
            for name, unit in _STEP_KEYS
            for key, way, word, ending in ((name, 1, "later", ""), (name.upper(), -1, "earlier", "_back"))
        ),
        Binding("t", "today", "now", id="timeline.today"),
        Binding("b", "swap", "swap axis", id="timeline.swap"),
        Binding("plus", "zoom(0.5)", "zoom", key_display="+ -", id="timeline.zoom_in"),
        Binding("minus", "zoom(2.0)", "zoom out", show=False, id="timeline.zoom_out"),
        Binding("0", "fit", "fit", show=False, id="timeline.fit"),
    ]
    HELP = """
    ### Timeline
    Each lane is one thing that you said about yourself or somebody else. Solid lines are what was believed at
    "believed at"; dashed ones had been believed before that, and no longer were. Green holds at "true at".

    `[ ]` go to the next change in the world, `{ }` to the next change of mind, `d w m y` a day, week, month, year
    on, with shift back; `b` chooses which of the cursors moves, and `t` puts both on now.

    - ● true now, ○ was true, ◌ not yet true, ✗ never true
    - ╌ believed then, not now; ◆ happened
    - ┃ the cursor "true at", ▲ the cursor "believed at"
    """

    @dataclass
    class Pointed(Message):
        """Another fact (or none) lies under the cursors."""

        fact: Fact | None

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Lanes.Pointed)

    def __init__(self, *, zone: tzinfo, id: str | None = None) -> None:
        super().__init__(id=id)
        self.zone, self.now = zone, 0
        self.true_at: int | None = None
        self.believed_at: int | None = None
        self.axis: Axis = "true"
        self.at = self.top = At()
        """The chosen row, and the first that is shown."""
        self._index = LaneIndex(())
        self._view: LaneView = self._index.matching("")
        self._rows = LaneRows(self._view, 0)
        self._scale: Scale | None = None
        self._drawn: dict[tuple[At, bool], Strip] = {}
        """The rows that are in view, or were, as they look at these times and this zoom."""
        self._looks: dict[str, Style] = {}
        self._shown: list[At] = []
        self._activity: tuple[Scale, list[Cell]] | None = None

    # -- what is shown

    def show(self, index: LaneIndex, now: int, words: str = "") -> None:
        """Every rectangle ever believed, of the slots that hold the words; `now` in microseconds UTC."""
        marked, top, row = self._slot_at(self.at), self._slot_at(self.top), self.at.row
        self._index, self.now = index, now
        self.filter(words)
        if marked is not None and top is not None:
            self.top, self.at = self._rows.like(top, 0), self._rows.like(marked, row)
            self._brought_into_view(self.at)
            self._redrawn()

    def _slot_at(self, at: At) -> Slot | None:
        return self._rows.slots[at.slot] if self._rows.slots else None

    def filter(self, words: str) -> None:
        """Show only the slots in which every word occurs."""
        self._view = self._index.matching(words)
        self.at = self.top = At()
        self._scale = self._activity = None
        self._rows = LaneRows(self._view, self._believed_us)
        self._redrawn()

    @property
    def lanes(self) -> list[Lane]:
        """Every lane at this moment, laid out."""
        return self._rows.all()

    @property
    def view(self) -> LaneView:
        """Everything that the filter lets through."""
        return self._view

    def choose(self, subject: str, predicate: str) -> None:
        """Put the mark on a slot that is shown."""
        places = [n for n, slot in enumerate(self._rows.slots) if slot.key == (subject, predicate)]
        self._go_to(At(places[0]) if places else self.at)

    def go(self, axis: Axis, us: int | None) -> None:
        """Put one cursor on an instant; None is now."""
        if axis == "true":
            self.true_at = us
        else:
            self.believed_at = us
        if us is not None:
            self._scale = self.scale.showing(us)
        if axis == "true":
            self._redrawn()
        else:
            self._relaid()
        self.post_message(TimesMoved(self.true_at, self.believed_at))

    @property
    def pointed(self) -> Fact | None:
        """The fact of the chosen lane that holds at "true at", or the nearest."""
        lane = self._rows.lane(self.at)
        bar = lane.nearest(self._true_us) if lane else None
        return bar.fact if bar else None

    @property
    def scale(self) -> Scale:
        if self._scale is None or self._scale.width != self._area_width:
            self._scale = self._fitting(self._told_since())
        return self._scale

    @property
    def _true_us(self) -> int:
        return self.now if self.true_at is None else self.true_at

    @property
    def _believed_us(self) -> int:
        return self.now if self.believed_at is None else self.believed_at

    @property
    def _label_width(self) -> int:
        return min(max(self._view.label_width, len(ACTIVITY)), max(8, self.size.width // 4)) + 1

    @property
    def _area_width(self) -> int:
        return max(10, self.size.width - self._label_width)

    def _told_since(self) -> int:
        """The first view begins a little before the first thing that was said; `0` shows all that it was about."""
        first = self.now if self._view.told_since is None else self._view.told_since
        return first - (self.now - first) // 4

    def _fitting(self, earliest: int = -(2**62)) -> Scale:
        world = self._view.world
        first = max(earliest, self.now - 365 * DAY if world.first is None else world.first)
        last = max(self.now, self.now if world.last is None else world.last)
        return Scale.fitting(min(first, last - 14 * DAY), last, self._area_width, self.zone)

    def _relaid(self) -> None:
        """Another moment of belief: the mark stays on its slot where that is known by then."""
        marked, first = self._slot_at(self.at), self._slot_at(self.top)
        self._rows = LaneRows(self._view, self._believed_us)
        self.at, self.top = self._rows.nearest(marked, self.at.row), self._rows.nearest(first, self.top.row)
        self._brought_into_view(self.at)
        self._redrawn()

    def _go_to(self, at: At) -> None:
        """Mark a row, and scroll by as little as shows it: where nothing scrolls, two rows look otherwise."""
        before, self.at = self.at, at
        if self._brought_into_view(at):
            self._show_rows()
            return
        for one in {before, at} & set(self._shown):
            self.refresh(Region(0, self._shown.index(one) + 1, self.size.width, 1))
        self.post_message(self.Pointed(self.pointed))

    def _brought_into_view(self, at: At) -> bool:
        """Whether another row is the first now."""
        before, height = self.top, max(1, self.size.height - 2)
        if at < self.top:
            self.top = at
        elif at not in self._rows.below(self.top, height):
            self.top = self._rows.moved(at, 1 - height)
        return self.top != before

    def _redrawn(self) -> None:
        """Every row may look otherwise."""
        self._drawn.clear()
        self._show_rows()

    def _show_rows(self) -> None:
        self._shown = self._rows.below(self.top, max(1, self.size.height - 2))
        self.refresh()
        self.post_message(self.Pointed(self.pointed))

    def notify_style_update(self) -> None:
        self._drawn.clear()
        self._looks.clear()
        super().notify_style_update()

    # -- what keys and mouse do

    def action_row(self, amount: int) -> None:
        self._go_to(self._rows.moved(self.at, amount))

    def action_end(self, end: int) -> None:
        """The first row, or the last."""
        self._go_to(self._rows.last() if end > 0 else At())

    def action_open(self) -> None:
        if self.pointed is not None:
            self.post_message(FactChosen(self.pointed))

    def action_change(self, axis: Axis, direction: int) -> None:
        """To the next instant at which something changed; past the last one lies now."""
        here = self._true_us if axis == "true" else self._believed_us
        if axis == "true":
            found = self._view.next_world_change(here, direction, self._believed_us)
        else:
            found = self._view.next_belief_change(here, direction)
        if found is not None:
            self.go(axis, found)
        elif direction > 0 and here < self.now:
            self.go(axis, None)

    def action_nudge(self, amount: int) -> None:
        here = self._true_us if self.axis == "true" else self._believed_us
        self._go_or_now(here + amount * self.scale.per_cell, here)

    def action_step(self, unit: Unit, amount: int) -> None:
        here = self._true_us if self.axis == "true" else self._believed_us
        try:
            self._go_or_now(Instant.of(stepped(moment(here, self.zone), unit, amount)).us, here)
        except (OverflowError, ValueError):
            self.app.bell()

    def _go_or_now(self, us: int, here: int) -> None:
        """Stepping over now from the past stops at now."""
        self.go(self.axis, None if here < self.now <= us else us)

    def action_today(self) -> None:
        self.true_at = self.believed_at = None
        self._scale = self.scale.showing(self.now)
        self._relaid()
        self.post_message(TimesMoved(None, None))

    def action_swap(self) -> None:
        self.axis = "believed" if self.axis == "true" else "true"
        self.refresh()

    def action_zoom(self, factor: float) -> None:
        self._scale = self.scale.zoomed(factor, self._true_us if self.axis == "true" else self._believed_us)
        self._redrawn()

    def action_fit(self) -> None:
        self._scale = self._fitting()
        self._redrawn()

    def spots(self) -> Iterator[Spot]:
        """The lanes in view."""
        for line, at in enumerate(self._shown, 1):
            place = self.region.offset + Offset(0, line)
            yield Spot(place, partial(self._jump, at), partial(self._jump, at, opened=True))

    def _jump(self, at: At, *, opened: bool = False) -> None:
        self.focus()
        self._go_to(at)
        if opened:
            self.action_open()

    def on_resize(self) -> None:
        self._redrawn()

    def on_mouse_scroll_down(self) -> None:
        self.action_row(1)

    def on_mouse_scroll_up(self) -> None:
        self.action_row(-1)

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None or not 0 < place.y < self.size.height - 1:
            return
        if place.y <= len(self._shown):
            self.at = self._shown[place.y - 1]
        if place.x >= self._label_width:
            self.go("true", self.scale.at(place.x - self._label_width))
        else:
            self._redrawn()

    # -- drawing

    def render_line(self, y: int) -> Strip:
        """Line 0 is the axis, the last one the activity, between them lanes."""
        if y == 0:
            return self._strip("", self._with_cursor(axis(self.scale), keep=True))
        if y == self.size.height - 1:
            return self._strip(ACTIVITY, self._activity_cells(), quiet=True)
        if y > len(self._shown):
            return self._strip("", self._with_cursor([BLANK] * self.scale.width))
        at = self._shown[y - 1]
        chosen = at == self.at
        if (at, chosen) not in self._drawn:
            if len(self._drawn) >= MOST_DRAWN:
                self._drawn.clear()
            lane = self._rows.lane(at)
            assert lane is not None, "a row that is shown is there"
            cells = drawn(lane, self.scale, self._true_us, self.now)
            self._drawn[at, chosen] = self._strip(lane.label, self._with_cursor(cells), chosen=chosen)
        return self._drawn[at, chosen]

    def _activity_cells(self) -> list[Cell]:
        if self._activity is None or self._activity[0] != self.scale:
            self._activity = (self.scale, activity(self._view.begun, self.scale))
        believed = cell("▲", "disputed" if self.believed_at is not None else "now")
        return with_cell(self._activity[1], self.scale.column(self._believed_us), believed)

    def _with_cursor(self, cells: list[Cell], keep: bool = False) -> list[Cell]:
        """With the cursor drawn over it; words win."""
        column = self.scale.column(self._true_us)
        if 0 <= column < len(cells) and (cells[column].paint == "text" or (keep and cells[column].text != " ")):
            return cells
        return with_cell(cells, column, cell("┃", "cursor"))

    def _strip(self, label: str, cells: Sequence[Cell], *, chosen: bool = False, quiet: bool = False) -> Strip:
        base, width = self._look("row" if chosen else ""), self._label_width
        segments = [
            Segment(set_cell_size(one_line(label, width - 1), width), base + self._look("axis" if quiet else "label"))
        ]
        for paint, run in groupby(cells, key=attrgetter("paint")):
            component = "past-cursor" if paint == "cursor" and self.true_at is not None else paint
            style = base + self._look(component) if paint else base
            segments.append(Segment("".join([one.text for one in run]), style))
        return Strip(segments, width + len(cells)).adjust_cell_length(self.size.width, base)

    def _look(self, component: str) -> Style:
        """The component's colour alone: its background is the row's; the row's own is whole."""
        if component not in self._looks:
            style = self.get_component_rich_style(f"lanes--{component}") if component else self.rich_style
            self._looks[component] = style if component in ("", "row") else Style(color=style.color)
        return self._looks[component]
