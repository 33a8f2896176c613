"""What the person does by hand is done in the background, and told in one sentence on the screen that they do it on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.screen import Screen

from app.core import deeds
from app.core.deeds import Deed, DeedResult, Radius
from app.tui.jobs import Job, start
from app.tui.screens.dialogs import SaveDialog
from app.tui.services import Services
from widgets.plain import plain

if TYPE_CHECKING:
    from store.memory import Memory

SECONDS_OF_A_LIST = 8.0
"""How long the places stand where erased words still are."""
MOST_COPIES = 3
"""Of these places, how many are named."""
EXPORTS = (".md", ".jsonl", ".json")
"""How the names of exports end; any other copy is a backup."""
Result = TypeVar("Result")
Given = TypeVar("Given")


def still_kept(copies: Sequence[str]) -> str:
    """What the person can do about the copies that still hold erased words, and where they are."""
    kinds = sorted({"export" if Path(one).suffix in EXPORTS else "backup" for one in copies})
    files = f"this {kinds[0]}" if len(copies) == 1 else f"these {len(copies):,} {'s and '.join(kinds)}s"
    more = [f"and {len(copies) - MOST_COPIES:,} more there"] if len(copies) > MOST_COPIES else []
    home = f"{Path.home()}/"
    shown = (f"~/{one.removeprefix(home)}" if one.startswith(home) else one for one in copies[:MOST_COPIES])
    return "\n".join((f"Delete {files}, too:", *map(plain, shown), *more))


class DoingScreen(Screen[Result]):
    """A screen, or a dialog, on which something can be done to the memory."""

    services: Services

    def ask(self, job: Job, work: Callable[[Memory], Given], then: Callable[[Given], object] | None = None) -> None:
        """Ask the memory in the background, if it is open; `then` is called with what it says."""
        if self.services.memory is not None:
            start(self, job, partial(work, self.services.memory), then)

    def by_hand(self, deed: Deed, to: object = None) -> None:
        """Do it in the background; says what was done, or why not. `to` is the record that it is done to."""
        self.ask(Job.CHANGE, deed, partial(self._deed_done, to))

    def _deed_done(self, to: object, done: DeedResult) -> None:
        self.services.deeds += 1
        self.services.erased = done.erased
        self.flash(done.said)
        self.app.call_later(self.app.run_action, "count_state")
        if done.erased:
            self.app.call_later(self.app.run_action, "forget_words")
        if done.kept:  # whole paths, which no line of the screen has room for
            words = still_kept(done.kept)
            self.app.notify(words, severity="warning", timeout=SECONDS_OF_A_LIST, markup=False)
        self.hand_done(done, to)

    def hand_done(self, done: DeedResult, to: object) -> None:
        """What is shown may be out of date now; `to` is the record that it was done to."""
        self.refetch()

    def refetch(self) -> None:
        """Read what is shown, or read it anew."""

    # -- erasing, in three steps: count what would go, ask, do it

    def erasing(self) -> Callable[[Memory], Radius] | None:
        """Counts what an erase would take, here; None where nothing can be erased."""
        return None

    def action_erase(self) -> None:
        if (measure := self.erasing()) is not None:
            self.ask(Job.MEASURE_ERASE, measure, self.ask_to_erase)

    def ask_to_erase(self, radius: Radius) -> None:
        """Show how much would go, and erase it if the person says so."""
        from app.tui.screens.erasing import EraseDialog

        self.app.push_screen(EraseDialog(radius), partial(self._erase, radius))

    def _erase(self, radius: Radius, agreed: bool | None) -> None:
        if agreed:
            self.by_hand(deeds.erase(radius))

    # -- exporting

    def export(self, key: str, title: str) -> None:
        """Ask where to, and write a conversation there as Markdown."""
        from app.core.exporting import file_name

        dialog = SaveDialog(f"~/{file_name(title)}", "as Markdown, with times, speakers and what was learned")
        self.app.push_screen(dialog, partial(self._export, key))

    def _export(self, key: str, path: str | None) -> None:
        if path is not None:
            self.by_hand(deeds.export(key, Path(path).expanduser()))

    def flash(self, words: str, *, bad: bool = False) -> None:
        """Say something that passes."""
        raise AssertionError("every screen on which something is done says what was done")
