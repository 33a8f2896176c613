"""What is on the screen is saved as a picture or as a page for print, under a name that the person types."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from app.tui import wall
from app.tui.jobs import Job, start
from app.tui.screens.base import FramedScreen
from app.tui.screens.dialogs import SaveDialog
from app.tui.wall import Shown
from widgets.plain import one_line


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
            to, now = Path(path).expanduser(), self.services.now
            work = partial(wall.write, to, shown, self.app.theme_variables, now)
            start(self, Job.SAVE_PICTURE, work, self._saved)

    def _saved(self, path: Path) -> None:
        self.flash(f"Saved: {one_line(str(path))}")
