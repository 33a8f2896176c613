"""Matches are marked in what is shown; its size stays, and afterwards it is as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from widgets.look import AT_MATCH, FOUND

BESIDE = (".foot", ".receipt", "SourceLine", ".chips")
"""What stands beside the words of a turn, and is not searched."""


class Highlights:
    """What is marked, and how it was before."""

    def __init__(self) -> None:
        self._shown: list[tuple[Static, Content, Content]] = []
        """(part, as it was, as it is marked)"""

    @property
    def any(self) -> bool:
        return bool(self._shown)

    def show(self, turns: Iterable[tuple[Widget, int | None]], pattern: re.Pattern[str]) -> tuple[Static, int] | None:
        """Mark every match in the turns; with a number (from 0) that one stands out. Gives the part of the turn in
        which it stands, and after how many characters, if it is shown.
        """
        self.hide()
        found = [self._show_turn(turn, pattern, nth) for turn, nth in turns]
        return next((one for one in found if one is not None), None)

    def _show_turn(self, turn: Widget, pattern: re.Pattern[str], nth: int | None) -> tuple[Static, int] | None:
        found, before = None, 0
        for part in parts_of(turn):
            words = part.visual
            assert isinstance(words, Content)
            spans = [one.span() for one in pattern.finditer(words.plain)]
            at = None if nth is None else nth - before
            if at is not None and 0 <= at < len(spans):
                found = part, spans[at][0]
            if spans:
                self._mark(part, words, spans, at)
            before += len(spans)
        return found

    def _mark(self, part: Static, words: Content, spans: list[tuple[int, int]], nth: int | None) -> None:
        marked = words
        for number, (start, end) in enumerate(spans):
            marked = marked.stylize(AT_MATCH if number == nth else FOUND, start, end)
        part.update(marked, layout=False)
        self._shown.append((part, words, marked))

    def hide(self) -> None:
        """Everything is as it was; what has changed meanwhile stays."""
        for part, words, marked in self._shown:
            if part.is_attached and part.visual is marked:
                part.update(words, layout=False)
        self._shown = []


def parts_of(turn: Widget) -> list[Static]:
    """The parts of a turn that hold its words."""
    beside = {one for selector in BESIDE for one in turn.query(selector)}
    return [one for one in turn.query(Static) if one not in beside and isinstance(one.visual, Content)]


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
