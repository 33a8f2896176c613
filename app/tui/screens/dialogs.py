"""A dialog asks one thing, says what will happen, and escape always means no.

One that opens while somebody types loses nothing of that: what was not meant for it stands in the prompt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from inspect import cleandoc
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Markdown, Static

from app.core.deeds import Radius
from app.core.settings import SPEAKING, taken, typed, worded
from app.paths import expanded
from store.errors import BadInput, ErstwhileError
from store.records import ModelOptions, Stretch
from widgets.choices import Choices, opened
from widgets.look import NEVER, QUIET, lines, stacked
from widgets.messages import TypedAside
from widgets.plain import one_line, plain
from widgets.wording import count, day_words

Result = TypeVar("Result")


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
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "close", id="dialog.close")]

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
        if (message := opened(event.record)) is not None:
            self.dismiss(message)


# -- help

MEANINGS = {
    "timeline.previous": "to the change before, in the world", "timeline.next": "to the next change in the world",
    "timeline.unlearn": "to the change of mind before", "timeline.learn": "to the next change of mind",
    "timeline.earlier": "the cursor a little earlier", "timeline.later": "the cursor a little later",
    "timeline.today": "both cursors on now", "timeline.swap": "draw the lanes along the other time",
    "timeline.zoom_in": "zoom in", "timeline.fit": "show everything", "timeline.date": "go to a date",
    "picture.save": "save as SVG, PNG, or a page for print", "timeline.map": "both times of this as one map",
    "map.left": "earlier in the world", "map.right": "later in the world",
    "map.up": "earlier in belief", "map.down": "later in belief", "map.next": "the next question",
    "timeline.compare": "what differs between here and now", "timeline.open": "open the chain",
    "go.sessions": "all conversations", "chat.new": "a new conversation", "go.brief": "what changed, what comes up",
    "chat.panel": "what was recalled and learned", "chat.why": "why this answer",
    "chat.find": "find words in this conversation", "transcript.find": "find words in this conversation",
    "transcript.next": "the next match", "transcript.previous": "the match before",
    "chat.page_up": "a page up in the conversation", "chat.page_down": "a page down in the conversation",
}  # fmt: skip
"""The footer has room for a word; where that says too little, the help says this, by the binding's id."""
MOST_SHOWN = 2
"""Of the keys that do one thing, how many the help names."""


class HelpDialog(Dialog[None]):
    """What the focused widget is for, and every key that does something here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark,q", "dismiss", "close", show=False, id="help.close")
    ]
    DEFAULT_CSS = "HelpDialog Markdown { padding: 0 2 0 0; }"

    def __init__(self, text: str, keys: list[tuple[str, str]]) -> None:
        super().__init__()
        self._text, self._keys = text, keys

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Markdown(self._text, open_links=False)
            width = max((len(key) for key, _what in self._keys), default=0) + 2
            for key, what in self._keys:
                yield Static(lines((f"{key:<{width}}", "bold $primary"), what), markup=False)


class ShowsHelp(Screen[Result]):
    """A screen or a dialog that has help. `HELP` is Markdown, of it and of each widget that has one."""

    HELP = ""

    def action_show_help(self) -> None:
        """The focused widget's help first, then that of what it stands in."""
        nodes = (self.focused or self).ancestors_with_self
        texts = [cleandoc(str(getattr(one, "HELP", "") or "")) for one in nodes]
        self.app.push_screen(HelpDialog("\n\n".join(dict.fromkeys(text for text in texts if text)), self._keys()))

    def key_of(self, what: str) -> str:
        """The key that does this here, by what the help calls it; empty where none does."""
        return next((shown for shown, does in self._keys() if does == what), "")

    def _keys(self) -> list[tuple[str, str]]:
        """(keys, what they do), those of the footer first."""
        found: dict[str, list[str]] = {}
        active = [binding for _node, binding, enabled, _tooltip in self.active_bindings.values() if enabled]
        for binding in sorted(active, key=lambda one: not one.show):
            # Bindings of ours have an id; those of Textual's own widgets do what they do everywhere.
            if binding.description and binding.id:
                shown = self.app.get_key_display(replace(binding, key_display=None)).replace("^", "ctrl+")
                found.setdefault(MEANINGS.get(binding.id, binding.description), []).append(shown)
        return [(" ".join(list(dict.fromkeys(shown))[:MOST_SHOWN]), what) for what, shown in found.items()]


# -- yes or no


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
        Binding("n", "dismiss", "no", show=False, id="dialog.no"),
    ]

    def __init__(self, href: str) -> None:
        allowed = is_web(href)
        title = "Open this link?" if allowed else "This link will not be opened"
        note = "" if allowed else "Only http and https links open, and this is neither."
        super().__init__(title, plain(href) or "(empty)", note, yes="Open  y" if allowed else "", no="Close  esc")


