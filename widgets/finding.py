"""What is found in a conversation is counted turn by turn: any match is reached by its number, and none is kept."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Input, Static

from widgets.look import QUIET, lines
from widgets.messages import FindLeft, FindMoved, FindTyped
from widgets.plain import plain

PAUSE = 0.1
"""Seconds of no keystroke before a search begins."""


def pattern_of(query: str) -> re.Pattern[str] | None:
    """What the words match: in any case, over line ends too; None for no words."""
    words = plain(query).split()
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None


@dataclass(frozen=True, slots=True)
class Matches:
    """How many matches there are up to and with each turn."""

    ends: tuple[int, ...]

    @classmethod
    def of(cls, texts: Sequence[str], pattern: re.Pattern[str]) -> Matches:
        """The matches in the turns with these words."""
        return cls(tuple(accumulate(len(pattern.findall(text)) for text in texts)))

    @property
    def total(self) -> int:
        return self.ends[-1] if self.ends else 0

    def turn(self, number: int) -> tuple[int, int]:
        """The turn in which the match with this number (from 0) stands, and which of that turn's it is."""
        turn = bisect_right(self.ends, number)
        return turn, number - (self.ends[turn - 1] if turn else 0)

    def first_from(self, turn: int) -> int:
        """The number of the first match in this turn or after it; of the last one where there is none."""
        before = self.ends[min(turn, len(self.ends)) - 1] if turn and self.ends else 0
        return min(before, self.total - 1)


class FindField(Input):
    """What is looked for; posts FindTyped a moment after a keystroke."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "move(1)", "next", key_display="enter", id="find.next"),
        Binding("shift+enter,up", "move(-1)", "previous", key_display="↑", id="find.previous"),
        Binding("escape", "leave", "leave", id="find.leave"),
    ]
    HELP = """
    ### Find in this conversation
    What is typed is looked for in every turn, in any case. `enter` or `↓` goes to the next match, `↑` to the one
    before; after the last comes the first. `tab` goes to the conversation, where `n` and `N` do the same. `esc` leaves
    and stays where you are.
    """

    def __init__(self) -> None:
        super().__init__(placeholder="find in this conversation", compact=True)
        self._pause: Timer | None = None

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self._tell)

    def _tell(self) -> None:
        self._pause = None
        self.post_message(FindTyped(self.value))

    def action_move(self, amount: int) -> None:
        """What was typed a moment ago is looked for first."""
        if self._pause is not None:
            self._pause.stop()
            self._tell()
        else:
            self.post_message(FindMoved(amount))

    def action_leave(self) -> None:
        self.post_message(FindLeft())


class FindBar(Horizontal):
    """The field, and which match of how many one is at; hidden until it is wanted."""

    DEFAULT_CSS = """
    FindBar { height: 1; display: none; margin: 0 2; }
    FindBar.-open { display: block; }
    FindBar .sign { width: auto; color: $primary; }
    FindBar FindField { width: 1fr; background: $background; padding: 0; }
    FindBar FindField:focus { background-tint: $foreground 0%; }
    FindBar .count { width: auto; padding: 0 0 0 1; color: $quiet; }
    """

    def compose(self) -> ComposeResult:
        yield Static(lines(("find ", "bold")), classes="sign", markup=False)
        yield FindField()
        yield Static("", classes="count", markup=False)

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    @property
    def query_words(self) -> str:
        """What is looked for."""
        return self.query_one(FindField).value

    def open(self) -> None:
        """Show it; what was looked for last is there, to be typed over."""
        self.add_class("-open")
        field = self.query_one(FindField)
        field.focus()
        field.action_select_all()

    def close(self) -> None:
        self.remove_class("-open")
        self.say("")

    def say(self, words: str) -> None:
        """Which match of how many."""
        self.query_one(".count", Static).update(lines((words, QUIET)))
