"""What is on the screen is saved as a picture or as a page for print, under a name that the person types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from app import wall
from app.jobs import Job, start
from app.screens.base import FramedScreen
from app.screens.dialogs import Dialog
from store.records import Fact
from widgets.look import QUIET, lines
from widgets.plain import one_line, plain

ENDINGS = "the ending says what it becomes: .svg, .png, or .html for print; enter saves, esc does not"


@dataclass(frozen=True, slots=True)
class Shown:
    """What can be saved: a picture, and the facts that a page for print lists below it."""

    title: str
    name: str
    """Of the file, if nothing else is typed."""
    drawn: wall.Drawn
    facts: Sequence[Fact]


class PictureSaved(Message):
    """A file was written."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path


class SaveDialog(Dialog[str]):
    """Asks where to."""

    def __init__(self, path: str, hint: str = ENDINGS) -> None:
        super().__init__()
        self.path, self.hint = path, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("Save as which file?"), classes="title", markup=False)
            yield Input(value=self.path, id="path")
            yield Static(lines((self.hint, QUIET)), classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.dismiss(plain(event.value).strip())


class SavingScreen(FramedScreen):
    """A screen whose picture can be saved."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "save", "save", id="picture.save")]

    def shown(self) -> Shown | None:
        """What would be saved, as it looks at this moment; None where nothing is shown."""
        raise AssertionError("every screen that saves says what it shows")

    def action_save(self) -> None:
        shown = self.shown()
        if shown is not None:
            self.app.push_screen(SaveDialog(f"~/{shown.name}.svg"), partial(self._save, shown))

    def _save(self, shown: Shown, path: str | None) -> None:
        if path is not None:
            colours = {**wall.paper(), **self.app.theme_variables}
            start(self, Job.SAVE_PICTURE, partial(self._write, Path(path).expanduser(), shown, colours))

    def _write(self, path: Path, shown: Shown, colours: dict[str, str]) -> None:
        written = wall.write(path, shown.title, shown.drawn, colours, shown.facts, self.services.now)
        self.post_message(PictureSaved(written))

    def on_picture_saved(self, event: PictureSaved) -> None:
        self.flash(f"Saved: {one_line(str(event.path))}")
