"""What differs between then and now is listed once, and leads to how it came about."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from app.tui.screens.dialogs import ListDialog
from widgets.choices import Choices, Row
from widgets.lane_diff import Difference, difference_line
from widgets.look import QUIET, lines
from widgets.messages import FactChosen
from widgets.wording import count

MOST = 500
LEGEND = "{}   + begun  − ended  ~ changed"


class DifferenceDialog(ListDialog):
    """From one moment to another. Dismisses with the belief that was chosen."""

    DEFAULT_CSS = """
    DifferenceDialog Choices { max-height: 60vh; }
    DifferenceDialog .legend { margin: 0 0 1 0; }
    """

    def __init__(self, title: str, found: Sequence[Difference]) -> None:
        super().__init__()
        self.heading, self.found = title, found

    def compose(self) -> ComposeResult:
        rows = [Row(difference_line(one, self.room), one) for one in self.found[:MOST]]
        if len(self.found) > MOST:
            rows.append(Row(lines((f"and {len(self.found) - MOST:,} more", QUIET))))
        with Vertical(classes="box"):
            yield Static(lines((self.heading, "bold")), markup=False)
            legend = LEGEND.format(count(len(self.found), "difference")) if self.found else ""
            yield Static(lines((legend, QUIET)), classes="legend", markup=False)
            yield Choices(rows or [Row(lines(("Nothing differs.", QUIET)))], id="differences")
            hint = "enter opens the chain, esc closes" if self.found else "esc closes"
            yield Static(lines((hint, QUIET)), classes="hint", markup=False)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        if isinstance(event.record, Difference):
            self.dismiss(FactChosen(event.record.fact))
