"""Every screen has the same frame: the two times on top, its keys below, help for whatever has the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, runtime_checkable

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from app.paths import DEFAULT
from app.tui.jobs import Job, JobFailed
from app.tui.screens.doing import DoingScreen
from app.tui.screens.help import ShowsHelp
from app.tui.services import Services
from widgets.bars import Flash, KeyLine, TopLine
from widgets.choices import Choices, opened

if TYPE_CHECKING:
    from store.memory import Memory

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


class FramedScreen(DoingScreen[None], ShowsHelp[None]):
    """What chat, timeline and chain have in common. A subclass says what stands between the lines (`body`), and reads
    it (`refetch`)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "show_help", "help", key_display="f1", id="app.help")
    ]
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

    def settings_changed(self) -> None:
        """The settings file says something else than it did."""

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
