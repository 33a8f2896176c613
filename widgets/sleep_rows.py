"""A sleep shows how far each of its phases has come, and afterwards how it ended and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from store.records import Operation
from widgets.look import CHANGED, LINK, NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.why_rows import bar
from widgets.wording import clock_time, count, day_words

State = Literal["waiting", "running", "done"]
MARKS: dict[State, tuple[str, str]] = {"waiting": ("○", QUIET), "running": ("◐", LINK), "done": ("●", NOW)}
ENDS = {
    "FINISHED": ("●", NOW, "finished"),
    "STOPPED": ("○", CHANGED, "stopped early"),
    "KILLED": ("✗", NEVER, "cut off"),
}


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a sleep."""

    words: str  # what it does, for people
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


def run_row(run: Operation, width: int) -> Content:
    mark, style, ended = ENDS.get(run.reason, ("○", QUIET, run.reason.casefold()))
    if run.undone_by is not None:
        mark, style, ended = "✗", NEVER, "taken back"
    numbers = ((_number(run, "episodes"), "turn"), (_number(run, "facts"), "belief"))
    did = ", ".join(count(number, word) for number, word in numbers if number) or "nothing to do"
    seconds = run.detail.get("seconds")
    took = sum(one for one in seconds.values() if isinstance(one, int | float)) if isinstance(seconds, dict) else 0
    told = [
        lines((f"{mark} ", style), (f"{day_words(run.at)} {clock_time(run.at)}", "bold"), (f"  {ended}", QUIET)),
        lines((f"  {did}{f' in {took:.1f} s' if took >= 0.1 else ''}", QUIET)),
    ]
    reader, heard = run.detail.get("reader"), _number(run, "heard")
    if isinstance(reader, str) and heard:
        made = f"{count(_number(run, 'proposed'), 'claim')} of {count(heard, 'turn')}"
        told.append(lines((f"  {one_line(reader, 20)}: {made}", QUIET)))
    return stacked([row.truncate(max(10, width), ellipsis=True) for row in told])


def _number(run: Operation, key: str) -> int:
    value = run.detail.get(key)
    return value if isinstance(value, int) else 0
