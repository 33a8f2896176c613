"""What fades is shown before it is gone from view: each with its curve, the next to drop on top, and saved by a key.

Nothing that fades is lost: it leaves the lists, and a question still finds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from app.core import deeds
from app.tui.jobs import Job
from app.tui.screens.by_hand import BeliefScreen, doing
from app.tui.services import Services
from store.records import Fact, Operation
from widgets.bars import TopLine
from widgets.choices import Row
from widgets.fact_rows import days_left, fading_line
from widgets.look import QUIET, lines
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

DAYS = 180
"""How far ahead a curve looks."""
NOTHING = "Nothing is fading.\n\nWhat you have not spoken of for months stands here before it leaves the lists."


Faded = list[tuple[Fact, tuple[tuple[int, float], ...]]]
"""What fades, each with its curve."""


class FadingScreen(BeliefScreen):
    """Beliefs that nobody has spoken of for long."""

    PLACE = "fading"
    DEFAULT_CSS = """
    FadingScreen #fading-head { height: auto; padding: 0 2; margin: 1 0; color: $quiet; }
    FadingScreen Choices { height: 1fr; padding: 0 1; }
    FadingScreen.-empty Choices, FadingScreen.-empty #fading-head { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "rescue", "rescue", id="fading.rescue"),
        Binding("escape", "dismiss", "back", id="fading.back"),
    ]
    HELP = """
    ### Fading
    What holds, and nobody has spoken of for long. The curve is how much it will matter in the months ahead if nobody
    does; below the line it leaves the lists, and only a question brings it up. `space` rescues it: it is in use.
    `p` pins it: it never fades.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._found: Faded | None = None
        """None until it is read."""

    def body(self) -> ComposeResult:
        yield Static("", id="fading-head", markup=False)
        yield self.choices
        yield Static(lines(NOTHING), id="empty", markup=False)

    def refetch(self) -> None:
        self.read(Job.READ_FADING, _fading, self._fetched)

    def _fetched(self, read: tuple[Faded, Operation | None]) -> None:
        self._found, self.last_deed = read
        self.draw()
        self.refresh_bindings()

    def draw(self) -> None:
        from store.beliefs.salience import FADED

        if self._found is None:
            return
        self.set_class(not self._found, "-empty")
        self.query_one(TopLine).place = f"fading · {count(len(self._found), 'belief')}"
        words = f"How much each will matter if nobody speaks of it for {DAYS // 30} months; the first to go is on top."
        self.query_one("#fading-head", Static).update(lines((words, QUIET)))
        width = max(30, self.size.width - 5)  # the list has no width of its own before it is first shown
        rows = [Row(fading_line(fact, curve, FADED, width), fact) for fact, curve in self._found]
        self.choices.show_rows(rows, self.choices.highlighted)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "rescue":
            return isinstance(self.pointed, Fact)
        return super().check_action(action, parameters)

    action_rescue = doing(deeds.rescue)


def _fading(memory: Memory) -> tuple[Faded, Operation | None]:
    """What fades, the first to drop on top, and what was done last."""
    from store.beliefs.salience import FADED

    found = [(fact, memory.salience.decay(fact.id, DAYS)) for fact in memory.salience.fading()]
    found.sort(key=lambda one: DAYS + 1 if (left := days_left(one[1], FADED)) is None else left)
    return found, deeds.latest(memory)
