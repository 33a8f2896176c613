"""What is sent next is prepared here: what is typed is kept, files are attached, a model is told how to speak.

What stands in the prompt, and what waits to be sent, is written down while one types, and stands there again after a
crash. Off the record nothing is.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import TextArea

from app.core.bringing import documents_of, shown_with
from app.tui.jobs import Job, start
from app.tui.screens.attaching import AttachDialog
from app.tui.screens.options import OptionsDialog
from app.tui.screens.talk import TalkScreen
from app.tui.services import Services
from store.errors import NotFound
from store.records import Episode, ModelOptions
from widgets.plain import plain
from widgets.prompt import Prompt
from widgets.transcript import Transcript, TurnView
from widgets.waiting import Waiting

if TYPE_CHECKING:
    from store.memory import Memory

EVERY = 0.5
"""Seconds from a keystroke until what was typed is on the disk."""
BACK = "What you were writing is here again."
BUSY = "A reply is being written; esc stops it."
OFF_RECORD = "Nothing is written off the record, so no file can be attached; ctrl+r goes back on it."


class PreparingScreen(TalkScreen):
    """A conversation, and what is sent in it next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+m", "options", "how the model speaks here", show=False, id="chat.options"),
        Binding("alt+a", "attach", "attach a file", show=False, id="chat.attach"),
    ]

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        # Held here: after a crash nothing can be looked up any more.
        self.prompt, self.waiting = Prompt(id="prompt"), Waiting(id="waiting")
        self._soon: Timer | None = None
        self.unkept: ModelOptions | None = None
        """How a model speaks here, to be written down with the next turn, since there may be no conversation yet."""

    def can_go_on(self) -> bool:
        """No reply is being written, and the last turn is shown; else the person is told, and it is."""
        if self.busy:
            self.flash(BUSY, bad=True)
            return False
        if self.query_one(Transcript).has_later:
            self.flash("You were reading earlier turns; press it again.", bad=True)
            self.open_session(self._key)
            return False
        return True

    # -- what is typed

    @property
    def records(self) -> bool:
        """What is said here is written down."""
        return True

    @property
    def typed(self) -> str:
        """What was typed and not sent, what waits first. What was only recalled was sent before."""
        typed = "" if self.prompt.recalling else self.prompt.text
        return "\n".join([*self.waiting.messages, *([typed] if typed.strip() else [])]) if self.records else ""

    def read_draft(self) -> None:
        """Bring back what was typed when the program ended."""
        if self.services.draft is not None and self.records:
            start(self, Job.READ_DRAFT, self.services.draft.read, self._draft_read)

    def _draft_read(self, draft: str) -> None:
        """It stands before what was typed meanwhile."""
        if text := plain(draft).strip():
            self.prompt.give_back(text)
            self.flash(BACK)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.keep_soon()

    def keep_soon(self) -> None:
        """Once for all that is typed meanwhile: a keystroke waits for no disk."""
        if self._soon is None and self.services.draft is not None:
            self._soon = self.set_timer(EVERY, self._keep)

    def _keep(self) -> None:
        self._soon = None
        if (draft := self.services.draft) is not None:
            draft.text = self.typed
            start(self, Job.KEEP_DRAFT, draft.keep)

    def keep_at_end(self) -> None:
        """The program ends, or has crashed. Raises StoreError."""
        if (draft := self.services.draft) is not None:
            draft.text = self.typed
            draft.keep()

    # -- how the model speaks

    @property
    def speaking(self) -> ModelOptions:
        """How the model speaks here."""
        return self.options.over(self.services.settings.speaking)

    def action_options(self) -> None:
        """Ask how the model is to speak here."""
        voice = self.services.voice
        loaded = getattr(voice.model, "n_ctx", None) if voice is not None else None
        self.app.push_screen(OptionsDialog(self.options, self.services.settings.speaking, loaded), self._said)

    def _said(self, options: ModelOptions | None) -> None:
        if options is None:
            return
        self.options = options
        if self.records:
            self.unkept = options
            self.ask(Job.CHANGE_SESSION, partial(_keep, self._key, options))
        self.flash("From the next reply on, the model speaks so in this conversation.")

    # -- files

    def action_attach(self) -> None:
        """Ask for a text file."""
        if not self.records:
            self.flash(OFF_RECORD, bad=True)
        elif self.can_go_on():
            self.app.push_screen(AttachDialog(self.services, self._key, self._title), self._attached)

    async def _attached(self, turn: Episode | None) -> None:
        if turn is None:
            return
        if turn.session == self._key:
            self.documents = tuple(dict.fromkeys((*self.documents, *documents_of([turn]))))
            self._show_welcome(False)
            await self.query_one(Transcript).add(TurnView.of(turn))
        self.flash(shown_with(turn))
        self.app.call_later(self.app.run_action, "count_state")


def _keep(key: str, options: ModelOptions, memory: Memory) -> None:
    with suppress(NotFound):  # nothing was said in it yet: they are written down with the first turn
        memory.sessions.set_model_options(key, options)
