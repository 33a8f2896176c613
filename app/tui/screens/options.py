"""How a model speaks in one conversation is asked for in one dialog; what is left empty is as the settings say."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from app.core.settings import SPEAKING, taken, typed, worded
from app.tui.screens.dialogs import Dialog
from store.errors import BadInput
from store.records import ModelOptions
from widgets.look import NEVER, QUIET, lines
from widgets.plain import one_line


class OptionsDialog(Dialog[ModelOptions]):
    """Asks how the model is to speak in this conversation. Dismisses with that."""

    HELP = """
    ### How the model speaks here
    What stands here holds for this conversation; what is empty is as the settings (`f6`) say. `tab` goes on, `enter`
    keeps all, `esc` leaves it as it was.
    """

    def __init__(self, own: ModelOptions, usual: ModelOptions, loaded: int | None) -> None:
        """`own` is said for this conversation, `usual` in the settings; `loaded`: tokens that the model can read."""
        super().__init__()
        self._own, self._usual, self._loaded = asdict(own), asdict(usual), loaded

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(lines("How the model speaks in this conversation"), classes="title", markup=False)
            for option in SPEAKING:
                yield Static(lines(f"{option.name}  ", (option.explained, QUIET)), markup=False)
                usual = self._usual[option.key]
                shown = one_line(worded(option, option.usual if usual is None else usual))
                yield Input(typed(option, self._own[option.key]), placeholder=shown, id=option.key)
            yield Static("", id="reading", markup=False)
            yield Static(lines(("enter keeps it, empty is as the settings say, esc leaves it", QUIET)), markup=False)

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self.dismiss(self._said())
        except BadInput as error:
            self.query_one("#reading", Static).update(lines(("✗ ", NEVER), str(error)))

    def _said(self) -> ModelOptions:
        """What stands in the fields. Raises BadInput."""
        said: dict[str, Any] = {}
        for option in SPEAKING:
            field = self.query_one(f"#{option.key}", Input)
            try:
                said[option.key] = taken(option, field.value)
            except BadInput:
                field.focus()
                raise
        context = said["context"]
        if isinstance(context, int) and self._loaded is not None and context > self._loaded:
            raise BadInput(f"The model was loaded with {self._loaded:,} tokens; f6 sets more, from the next start on.")
        return ModelOptions(**said)
