"""Nothing is erased before the person has seen how much goes, and has typed the word: there is no undo for it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Static

from app.core.deeds import Radius
from app.tui.screens.dialogs import Dialog
from widgets.look import QUIET, lines, stacked
from widgets.plain import one_line
from widgets.wording import count, day_words

ERASE_WORD = "erase"
NO_UNDO = "They go for good, from the file and its indexes; this has no undo. Exports and backups keep them."
ONLY_HERE = "With them you forget, for nothing else says it:"


class EraseDialog(Dialog[bool]):
    """Shows how much goes, and asks for the word: there is no undo for this."""

    DEFAULT_CSS = """
    EraseDialog .title { color: $error; }
    EraseDialog Static { margin: 0 0 1 0; }
    EraseDialog #goes { height: auto; max-height: 20vh; margin: 0 0 1 0; }
    EraseDialog #goes Static { text-wrap: nowrap; text-overflow: ellipsis; margin: 0; }
    EraseDialog #goes #others { margin: 0 0 1 0; }
    """

    AUTO_FOCUS = "#word"

    def __init__(self, radius: Radius) -> None:
        super().__init__()
        self.radius = radius

    def compose(self) -> ComposeResult:
        chosen = self.radius.selection
        counted = stacked([
            lines((count(len(chosen.episodes), "turn"), "bold"),
                  (f" in {count(chosen.sessions, 'conversation')}", QUIET)),
            lines((count(chosen.facts, "belief"), "bold"), (" resting on them, present or past", QUIET)),
        ])  # fmt: skip
        with VerticalScroll(classes="box", can_focus=False):
            yield Static(lines(self.radius.title), classes="title", markup=False)
            yield Static(counted, markup=False)
            if self.radius.stays:
                yield Static(lines(self.radius.stays), id="stays", markup=False)
            with VerticalScroll(id="goes"):
                if self.radius.others:
                    yield Static(stacked(self._others()), id="others", markup=False)
                yield Static(stacked(self._turns()), id="turns", markup=False)
            yield Static(lines((NO_UNDO, QUIET)), markup=False)
            wanted = lines(("Type ", QUIET), (ERASE_WORD, "bold"), (" and press enter to go on.", QUIET))
            yield Static(wanted, markup=False)
            yield Input(id="word")
            with Horizontal(classes="buttons"):
                yield Button("Leave it  esc", id="close")

    @property
    def stray(self) -> str:
        """It opens once it has counted what would go, when somebody may be writing again."""
        typed = self.query_one(Input).value
        return typed if " " in typed.strip() else ""  # one word was meant to be the one that erases

    def _turns(self) -> list[Content]:
        """The first turns that would go, one a line."""
        shown = self.radius.turns
        more = len(self.radius.selection.episodes) - len(shown)
        rows = [lines((f"{day_words(one.said_at)}  ", QUIET), one_line(one.text, 200)) for one in shown]
        return [*rows, lines((f"and {more:,} more", QUIET))] if more > 0 else rows

    def _others(self) -> list[Content]:
        """What else only these turns say: a message that names somebody may tell of others, too."""
        return [
            lines((ONLY_HERE, "bold")),
            *(lines(("  ", QUIET), one_line(one.text, 200)) for one in self.radius.others),
        ]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip().casefold() == ERASE_WORD:
            self.dismiss(True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(False)
