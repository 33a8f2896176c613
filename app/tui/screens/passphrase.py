"""An encrypted memory opens when its passphrase was typed: nobody sees it, and nothing keeps it."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Click
from textual.widgets import Input, Static

from app.tui.screens.dialogs import Dialog
from store.database.opening import Passphrase
from widgets.look import NEVER, QUIET, lines
from widgets.plain import plain

WRONG = "That passphrase does not open it. Try again."


class PassphraseDialog(Dialog[Passphrase]):
    """Asks for the passphrase of one file; None where the person leaves."""

    def __init__(self, path: Path, *, wrong: bool) -> None:
        super().__init__()
        self.path, self.wrong = path, wrong

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("This memory is encrypted"), classes="title", markup=False)
            yield Static(lines((plain(str(self.path)), QUIET)), markup=False)
            yield Input(placeholder="passphrase", password=True, id="passphrase")
            yield Static(
                lines((WRONG, NEVER)) if self.wrong else lines(("enter opens it, esc leaves", QUIET)),
                id="said", markup=False,
            )  # fmt: skip

    def on_click(self, event: Click) -> None:
        """A click beside it does not close it, as it does other dialogs: that would end the app."""
        event.prevent_default()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value:
            self.dismiss(Passphrase(event.value))
