"""The conversation on screen can be exported and erased as a whole, like any in the list of conversations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.core.ports import MemoryPort
from app.tui.screens.conversations import BRANCH
from app.tui.screens.finding import FindingScreen

if TYPE_CHECKING:
    from app.core.deeds import Radius


class TalkScreen(FindingScreen):
    """A conversation, and what is done with it as a whole."""

    @property
    def written(self) -> bool:
        """Something of what is on screen is in the memory, and nothing is being added to it."""
        return bool(self._history)

    def erasing(self) -> Callable[[MemoryPort], Radius] | None:
        from app.core import deeds

        return deeds.radius_of_session(self._key, self._title or BRANCH) if self.written else None

    def action_erase(self) -> None:
        if self.written:
            super().action_erase()
        else:
            self._nothing()

    def action_export(self) -> None:
        """Write the conversation to a file as Markdown."""
        if self.written:
            self.export(self._key, self._title or BRANCH)
        else:
            self._nothing()

    def _nothing(self) -> None:
        self.flash("Nothing of this conversation is written down, or a reply is under way.", bad=True)
