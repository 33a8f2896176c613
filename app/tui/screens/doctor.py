"""The doctor looks at everything and changes nothing: what is not well is marked, and says what to do."""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from textwrap import TextWrapper
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from app.core.deeds import DeedResult
from app.tui import health
from app.tui.health import Health
from app.tui.jobs import Job, start
from app.tui.screens.base import FramedScreen
from app.tui.services import Services
from widgets.bars import TopLine
from widgets.choices import Choices, Row, heading
from widgets.look import NEVER, NOW, QUIET, lines, stacked
from widgets.messages import TextCopied
from widgets.plain import one_line
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory


class DoctorScreen(FramedScreen):
    """File, backups, checks, model, settings, places, versions."""

    PLACE = "doctor"
    DEFAULT_CSS = "DoctorScreen Choices { height: 1fr; padding: 1 1 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "check", "check the file", id="doctor.check"),
        Binding("b", "backup", "back up", id="doctor.backup"),
        Binding("m", "app.models", "models", id="doctor.models"),
        Binding("s", "app.settings", "settings", id="doctor.settings"),
        Binding("Y", "copy_all", "copy all", id="doctor.copy"),
        Binding("escape", "dismiss", "back", id="doctor.back"),
    ]
    HELP = """
    ### Doctor
    Where everything is, and whether it is well: ● is, ✗ is not. `c` checks the whole file, which may take a while;
    `b` makes a backup beside it. `m` goes to the models, `s` to the settings. `Y` copies all of this, for a report of a
    fault: no word of yours is in it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._found: list[Health] = []

    def body(self) -> ComposeResult:
        yield Choices(id="health", opens=False)

    def refetch(self) -> None:
        self._look(checked=False)

    def _look(self, *, checked: bool) -> None:
        self.query_one(TopLine).place = self.place
        self.reading(Job.EXAMINE, "checking the file…" if checked else "looking…")
        work = partial(health.report, self.services, checked=checked)
        start(self, Job.EXAMINE, work, partial(self._examined, checked))

    def _examined(self, checked: bool, found: list[Health]) -> None:
        self._found = found
        ill = sum(one.well is False for one in found)
        top = self.query_one(TopLine)
        well = "all is well" if self.services.voice is not None else "the memory is well; no model chats"
        top.place, top.reading = f"doctor · {count(ill, 'thing')} to look at" if ill else f"doctor · {well}", ""
        if checked:
            broken = any(one.well is False for one in found if one.group == "checks")
            said = (
                "Something is not as it should be: see the checks." if broken else "The file was checked: it is sound."
            )
            self.flash(said, bad=broken)
        self.draw()

    def draw(self) -> None:
        choices = self.query_one(Choices)
        width = max(30, choices.size.width - 4)
        rows: list[Row] = []
        longest = max((len(one.name) for one in self._found), default=0)
        columns = min(longest, 30, max(16, width // 2))
        for group, inside in groupby(self._found, key=lambda one: one.group):
            rows.append(heading(group.upper(), gap=bool(rows)))
            rows += [Row(_line(one, columns, width), one.value) for one in inside]
        choices.show_rows(rows, choices.highlighted)

    def action_check(self) -> None:
        self._look(checked=True)

    def action_backup(self) -> None:
        self.by_hand(self._backed_up)

    def _backed_up(self, memory: Memory) -> DeedResult:
        return DeedResult(f"Backed up: {memory.backups.make()}")

    def action_copy_all(self) -> None:
        self.post_message(TextCopied("\n".join(f"{one.group} {one.name}: {one.value}" for one in self._found)))


class _AtSlashes(TextWrapper):
    """Goes on in the next line after a word, or within a path after a slash."""

    wordsep_simple_re = re.compile(r"(\s+|(?<=/))")


def _line(one: Health, columns: int, width: int) -> Content:
    marks = {True: ("● ", NOW), False: ("✗ ", NEVER), None: ("  ", QUIET)}
    name = f"{one_line(one.name, columns):<{columns + 2}}"
    first, *rest = _AtSlashes(max(16, width - columns - 4), break_on_hyphens=False).wrap(one_line(one.value)) or [""]
    more = [lines(" " * (columns + 4), row) for row in rest]
    return stacked([lines(marks[one.well], (name, QUIET), first), *more])
