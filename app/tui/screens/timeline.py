"""The top line says which two times are shown, in the warning style unless both are now; every lane is drawn at these
times.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from app.core.clock import Times
from app.core.opening import long_read
from app.tui.jobs import Job, start
from app.tui.screens.dialogs import WhenDialog
from app.tui.screens.difference import DifferenceDialog
from app.tui.screens.filtering import FilteringScreen
from app.tui.screens.hearing import HearingScreen
from app.tui.screens.map import MapScreen
from app.tui.screens.save import SavingScreen
from app.tui.seen import for_good, seen
from app.tui.services import Services
from app.tui.wall import Shown
from store.records import Fact, Instant, Precision, Stretch
from widgets.bars import TopLine
from widgets.chain_rows import fact_detail
from widgets.filter_line import FilterLine
from widgets.lane_diff import Difference, Moment, differences
from widgets.lane_index import At, LaneIndex, LaneRows, LaneView
from widgets.lanes import Lanes
from widgets.look import QUIET, lines
from widgets.messages import TimesMoved
from widgets.vector import Heading, timeline_pages, timeline_svg
from widgets.whole_belief import all_whole
from widgets.wording import count, date_words, moment

if TYPE_CHECKING:
    from store.memory import Memory

MOST_WORDS = 200
"""Characters of the line of what is so for good, in a picture."""
MOST_SAVED = 400
"""Lanes of the pages: more would be too many."""
GOOD_IN_ONE = 120
"""Columns from which on what is so for good stands on one line."""
SENTENCE_IN_TWO = 75
"""Columns from which on the sentence on top fits into two lines."""
FIRST_PAGE = 1000
"""Rectangles that are read, and shown, before the rest of a long timeline is."""


class TimelineScreen(FilteringScreen, SavingScreen, HearingScreen):
    """Beliefs over time."""

    PLACE = "timeline"
    DEFAULT_CSS = """
    TimelineScreen.-empty Lanes, TimelineScreen.-empty #detail { display: none; }
    TimelineScreen #seen { height: 2; padding: 0 2; text-style: bold; text-overflow: ellipsis; }
    TimelineScreen.-narrow KeyLine, TimelineScreen.-medium KeyLine { height: 2; }
    TimelineScreen #for-good { height: 1; padding: 0 2; }
    TimelineScreen.-empty #seen, TimelineScreen.-empty #for-good { display: none; }
    TimelineScreen #detail { height: 4; padding: 0 2; border-top: solid $rule; border-title-align: left; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="timeline.back"),
        Binding("g", "ask_date", "date", id="timeline.date"),
        Binding("slash", "filter", "filter", id="timeline.filter"),
        Binding("equals_sign", "compare", "differences", key_display="=", id="timeline.compare"),
        Binding("a", "ask_here", "ask as of here", id="timeline.ask"),
        Binding("v", "map", "map", id="timeline.map"),
        Binding("ctrl+f", "app.search", "search", show=False, id="timeline.search"),
        Binding("ctrl+l", "app.beliefs", "beliefs", show=False, id="timeline.beliefs"),
    ]

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._read = False
        self._told = ""
        """What the sentence on top says."""
        self._good: list[Content] = []
        """What the line of what is so for good says."""

    @property
    def main(self) -> Lanes:
        return self.query_one(Lanes)

    def body(self) -> ComposeResult:
        yield FilterLine(placeholder="filter: words that a lane must hold; enter keeps, esc clears", id="filter")
        yield Static("", id="seen", markup=False)
        yield Static("", id="for-good", markup=False)
        yield Lanes(zone=self.services.zone, id="lanes")
        yield Static(
            lines("Nothing is believed yet.\n\nTell me something in the chat (esc), and it gets a lane here."),
            id="empty",
            markup=False,
        )
        yield Static("", id="detail", markup=False)

    def refetch(self) -> None:
        self.read(Job.READ_TIMELINE, self._fetch, self._fetched, "" if self._read else "reading…")

    def _fetch(self, memory: Memory) -> LaneIndex:
        """A first page at once; all of them, where there are more, when they are there."""
        now = self.services.now
        first = memory.beliefs.outline(FIRST_PAGE)
        if len(first) < FIRST_PAGE:
            return LaneIndex(first, now)
        if not self._read:
            self.call_later(self._fetched, LaneIndex(first, now), more=True)
        with long_read():
            return LaneIndex(memory.beliefs.outline(), now)

    def _fetched(self, index: LaneIndex, *, more: bool = False) -> None:
        self._read = True
        self.heard.clear()
        self.set_class(not index.facts, "-empty")
        self.refresh_bindings()
        top = self.query_one(TopLine)
        top.place = f"timeline · {count(index.facts, 'belief')}"
        top.reading = "reading on…" if more else ""
        self.main.show(index, self.services.now, self.typed)
        self._say_groups()

    def on_times_moved(self, event: TimesMoved) -> None:
        event.stop()
        self.say_times(event.true_at, event.believed_at)

    def on_lanes_no_change(self, event: Lanes.NoChange) -> None:
        event.stop()
        way = "earlier" if event.direction < 0 else "later"
        of = "in the world" if event.axis == "true" else "of mind"
        closer = "; + shows those of this day apart" if event.closer else ""
        self.flash(f"There is no {way} change {of}{closer}.", bad=True)

    def on_lanes_pointed(self, event: Lanes.Pointed) -> None:
        event.stop()
        self._show_detail(event.fact)
        if event.fact is not None and (slot := self.main.slot) is not None:
            at = self.main.cursors
            self.hear([event.fact, *slot.at(at.world, at.now)[:1]], lambda: self._show_detail(self.main.pointed))

    def _show_detail(self, fact: Fact | None) -> None:
        if not self._read:  # nothing is known of what was believed
            return
        at = self.main.cursors
        fact = None if fact is None else self.heard.get(fact.id, fact)
        self._say_what_is_seen(fact)
        held = [] if self.main.slot is None else self.main.slot.facts
        shown = fact_detail(fact, at.world, at.belief, max(20, self.size.width - 5), at.now, held)
        self.query_one("#detail", Static).update(shown, layout=False)

    def _say_what_is_seen(self, fact: Fact | None) -> None:
        """The sentence on top, and what is so for good."""
        lanes, at = self.main, self.main.cursors
        told = "" if lanes.slot is None or fact is None else seen(lanes.slot, fact, at, self.heard)
        good = [_about_one(pieces) for pieces in for_good(lanes.view, at.belief)]
        if told != self._told:
            self._told = told
            self.query_one("#seen", Static).update(lines(told), layout=False)
        if good != self._good:
            self._good = good
            self._say_for_good()

    def _say_for_good(self) -> None:
        """On a line, or two where they are short; what does not fit is counted, and no piece is cut."""
        line = self.query_one("#for-good", Static)
        room = (self.size.width - 4) * (1 if self.size.width >= GOOD_IN_ONE else 2)
        shown = joined(self._good, room)
        line.styles.height = 2 if shown.cell_length > self.size.width - 4 else 1
        line.update(shown)

    def _say_groups(self) -> None:
        """Which colour is which part of life, on the rule above the detail."""
        named = [lines(("■ ", f"${group}"), (group, QUIET)) for group in self.main.view.groups]
        self.query_one("#detail").border_title = lines("  ").join(named)

    def on_resize(self) -> None:
        # The longest sentences have some 130 characters. The height is fixed, for lanes must not jump at a step.
        self.query_one("#seen").styles.height = 3 if self.size.width < SENTENCE_IN_TWO else None
        self._say_for_good()
        self.main.refresh()

    # -- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing is believed, there is nothing to filter, to go to or to compare."""
        return not (self.has_class("-empty") and action in ("ask_date", "filter", "compare", "ask_here", "map", "save"))

    def narrow(self, words: str) -> None:
        self.main.filter(words)
        self._say_groups()

    def action_ask_date(self) -> None:
        lanes = self.main
        title = "True at which time?" if lanes.axis == "true" else "Believed at which time?"
        dialog = WhenDialog(title, self.services.parse_when, self.services.in_words)
        self.app.push_screen(dialog, partial(self._go, lanes))

    def _go(self, lanes: Lanes, stretch: Stretch | None) -> None:
        if stretch is not None:
            start = stretch.start if stretch.start is not None else stretch.end
            lanes.go(lanes.axis, None if start == self.services.now else start)

    def action_compare(self) -> None:
        """What differs between the cursors' moment and now; with both on now, a date is asked for."""
        lanes = self.main
        if lanes.true_at is None and lanes.believed_at is None:
            title = "What differs between now and when?"
            dialog = WhenDialog(title, self.services.parse_when, self.services.in_words)
            self.app.push_screen(dialog, self._compare_with)
        else:
            now = self.services.now
            self._compare(now if lanes.true_at is None else lanes.true_at, lanes.believed_at)

    def _compare_with(self, stretch: Stretch | None) -> None:
        if stretch is not None and (start := stretch.start if stretch.start is not None else stretch.end) is not None:
            self._compare(start, start)

    def _compare(self, true_at: int, believed_at: int | None) -> None:
        """In a worker: a long timeline has much to look through."""
        now = self.services.now
        then = Moment(true_at, now if believed_at is None else believed_at)
        first, second = sorted((then, Moment(now, now)), key=lambda one: (one.true_at, one.believed_at))
        title = f"From {self._moment_words(first)} to {self._moment_words(second)}"
        start(self, Job.COMPARE, partial(_differ, self.main.view, first, second), partial(self._compared, title))

    def _compared(self, title: str, found: list[Difference]) -> None:
        self.app.push_screen(DifferenceDialog(title, found), self._chosen)

    def _moment_words(self, one: Moment) -> str:
        now = self.services.now
        true_at = self.services.in_words(None if one.true_at == now else one.true_at)
        believed = self.services.in_words(None if one.believed_at == now else one.believed_at)
        return true_at if true_at == believed else f"{true_at} (as believed {believed})"

    def _chosen(self, message: Message | None) -> None:
        if message is not None:
            self.app.post_message(message)

    def action_map(self) -> None:
        """Both times of the marked lane, as a map at the same times that comes back here."""
        lanes = self.main
        words = "" if lanes.slot is None else f"{lanes.slot.key[0]} {lanes.slot.label}"
        self.app.push_screen(MapScreen(self.services, words, (lanes.true_at, lanes.believed_at)))

    def shown(self) -> Shown | None:
        """The lanes in view as a picture, and on pages every lane that the filter lets through, as it is drawn now."""
        lanes, now, at = self.main, self.services.now, self.main.cursors
        rows = LaneRows(lanes.view, at.belief)
        below = rows.below(At(), MOST_SAVED)
        found = [lane for row in below if (lane := rows.lane(row)) is not None]
        if not found:
            return None
        day = date_words(Instant.of(moment(now, self.services.zone)), Precision.DAY)
        told = Heading(f"Timeline, {day}", self._told, joined(self._good, MOST_WORDS).plain)
        span = lanes.scale.start, lanes.scale.end
        draw = partial(timeline_svg, lanes.in_view, span, at, told)
        pages = partial(timeline_pages, found, span, at, told)
        held = [one for place in sorted({row.slot for row in below}) for one in rows.slots[place].facts]
        facts = all_whole((bar.fact for lane in found for bar in lane.bars), held)
        return Shown(told.title, f"erstwhile-timeline-{self.services.today}", draw, pages, facts)

    def action_ask_here(self) -> None:
        """Questions in the chat are asked at these two times from now on."""
        lanes = self.main
        as_of = None if lanes.true_at is None else Stretch(lanes.true_at, lanes.true_at + 1)
        self.services.times = Times(as_of, lanes.believed_at)
        self.dismiss(None)


def _differ(view: LaneView, first: Moment, second: Moment) -> list[Difference]:
    before, after = (view.holding(one.true_at, one.believed_at) for one in (first, second))
    return differences(before, after)


def _about_one(pieces: list[tuple[str, str]]) -> Content:
    return lines((", ", QUIET)).join([lines((f"{what} ", QUIET), said) for what, said in pieces])


def joined(pieces: list[Content], room: int) -> Content:
    """As many pieces as there is room for, and how many more there are."""
    for left in range(len(pieces)):
        shown = pieces[: len(pieces) - left] + [lines((f"and {left} more", QUIET))] * bool(left)
        if (one := lines((" · ", QUIET)).join(shown)).cell_length <= room:
            return one
    return lines("")
