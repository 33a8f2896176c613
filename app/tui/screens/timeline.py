"""The top line says which two times are shown, in the warning style unless both are now; every lane is drawn at these
times.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from app.core.loading import long_read
from app.core.times import Times
from app.tui.jobs import Job, start
from app.tui.screens.dialogs import ListDialog, WhenDialog
from app.tui.screens.map import MapScreen
from app.tui.screens.picture import PictureScreen, Shown
from app.tui.seen import for_good, seen
from app.tui.services import Services
from store.records import Fact, Instant, Precision, Stretch
from widgets.bars import TopLine
from widgets.chain_rows import fact_detail
from widgets.choices import Choices, Row
from widgets.filter_line import FilterLine
from widgets.lane_diff import Difference, Moment, difference_line, differences
from widgets.lane_index import At, LaneIndex, LaneRows
from widgets.lanes import Lanes
from widgets.look import QUIET, lines
from widgets.messages import FactChosen, TimesMoved
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
MOST_DIFFERENCES = 500


class TimelineScreen(PictureScreen):
    """Beliefs over time."""

    PLACE = "timeline"
    JOB = Job.READ_TIMELINE
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
        self._told = ""
        """What the sentence on top says."""
        self._good: list[Content] = []
        """What the line of what is so for good says."""

    @property
    def main(self) -> Lanes:
        return self.query_one(Lanes)

    def body(self) -> ComposeResult:
        nothing = "Nothing is believed yet.\n\nTell me something in the chat (esc), and it gets a lane here."
        yield FilterLine(placeholder="filter: words that a lane must hold; enter keeps, esc clears", id="filter")
        yield Static("", id="seen", markup=False)
        yield Static("", id="for-good", markup=False)
        yield Lanes(zone=self.services.zone, id="lanes")
        yield Static(lines(nothing), id="empty", markup=False)
        yield Static("", id="detail", markup=False)

    def reading(self, saying: str = "") -> None:
        super().reading("reading…" if self.known is None else "")

    def fetch(self, memory: Memory) -> LaneIndex:
        """A first page at once; all of them, where there are more, when they are there."""
        now = self.services.now
        first = memory.beliefs.outline(FIRST_PAGE)
        if len(first) < FIRST_PAGE:
            return LaneIndex(first, now)
        if self.known is None:
            self.call_later(self.fetched, LaneIndex(first, now), more=True)
        with long_read():
            return LaneIndex(memory.beliefs.outline(), now)

    def fetched(self, known: LaneIndex, *, more: bool = False) -> None:
        self.known = known
        self.heard.clear()
        self.set_class(not known.facts, "-empty")
        self.refresh_bindings()
        top = self.query_one(TopLine)
        top.place = f"timeline · {count(known.facts, 'belief')}"
        top.reading = "reading on…" if more else ""
        self.main.show(known, self.services.now, self.typed)
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
        """The sentence on top, what is so for good, and what is marked."""
        if self.known is None:  # nothing is known of what was believed
            return
        at, slot = self.main.cursors, self.main.slot
        fact = None if fact is None else self.heard.get(fact.id, fact)
        told = "" if slot is None or fact is None else seen(slot, fact, at, self.heard)
        good = [
            lines((", ", QUIET)).join([lines((f"{what} ", QUIET), said) for what, said in pieces])
            for pieces in for_good(self.main.view, at.belief)
        ]
        if told != self._told:
            self._told = told
            self.query_one("#seen", Static).update(lines(told), layout=False)
        if good != self._good:
            self._good = good
            self._say_for_good()
        held = [] if slot is None else slot.facts
        shown = fact_detail(fact, at.world, at.belief, max(20, self.size.width - 5), at.now, held)
        self.query_one("#detail", Static).update(shown, layout=False)

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

    def _ask_when(self, title: str, then: Callable[[int], object]) -> None:
        """Ask for a date; `then` gets where it begins, or else ends."""

        def read(stretch: Stretch | None) -> None:
            us = None if stretch is None else stretch.end if stretch.start is None else stretch.start
            if us is not None:
                then(us)

        self.app.push_screen(WhenDialog(title, self.services.parse_when, self.services.in_words), read)

    def action_ask_date(self) -> None:
        lanes = self.main
        title = "True at which time?" if lanes.axis == "true" else "Believed at which time?"
        self._ask_when(title, lambda us: lanes.go(lanes.axis, None if us == self.services.now else us))

    def action_compare(self) -> None:
        """What differs between the cursors' moment and now; with both on now, a date is asked for."""
        lanes, now = self.main, self.services.now
        if lanes.true_at is None and lanes.believed_at is None:
            self._ask_when("What differs between now and when?", lambda us: self._compare(us, us))
        else:
            self._compare(
                now if lanes.true_at is None else lanes.true_at, now if lanes.believed_at is None else lanes.believed_at
            )

    def _compare(self, true_at: int, believed_at: int) -> None:
        """In a worker: a long timeline has much to look through."""
        now, view = self.services.now, self.main.view
        both = (Moment(true_at, believed_at), Moment(now, now))
        first, second = sorted(both, key=lambda one: (one.true_at, one.believed_at))
        title = f"From {self._moment_words(first)} to {self._moment_words(second)}"

        def differ() -> list[Difference]:
            before, after = (view.holding(one.true_at, one.believed_at) for one in (first, second))
            return differences(before, after)

        def go(to: Message | None) -> None:
            if to is not None:
                self.app.post_message(to)

        start(self, Job.COMPARE, differ, lambda found: self.app.push_screen(DifferenceDialog(title, found), go))

    def _moment_words(self, one: Moment) -> str:
        now = self.services.now
        true_at = self.services.in_words(None if one.true_at == now else one.true_at)
        believed = self.services.in_words(None if one.believed_at == now else one.believed_at)
        return true_at if true_at == believed else f"{true_at} (as believed {believed})"

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


def joined(pieces: list[Content], room: int) -> Content:
    """As many pieces as there is room for, and how many more there are."""
    for left in range(len(pieces)):
        shown = pieces[: len(pieces) - left] + [lines((f"and {left} more", QUIET))] * bool(left)
        if (one := lines((" · ", QUIET)).join(shown)).cell_length <= room:
            return one
    return lines("")


class DifferenceDialog(ListDialog):
    """What differs from one moment to another. Dismisses with the belief that was chosen."""

    DEFAULT_CSS = """
    DifferenceDialog Choices { max-height: 60vh; }
    DifferenceDialog .legend { margin: 0 0 1 0; }
    """

    def __init__(self, title: str, found: list[Difference]) -> None:
        super().__init__()
        self.heading, self.found = title, found

    def compose(self) -> ComposeResult:
        found, most = self.found, MOST_DIFFERENCES
        rows = [Row(difference_line(one, self.room), one) for one in found[:most]]
        if len(found) > most:
            rows.append(Row(lines((f"and {len(found) - most:,} more", QUIET))))
        legend = f"{count(len(found), 'difference')}   + begun  − ended  ~ changed" if found else ""
        hint = "enter opens the chain, esc closes" if found else "esc closes"
        with Vertical(classes="box"):
            yield Static(lines((self.heading, "bold")), markup=False)
            yield Static(lines((legend, QUIET)), classes="legend", markup=False)
            yield Choices(rows or [Row(lines(("Nothing differs.", QUIET)))], id="differences")
            yield Static(lines((hint, QUIET)), classes="hint", markup=False)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        if isinstance(event.record, Difference):
            self.dismiss(FactChosen(event.record.fact))
