"""The morning's note says what changed while nobody looked, each thing with the belief that it is about."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from app.core.opening import Morning
from app.tui.messages import UnsureJudged
from app.tui.screens.dialogs import ListDialog
from store.records import Fact
from widgets.choices import Choices, Row, heading
from widgets.look import QUIET, hung, lines
from widgets.plain import one_line

NOTHING_YET = "There is no note yet. The first sleep writes one: what is new, what comes up (ctrl+s)."
NOTHING_NEW = "Nothing new since the note before. The next sleep writes one (ctrl+s)."


class BriefRows(Choices):
    """The lines of the brief; what is unsure can be judged where it stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "judge(True)", "it is so", id="brief.yes"),
        Binding("n", "judge(False)", "it is not", id="brief.no"),
    ]

    @property
    def unsure(self) -> Fact | None:
        return self.pointed if isinstance(self.pointed, Fact) and self.pointed.unsure else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is unsure can be judged; `y` copies anything else."""
        if action in ("judge", "copy"):
            return (self.unsure is not None) is (action == "judge")
        return super().check_action(action, parameters)

    def on_choices_pointed(self) -> None:
        self.refresh_bindings()

    def action_judge(self, yes: bool) -> None:
        if self.unsure is not None:
            self.post_message(UnsureJudged(self.unsure, yes))


class BriefDialog(ListDialog):
    """The note, under its headings. Dismisses with the belief that was chosen."""

    DEFAULT_CSS = "BriefDialog { background: $background; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+e", "close", "close", show=False, id="brief.close")]

    def __init__(self, morning: Morning) -> None:
        super().__init__()
        self.morning = morning

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            if self.morning.lines:
                yield Static(lines(one_line(self.morning.heading)), classes="title", markup=False)
            yield BriefRows(self._rows(), id="brief")
            hint = "enter opens it, esc closes; each is told once" if self.morning.lines else "esc closes"
            if any(line.section == "unsure" for line in self.morning.lines):
                hint += "; y or n says whether what is unsure is so"
            yield Static(lines((hint, QUIET)), classes="hint", markup=False)

    def _rows(self) -> list[Row]:
        from store.sleep.telling import TITLES

        rows: list[Row] = []
        for section, title in TITLES.items():
            inside = [one for one in self.morning.lines if one.section == section]
            if inside:
                rows.append(heading(title.upper(), gap=bool(rows)))
                rows += [Row(hung(("· ", QUIET), one.text, self.room), one.facts[0]) for one in inside]
        return rows or [Row(lines((NOTHING_NEW if self.morning.heading else NOTHING_YET, QUIET)))]

    def on_unsure_judged(self, event: UnsureJudged) -> None:
        event.stop()
        self.dismiss(UnsureJudged(event.fact, event.yes))

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """What is unsure is judged, and has no chain to open."""
        if isinstance(event.record, Fact) and event.record.unsure:
            event.stop()
            event.prevent_default()