def is_web(href: str) -> bool:
    """http or https, with a host, and no character that would hide where it leads."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain(href) == href and "\n" not in href


class ConsentDialog(YesNoDialog):
    """A model wants to change the memory: what exactly, word for word.

    It opens by itself, so nobody agrees by a key that was on its way to the prompt.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", "yes", id="consent.yes"),
        Binding("n", "dismiss", "no", show=False, id="consent.no"),
    ]
    PAUSE: ClassVar[float] = 1.0
    """Seconds without a key until one is meant for the dialog."""

    def __init__(self, words: str) -> None:
        note = "Nothing is written unless you say yes."
        super().__init__("The model asks to change the memory", words, note, yes="Yes  y", no="No  esc")
        self._typed_at = monotonic()

    def on_key(self, event: events.Key) -> None:
        if monotonic() - self._typed_at < self.PAUSE:  # the person types on as before it opened
            self._typed_at = monotonic()
            self.pass_on(event)

    def on_paste(self, event: events.Paste) -> None:
        self.pass_on(event)


ERASE_WORD = "erase"
NO_UNDO = "They go for good, from the file and its indexes; this has no undo. Exports and backups keep them."
ONLY_HERE = "With them you forget, for nothing else says it:"


class EraseDialog(Dialog[bool]):
    """Shows how much goes, and asks for the word: there is no undo for this."""

    DEFAULT_CSS = """
    EraseDialog .title { color: $error; }
    EraseDialog Static { margin: 0 0 1 0; }
    EraseDialog #goes { height: auto; max-height: 20vh; margin: 0 0 1 0; }
    EraseDialog #goes Static { text-wrap: nowrap; text-overflow: ellipsis; margin: 0; }
    EraseDialog #goes #others { margin: 0 0 1 0; }
    """
    AUTO_FOCUS = "#word"

    def __init__(self, radius: Radius) -> None:
        super().__init__()
        self.radius = radius

    def compose(self) -> ComposeResult:
        chosen, others = self.radius.selection, self.radius.others
        counted = stacked([
            lines((count(len(chosen.episodes), "turn"), "bold"),
                  (f" in {count(chosen.sessions, 'conversation')}", QUIET)),
            lines((count(chosen.facts, "belief"), "bold"), (" resting on them, present or past", QUIET)),
        ])  # fmt: skip
        with VerticalScroll(classes="box", can_focus=False):
            yield Static(lines(self.radius.title), classes="title", markup=False)
            yield Static(counted, markup=False)
            if self.radius.stays:
                yield Static(lines(self.radius.stays), id="stays", markup=False)
            with VerticalScroll(id="goes"):
                if others:
                    shown = [lines(("  ", QUIET), one_line(one.text, 200)) for one in others]
                    yield Static(stacked([lines((ONLY_HERE, "bold")), *shown]), id="others", markup=False)
                yield Static(stacked(self._turns()), id="turns", markup=False)
            yield Static(lines((NO_UNDO, QUIET)), markup=False)
            wanted = lines(("Type ", QUIET), (ERASE_WORD, "bold"), (" and press enter to go on.", QUIET))
            yield Static(wanted, markup=False)
            yield Input(id="word")
            with Horizontal(classes="buttons"):
                yield Button("Leave it  esc", id="close")

    @property
    def stray(self) -> str:
        """It opens once it has counted what would go, when somebody may be writing again."""
        typed = self.query_one(Input).value
        return typed if " " in typed.strip() else ""  # one word was meant to be the one that erases

    def _turns(self) -> list[Content]:
        shown = self.radius.turns
        more = len(self.radius.selection.episodes) - len(shown)
        rows = [lines((f"{day_words(one.said_at)}  ", QUIET), one_line(one.text, 200)) for one in shown]
        return [*rows, lines((f"and {more:,} more", QUIET))] if more > 0 else rows

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value.strip().casefold() == ERASE_WORD:
            self.dismiss(True)

    def on_button_pressed(self) -> None:
        self.dismiss(None)


# -- a field


