"""What was learned in a conversation is judged beside it: kept, dropped or put right, and each of these undone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.tui.messages import HandDone
from app.tui.screens.reasons import ReasonsScreen
from store.records import Change, Fact
from widgets.memory_panel import MemoryPanel
from widgets.messages import ChangeDropped, ChangeEdited, ChangeKept, UndoWanted

if TYPE_CHECKING:
    from app.tui.screens.by_hand import Correction


@dataclass(frozen=True, slots=True)
class Edited:
    """Something that was learned is being put right."""

    change: Change


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that was unsure is being confirmed."""

    change: Change


class LearnedScreen(ReasonsScreen):
    """A conversation, and what is done to what it taught."""

    def on_change_kept(self, event: ChangeKept) -> None:
        """What was unsure is confirmed; what was known stays as sure as it was."""
        from app.core import deeds

        event.stop()
        fact = event.change.new
        if fact is not None and fact.unsure:
            self.by_hand(deeds.confirm(fact), Kept(event.change))
            return
        self.query_one(MemoryPanel).judge(event.change, "kept")
        self.flash("Kept as it was learned")

    def on_change_dropped(self, event: ChangeDropped) -> None:
        from app.core import deeds

        event.stop()
        self.by_hand(deeds.drop(event.change), event.change)

    def on_change_edited(self, event: ChangeEdited) -> None:
        event.stop()
        fact = event.change.new
        if fact is not None:
            from app.tui.screens.by_hand import CorrectDialog

            dialog = CorrectDialog(fact, partial(self.services.parse_when, ahead=fact.ahead), self.services.in_words)
            self.app.push_screen(dialog, partial(self._correct, event.change, fact))

    def _correct(self, change: Change, fact: Fact, right: Correction | None) -> None:
        from app.core import deeds

        if right is not None:
            self.by_hand(deeds.correct(fact, right.value, right.since), Edited(change))

    def on_undo_wanted(self, event: UndoWanted) -> None:
        from app.core import deeds

        event.stop()
        self.by_hand(deeds.undo, event)

    def hand_done(self, event: HandDone) -> None:
        panel = self.query_one(MemoryPanel)
        match event.to:
            case Kept():
                panel.judge(event.to.change, "kept", event.done.fact)
            case Edited():
                panel.judge(event.to.change, "edited", event.done.fact)
            case Change():
                panel.judge(event.to, "dropped")
            case UndoWanted():
                panel.unjudge()
