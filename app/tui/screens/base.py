"""Every screen has the same frame: the two times on top, its keys below, help for whatever has the focus.

It reads what it is about in the background (`fetch`), shows it (`fetched`, `draw`), and reads it anew when something
was done by hand; what is done is told in one sentence on the screen that it is done on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from app.core import deeds
from app.core.deeds import Deed, DeedResult, Radius
from app.paths import DEFAULT
from app.tui.jobs import Job, JobFailed, start
from app.tui.screens.dialogs import Dialog, EraseDialog, SaveDialog, ShowsHelp
from app.tui.services import Services
from widgets.bars import Flash, KeyLine, TopLine
from widgets.choices import Choices, Row, opened
from widgets.filter_line import FilterLine
from widgets.look import QUIET, lines
from widgets.plain import plain

if TYPE_CHECKING:
    from store.memory import Memory

NOT_READ = "not read"
SECONDS_OF_A_LIST = 8.0
"""How long the places stand where erased words still are."""
MOST_COPIES = 3
"""Of these places, how many are named."""
Result = TypeVar("Result")
Given = TypeVar("Given")


def still_kept(copies: Sequence[str]) -> str:
    """What the person can do about the copies that still hold erased words, and where they are."""
    exports = (".md", ".jsonl", ".json")  # any other copy is a backup
    kinds = sorted({"export" if Path(one).suffix in exports else "backup" for one in copies})
    files = f"this {kinds[0]}" if len(copies) == 1 else f"these {len(copies):,} {'s and '.join(kinds)}s"
    more = [f"and {len(copies) - MOST_COPIES:,} more there"] if len(copies) > MOST_COPIES else []
    home = f"{Path.home()}/"
    shown = (f"~/{one.removeprefix(home)}" if one.startswith(home) else one for one in copies[:MOST_COPIES])
    return "\n".join((f"Delete {files}, too:", *map(plain, shown), *more))


class DoingScreen(Screen[Result]):
    """A screen, or a dialog, on which something can be done to the memory."""

    services: Services

    def ask(self, job: Job, work: Callable[[Memory], Given], then: Callable[[Given], object] | None = None) -> None:
        """Ask the memory in the background, if it is open; `then` is called with what it says."""
        if self.services.memory is not None:
            start(self, job, partial(work, self.services.memory), then)

    def ask_in(self, dialog: Dialog[Given], then: Callable[[Given], object]) -> None:
        """Ask in a dialog; `then` is called with what it dismisses with, unless the person leaves it."""

        def go_on(found: Given | None) -> None:
            if found is not None:
                self.call_later(then, found)

        self.app.push_screen(dialog, go_on)

    def refetch(self) -> None:
        """Read what is shown, or read it anew."""

    def flash(self, words: str, *, bad: bool = False) -> None:
        self.query_one(Flash).say(words, bad=bad)

    def by_hand(self, deed: Deed, to: object = None) -> None:
        """Do it in the background; says what was done, or why not. `to` is the record that it is done to."""
        self.ask(Job.CHANGE, deed, partial(self._deed_done, to))

    def _deed_done(self, to: object, done: DeedResult) -> None:
        self.services.deeds += 1
        self.services.erased = done.erased
        self.flash(done.said)
        self.app.call_later(self.app.run_action, "count_state")
        if done.erased:
            self.app.call_later(self.app.run_action, "forget_words")
        if done.kept:  # whole paths, which no line of the screen has room for
            words = still_kept(done.kept)
            self.app.notify(words, severity="warning", timeout=SECONDS_OF_A_LIST, markup=False)
        self.hand_done(done, to)

    def hand_done(self, done: DeedResult, to: object) -> None:
        """What is shown may be out of date now; `to` is the record that it was done to."""
        self.refetch()

    def erasing(self) -> Callable[[Memory], Radius] | None:
        """Counts what an erase would take, here; None where nothing can be erased."""
        return None

    def action_erase(self) -> None:
        """In three steps: count what would go, ask, do it."""
        if (measure := self.erasing()) is not None:
            self.ask(Job.MEASURE_ERASE, measure, self.ask_to_erase)

    def ask_to_erase(self, radius: Radius) -> None:
        self.ask_in(EraseDialog(radius), lambda _agreed: self.by_hand(deeds.erase(radius)))

    def export(self, key: str, title: str) -> None:
        """Ask where to, and write a conversation there as Markdown."""
        from app.core.exporting import file_name

        dialog = SaveDialog(f"~/{file_name(title)}", "as Markdown, with times, speakers and what was learned")
        self.ask_in(dialog, lambda path: self.by_hand(deeds.export(key, path)))


class FramedScreen(DoingScreen[None], ShowsHelp[None]):
    """A subclass says what stands between the lines (`body`), what is read for it (`JOB`, `fetch`), and shows it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "show_help", "help", key_display="f1", id="app.help")
    ]
    PLACE = ""
    """Where one is, if that is the same for every screen of its kind."""
    JOB: ClassVar[Job | None] = None
    """What reads that which this screen is about."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self.known: Any = None
        """What was read; None until it is."""
        self._deeds = -1
        """How much had been done by hand when it was read; -1: nothing was ever asked for."""

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
        self.query_one(TopLine).place = self.place
        self.say_times()
        self.main.focus()
        self.refetch()

    def say_times(self, true_at: int | None = None, believed_at: int | None = None) -> None:
        top, services = self.query_one(TopLine), self.services
        top.true_at, top.believed_at = services.in_words(true_at), services.in_words(believed_at)
        top.profile = "" if services.profile == DEFAULT else services.profile

    # -- what is read

    def fetch(self, memory: Memory) -> Any:
        """What this screen is about; in a worker."""

    def fetched(self, known: Any) -> None:
        """It was read."""
        self.known = known
        self.draw()
        self.refresh_bindings()

    def draw(self) -> None:
        """Show what was read, as wide as there is room."""

    def refetch(self) -> None:
        if self.JOB is not None:
            self.reading()
            self.ask(self.JOB, self.fetch, self.fetched)

    def reading(self, saying: str = "") -> None:
        """What the screen is about is read from now on; `saying` stands on top until that is over."""
        self._deeds = self.services.deeds
        self.query_one(TopLine).reading = saying

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def on_screen_resume(self) -> None:
        """Something may have been done by hand on the screen above."""
        if self._deeds not in (-1, self.services.deeds):
            self.refetch()

    def on_job_failed(self, event: JobFailed) -> None:
        """What is shown is out of date, or is missing. The app tells why."""
        if event.job is self.JOB:
            self.query_one(TopLine).reading = NOT_READ

    # -- what the app tells of

    def settings_changed(self) -> None:
        """The settings file says something else than it did."""

    def sleep_changed(self) -> None:
        """The sleep went on, or ended."""

    def models_changed(self, *, look: bool = False) -> None:
        """A fetch or the building of the engine has come further; `look`: there may be other files than before."""

    # -- its list

    def on_choices_widened(self, event: Choices.Widened) -> None:
        """A list has its width only when it is laid out, and what it shows may be there before."""
        self.draw()

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        self.refresh_bindings()

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        self.chosen(event.choices, event.record)

    def chosen(self, choices: Choices, record: object) -> None:
        """A row was chosen: go to what it is about."""
        if (message := opened(record)) is not None:
            self.post_message(message)


class SidesScreen(FramedScreen):
    """A list on the left, and on the right what its marked row comes to, which `SIDE_JOB` reads (`fetch_side`)."""

    SIDE_JOB: ClassVar[Job]
    left: Choices
    right: Choices
    side: Any = None
    """What stands on the right."""

    @property
    def main(self) -> Choices:
        return self.left

    def fetch_side(self, marked: object, memory: Memory) -> Any:
        """What a row of the left comes to; in a worker."""

    def read_side(self) -> None:
        self.ask(self.SIDE_JOB, partial(self.fetch_side, self.left.pointed), self.show_side)

    def show_side(self, side: Any) -> None:
        self.side = side
        self.draw_side()
        self.refresh_bindings()

    def draw_side(self) -> None:
        """Show what was read for the right, as wide as there is room."""

    def on_choices_pointed(self, event: Choices.Pointed) -> None:
        if event.choices is self.left and event.record is not None:
            self.read_side()

    def on_choices_widened(self, event: Choices.Widened) -> None:
        event.prevent_default()
        if event.choices is self.left:
            self.draw()
        else:
            self.draw_side()

    def on_job_failed(self, event: JobFailed) -> None:
        """What stood on the right belongs to what was marked before."""
        if event.job is self.SIDE_JOB:
            self.side = None
            self.right.show_rows([Row(lines((NOT_READ, QUIET)))])
            self.refresh_bindings()

    def chosen(self, choices: Choices, record: object) -> None:
        if choices is self.left:
            self.right.focus()
        else:
            super().chosen(choices, record)

    def action_other(self) -> None:
        (self.left if self.right.has_focus else self.right).focus()


class FilteringScreen(FramedScreen):
    """A screen that words narrow at once, while they are typed into its FilterLine; escape takes them out first, then
    leaves. Its bindings call the actions `filter` and `leave`."""

    def narrow(self, words: str) -> None:
        """Show what holds the words, and nothing else."""
        self.draw()

    @property
    def typed(self) -> str:
        return plain(self.query_one(FilterLine).value)

    def action_filter(self) -> None:
        field = self.query_one(FilterLine)
        field.add_class("-shown")
        field.focus()

    def action_leave(self) -> None:
        """Out of the filter first, then out of the screen."""
        field = self.query_one(FilterLine)
        if field.has_class("-shown"):
            field.value = ""
            self._to_the_list(field)
        else:
            self.dismiss(None)

    def _to_the_list(self, field: Input) -> None:
        field.set_class(bool(field.value), "-shown")
        self.main.focus()

    def on_key(self, event: events.Key) -> None:
        """From the field down into the list: the next key is for what is marked there."""
        field = self.query_one(FilterLine)
        if event.key in ("down", "up") and field.has_focus:
            event.stop()
            self._to_the_list(field)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.narrow(plain(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._to_the_list(event.input)
