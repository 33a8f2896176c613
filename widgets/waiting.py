"""What was sent while a reply was being written or the memory opened stands above the prompt until its turn comes."""

from __future__ import annotations

from textual.widgets import Static

from widgets.look import QUIET, lines, stacked
from widgets.plain import one_line

MOST_SHOWN = 4  # messages that have a row of their own; the others are counted
REPLY_ENDS, MEMORY_OPEN = "the reply ends", "the memory is open"
LONGEST = 400  # characters of a message that are handed to its row, which cuts them further


class Waiting(Static):
    """The messages that wait, the first that is sent on top; hidden while there are none."""

    DEFAULT_CSS = """
    Waiting { height: auto; padding: 0 2; display: none; text-wrap: nowrap; text-overflow: ellipsis; }
    Waiting.-some { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self.messages: tuple[str, ...] = ()
        self._until = ""

    def add(self, message: str, until: str = REPLY_ENDS) -> None:
        """It is sent after those that wait already; `until` says when that is."""
        self._until = until
        self._show((*self.messages, message))

    def first(self) -> str:
        """The one that is sent next; it waits no longer. Empty if none waits."""
        message = self.messages[0] if self.messages else ""
        self._show(self.messages[1:])
        return message

    def last(self) -> str:
        """The one that was sent last; it waits no longer. Empty if none waits."""
        message = self.messages[-1] if self.messages else ""
        self._show(self.messages[:-1])
        return message

    def take(self) -> tuple[str, ...]:
        messages = self.messages
        self._show(())
        return messages

    def _show(self, messages: tuple[str, ...]) -> None:
        self.messages = messages
        self.set_class(bool(messages), "-some")
        rows = [lines(("⋯ waits: ", QUIET), one_line(message, LONGEST)) for message in messages[:MOST_SHOWN]]
        more = f"and {len(messages) - MOST_SHOWN} more; " if len(messages) > MOST_SHOWN else ""
        self.update(stacked([*rows, lines((f"  {more}sent when {self._until} · ↑ takes it back", QUIET))]))
