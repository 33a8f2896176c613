"""What a screen shows is narrowed by words: at once, while they are typed; escape takes them out first, then leaves."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from app.tui.screens.base import FramedScreen
from widgets.filter_line import FilterLine
from widgets.plain import plain


class FilteringScreen(FramedScreen):
    """A screen with a FilterLine. Its bindings call the actions `filter` and `leave`."""

    def narrow(self, words: str) -> None:
        """Show what holds the words, and nothing else."""
        raise AssertionError("every screen that filters says what it shows")

    @property
    def typed(self) -> str:
        """What stands in the field."""
        return plain(self.query_one(FilterLine).value)

    def action_filter(self) -> None:
        """Show the field, and go there."""
        field = self.query_one(FilterLine)
        field.add_class("-shown")
        field.focus()

    def action_leave(self) -> None:
        """Out of the filter first, then out of the screen."""
        field = self.query_one(FilterLine)
        if field.has_class("-shown"):
            field.value = ""
            field.remove_class("-shown")
            self.main.focus()
        else:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """From the field down into the list: the next key is for what is marked there."""
        field = self.query_one(FilterLine)
        if event.key in ("down", "up") and field.has_focus:
            event.stop()
            field.set_class(bool(field.value), "-shown")
            self.main.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.narrow(plain(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        event.input.set_class(bool(event.value), "-shown")
        self.main.focus()
