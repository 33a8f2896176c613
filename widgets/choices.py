"""A list of records behaves alike wherever it stands: arrows and j k g G move, enter opens, and each row keeps its
record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from store.records import Change, Fact, Hit, Session
from widgets.messages import TextCopied
from widgets.plain import plain


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what is shown, and the record behind it; None for a heading or a connector, which cannot be chosen."""

    shown: Content
    record: object = None


class Choices(OptionList):
    """Rows that can be chosen. Posts Chosen with the record."""

    DEFAULT_CSS = """
    Choices {
        border: none;
        padding: 0 1;
        background: $background;
        scrollbar-size-vertical: 1;
        &:focus { border: none; background-tint: $foreground 0%; }
        & > .option-list--option-disabled { color: $foreground; }
        & > .option-list--option-highlighted {
            color: $block-cursor-blurred-foreground; background: $block-cursor-blurred-background; text-style: none;
        }
        &:focus > .option-list--option-highlighted {
            color: $block-cursor-foreground; background: $block-cursor-background; text-style: none;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "open", key_display="enter", id="list.open"),
        Binding("j", "cursor_down", "down", show=False, id="list.down"),
        Binding("k", "cursor_up", "up", show=False, id="list.up"),
        Binding("g", "first", "first", show=False, id="list.first"),
        Binding("G", "last", "last", show=False, id="list.last"),
        Binding("y", "copy", "copy", show=False, id="list.copy"),
    ]
    HELP = """
    ### List
    `↑ ↓` or `j k` move, `g G` first and last, `enter` opens, `y` copies the words.
    """

    @dataclass
    class Chosen(Message):
        """A row was chosen; `record` is what stands behind it."""

        choices: Choices
        record: Any

        @property
        def control(self) -> Choices:
            return self.choices

    @dataclass
    class Pointed(Message):
        """The highlight moved to a row; `record` is what stands behind it."""

        choices: Choices
        record: Any

        @property
        def control(self) -> Choices:
            return self.choices

    def __init__(self, rows: Sequence[Row] = (), *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._rows: tuple[Row, ...] = ()
        self.show_rows(rows)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    @property
    def pointed(self) -> object:
        """The record of the highlighted row, or None."""
        return None if self.highlighted is None else self._rows[self.highlighted].record

    def show_rows(self, rows: Sequence[Row], at: int | None = None) -> None:
        """Replace all rows; the highlight goes to the first row that can be chosen, or to row `at`."""
        self._rows = tuple(rows)
        self.clear_options()
        self.add_options([Option(row.shown, disabled=row.record is None) for row in rows])
        choosable = [place for place, row in enumerate(rows) if row.record is not None]
        self.highlighted = at if at in choosable else next(iter(choosable), None)

    def action_copy(self) -> None:
        """Post TextCopied with the words of the highlighted row."""
        if words := words_of(self.pointed):
            self.post_message(TextCopied(words))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self, self._rows[event.option_index].record))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index < len(self._rows):
            self.post_message(self.Pointed(self, self._rows[event.option_index].record))


def words_of(record: object) -> str:
    """The words of a record, as one would paste them; empty where it has none."""
    if isinstance(record, Change):
        record = record.new or record.old
    if isinstance(record, Fact | Hit):
        return plain(record.text).strip()
    return plain(record.title or record.key) if isinstance(record, Session) else ""
