"""What is found in a conversation is counted turn by turn: any match is reached by its number, and none is kept."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from widgets.look import AT_MATCH, FOUND, QUIET, lines
from widgets.messages import FindLeft, FindMoved, FindTyped
from widgets.plain import plain

BESIDE = (".foot", ".receipt", "SourceLine", ".chips")  # what stands beside the words of a turn, and is not searched
PAUSE = 0.1  # seconds of no keystroke before a search begins


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


class Highlights:
    """What is marked in the turns that are shown, and how it was before; its size stays."""

    def __init__(self) -> None:
        self.shown: list[tuple[Static, Content, Content]] = []  # (part, as it was, as it is marked)

    def show(self, turns: Iterable[tuple[Widget, int | None]], pattern: re.Pattern[str]) -> tuple[Static, int] | None:
        """Mark every match in the turns; with a number (from 0) that one stands out. Gives the part of the turn in
        which it stands, and after how many characters, if it is shown."""
        self.hide()
        found = [self._show_turn(turn, pattern, nth) for turn, nth in turns]
        return next((one for one in found if one is not None), None)

    def _show_turn(self, turn: Widget, pattern: re.Pattern[str], nth: int | None) -> tuple[Static, int] | None:
        found, before = None, 0
        beside = {one for selector in BESIDE for one in turn.query(selector)}
        for part in turn.query(Static):
            words = part.visual
            if part in beside or not isinstance(words, Content):
                continue
            spans = [one.span() for one in pattern.finditer(words.plain)]
            at = None if nth is None else nth - before
            if at is not None and 0 <= at < len(spans):
                found = part, spans[at][0]
            if spans:
                marked = words
                for number, (start, end) in enumerate(spans):
                    marked = marked.stylize(AT_MATCH if number == at else FOUND, start, end)
                part.update(marked, layout=False)
                self.shown.append((part, words, marked))
            before += len(spans)
        return found

    def hide(self) -> None:
        """Everything is as it was; what has changed meanwhile stays."""
        for part, words, marked in self.shown:
            if part.is_attached and part.visual is marked:
                part.update(words, layout=False)
        self.shown = []


def row_of(part: Static, characters: int) -> int:
    """The row of a part in which its text stands after so many characters; wrapping leaves out nothing but blanks."""
    words = part.visual
    assert isinstance(words, Content)
    before = len("".join(words.plain[:characters].split()))
    for row in range(part.size.height):
        before -= len("".join(part.render_line(row).text.split()))
        if before < 0:
            return row
    return 0


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
        self.query_one(".count", Static).update(lines((words, QUIET)))
