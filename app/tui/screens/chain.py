"""How one belief came to be what it is: each step says whether the world changed or the belief was wrong, and on
whose words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from app.core import deeds
from app.core.clock import Times
from app.core.deeds import DeedResult
from app.tui.jobs import Job
from app.tui.screens.by_hand import BeliefScreen
from app.tui.services import Services
from store.errors import NotFound
from store.records import Fact, Link, Operation, Stretch
from widgets.chain_rows import chain_rows, chain_summary
from widgets.choices import Choices
from widgets.look import QUIET, lines
from widgets.wording import about

if TYPE_CHECKING:
    from store.memory import Memory


class ChainScreen(BeliefScreen):
    """The chain of one subject and predicate, newest first."""

    DEFAULT_CSS = """
    ChainScreen #chain-head { height: 2; padding: 0 2; margin: 1 0 0 0; }
    ChainScreen Choices { height: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "ask_here", "ask as of here", id="chain.ask"),
        Binding("escape", "dismiss", "back", id="chain.back"),
    ]
    HELP = """
    ### Chain
    Newest first. *moved* means that the world changed: the old fact stays true for its time. *corrected* means that
    the belief was wrong: the old one had never been true. `enter` opens the turn in which it was said; `a` asks as of
    there; `y` copies.
    """

    def __init__(self, services: Services, fact: Fact) -> None:
        super().__init__(services)
        self.fact = fact
        self._links: list[Link] = []

    @property
    def place(self) -> str:
        return f"chain · {about(self.fact)}"

    def body(self) -> ComposeResult:
        yield Static("", id="chain-head", markup=False)
        yield self.choices

    def refetch(self) -> None:
        self.read(Job.READ_CHAIN, self._fetch, self._fetched)

    def _fetch(self, memory: Memory) -> tuple[list[Link], Operation | None]:
        try:
            links = memory.beliefs.chain(self.fact.subject, self.fact.predicate)
        except NotFound:  # whom it is about was erased: there is nothing to tell any more
            links = []
        return links, deeds.latest(memory)

    def _fetched(self, read: tuple[list[Link], Operation | None]) -> None:
        links, last = read
        if self._links and not links:
            self.dismiss(None)
            return
        self._links, self.last_deed = links, last
        self.draw()
        self.refresh_bindings()

    def hand_done(self, done: DeedResult, to: object) -> None:
        """What came of it is marked; a chain that was erased is left."""
        self.fact = done.fact or self.fact
        self.refetch()

    def draw(self) -> None:
        summary = chain_summary(self._links) if self._links else ""
        head = lines((about(self.fact), "bold"), (f"   {summary}", QUIET))
        self.query_one("#chain-head", Static).update(head)
        rows = chain_rows(self._links, self.services.now, max(30, self.size.width - 6))
        shown = [row.record.id if isinstance(row.record, Fact) else "" for row in rows]
        place = shown.index(self.fact.id) if self.fact.id in shown else None
        self.choices.show_rows(rows, place)

    def chosen(self, choices: Choices, record: object) -> None:
        """To the words that it rests on."""
        if isinstance(record, Fact) and record.sources:
            super().chosen(choices, record.sources[0])

    def action_ask_here(self) -> None:
        """Questions are asked as this fact stood: while it was true, and while it was believed."""
        fact = self.choices.pointed
        if not isinstance(fact, Fact):
            return
        start = fact.valid_from.us if fact.valid_from else fact.believed_from.us
        believed = None if fact.believed_to is None else fact.believed_to.us - 1
        self.services.times = Times(Stretch(start, start + 1), believed)
        self.dismiss(None)
