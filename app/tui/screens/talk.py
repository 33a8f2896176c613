"""What a conversation came to can be judged: it is exported or erased as a whole, each reply says why it is what it is
(the last one with its prompt, those before as of then), and what was learned is kept, dropped or put right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.core import deeds
from app.core.conversation import Conversation, TurnState, asked_before
from app.core.deeds import DeedResult, Radius
from app.tui.jobs import Job
from app.tui.screens.conversations import BRANCH
from app.tui.screens.finding import FindingScreen
from app.tui.services import Services
from widgets.memory_panel import MemoryPanel
from widgets.messages import ChangeJudged, UndoWanted, WhyWanted
from widgets.transcript import Transcript

if TYPE_CHECKING:
    from store.memory import Memory

REACH = 8
"""Turns before a reply among which the question to it is looked for."""
NOT_WRITTEN = "Nothing of this conversation is written down, or a reply is under way."


class TalkScreen(FindingScreen):
    """A conversation, and what is done with it."""

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        self.asked: TurnState | None = None
        """The last turn that was taken here since the conversation was opened."""

    # -- as a whole

    @property
    def written(self) -> bool:
        """Something of what is on screen is in the memory, and nothing is being added to it."""
        return bool(self._history)

    def erasing(self) -> Callable[[Memory], Radius] | None:
        return deeds.radius_of_session(self._key, self._title or BRANCH) if self.written else None

    def action_erase(self) -> None:
        if self.written:
            super().action_erase()
        else:
            self.flash(NOT_WRITTEN, bad=True)

    def action_export(self) -> None:
        """Write the conversation to a file as Markdown."""
        if self.written:
            self.export(self._key, self._title or BRANCH)
        else:
            self.flash(NOT_WRITTEN, bad=True)

    # -- why a reply is what it is

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
            self.ask(Job.READ_ASKED, partial(_asked, self._key, episode), self._show_why)

    def on_why_wanted(self, event: WhyWanted) -> None:
        event.stop()
        if self.asked is not None:
            self._show_why(self.asked)

    def _show_why(self, asked: TurnState | None) -> None:
        from app.tui.screens.why import WhyScreen

        if asked is not None:
            self.app.push_screen(WhyScreen(self.services, asked))
        else:
            self.flash("Nothing was replied to this.", bad=True)

    # -- what was learned

    def on_change_judged(self, event: ChangeJudged) -> None:
        """What was unsure is confirmed where it is kept; what was known stays as sure as it was."""
        from app.tui.screens.by_hand import ask_what_is_right

        event.stop()
        fact = event.change.new
        if event.verdict == "dropped":
            self.by_hand(deeds.drop(event.change), event)
        elif event.verdict == "edited" and fact is not None:
            ask_what_is_right(self, fact, event)
        elif fact is not None and fact.unsure:
            self.by_hand(deeds.confirm(fact), event)
        else:
            self.query_one(MemoryPanel).judge(event.change, "kept")
            self.flash("Kept as it was learned")

    def on_undo_wanted(self, event: UndoWanted) -> None:
        event.stop()
        self.by_hand(deeds.undo, event)

    def hand_done(self, done: DeedResult, to: object) -> None:
        """`to` is the message that asked for it, where it was about what was learned here."""
        panel = self.query_one(MemoryPanel)
        match to:
            case ChangeJudged():
                panel.judge(to.change, to.verdict, None if to.verdict == "dropped" else done.fact)
            case UndoWanted():
                panel.unjudge()


def _asked(key: str, episode: str, memory: Memory) -> TurnState | None:
    """What the reply to a turn answered, or what that turn did; without one, the last reply of the conversation."""
    conversation = Conversation.of(memory, key)
    place = conversation.place(memory, episode)
    first = max(0, place - REACH)
    turns = conversation.page(memory, first, place - first + 2)
    at = place - first
    if at < len(turns) and turns[at].role == "user":
        at += 1
    reply = turns[at] if at < len(turns) else None
    return asked_before(memory, turns[:at], reply) if reply is not None and reply.role == "assistant" else None
