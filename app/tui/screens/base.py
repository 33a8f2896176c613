"""Every screen has the same frame: the two times on top, its keys below, help for whatever has the focus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import cleandoc
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, runtime_checkable

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from app.paths import DEFAULT
from app.tui.jobs import Job, JobFailed
from app.tui.screens.dialogs import HelpDialog
from app.tui.screens.doing import DoingScreen
from app.tui.services import Services
from widgets.bars import Flash, KeyLine, TopLine
from widgets.choices import Choices, opened

if TYPE_CHECKING:
    from store.memory import Memory

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
NOT_READ = "not read"
Given = TypeVar("Given")


@runtime_checkable
class Flashing(Protocol):
    """A screen that can say something that passes."""

    def flash(self, words: str, *, bad: bool = False) -> None: ...


@runtime_checkable
class WatchesSleep(Protocol):
    """A screen that shows how a sleep goes."""

    def sleep_changed(self) -> None: ...


@runtime_checkable
class WatchesModels(Protocol):
    """A screen that shows which models are here, and how a fetch goes."""

    def models_changed(self, *, look: bool = False) -> None: ...


class FramedScreen(DoingScreen[None]):
    """What chat, timeline and chain have in common. A subclass says what stands between the lines (`body`), and reads
    it (`refetch`)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "show_help", "help", key_display="f1", id="app.help")
    ]
    HELP = ""
    PLACE = ""
    """Where one is, if that is the same for every screen of its kind."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self._deeds = services.deeds
        """How much had been done by hand when it was read."""
        self._read_by: Job | None = None
        """The job that reads what this screen is about."""

    @property
    def place(self) -> str:
        """Where one is, in the top line, until more is known of it."""
        return self.PLACE

    @property
    def main(self) -> Widget:
        """What has the focus first."""
        return self.query_one(Choices)

    def body(self) -> ComposeResult:
        """What stands between the top line and the keys."""
        yield from ()

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield from self.body()
        yield Flash()
        yield KeyLine()

    def on_mount(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Say where one is, and read what is shown."""
        self.query_one(TopLine).place = self.place
        self.say_times()
        self.main.focus()
        self.refetch()

    def draw(self) -> None:
        """Show what was read, as wide as there is room."""

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    # -- what is read for it

    def read(
        self, job: Job, work: Callable[[Memory], Given], then: Callable[[Given], object], saying: str = ""
    ) -> None:
        """Read what this screen is about, in the background; `saying` stands on top until that is over."""
        self.reading(job, saying)
        self.ask(job, work, then)

    def reading(self, job: Job, saying: str) -> None:
        """This job reads what the screen is about."""
        self._read_by, self._deeds = job, self.services.deeds
        self.query_one(TopLine).reading = saying

    def on_screen_resume(self) -> None:
        """Something may have been done by hand on the screen above."""
        if self._read_by is not None and self._deeds != self.services.deeds:
            self.refetch()

    def on_job_failed(self, event: JobFailed) -> None:
        """What is shown is out of date, or is missing. The app tells why."""
        if event.job is self._read_by:
            self.query_one(TopLine).reading = NOT_READ

    def say_times(self, true_at: int | None = None, believed_at: int | None = None) -> None:
        """Tell the top line which two times are shown."""
        top = self.query_one(TopLine)
        top.true_at, top.believed_at = self.services.in_words(true_at), self.services.in_words(believed_at)
        top.profile = self.profile_shown

    @property
    def profile_shown(self) -> str:
        """The profile as the top line names it: not where it is the one that everybody has."""
        return "" if self.services.profile == DEFAULT else self.services.profile

    def flash(self, words: str, *, bad: bool = False) -> None:
        """Say something that passes."""
        self.query_one(Flash).say(words, bad=bad)

    # -- its list

    def on_choices_widened(self, event: Choices.Widened) -> None:
        """A list has its width only when it is laid out, and what it shows may be there before."""
        event.stop()
        self.draw()

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        event.stop()
        self.refresh_bindings()

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        self.chosen(event.choices, event.record)

    def chosen(self, choices: Choices, record: object) -> None:
        """A row was chosen: go to what it is about."""
        if (message := opened(record)) is not None:
            self.post_message(message)

    # -- help

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