class AskDialog(Dialog[Result]):
    """Asks for one thing in a field. Dismisses with what `read` makes of the words, None being nothing yet; an error
    that it raises stands below the field, and so does what `say` tells of it while one types."""

    def __init__(
        self, title: str, hint: str, read: Callable[[str], Result | None], *,
        say: Callable[[Result], Content] | None = None, value: str = "", placeholder: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self.heading, self.hint = title, lines((hint, QUIET))
        self._read, self._say = read, say
        self._value, self._placeholder = value, placeholder

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(lines(one_line(self.heading)), classes="title", markup=False)
            yield Input(value=self._value, placeholder=self._placeholder)
            yield Static(self.hint, id="reading", markup=False)

    def on_input_changed(self) -> None:
        if self._say is not None:
            self._taken()

    def on_input_submitted(self) -> None:
        if (found := self._taken()) is not None:
            self.dismiss(found)

    def _taken(self) -> Result | None:
        """What the words mean, said below the field; None where they mean nothing."""
        found, said = None, self.hint
        try:
            found = self._read(plain(self.query_one(Input).value).strip())
            if found is not None and self._say is not None:
                said = self._say(found)
        except ErstwhileError as error:
            said = stacked([lines(("✗ ", NEVER), str(error)), self.hint])
        self.query_one("#reading", Static).update(said)
        return found


class WhenDialog(AskDialog[Stretch]):
    """Asks for a date in words; says at once how it is read."""

    def __init__(self, title: str, parse: Callable[[str], Stretch], say: Callable[[int | None], str]) -> None:
        super().__init__(
            title, "enter goes there, esc stays here", lambda words: parse(words) if words else None,
            say=lambda read: lines(("→ ", "$success"), say(read.start), ("   enter goes there", QUIET)),
            placeholder="March 2024, last Friday, two weeks ago, now",
        )  # fmt: skip


ENDINGS = "the ending says what it becomes: .svg, .png, or .html for print; enter saves, esc does not"


class SaveDialog(AskDialog[Path]):
    """Asks where to."""

    def __init__(self, path: str, hint: str = ENDINGS) -> None:
        super().__init__("Save as which file?", hint, lambda words: expanded(words) if words else None, value=path)


class PassphraseDialog(Dialog[Any]):
    """An encrypted memory opens when its passphrase was typed: nobody sees it, and nothing keeps it. Dismisses with a
    Passphrase."""

    WRONG = "That passphrase does not open it. Try again."

    def __init__(self, path: Path, *, wrong: bool) -> None:
        super().__init__()
        self.path, self.wrong = path, wrong

    def compose(self) -> ComposeResult:
        said = lines((self.WRONG, NEVER)) if self.wrong else lines(("enter opens it, esc leaves", QUIET))
        with Vertical(classes="box"):
            yield Static(lines("This memory is encrypted"), classes="title", markup=False)
            yield Static(lines((plain(str(self.path)), QUIET)), markup=False)
            yield Input(placeholder="passphrase", password=True)
            yield Static(said, markup=False)

    def on_click(self, event: events.Click) -> None:
        """A click beside it does not close it, as it does other dialogs: that would end the app."""
        event.prevent_default()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        from store.database.opening import Passphrase

        if event.value:
            self.dismiss(Passphrase(event.value))


class OptionsDialog(Dialog[ModelOptions]):
    """Asks how the model is to speak in this conversation; what is left empty is as the settings say."""

    def __init__(self, own: ModelOptions, usual: ModelOptions, loaded: int | None) -> None:
        """`own` is said for this conversation, `usual` in the settings; `loaded`: tokens that the model can read."""
        super().__init__()
        self._own, self._usual, self._loaded = asdict(own), asdict(usual), loaded

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(lines("How the model speaks in this conversation"), classes="title", markup=False)
            for option in SPEAKING:
                yield Static(lines(f"{option.name}  ", (option.explained, QUIET)), markup=False)
                usual = self._usual[option.key]
                shown = one_line(worded(option, option.usual if usual is None else usual))
                yield Input(typed(option, self._own[option.key]), placeholder=shown, id=option.key)
            yield Static("", id="reading", markup=False)
            yield Static(lines(("enter keeps it, empty is as the settings say, esc leaves it", QUIET)), markup=False)

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def on_input_submitted(self) -> None:
        try:
            self.dismiss(self._said())
        except BadInput as error:
            self.query_one("#reading", Static).update(lines(("✗ ", NEVER), str(error)))

    def _said(self) -> ModelOptions:
        """What stands in the fields. Raises BadInput."""
        said: dict[str, Any] = {}
        for option in SPEAKING:
            field = self.query_one(f"#{option.key}", Input)
            try:
                said[option.key] = taken(option, field.value)
            except BadInput:
                field.focus()
                raise
        context = said["context"]
        if isinstance(context, int) and self._loaded is not None and context > self._loaded:
            raise BadInput(f"The model was loaded with {self._loaded:,} tokens; f6 sets more, from the next start on.")
        return ModelOptions(**said)
