"""Help is about what has the focus, then about what that stands in, with every key that does something there."""

from __future__ import annotations

from dataclasses import replace
from inspect import cleandoc
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown, Static

from app.tui.screens.dialogs import Dialog
from widgets.look import lines

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
Result = TypeVar("Result")


class HelpDialog(Dialog[None]):
    """What the focused widget is for, and every key that does something here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark,q", "close", "close", show=False, id="help.close")
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
        self.app.push_screen(HelpDialog(self._help_text(), self._keys()))

    def _help_text(self) -> str:
        """The focused widget's help first, then that of what it stands in."""
        node = self.focused or self
        texts = [cleandoc(str(getattr(one, "HELP", "") or "")) for one in node.ancestors_with_self]
        return "\n\n".join(dict.fromkeys(text for text in texts if text))

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
