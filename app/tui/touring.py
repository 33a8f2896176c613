"""The tour is given in an app of its own over the demo's memory; then the person's own memory opens again."""

from __future__ import annotations

from functools import partial

from app.tui.jobs import Job, start
from app.tui.visits import Visits
from store.records import Session
from widgets.messages import PromptSent


class Touring(Visits):
    """The part of the app that shows people around."""

    wants_tour = False
    """The app ended because the person asked for the tour."""
    toured = False
    """The app ended because the tour did."""
    left_at = ""
    """The conversation from which the person went on the tour."""

    def __init__(self, *, demo: bool, tour: bool) -> None:
        """`demo`: it is the demo's memory that is open; `tour`: it was opened for the tour."""
        super().__init__()
        self._demo, self._for_tour = demo, tour

    def action_tour(self) -> None:
        """Begin the tour: at once on the demo's memory, else in an app over that one."""
        self.left_at = self.chat.shown
        if self._demo:
            self.call_later(self.visit_stop, 0)
        else:
            self.wants_tour = True
            self.exit()

    def begin_tour(self) -> None:
        """The memory is open; if it was opened for the tour, that begins."""
        if self._for_tour:
            self.action_tour()

    async def visit_stop(self, place: int) -> None:
        """Go to a stop, and say what one sees there."""
        from app.tui.screens.tour import STOPS, TourScreen

        self._home()
        await self.run_action(STOPS[place].action)
        self.push_screen(TourScreen(place), partial(self._on_from, place))

    def _on_from(self, place: int, amount: int | None) -> None:
        if amount is not None:
            self.call_later(self.visit_stop, place + amount)
            return
        self._home()
        if self._for_tour:
            self.toured = True
            self.exit()
        elif self.left_at:
            self.chat.open_session(self.left_at)

    def action_tour_chat(self) -> None:
        """The last conversation."""
        if self.services.memory is not None:
            start(self, Job.LIST_SESSIONS, self.services.memory.sessions.all, self._open_last)

    def _open_last(self, sessions: list[Session]) -> None:
        if sessions:
            self.chat.open_session(sessions[0].key)

    async def action_tour_ask(self, question: str) -> None:
        """Ask it in a new conversation."""
        await self.chat.action_new_chat()
        self.chat.post_message(PromptSent(question))
