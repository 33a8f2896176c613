"""Why an answer is what it is can be asked of any reply: of the last one, with its prompt, and of those before, as of
then.
"""

from __future__ import annotations

from functools import partial

from app.core.asked import TurnState, asked_before
from app.tui.jobs import Job, start
from app.tui.messages import AskedRead
from app.tui.screens.talk import TalkScreen
from app.tui.services import Services
from widgets.messages import WhyWanted
from widgets.transcript import Transcript

REACH = 8
"""Turns before a reply among which the question to it is looked for."""


class ReasonsScreen(TalkScreen):
    """A conversation, and why its replies are what they are."""

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        self.asked: TurnState | None = None
        """The last turn that was taken here since the conversation was opened."""

    @property
    def can_tell_why(self) -> bool:
        """There is a reply, and none is being written."""
        return not self.busy and (self.asked is not None or self._conversation is not None)

    def action_why(self) -> None:
        """Of the marked turn, or else of the last one."""
        marked = self.query_one(Transcript).marked
        episode = marked.episode if marked is not None else ""
        if self.asked is not None and (not episode or episode in self.asked.own):
            self._show_why(self.asked)
        else:
            start(self, Job.READ_ASKED, partial(self._read_asked, self._key, episode))

    def on_why_wanted(self, event: WhyWanted) -> None:
        event.stop()
        if self.asked is not None:
            self._show_why(self.asked)

    def _read_asked(self, key: str, episode: str) -> None:
        """Of the reply to the turn, or of that turn; without one, of the last of the conversation."""
        from app.core.conversation import Conversation

        memory = self.services.memory
        if memory is None:
            return
        conversation = Conversation.of(memory, key)
        place = conversation.place(memory, episode)
        first = max(0, place - REACH)
        turns = conversation.page(memory, first, place - first + 2)
        at = place - first
        if at < len(turns) and turns[at].role == "user":
            at += 1
        reply = turns[at] if at < len(turns) else None
        asked = asked_before(memory, turns[:at], reply) if reply is not None and reply.role == "assistant" else None
        self.post_message(AskedRead(asked))

    def on_asked_read(self, event: AskedRead) -> None:
        if event.asked is not None:
            self._show_why(event.asked)
        else:
            self.flash("Nothing was replied to this.", bad=True)

    def _show_why(self, asked: TurnState) -> None:
        from app.tui.screens.why import WhyScreen

        self.app.push_screen(WhyScreen(self.services, asked))
