"""A sleep shows each of its phases with how far it has come: done, under way with a bar, or still to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from widgets.look import LINK, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.why_rows import bar

State = Literal["waiting", "running", "done"]
MARKS: dict[State, tuple[str, str]] = {"waiting": ("○", QUIET), "running": ("◐", LINK), "done": ("●", NOW)}


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a sleep."""

    words: str
    """What it does, for people."""
    state: State = "waiting"
    done: int = 0
    total: int | None = None
    note: str = ""


class Phases(Widget):
    """The phases of the sleep that is under way, or of one that would be."""

    DEFAULT_CSS = "Phases { height: auto; padding: 0 2; }"
    phases: reactive[tuple[Phase, ...]] = reactive((), layout=True)

    def render(self) -> Content:
        return stacked(phase_lines(self.phases, max(30, self.size.width)))


def phase_lines(phases: Sequence[Phase], width: int) -> list[Content]:
    longest = max((len(one.words) for one in phases), default=0)
    shown: list[Content] = []
    for one in phases:
        mark, style = MARKS[one.state]
        words = (f"{one.words:<{longest}}  ", "" if one.state == "running" else QUIET)
        pieces: list[str | tuple[str, str]] = [(f"{mark} ", style), words]
        if one.state == "running" and one.total:
            room = max(6, min(30, width - longest - 24))
            pieces += [(bar(one.done / one.total, room), LINK), f"  {one.done:,} of {one.total:,}"]
        elif one.state == "done" and one.total:
            pieces.append((f"{one.total:,}", QUIET))
        if one.note and one.state == "running":
            pieces.append((f"  {one_line(one.note, 24)}", QUIET))
        shown.append(lines(*pieces).truncate(width, ellipsis=True))
    return shown
