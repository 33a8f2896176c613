"""What stands in the prompt, and what waits to be sent, is written down while one types, and stands there again after
a crash. Off the record nothing is.
"""

from __future__ import annotations

from textual.timer import Timer
from textual.widgets import TextArea

from app.tui.jobs import Job, start
from app.tui.screens.talk import TalkScreen
from app.tui.services import Services
from widgets.plain import plain
from widgets.prompt import Prompt
from widgets.waiting import Waiting

EVERY = 0.5
"""Seconds from a keystroke until what was typed is on the disk."""
BACK = "What you were writing is here again."


class DraftingScreen(TalkScreen):
    """Keeps what is typed in it."""

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        # Held here: after a crash nothing can be looked up any more.
        self.prompt, self.waiting = Prompt(id="prompt"), Waiting(id="waiting")
        self._soon: Timer | None = None

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
