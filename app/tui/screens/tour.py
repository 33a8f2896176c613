"""The tour walks over the demo's memory on the real screens, one stop a key; nothing of the person's own is open.

Each stop goes to a screen by the action that a key would call, and says in a box below it what one sees there. Nothing
moves on by itself. Leaving it at any stop goes back to the person's own memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from widgets.look import LINK, QUIET, lines


@dataclass(frozen=True, slots=True)
class Stop:
    """A place of the tour."""

    title: str
    words: str
    action: str
    """Goes there, as a key would."""
    on_top: bool = False
    """The box stands above what one is to see."""


STOPS = (
    Stop(
        "A chat that remembers",
        "This is a year of somebody who is made up. She tells how things are; the memory notes it at once, and says"
        " what it noted. What it is unsure of, it asks about, and one key says yes or no.",
        "tour_chat", on_top=True,
    ),
    Stop(
        "Ask, and see why",
        "The memory answers from her own words, with the day on which she said them, and needs no model for that. f2"
        " shows why an answer is what it is. What it was never told, it says so.",
        "tour_ask('Where did I work in January?')", on_top=True,
    ),
    Stop(
        "A timeline with two rulers",
        "Above is when something was true in the world; below, when she said it. [ ] go from change to change in the"
        " world, { } in what she had said by then, and the sentence on top says what one sees.",
        "timeline",
    ),
    Stop(
        "What did I believe when",
        "The same belief as a map: the world runs across, what she believed runs down. A correction cuts the map where"
        " she learned better, and what she believed before stays.",
        "map('lives in')",
    ),
    Stop(
        "Beliefs, each with its chain",
        "Everything that is believed, one a row. enter shows how a belief came about and what it replaced; e puts it"
        " right, r takes it back, p keeps it from fading.",
        "beliefs",
    ),
    Stop(
        "It sleeps, and tells what changed",
        "While you do nothing, it reads what was said, settles who is who, and writes this brief: what changed, what"
        " wants an answer, what comes up. ctrl+s has it sleep at once.",
        "brief",
    ),
    Stop(
        "It is yours alone",
        "One file on this machine, and no network. ctrl+r talks off the record, x erases for good, export takes"
        " everything with you. Now to your own: say something worth remembering.",
        "tour_chat", on_top=True,
    ),
)  # fmt: skip


class TourScreen(ModalScreen[int]):
    """One stop, over the screen that it speaks of. Dismisses with how many stops to go on; None leaves the tour."""

    DEFAULT_CSS = """
    TourScreen { align: center bottom; background: $background 0%; }
    TourScreen > VerticalScroll {
        width: 76; max-width: 100%; height: auto; max-height: 60%; padding: 0 1; margin: 0 0 1 0;
        background: $panel; border: round $border;
    }
    TourScreen.-on-top { align: center top; }
    TourScreen Static { height: auto; }
    TourScreen .hint { margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,right,space", "go(1)", "next", id="tour.next"),
        Binding("left", "go(-1)", "back", id="tour.back"),
        Binding("escape", "dismiss", "leave the tour", id="tour.leave"),
    ]

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def compose(self) -> ComposeResult:
        stop, last = STOPS[self.place], self.place == len(STOPS) - 1
        self.set_class(stop.on_top, "-on-top")
        with VerticalScroll():
            yield Static(lines((stop.title, "bold"), (f"  {self.place + 1} of {len(STOPS)}", QUIET)), markup=False)
            yield Static(lines(stop.words), markup=False)
            hint = lines(
                ("enter", LINK), (" ends the tour" if last else " goes on", QUIET),
                *((("   left", LINK), (" goes back", QUIET)) if self.place else ()),
                ("   esc", LINK), (" leaves", QUIET),
            )  # fmt: skip
            yield Static(hint, classes="hint", markup=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._leave_room)

    def _leave_room(self) -> None:
        """What stands below the box, of which it speaks, ends above it."""
        if not STOPS[self.place].on_top:
            below = self.app.screen_stack[-2]
            below.styles.padding = (0, 0, self.query_one(VerticalScroll).outer_size.height + 1, 0)

    def action_go(self, amount: int) -> None:
        """To the next stop, or the one before; the last one ends the tour."""
        if self.place + amount >= 0:
            self.dismiss(amount if self.place + amount < len(STOPS) else None)
