"""How a model speaks in one conversation is asked for in one dialog; what is left empty is as the settings say."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from app.core.options import SPEAKING, taken, typed, worded
from app.core.ports import MemoryPort
from app.tui.jobs import Job
from app.tui.screens.again import AgainScreen
from app.tui.screens.dialogs import Dialog
from app.tui.services import Services
from store.errors import BadInput, NotFound
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


class OptionsScreen(AgainScreen):
    """A conversation in which a model speaks as it is told."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+m", "options", "how the model speaks here", show=False, id="chat.options")
    ]

    def __init__(self, services: Services, *, demo: bool = False) -> None:
        super().__init__(services, demo=demo)
        self.unkept: ModelOptions | None = None
        """What of that is written down with the next turn, since there may be no conversation yet."""

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


def _keep(key: str, options: ModelOptions, memory: MemoryPort) -> None:
    with suppress(NotFound):  # nothing was said in it yet: they are written down with the first turn
        memory.set_model_options(key, options)
