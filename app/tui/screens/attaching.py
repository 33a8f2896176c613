"""A text file is attached to the conversation by its path; what stands in it can be asked for, and is not learned."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Checkbox, Input, Static

from app.core.bringing import Attachment, attach
from app.tui.jobs import Job, JobFailed, start
from app.tui.screens.dialogs import Dialog
from app.tui.screens.path_field import PathField
from app.tui.services import Services
from store.errors import StoreError
from store.records import Episode
from widgets.look import NEVER, QUIET, lines
from widgets.plain import one_line, plain

HINT = "It can be searched and asked about; it teaches nothing about you. enter attaches it, esc does not."
OWN = "I wrote this about myself: learn from it"


class Tick(Checkbox):
    """A box that is empty while it is off, whatever the colours are."""

    BUTTON_INNER = " "

    def watch_value(self) -> None:
        super().watch_value()
        self.BUTTON_INNER = "✓" if self.value else " "


class AttachDialog(Dialog[Episode]):
    """Asks for a file, and takes it in. Dismisses with the turn that leads to it."""

    HELP = """
    ### Attach a text file
    `right` takes what is suggested of a path. `tab` goes to whose words they are: a document (a letter, a lease, an
    article) teaches nothing about you; what you wrote about yourself is read as if you said it.
    """

    def __init__(self, services: Services, key: str, title: str) -> None:
        super().__init__()
        self._services, self._key, self._title = services, key, title
        self._busy = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("Attach a text file"), classes="title", markup=False)
            yield PathField("path of a text file")
            yield Tick(OWN, id="own", compact=True)
            yield Static(lines((HINT, QUIET)), id="said", classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        path = plain(event.value).strip()
        if path and not self._busy:
            self._busy = True
            self.query_one("#said", Static).update(lines(("taking it in…", QUIET)))
            start(
                self, Job.ATTACH, partial(self._take_in, Attachment(path, self.query_one(Tick).value)), self._taken_in
            )

    def _take_in(self, wanted: Attachment) -> Episode:
        memory = self._services.memory
        if memory is None:
            raise StoreError("The memory is still opening.")
        return attach(memory, wanted, self._key, self._title, self._services.zone)

    def _taken_in(self, turn: Episode) -> None:
        self.dismiss(turn)

    def on_job_failed(self, event: JobFailed) -> None:
        """Enter tries again."""
        if event.job is Job.ATTACH:
            self._busy = False
            self.query_one("#said", Static).update(lines(("✗ ", NEVER), one_line(event.in_place)))
            if event.expected:
                event.stop()  # it is told here
