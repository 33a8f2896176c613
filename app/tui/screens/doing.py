"""What the person does by hand is done in the background, and told in one sentence on the screen that they do it on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.screen import Screen

from app.tui.jobs import Job, start
from app.tui.messages import HandDone, RadiusSeen
from app.tui.services import Services
from widgets.plain import plain

if TYPE_CHECKING:
    from app.core.deeds import Deed, Radius
    from app.core.ports import MemoryPort

SECONDS_OF_A_LIST = 30.0
"""How long the places stand where erased words still are."""
Result = TypeVar("Result")


class DoingScreen(Screen[Result]):
    """A screen, or a dialog, on which something can be done to the memory."""

    services: Services

    def by_hand(self, deed: Deed, to: object = None) -> None:
        """Do it in the background; says what was done, or why not. `to` is the record that it is done to."""
        start(self, Job.CHANGE, partial(self._do, deed, to))

    def _do(self, deed: Deed, to: object) -> None:
        memory = self.services.memory
        if memory is not None:
            self.post_message(HandDone(deed(memory), to))

    def on_hand_done(self, event: HandDone) -> None:
        self.services.deeds += 1
        self.flash(event.done.said)
        self.app.call_later(self.app.run_action, "count_state")
        if event.done.erased:
            self.app.call_later(self.app.run_action, "forget_words")
        if event.done.kept:  # whole paths, which no line of the screen has room for
            words = "\n".join(("The words are still in:", *map(plain, event.done.kept)))
            self.app.notify(words, severity="warning", timeout=SECONDS_OF_A_LIST, markup=False)
        self.hand_done(event)

    def hand_done(self, event: HandDone) -> None:
        """What is shown may be out of date now."""

    # -- erasing, in three steps: count what would go, ask, do it

    def erasing(self) -> Callable[[MemoryPort], Radius] | None:
        """Counts what an erase would take, here; None where nothing can be erased."""
        return None

    def action_erase(self) -> None:
        if (measure := self.erasing()) is not None:
            start(self, Job.MEASURE_ERASE, partial(self._measure, measure))

    def _measure(self, measure: Callable[[MemoryPort], Radius]) -> None:
        memory = self.services.memory
        if memory is not None:
            self.post_message(RadiusSeen(measure(memory)))

    def on_radius_seen(self, event: RadiusSeen) -> None:
        from app.tui.screens.erasing import EraseDialog

        self.app.push_screen(EraseDialog(event.radius), partial(self._erase, event.radius))

    def _erase(self, radius: Radius, agreed: bool | None) -> None:
        from app.core import deeds

        if agreed:
            self.by_hand(deeds.erase(radius))

    # -- exporting

    def export(self, key: str, title: str) -> None:
        """Ask where to, and write a conversation there as Markdown."""
        from app.core.exporting import file_name
        from app.tui.screens.dialogs import SaveDialog

        dialog = SaveDialog(f"~/{file_name(title)}", "as Markdown, with times, speakers and what was learned")
        self.app.push_screen(dialog, partial(self._export, key))

    def _export(self, key: str, path: str | None) -> None:
        from app.core import deeds

        if path is not None:
            self.by_hand(deeds.export(key, Path(path).expanduser()))

    def flash(self, words: str, *, bad: bool = False) -> None:
        """Say something that passes."""
        raise AssertionError("every screen on which something is done says what was done")
