"""A dialog asks one thing, says what will happen, and escape always means no.

One that opens while somebody types loses nothing of that: what was not meant for it stands in the prompt.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import ClassVar, TypeVar
from urllib.parse import urlsplit

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from store.errors import ErstwhileError
from store.records import Stretch
from widgets.choices import Choices, opened
from widgets.look import NEVER, QUIET, lines
from widgets.messages import TypedAside
from widgets.plain import plain

Result = TypeVar("Result")
ENDINGS = "the ending says what it becomes: .svg, .png, or .html for print; enter saves, esc does not"


class Dialog(ModalScreen[Result]):
    """A box in the middle; a click beside it closes it."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog.-narrow, Dialog.-medium { background: $background; }
    Dialog > .box {
        width: 72; max-width: 94%; height: auto; max-height: 90%;
        padding: 1 2; background: $panel;
    }
    Dialog Markdown { padding: 0; }
    Dialog .title { text-style: bold; margin: 0 0 1 0; }
    Dialog .quiet { color: $quiet; }
    Dialog .hint { margin: 1 0 0 0; }
    Dialog .buttons { height: auto; margin: 1 0 0 0; align-horizontal: right; }
    Dialog .buttons Button { margin: 0 0 0 2; }
    Dialog Input { border: round $rule; background: $panel; margin: 0; }
    Dialog Input:focus { border: round $border; background-tint: $foreground 0%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close", id="dialog.close")]

    @property
    def room(self) -> int:
        """Columns for a list in the widest box."""
        return max(30, min(91, self.app.size.width * 94 // 100 - 5))

    @property
    def stray(self) -> str:
        """What was typed into it and was not meant for it."""
        return ""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        if stray := self.stray.strip():
            self.app.post_message(TypedAside(stray))
        return super().dismiss(result)

    def pass_on(self, event: events.Key | events.Paste) -> None:
        """What is typed now goes to the prompt."""
        text = event.text if isinstance(event, events.Paste) else event.character or ""
        if isinstance(event, events.Paste) or event.is_printable:
            event.stop()
            self.app.post_message(TypedAside(text))

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


class ListDialog(Dialog[Message]):
    """A list, with what it is above it and its keys below. Dismisses with what opening the chosen row asks for."""

    DEFAULT_CSS = """
    ListDialog > .box { width: 96; }
    ListDialog Choices { max-height: 62vh; background: $panel; padding: 0; }
    ListDialog Choices > .choices--row { background: $panel; }
    """

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        if (message := opened(event.record)) is not None:
            self.dismiss(message)


class YesNoDialog(Dialog[bool]):
    """Shows some words, and asks whether they are agreed to; without `yes` there is nothing to agree to."""

    def __init__(self, title: str, words: str, note: str, *, yes: str, no: str) -> None:
        super().__init__()
        self.heading, self.words, self.note, self.yes, self.no = title, words, note, yes, no

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines(self.heading), classes="title", markup=False)
            yield Static(lines((plain(self.words), "bold")), markup=False)
            if self.note:
                yield Static(lines((self.note, QUIET)), markup=False)
            with Horizontal(classes="buttons"):
                if self.yes:
                    yield Button(self.yes, id="agree", variant="primary")
                yield Button(self.no, id="close")

    def action_agree(self) -> None:
        if self.yes:
            self.dismiss(True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "agree")


class LinkDialog(YesNoDialog):
    """Shows where a link leads before anything opens; only the web is ever opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", "open", id="dialog.yes"),
        Binding("n", "close", "no", show=False, id="dialog.no"),
    ]

    def __init__(self, href: str) -> None:
        allowed = is_web(href)
        title = "Open this link?" if allowed else "This link will not be opened"
        note = "" if allowed else "Only http and https links open, and this is neither."
        super().__init__(title, plain(href) or "(empty)", note, yes="Open  y" if allowed else "", no="Close  esc")


class ConsentDialog(YesNoDialog):
    """A model wants to change the memory: what exactly, word for word.

    It opens by itself, so nobody agrees by a key that was on its way to the prompt.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", "yes", id="consent.yes"),
        Binding("n", "close", "no", show=False, id="consent.no"),
    ]
    PAUSE: ClassVar[float] = 1.0
    """Seconds without a key until one is meant for the dialog."""

    def __init__(self, words: str) -> None:
        note = "Nothing is written unless you say yes."
        super().__init__("The model asks to change the memory", words, note, yes="Yes  y", no="No  esc")
        self._typed_at = monotonic()

    @property
    def _interrupts(self) -> bool:
        """The person types on as before it opened."""
        return monotonic() - self._typed_at < self.PAUSE

    def on_key(self, event: events.Key) -> None:
        if self._interrupts:
            self._typed_at = monotonic()
            self.pass_on(event)

    def on_paste(self, event: events.Paste) -> None:
        self.pass_on(event)


def is_web(href: str) -> bool:
    """http or https, with a host, and no character that would hide where it leads."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain(href) == href and "\n" not in href


class WhenDialog(Dialog[Stretch]):
    """Asks for a date in words; says at once how it is read."""

    def __init__(self, title: str, parse: Callable[[str], Stretch], say: Callable[[int | None], str]) -> None:
        super().__init__()
        self.heading, self._parse, self._say = title, parse, say
        self._read: Stretch | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines(self.heading), classes="title", markup=False)
            yield Input(placeholder="March 2024, last Friday, two weeks ago, now", id="when")
            yield Static(lines(("enter goes there, esc stays here", QUIET)), id="reading", markup=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._read = None
        words = lines(("enter goes there, esc stays here", QUIET))
        if event.value.strip():
            try:
                self._read = self._parse(plain(event.value).strip())
                words = lines(("→ ", "$success"), self._say(self._read.start), ("   enter goes there", QUIET))
            except ErstwhileError as error:
                words = lines((str(error), NEVER))
        self.query_one("#reading", Static).update(words)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._read is not None:
            self.dismiss(self._read)


class SaveDialog(Dialog[str]):
    """Asks where to."""

    def __init__(self, path: str, hint: str = ENDINGS) -> None:
        super().__init__()
        self.path, self.hint = path, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines("Save as which file?"), classes="title", markup=False)
            yield Input(value=self.path, id="path")
            yield Static(lines((self.hint, QUIET)), classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.dismiss(plain(event.value).strip())
