"""What the person typed is never thrown away: what is not taken comes back, and pasted text is as safe as typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.widgets import Static, TextArea

from widgets.look import QUIET, lines, stacked
from widgets.messages import PromptSent, TypedWanted
from widgets.plain import one_line, plain

ASKS = "Say something worth remembering, or ask."
ASKS_OFF_RECORD = "Say or ask anything: nothing is written down."
ALT = "alt+"
MOST_SHOWN = 4  # messages that have a row of their own; the others are counted
REPLY_ENDS, MEMORY_OPEN = "the reply ends", "the memory is open"
LONGEST = 400  # characters of a message that are handed to its row, which cuts them further


class Prompt(TextArea):
    """The line that people write in; it grows with what they write."""

    DEFAULT_CSS = """
    Prompt {
        height: auto; min-height: 3; max-height: 12; padding: 0 1; margin: 0 1;
        border: round $rule; background: $background; scrollbar-size-vertical: 1;
        &:focus { border: round $border; background-tint: $foreground 0%; }
        & .text-area--cursor-line { background: $background; }
        & .text-area--placeholder { color: $quiet; }
        &:light .text-area--cursor { color: $input-cursor-foreground; background: $input-cursor-background; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "send", key_display="enter", id="prompt.send"),
        Binding("ctrl+j,shift+enter,alt+enter", "newline", "new line", show=False, id="prompt.newline"),
    ]
    HELP = """
    ### Prompt
    `enter` sends; `ctrl+j` (or `shift+enter`) starts a new line. `esc` stops a reply that is being written; what you
    typed always stays. What you send meanwhile waits above the prompt, and is sent when the reply ends or is stopped;
    with an empty prompt, `↑` takes it back, the last one first.

    Where nothing waits, `↑` brings back what you sent last, further ones what you sent before it, and `↓` goes forward
    again. `/` searches and `?` shows this help, if nothing was typed. `pageup` and `pagedown` scroll the conversation,
    `ctrl+end` goes to its newest line.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, highlight_cursor_line=False, placeholder=ASKS)
        self._typed: Sequence[str] = ()  # what was typed before, the latest last, while it is being gone through
        self._place = 0  # which of it stands here

    def go_off_record(self, off: bool) -> None:
        """Say, while nothing was typed, whether what is said here is remembered."""
        self.placeholder = ASKS_OFF_RECORD if off else ASKS

    def action_send(self) -> None:
        """Post what was written, unless it is blank. What is typed from here on is another text."""
        if said := plain(self.text).strip():
            self.clear()
            self.post_message(PromptSent(said))

    def give_back(self, text: str) -> None:
        """It was not taken: it stands in the prompt again, before what was typed since."""
        self.text = f"{text}\n{self.text}" if self.text else text
        self.move_cursor(self.document.end)

    def leave_off(self, text: str) -> bool:
        """What was given back is taken now, and what was typed after it stays. False if it was changed meanwhile."""
        if taken := self.text.startswith(text):
            self.text = self.text.removeprefix(text).lstrip()
            self.move_cursor(self.document.end)
        return taken

    def type_on(self, text: str) -> None:
        """It was typed elsewhere, and meant for here: it stands at the end."""
        self.end_recall()
        self.insert(text, self.document.end)
        self.move_cursor(self.document.end)

    # -- what was typed before

    @property
    def recalling(self) -> bool:
        """What stands here was recalled, and is as it was sent: no draft."""
        return self._place < len(self._typed) and self.text == self._typed[self._place]

    def recall(self, typed: Sequence[str]) -> None:
        """Show what was typed before what stands here, of `typed` (the latest last); a draft stays."""
        if not self.recalling and not self.text:
            self._typed, self._place = typed, len(typed)
        if self._place > 0 and (self.recalling or not self.text):
            self._show(self._place - 1)

    def end_recall(self, *, forget: bool = False) -> None:
        """What was recalled is a draft from here on; or else nobody is to see it again."""
        if forget and self.recalling:
            self.text = ""  # which empties what undo would bring back, too
        self._typed, self._place = (), 0

    def _show(self, place: int) -> None:
        self._place = place
        words = self._typed[place] if place < len(self._typed) else ""
        self.replace(words, (0, 0), self.document.end, maintain_selection_offset=False)

    def action_cursor_up(self, select: bool = False) -> None:
        """A line up; from the first line, to what was typed before, unless a draft stands here."""
        on_top = self.navigator.is_first_wrapped_line(self.cursor_location)
        if on_top and not select and (self.recalling or not self.text):
            self.post_message(TypedWanted())
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """A line down; from the last line of what was recalled, to what was typed after it."""
        if not select and self.recalling and self.navigator.is_last_wrapped_line(self.cursor_location):
            self._show(self._place + 1)
        else:
            super().action_cursor_down(select)

    def action_newline(self) -> None:
        self.insert("\n")

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        # Undo takes lines away, which hides the scrollbar, which scrolls to the cursor, before the cursor has moved to
        # a line that is left. Textual 8.2 raises ValueError there; the cursor is set right after.
        if self.cursor_location[0] >= self.wrapped_document.document.line_count:
            return Offset()
        return super().scroll_cursor_visible(center, animate)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Pages are for what stands above the prompt; and so is the end, where nothing is written."""
        return action not in ("cursor_page_up", "cursor_page_down") and (action != "cursor_line_end" or bool(self.text))

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """An empty prompt leaves `/` and `?` to the screen: nobody begins a sentence with them. A letter with alt is no
        text, though terminals send it as one."""
        leaves = (not self.text and character in ("/", "?")) or key.startswith(ALT)
        return not leaves and super().check_consume_key(key, character)

    async def _on_key(self, event: events.Key) -> None:
        # Textual calls the handler of every base class too, unless it is told not to. What ends a line is handled here,
        # in the order of the keys: as a binding it would run before the letters that were typed before it are in the
        # text, or after those that follow it. Before the app has the terminal, enter comes as ctrl+j.
        if (not self.text and event.character in ("/", "?")) or event.key.startswith(ALT):
            event.prevent_default()
        elif event.key == "enter":
            event.prevent_default()
            event.stop()
            self.action_send()
        elif event.key == "ctrl+j":  # unless the settings give it something else to do
            active = self.screen.active_bindings.get(event.key)
            if active is not None and active.binding.id == "prompt.newline":
                event.prevent_default()
                event.stop()
                self.action_newline()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.text = plain(event.text)


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
