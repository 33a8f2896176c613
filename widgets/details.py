"""What is marked is told beside the list: a text of the same height never lays out the screen anew."""

from __future__ import annotations

from typing import cast

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.css.styles import RulesMap
from textual.widgets import Static


class Details(VerticalScroll, can_focus=False):
    """A text that scrolls where it is longer than its place."""

    DEFAULT_CSS = """
    Details { scrollbar-size-vertical: 1; }
    Details > Static { height: auto; min-height: 100%; }
    """

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)

    @property
    def text_width(self) -> int:
        """Columns of a line, whether or not the text is so long that a scrollbar stands beside it."""
        return max(20, self.query_one(Static).size.width - (1 if self.show_vertical_scrollbar else 2))

    def tell(self, shown: Content) -> None:
        text = self.query_one(Static)
        height = shown.get_height(cast(RulesMap, text.styles), max(1, text.size.width))
        text.update(shown, layout=max(height, self.size.height) != text.size.height)
        if self.scroll_y:
            self.scroll_home(animate=False)
