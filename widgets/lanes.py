"""The two cursors are always somewhere: moving one of them redraws the lanes as they were, and nothing is fetched for
it.

Only the rows in view are laid out, so that a long memory scrolls like a short one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import ClassVar, NamedTuple

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from store.beliefs.predicates import find
from store.records import Fact, Instant
from widgets.jump import Spot
from widgets.lane_index import At, LaneIndex, LaneRows, LaneView, Slot
from widgets.lane_layout import BLANK, GROUPS, Axis, Cell, Lane, activity, axis, drawn, runs, with_cell
from widgets.messages import FactChosen, TimesMoved
from widgets.plain import one_line
from widgets.time_scale import DAY, MINUTE, Cursors, Scale, Unit, stepped
from widgets.wording import about, moment, value

RULERS: dict[Axis, str] = {"true": "true in the world", "believed": "when you said it"}
"""What each of the two rulers measures."""
AROUND = 3  # lines that are no lanes: two rulers and the activity
FEWEST = 3  # lanes that there is room for, however few there are
AHEAD = 8  # what the first view shows of the time to come, at most: this part of the time in which anything was said
NEAR = 28 * DAY  # what happens so soon is in the first view
YOUNG = 92 * DAY  # a memory in which the first thing was said less than this ago is shown as a whole
FAR = 2 * 366 * DAY  # so far from now, at most: else no month would be readable
SHORTEST = 10 * DAY  # what the first view shows at least: the hours of one day say nothing of a life


class LaneGeometry(NamedTuple):
    """Columns and lines of the widget: what a lane is about, what holds, the lanes themselves, and all of it."""

    label: int
    held: int
    area: int
    width: int
    room: int  # how many lanes there is room for
    apart: int  # lines from one lane to the next

    @property
    def left(self) -> int:
        return self.label + self.held

    @property
    def last(self) -> int:
        """The line of the ruler below."""
        return self.room * self.apart + AROUND - 1


class Lanes(Widget, can_focus=True):
    """Beliefs over time, with the cursors "true at" and "believed at"."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"lanes--{name}"
        for name in (
            "never", "text", "disputed", "label", "value", "quiet", "axis", "row", "flash", "cursor", "past-cursor",
            "ruler", "moving", "tick",
            *(f"{group}-{state}" for group in GROUPS for state in ("now", "was", "line")),
        )
    }  # fmt: skip
    DEFAULT_CSS = """
    Lanes { height: 1fr; padding: 0 1; }
    Lanes > .lanes--quiet, Lanes > .lanes--label, Lanes > .lanes--tick { color: $quiet; }
    Lanes > .lanes--never { color: $error; }
    Lanes > .lanes--disputed { background: $warning; color: $on-signal; }
    Lanes > .lanes--text { color: $foreground; }
    Lanes > .lanes--value { color: $foreground; text-style: bold; }
    Lanes > .lanes--row { background: $block-cursor-blurred-background; }
    Lanes:focus > .lanes--row { background: $block-cursor-background; }
    Lanes > .lanes--flash { background: $warning 24%; }
    Lanes > .lanes--ruler { background: $panel; }
    Lanes > .lanes--axis { color: $foreground; }
    Lanes > .lanes--moving { color: $primary; text-style: bold; }
    Lanes > .lanes--cursor { color: $primary; text-style: bold; }
    Lanes > .lanes--past-cursor { color: $warning; text-style: bold; }
    """ + "".join(
        f"""
    Lanes > .lanes--{group}-now {{ background: ${group}; color: $on-signal; text-style: bold; }}
    Lanes > .lanes--{group}-was {{ background: ${group} 25%; color: $foreground; }}
    Lanes > .lanes--{group}-line {{ color: ${group}; }}
    """
        for group in GROUPS
    )
    FLASH_SECONDS = 0.8  # for how long the rows that a step changed are lit
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
            for name, unit in (("d", "day"), ("w", "week"), ("m", "month"), ("y", "year"))
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
    Each lane is one thing that you said about yourself or somebody else; its colour says which part of life it belongs
    to. On the left stands what holds at both cursors. A filled bar is what was believed; a dashed one had been
    believed before that, and no longer was. A strong colour holds at the cursor, a pale one at another time.

    The ruler on top is the time along which the lanes are drawn, and its cursor is the one that moves; `b` swaps the
    two. `[ ]` go to the next change in the world, `{ }` to the next change of mind, `d w m y` a day, week, month, year
    on, with shift back; `t` puts both cursors on now. Rows that a step changes light up.

    - ▎ began here, ░ nobody said when, ▸ goes on; ‹ over before, › still to come
    - ╌ believed then, not now; ✗ never true; ? in dispute; ◆ happened
    - ┃ the cursor on top, ▲ the cursor below
    """

    @dataclass
    class Pointed(Message):
        """Another fact (or none) lies under the cursors."""

        fact: Fact | None

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Lanes.Pointed)

    @dataclass
    class NoChange(Message):
        """There is no change to go to along this time; `closer`: none that can be told apart from where one is."""

        axis: Axis
        direction: int
        closer: bool

    def __init__(self, *, zone: tzinfo, id: str | None = None) -> None:
        super().__init__(id=id)
        self.zone, self.now = zone, 0
        self.true_at: int | None = None
        self.believed_at: int | None = None
        self.axis: Axis = "true"
        self.at = self.top = At()  # the chosen row, and the first that is shown
        self._index = LaneIndex(())
        self.view: LaneView = self._index.matching("")  # everything that the filter lets through
        self._rows = LaneRows(self.view, 0)
        self._scale: Scale | None = None
        self._shown: list[At] = []
        self._divided: LaneGeometry | None = None
        self._lit: set[At] = set()  # rows that the last step changed
        self._unlight: Timer | None = None

    # -- what is shown

    def show(self, index: LaneIndex, now: int, words: str = "") -> None:
        """Every rectangle ever believed, of the slots that hold the words; `now` in microseconds UTC."""
        marked, top, row = self.slot, self._slot_at(self.top), self.at.row
        self._index, self.now = index, now
        self.filter(words)
        self.top, self.at = self._rows.nearest(top, 0), self._rows.nearest(marked, row)
        self._bring_into_view(self.at)
        self._redrawn()

    def _slot_at(self, at: At) -> Slot | None:
        return self._rows.slots[at.slot] if self._rows.slots else None

    @property
    def slot(self) -> Slot | None:
        return self._slot_at(self.at)

    def filter(self, words: str) -> None:
        self.view = self._index.matching(words)
        self.at = self.top = At()
        self._scale = self._divided = None
        self._rows = LaneRows(self.view, self._at_us, self.axis)
        self._redrawn()

    def go(self, axis: Axis, us: int | None, since: int | None = None) -> None:
        """Put one cursor on an instant; None is now. `since`: what changed from then on lights up, and is brought into
        view; else what is shown and says something else than where the cursor stood."""
        before = self._at_us, self._along_us
        if axis == "true":
            self.true_at = us
        else:
            self.believed_at = us
        if us is not None:
            self._scale = self.scale.showing(us)
        self._relaid()
        if since is not None:
            before = (self._at_us, since - 1) if axis == self.axis else (since - 1, self._along_us)
            self._bring_changed(self.view.changed(axis, since, self._us(axis)), *before)
        self._light(*before)
        self.post_message(TimesMoved(self.true_at, self.believed_at))

    def _bring_changed(self, slots: Sequence[Slot], at: int, along: int) -> None:
        """Where no row in view says something else than when the cursors stood there, mark the nearest that does."""
        if any(self._changed(row, at, along) for row in self._shown):
            return
        places = [place for slot in slots if (place := self._rows.place(slot)) is not None]
        rows = (At(place, row) for place in places for row in range(len(self._rows.of(place))))
        if found := [row for row in rows if self._changed(row, at, along)]:
            self._go_to(min(found, key=lambda row: abs(row.slot - self.at.slot)))

    @property
    def in_view(self) -> list[Lane]:
        """The lanes that are shown, along world time whatever they are drawn along."""
        rows = LaneRows(self.view, self.cursors.belief)
        top = self.top if self.axis == "true" else rows.nearest(self._slot_at(self.top), 0)
        return [lane for at in rows.below(top, self._frame.room) if (lane := rows.lane(at)) is not None]

    def _light(self, at: int, along: int) -> None:
        """Light the rows in view that said something else when the cursors stood there, and soon no longer."""
        if self.FLASH_SECONDS <= 0 or self.app.animation_level == "none":
            return
        self._lit = {row for row in self._shown if self._changed(row, at, along)}
        if self._unlight is not None:
            self._unlight.stop()
        self._unlight = self.set_timer(self.FLASH_SECONDS, self._put_out) if self._lit else None

    def _changed(self, row: At, at: int, along: int) -> bool:
        slot = self._rows.slots[row.slot]
        before, after = slot.lanes(at, self.axis), slot.lanes(self._at_us, self.axis)
        return row.row >= len(before) or _says(before[row.row], along) != _says(after[row.row], self._along_us)

    def _put_out(self) -> None:
        self._lit.clear()
        self.refresh()

    @property
    def pointed(self) -> Fact | None:
        """The fact of the chosen lane that holds at the cursor, or the nearest."""
        bar = lane.nearest(self._along_us) if (lane := self._rows.lane(self.at)) else None
        return bar.fact if bar else None

    @property
    def scale(self) -> Scale:
        if not self.size.width:  # not laid out yet
            return self._opening()
        if self._scale is None:
            self._scale = self._opening()
        elif self._scale.width != self._frame.area:
            self._scale = self._scale.widened(self._frame.area)
        return self._scale

    @property
    def cursors(self) -> Cursors:
        return Cursors(self.true_at, self.believed_at, self.now, self.zone)

    @property
    def _along_us(self) -> int:
        """Where the cursor on top stands."""
        return self._us(self.axis)

    @property
    def _at_us(self) -> int:
        """Where the cursor below stands: of that moment the lanes tell."""
        return self._us(_other(self.axis))

    @property
    def _first_line(self) -> int:
        """The line of the first lane: below the ruler on top, and the activity where it belongs to that."""
        return 1 if self.axis == "true" else 2

    def _row_on(self, line: int) -> int | None:
        row, between = divmod(line - self._first_line, self._frame.apart)
        return row if 0 <= row < len(self._shown) and not between else None

    @property
    def _frame(self) -> LaneGeometry:
        """How the widget is divided; asked for many times in one step."""
        if self._divided is None:
            width, most = self.size.width, max(1, self.size.height - AROUND)
            longest = max((len(slot.label) for slot in self.view.lanes), default=8)
            label, held = min(max(longest, 8), max(8, width // 5)) + 1, min(24, width // 5)
            rows = len(LaneRows(self.view, self.now, self.axis).below(At(), most))
            # A few lanes stand apart, and the ruler below stands close to the last.
            apart = 2 if rows * 2 <= most else 1
            room = max(rows, min(FEWEST, most // apart))
            self._divided = LaneGeometry(label, held, max(10, width - label - held), width, room, apart)
        return self._divided

    def _opening(self) -> Scale:
        """The first view: from a little before the first thing that was said to what lies ahead, which takes little of
        the width, for in the past stand the names; of a young memory all that is told. `0` shows all that anything was
        about, of an old one too."""
        view, now = self.view, self.now
        told = 0 if view.told_since is None else now - view.told_since
        if told < YOUNG:
            first, last = view.told_between(now - FAR, now + FAR)
            first, last = min(now - told, first or now), max(now, last or now)
        else:
            ahead = min(max(0, (view.told_between()[1] or now) - now), told // AHEAD)
            first, last = now - told - told // 16, max(now + ahead, view.told_between(now, now + NEAR)[1] or now)
        air = max(0, SHORTEST - (last - first))
        first, last = first - air * 3 // 4, last + air // 4
        return Scale.fitting(min(first, now - (last - now) // 2), last, self._frame.area, self.zone)

    def _relaid(self) -> None:
        """The lanes tell of another moment: the mark stays on its slot where anything is told of it."""
        marked, first = self._slot_at(self.at), self._slot_at(self.top)
        self._rows = LaneRows(self.view, self._at_us, self.axis)
        self.at, self.top = self._rows.nearest(marked, self.at.row), self._rows.nearest(first, self.top.row)
        if self.slot is not None and find(self.slot.key[1]).cardinality == "one":
            # One value holds at a time: where the marked row says none, the mark goes to the row of its slot that does.
            held = [lane.holding(self._along_us) is not None for lane in self._rows.of(self.at.slot)]
            if any(held) and not held[self.at.row]:
                self.at = At(self.at.slot, held.index(True))
        self._bring_into_view(self.at)
        self._redrawn()

    def _go_to(self, at: At) -> None:
        """Mark a row, and scroll by as little as shows it: where nothing scrolls, two rows look otherwise."""
        before, top, self.at = self.at, self.top, at
        self._bring_into_view(at)
        if self.top != top:
            self._redrawn()
            return
        for one in {before, at} & set(self._shown):
            line = self._first_line + self._shown.index(one) * self._frame.apart
            self.refresh(Region(0, line, self.size.width, 1))
        self.post_message(self.Pointed(self.pointed))

    def _bring_into_view(self, at: At) -> None:
        height = self._frame.room
        if at < self.top:
            self.top = at
        elif at not in self._rows.below(self.top, height):
            self.top = self._rows.moved(at, 1 - height)

    def _redrawn(self) -> None:
        self._lit.clear()
        self._shown = self._rows.below(self.top, self._frame.room)
        self.refresh()
        self.post_message(self.Pointed(self.pointed))

    # -- what keys and mouse do

    def action_row(self, amount: int) -> None:
        self._go_to(self._rows.moved(self.at, amount))

    def action_end(self, end: int) -> None:
        self._go_to(self._rows.last() if end > 0 else At())

    def action_open(self) -> None:
        if self.pointed is not None:
            self.post_message(FactChosen(self.pointed))

    def action_change(self, axis: Axis, direction: int) -> None:
        """To the next moment at which something changed that can be told from this one; past the last lies now."""
        here = self._us(axis)
        found = self._next(axis, self._last_alike(axis, here, direction), direction)
        if found is not None:
            last = self._last_alike(axis, found, 1)
            self.go(axis, last, self._last_alike(axis, last, -1))
        elif direction > 0 and here < self.now:
            self.go(axis, None)
        else:
            self.post_message(self.NoChange(axis, direction, closer=self._next(axis, here, direction) is not None))

    def _next(self, axis: Axis, us: int, direction: int) -> int | None:
        return self.view.next_change(axis, us, direction, self.cursors.belief)

    def _last_alike(self, axis: Axis, us: int, direction: int) -> int:
        """The furthest change in the world of the same day that is less than a column away, from one to the next; a
        change of mind can always be told, for what is believed looks otherwise."""
        while axis == "true" and (found := self._next(axis, us, direction)) is not None:
            one_day = moment(found, self.zone).date() == moment(us, self.zone).date()
            if not one_day or abs(found - us) >= self.scale.per_cell:
                break
            us = found
        return us

    def action_nudge(self, amount: int) -> None:
        self._go_or_now(self._along_us + amount * self.scale.per_cell)

    def action_step(self, unit: Unit, amount: int) -> None:
        try:
            self._go_or_now(Instant.of(stepped(moment(self._along_us, self.zone), unit, amount)).us)
        except (OverflowError, ValueError):
            self.app.bell()

    def _go_or_now(self, us: int) -> None:
        """Stepping over now from the past stops at now."""
        self.go(self.axis, None if self._along_us < self.now <= us else us)

    def action_today(self) -> None:
        self.true_at = self.believed_at = None
        self._scale = self.scale.showing(self.now)
        self._relaid()
        self.post_message(TimesMoved(None, None))

    def action_swap(self) -> None:
        """The other ruler comes on top, and the lanes are drawn along it."""
        self.axis, self._divided = _other(self.axis), None
        self._scale = self.scale.showing(self._along_us)
        self._relaid()

    def action_zoom(self, factor: float) -> None:
        self._scale = self.scale.zoomed(factor, self._along_us)
        self._redrawn()

    def action_fit(self) -> None:
        first, last = self.view.told_between()
        first, last = self.now - 365 * DAY if first is None else first, max(self.now, last or self.now)
        self._scale = Scale.fitting(min(first, last - MINUTE), last, self._frame.area, self.zone)
        self._redrawn()

    def spots(self) -> Iterator[Spot]:
        for row, at in enumerate(self._shown):
            place = self.region.offset + Offset(0, self._first_line + row * self._frame.apart)
            yield Spot(place, partial(self._jump, at), partial(self._jump, at, opened=True))

    def _jump(self, at: At, *, opened: bool = False) -> None:
        self.focus()
        self._go_to(at)
        if opened:
            self.action_open()

    def on_resize(self) -> None:
        self._divided = None
        self._redrawn()

    def on_mouse_scroll_down(self) -> None:
        self.action_row(1)

    def on_mouse_scroll_up(self) -> None:
        self.action_row(-1)

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None:
            return
        if (row := self._row_on(place.y)) is not None:
            self.at = self._shown[row]
        if place.x < self._frame.left:
            self._redrawn()
        else:
            below = place.y == self._frame.last
            self.go(_other(self.axis) if below else self.axis, self.scale.at(place.x - self._frame.left))

    # -- drawing

    def render_line(self, y: int) -> Strip:
        """A ruler on top and one at the bottom; the activity stands at that of what was said."""
        if y == 0:
            return self._ruler(self.axis, "▼")
        last = self._frame.last
        if y >= last:
            return self._ruler(_other(self.axis), "▲") if y == last else self._strip("", None, [])
        if y == (last - 1 if self.axis == "true" else 1):
            said = activity(self.view.begun, self.scale, self.now)
            return self._strip(f"said per {self.scale.counted[0]}", None, self._with_cursor(said, "believed"))
        row = self._row_on(y)
        if row is None:
            return self._strip("", None, self._with_cursor([BLANK] * self.scale.width, self.axis))
        at = self._shown[row]
        lane = self._rows.of(at.slot)[at.row]
        cells = self._with_cursor(drawn(lane, self.scale, self._along_us, self.now), self.axis)
        held = lane.holding(self._along_us)
        # The first one in view says what it is about, even where its slot began above it.
        label = about(lane.bars[0].fact) if row == 0 else lane.label
        ground = "flash" if at in self._lit else "row" if at == self.at else ""
        return self._strip(label, value(held.fact) if held else "", cells, ground)

    def _ruler(self, of: Axis, mark: str) -> Strip:
        """What it measures, round dates, and its cursor; the one on top moves."""
        moving, tick = of == self.axis, "╷" if mark == "▼" else "╵"
        # While the memory is being read, nothing is known of its time.
        cells = axis(self.scale, self.scale.column(self._us(of)), self._cursor(of, mark), tick) if self.now else []
        label = f"{'▸' if moving else ' '} {RULERS[of]}"
        head = Segment(set_cell_size(label, self._frame.left), self._over("ruler", "moving" if moving else "label"))
        return self._joined([head], cells, "ruler")

    def _us(self, of: Axis) -> int:
        return self.cursors.world if of == "true" else self.cursors.belief

    def _cursor(self, of: Axis, mark: str) -> Cell:
        on_now = (self.true_at if of == "true" else self.believed_at) is None
        return Cell(mark, "cursor" if on_now else "past-cursor")

    def _with_cursor(self, cells: list[Cell], of: Axis) -> list[Cell]:
        """With the line of a cursor drawn over it, once there is a time; words win."""
        column = self.scale.column(self._us(of))
        if not self.now or (0 <= column < len(cells) and cells[column].word):
            return cells
        return with_cell(cells, column, self._cursor(of, "┃"))

    def _strip(self, label: str, held: str | None, cells: Sequence[Cell], ground: str = "") -> Strip:
        frame = self._frame
        words = [(label, frame.left, "label")]
        if held is not None:
            words = [(label, frame.label, "text" if ground == "flash" else "label"), (held, frame.held, "value")]
        segments = [
            Segment(set_cell_size(one_line(text, width - 1), width), self._over(ground, component))
            for text, width, component in words
        ]
        return self._joined(segments, cells, ground)

    def _joined(self, heads: list[Segment], cells: Sequence[Cell], ground: str) -> Strip:
        painted = [Segment(text, self._over(ground, paint)) for text, paint in runs(cells)]
        return Strip([*heads, *painted]).adjust_cell_length(self._frame.width, self._over(ground, ""))

    def _over(self, ground: str, component: str) -> Style:
        """A component's look on a row's ground: only what is filled has a ground of its own."""
        base = self.get_component_rich_style(f"lanes--{ground}") if ground else self.rich_style
        style = self.get_component_rich_style(f"lanes--{component}") if component else base
        filled = component == "disputed" or component.endswith(("-now", "-was"))
        return style if filled else base + Style(color=style.color, bold=style.bold)


def _other(axis: Axis) -> Axis:
    return "believed" if axis == "true" else "true"


def _says(lane: Lane, us: int) -> object:
    """What a lane says at an instant, and in which bars."""
    held = lane.holding(us)
    return held and value(held.fact), [(value(bar.fact), bar.state) for bar in lane.bars]
