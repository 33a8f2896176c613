"""A setting says by its mark whether somebody chose it, before any colour; its value stands in its column."""

from __future__ import annotations

from rich.cells import set_cell_size
from textual.content import Content

from widgets.look import NOW, QUIET, lines
from widgets.plain import one_line
from widgets.states import TRUE_NOW, WAS_TRUE

NAME = 26  # columns of a name


def setting_line(name: str, value: str, explained: str, *, given: bool, width: int) -> Content:
    """● sleeps when quiet for      120 s          seconds without a key; 0 is never"""
    mark = (f"{TRUE_NOW} ", NOW) if given else (f"{WAS_TRUE} ", QUIET)
    room = max(8, width - NAME - 4)
    column = min(room, 24 if width >= 90 else 16)
    label = set_cell_size(one_line(name, NAME), NAME + 1)
    shown = one_line(value)
    tail = one_line(explained) if room > 24 else ""
    gap = " " * max(2, column - Content(shown).cell_length)
    return lines(mark, (label, ""), (shown, "bold"), (gap + tail if tail else "", QUIET)).truncate(width, ellipsis=True)
