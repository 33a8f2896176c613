"""The top line says which two times are shown, in the warning style unless both are now; every lane is drawn at these
times.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input, Static

from app.screens.base import FramedScreen
from app.screens.dialogs import WhenDialog
from app.services import Services
from app.turn import Times
from store.records import Fact, Stretch
from widgets.bars import Flash, KeyLine, TopLine
from widgets.chain_rows import fact_detail
from widgets.lanes import Lanes
from widgets.look import lines
from widgets.messages import TimesMoved
from widgets.plain import plain
from widgets.wording import count


class FactsFetched(Message):
    """Every rectangle that was ever believed was read."""

    def __init__(self, facts: list[Fact]) -> None:
        super().__init__()
        self.facts = facts


class TimelineScreen(FramedScreen):
    """Beliefs over time."""

    DEFAULT_CSS = """
    TimelineScreen #filter { border: none; height: 1; padding: 0 2; background: $panel; display: none; }
    TimelineScreen #filter.-shown { display: block; }
    TimelineScreen #empty { height: 1fr; content-align: center middle; color: $quiet; display: none; }
    TimelineScreen.-empty #empty { display: block; }
    TimelineScreen.-empty Lanes { display: none; }
    TimelineScreen #detail { height: 4; padding: 0 2; border-top: solid $rule; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back", id="timeline.back"),
        Binding("g", "ask_date", "date", id="timeline.date"),
        Binding("slash", "filter", "filter", id="timeline.filter"),
        Binding("a", "ask_here", "ask as of here", id="timeline.ask"),
        Binding("ctrl+f", "app.search", "search", show=False, id="timeline.search"),
        Binding("ctrl+l", "app.beliefs", "beliefs", show=False, id="timeline.beliefs"),
    ]

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._deeds = services.deeds

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Input(placeholder="filter: words that a lane must hold; enter keeps, esc clears", id="filter")
        yield Lanes(zone=self.services.zone, id="lanes")
        yield Static(
            lines("Nothing is believed yet.\n\nTell me something in the chat (esc), and it gets a lane here."),
            id="empty",
            markup=False,
        )
        yield Static("", id="detail", markup=False)
        yield Flash()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Lanes).focus()
        self.query_one(TopLine).place = "timeline"
        self.say_times()
        self._fetch_anew()

    def on_screen_resume(self) -> None:
        """Something may have been done by hand on the screen above."""
        if self._deeds != self.services.deeds:
            self._fetch_anew()

    def _fetch_anew(self) -> None:
        self._deeds = self.services.deeds
        self.run_worker(self._fetch, thread=True, exclusive=True, group="timeline", exit_on_error=False)

    def _fetch(self) -> None:
        if self.services.memory is not None:
            self.post_message(FactsFetched(self.services.memory.timeline()))

    def on_facts_fetched(self, event: FactsFetched) -> None:
        self.set_class(not event.facts, "-empty")
        self.query_one(TopLine).place = f"timeline · {count(len(event.facts), 'belief')}"
        self.query_one(Lanes).show(event.facts, self.services.now, plain(self.query_one("#filter", Input).value))

    def on_times_moved(self, event: TimesMoved) -> None:
        event.stop()
        self.say_times(event.true_at, event.believed_at)

    def on_lanes_pointed(self, event: Lanes.Pointed) -> None:
        event.stop()
        lanes, now, fact = self.query_one(Lanes), self.services.now, event.fact
        true_at = now if lanes.true_at is None else lanes.true_at
        believed_at = now if lanes.believed_at is None else lanes.believed_at
        detail = self.query_one("#detail", Static)
        detail.update(fact_detail(fact, true_at, believed_at, max(20, self.size.width - 5)))

    def on_resize(self) -> None:
        self.query_one(Lanes).refresh()

    # -- keys

    def action_leave(self) -> None:
        """Out of the filter first, then out of the timeline."""
        field = self.query_one("#filter", Input)
        if field.has_class("-shown"):
            field.value = ""
            field.remove_class("-shown")
            self.query_one(Lanes).focus()
        else:
            self.dismiss(None)

    def action_filter(self) -> None:
        field = self.query_one("#filter", Input)
        field.add_class("-shown")
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one(Lanes).filter(plain(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        event.input.set_class(bool(event.value), "-shown")
        self.query_one(Lanes).focus()

    def action_ask_date(self) -> None:
        lanes = self.query_one(Lanes)
        title = "True at which time?" if lanes.axis == "true" else "Believed at which time?"
        dialog = WhenDialog(title, self.services.parse_when, self.services.in_words)
        self.app.push_screen(dialog, partial(self._go, lanes))

    def _go(self, lanes: Lanes, stretch: Stretch | None) -> None:
        if stretch is not None:
            start = stretch.start if stretch.start is not None else stretch.end
            lanes.go(lanes.axis, None if start == self.services.now else start)

    def action_ask_here(self) -> None:
        """Questions in the chat are asked at these two times from now on."""
        lanes = self.query_one(Lanes)
        as_of = None if lanes.true_at is None else Stretch(lanes.true_at, lanes.true_at + 1)
        self.services.times = Times(as_of, lanes.believed_at)
        self.dismiss(None)
