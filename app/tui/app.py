"""The first frame waits for nothing: memory and model are opened behind it, and every screen works with what is there.

The app owns the parts and moves between screens; each screen does its own fetching, and one chat turn lives in turn.py.
Every screen but the chat is imported when it is wanted, and stands above the chat alone or above what led to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.driver import Driver
from textual.message import Message
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES, Theme
from textual.timer import Timer

from app.core import deeds
from app.core.clock import Times
from app.core.opening import (
    MemorySource,
    ModelSource,
    Morning,
    SetUp,
    lately_changed,
    open_memory,
    open_model,
    read_morning,
)
from app.core.settings import THEMES, Settings
from app.core.sleeper import Sleeper, is_due, progress_words, rest_words, run_sleep
from app.core.turn import Voice, spoken_name
from app.paths import config_dir, models_dir
from app.tui.hangup import LOOK_EVERY as LOOK_AT_TERMINAL
from app.tui.hangup import is_hung_up, leave_on, outliving
from app.tui.jobs import Job, JobAdvanced, JobFailed, start
from app.tui.screens.base import DoingScreen, FramedScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import LinkDialog, PassphraseDialog, WhenDialog
from app.tui.services import (
    MODEL_HELP,
    NO_MODEL,
    ModelPicked,
    ModelWanted,
    ProfileChosen,
    Services,
    SettingsWritten,
    UnsureJudged,
)
from app.tui.theme import DARK, FALLBACK, LIGHT, readable
from store.errors import ErstwhileError, Locked
from store.protocols import BoundModel, Clock
from store.records import BY_HAND, Change, Progress, Session, Stretch
from store.sleep.schedule import PAUSE
from widgets.messages import (
    FactChosen,
    LinkChosen,
    PromptSent,
    SessionChosen,
    SubjectChosen,
    TextCopied,
    TurnChosen,
    TypedAside,
)
from widgets.plain import one_line, plain
from widgets.wording import count

if TYPE_CHECKING:
    from app.core.draft import Draft
    from store.database.opening import Passphrase
    from store.memory import Memory

BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-narrow"), (60, "-medium"), (100, "-wide"), (140, "-very-wide")]
"""Columns from which a screen has a class: one column, then with a drawer, then with a panel beside it."""
LOOK_EVERY = 300.0
"""Seconds between two looks whether a backup is due."""
SECONDS_OF_A_FAULT = 20.0
"""Its sentence names a file and what to do, which takes longer to read than Textual leaves a notification."""
NEXT = (
    "widgets.speech", "app.tui.screens.reply", "app.core.composing", "app.tui.palette", "app.tui.screens.beliefs",
    "app.tui.screens.timeline", "app.tui.screens.search",
)  # fmt: skip
"""What the first frame does not need, and one of the first keys may."""


def warm() -> None:
    """Import what comes next while the person reads the first frame: no key then waits for it, nor the first block of
    code of a reply."""
    for name in NEXT:
        import_module(name)
    from textual.highlight import highlight

    highlight("", language="python")


def names_provider() -> type[Provider]:
    """What finds conversations, people and beliefs in the palette, imported when that opens."""
    from app.tui.palette import NamesProvider

    return NamesProvider


def _screen(where: str) -> Any:
    """A class of a screen by where it is, as in "beliefs.ChainScreen"; imported when it is wanted."""
    module, _, name = where.partition(".")
    return getattr(import_module(f"app.tui.screens.{module}"), name)


def _visiting(where: str) -> Callable[..., None]:
    """An action that goes to a screen; what it is given, as in "map('lives in')", is the screen's."""

    def visit(app: ErstwhileApp, *given: str) -> None:
        screen = _screen(where)
        app.go_home()
        app.push_screen(screen(app.services, *given))

    return visit


class ErstwhileApp(App[None]):
    """A terminal chat that remembers."""

    TITLE = "erstwhile"
    ENABLE_COMMAND_PALETTE = True
    CSS_PATH = "app.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    COMMANDS = App.COMMANDS | {names_provider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit", show=False, priority=True, id="app.quit"),
        Binding("ctrl+g", "jump", "jump", show=False, priority=True, id="app.jump"),
        Binding("alt+t", "tour", "tour", show=False, id="app.tour"),
    ]

    def __init__(
        self, memory: MemorySource, model: ModelSource = None, *, clock: Clock, zone: tzinfo, demo: bool = False,
        settings: Settings | None = None, profile: str = "", draft: Draft | None = None,
        open_url: Callable[[str], object] | None = None, set_up: SetUp | None = None, set_up_first: bool = False,
        tour: bool = False,
    ) -> None:  # fmt: skip
        """`demo`: it is the demo's memory that is open. `set_up` can be asked for in the app; with `set_up_first` it is
        done before the model is looked for. `tour`: that memory is shown stop by stop, and the app ends."""
        super().__init__()
        self.services = Services(clock, zone, settings or Settings(), profile, draft)
        self.next: Path | None = None
        """The memory that the person wants instead when the app has ended; None: they quit."""
        self.wants_tour = self.toured = False
        """The app ended because the person asked for the tour; because the tour did."""
        self.left_at = ""
        """The conversation from which the person went on the tour."""
        self.hung_up = False
        """The terminal was closed: nobody waits for what is done at the end."""
        self.left_opening = False
        """The person quit while the memory was being opened, and a thread still does that."""
        self._demo, self._for_tour = demo, tour
        self._memory_source, self._model_source = memory, model
        self._open_url = open_url
        self._set_up, self._set_up_first = set_up, set_up_first
        self._sleeper = Sleeper()
        self._leaving, self._quitting = Event(), Event()
        self._backups: Timer | None = None
        self._idle: Timer | None = None
        self._timers_of_sleep: list[Timer] = []
        self._stirred_at = monotonic()
        self.chat = ChatScreen(self.services, demo=demo)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.wear(self.services.settings.theme)

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice; a terminal's own driver outlives the terminal."""
        return outliving(super().get_driver_class())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(FALLBACK)

    def get_theme(self, theme_name: str) -> Theme | None:
        """Textual's own themes with colours that can be read here."""
        return readable(theme_name) if theme_name in BUILTIN_THEMES else super().get_theme(theme_name)

    def search_themes(self) -> None:
        """Those that the settings offer, and so none of the terminal's own colours: nobody knows whether they can be
        read."""
        self.search_commands([(name, partial(self.action_look, name)) for name in THEMES], "theme")

    def get_key_display(self, binding: Binding) -> str:
        """Enter by its name, as in the texts: its sign is not known to everybody."""
        return super().get_key_display(binding).replace("⏎", "enter")

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        from app.tui.palette import commands

        return commands(self, screen)

    def on_mount(self) -> None:
        self.set_keymap(dict(self.services.settings.keymap))
        self.push_screen(self.chat)
        self.chat.call_after_refresh(self._open_parts)
        self._arm()
        if not self.is_headless:
            leave_on(self._hang_up)
            self.set_interval(LOOK_AT_TERMINAL, self._look_at_terminal)

    def _look_at_terminal(self) -> None:
        if is_hung_up():
            self._hang_up()

    def _hang_up(self) -> None:
        self.hung_up = True
        self.exit()

    def on_unmount(self) -> None:
        self._sleeper.stop.set()
        self._leaving.set()
        if self.next is None and not self.wants_tour:
            self._quitting.set()
        self.services.fetching.pause()

    # -- memory and model become ready

    def _open_parts(self) -> None:
        """After the first frame: opening them imports much, and would hold it up."""
        start(self, Job.OPEN_MEMORY, self._open_memory, self._memory_opened)
        self.chat.welcome.touring = self._for_tour
        if self._set_up_first:
            self.action_set_up()
        else:
            start(self, Job.OPEN_MODEL, self._open_model, self._model_loaded)

    def _open_memory(self) -> Memory | Locked | None:
        try:
            memory = open_memory(self._memory_source, self._quitting)
        except Locked as locked:
            return locked
        self.left_opening = memory is None
        return memory

    def _memory_opened(self, memory: Memory | Locked | None) -> None:
        if isinstance(memory, Locked):
            self._ask_passphrase(memory.path, wrong=False)
        elif memory is not None:
            self._begin(memory)

    def _ask_passphrase(self, path: Path, *, wrong: bool) -> None:
        """Go on with what the person types; leave where they type nothing."""

        def unlock(passphrase: Passphrase | None) -> None:
            from store.database.opening import offer

            if passphrase is None:
                self.exit()
            else:
                start(self, Job.OPEN_MEMORY, partial(offer, path, passphrase), offered)

        def offered(opens: bool) -> None:
            if opens:
                start(self, Job.OPEN_MEMORY, self._open_memory, self._memory_opened)
            else:
                self._ask_passphrase(path, wrong=True)

        self.push_screen(PassphraseDialog(path, wrong=wrong), unlock)

    def _begin(self, memory: Memory) -> None:

        def look_around() -> str | None:
            from app.core.synced import untold

            return untold(memory.path)

        self.services.memory = memory
        self.services.deeds += 1
        if isinstance(self.screen, FramedScreen):
            self.screen.on_screen_resume()  # gone to meanwhile, it has read nothing yet
        self.chat.opened()
        self.action_count_state()
        self.action_read_morning()
        start(self, Job.LOOK_AROUND, look_around, self._looked_around)
        start(self, Job.PREPARE_SCREENS, warm)
        start(self, Job.PREPARE_SEARCH, memory.recall.warm)
        self._backups = self.set_interval(LOOK_EVERY, partial(self._back_up, memory))
        if self._for_tour:
            self.action_tour()

    def _back_up(self, memory: Memory) -> None:
        start(self, Job.BACK_UP, partial(memory.backups.make_when_due, self._leaving))

    def _looked_around(self, sentence: str | None) -> None:
        """Whoever syncs the folder that the memory lies in is told of, once."""
        if sentence is not None:
            self.notify(plain(sentence), severity="warning", timeout=SECONDS_OF_A_FAULT, markup=False)

    def action_read_morning(self) -> None:
        if self.services.memory is not None:
            start(self, Job.READ_MORNING, partial(read_morning, self.services.memory), self._morning_read)

    def _morning_read(self, morning: Morning) -> None:
        self.services.morning = morning
        self.chat.welcome.news = morning.news

    def _open_model(self) -> Voice | None:
        return open_model(self._model_source, self.services.settings)

    def _model_loaded(self, voice: Voice | None) -> None:
        self._speak_with(voice, problem="" if voice else MODEL_HELP)

    def _speak_with(self, voice: Voice | None, *, problem: str) -> None:
        """From now on this model speaks; where there is none, the problem says why."""
        self.services.voice = voice
        self.services.model_state = spoken_name(voice.model) if voice else NO_MODEL
        self.chat.say(model=self.services.model_state)
        self.chat.welcome.model_problem = problem
        self.chat.model_came()
        self._models_changed(look=True)

    def action_count_state(self) -> None:
        if self.services.memory is not None:
            start(self, Job.COUNT, partial(self._count, self.services.memory), self._counted)

    def _count(self, memory: Memory) -> tuple[int, list[Session], tuple[Change, ...]]:
        """How many turns wait for a sleep, every conversation, and what changed last (newest first)."""
        sessions = [one for one in memory.sessions.all() if one.key != BY_HAND]
        return memory.reading.pending(), sessions, lately_changed(memory, self.services.now)

    def _counted(self, read: tuple[int, list[Session], tuple[Change, ...]]) -> None:
        pending, sessions, lately = read
        welcome, panel = self.chat.welcome, self.chat.panel
        welcome.sessions, welcome.turns = len(sessions), sum(session.turns for session in sessions)
        panel.now = self.services.now
        panel.show_lately(lately)
        if not self._sleeper.asleep:
            self.chat.say_sleep(rest_words(pending))

    # -- moving between screens

    action_timeline = _visiting("timeline.TimelineScreen")
    action_map = _visiting("timeline.MapScreen")
    action_beliefs = _visiting("beliefs.BeliefsScreen")
    action_night = _visiting("sleep.SleepScreen")
    action_fading = _visiting("beliefs.FadingScreen")
    action_diary = _visiting("diary.DiaryScreen")
    action_doctor = _visiting("doctor.DoctorScreen")
    action_models = _visiting("models.ModelsScreen")
    action_settings = _visiting("settings.SettingsScreen")

    def go_home(self) -> None:
        while len(self.screen_stack) > 1 and self.screen is not self.chat:
            self.pop_screen()

    def _chosen(self, message: Message | None) -> None:
        if message is not None:
            self.post_message(message)

    def action_search(self) -> None:
        self.push_screen(_screen("search.SearchDialog")(self.services), self._chosen)

    def action_sessions(self) -> None:
        self.push_screen(_screen("search.SessionsDialog")(self.services, self.chat.answers), self._chosen)

    def action_profiles(self) -> None:
        self.push_screen(_screen("search.ProfilesDialog")(self.services), self._chosen)

    def action_brief(self) -> None:
        """It is told once: what is read here is not told again."""
        self.push_screen(_screen("sleep.BriefDialog")(self.services.morning or Morning()), self._chosen)
        if self.services.memory is not None:
            start(self, Job.END_MORNING, self.services.memory.overview.brief_read)
        self.chat.welcome.news = ()

    def action_jump(self) -> None:
        """Labels on all that can be gone to on this screen; a second time, they go."""
        from app.tui.screens.jump import JumpScreen, spots_of

        if isinstance(self.screen, JumpScreen):
            self.screen.dismiss(None)
        else:
            self.push_screen(JumpScreen(spots_of(self.screen)))

    def action_import(self) -> None:
        self.push_screen(_screen("bring.ImportDialog")(self.services), self._imported)

    def _imported(self, new: int | None) -> None:
        if new:
            self.services.deeds += 1
            self.chat.say(note=f"{count(new, 'turn')} to read from the import; ctrl+s reads them.", tone="$success")
            self.action_count_state()

    def on_fact_chosen(self, event: FactChosen) -> None:
        self.push_screen(_screen("beliefs.ChainScreen")(self.services, event.fact))

    def on_subject_chosen(self, event: SubjectChosen) -> None:
        self.push_screen(_screen("beliefs.EntityScreen")(self.services, event.name))

    def on_turn_chosen(self, event: TurnChosen) -> None:
        self.go_home()
        self.chat.open_session(event.session, event.episode)

    def on_session_chosen(self, event: SessionChosen) -> None:
        self.go_home()
        self.chat.open_session(event.key)

    def on_profile_chosen(self, event: ProfileChosen) -> None:
        """The app ends, and with it all that holds anything of this memory; another begins on the other memory."""
        self.next = event.memory
        self.exit()

    def on_link_chosen(self, event: LinkChosen) -> None:
        def open_link(agreed: bool | None) -> None:
            if agreed:
                import webbrowser

                (self._open_url or webbrowser.open)(event.href)

        self.push_screen(LinkDialog(event.href), open_link)

    def on_typed_aside(self, event: TypedAside) -> None:
        self.chat.prompt.type_on(plain(event.text))

    # -- the tour, in an app of its own over the demo's memory; then the person's own memory opens again

    def action_tour(self) -> None:
        """Begin the tour: at once on the demo's memory, else in an app over that one."""
        self.left_at = self.chat.shown
        if self._demo:
            self.call_later(self.visit_stop, 0)
        else:
            self.wants_tour = True
            self.exit()

    async def visit_stop(self, place: int) -> None:
        from app.tui.screens.tour import STOPS, TourScreen

        self.go_home()
        await self.run_action(STOPS[place].action)
        self.push_screen(TourScreen(place), partial(self._on_from, place))

    def _on_from(self, place: int, amount: int | None) -> None:
        if amount is not None:
            self.call_later(self.visit_stop, place + amount)
            return
        self.go_home()
        if self._for_tour:
            self.toured = True
            self.exit()
        elif self.left_at:
            self.chat.open_session(self.left_at)

    def action_tour_chat(self) -> None:

        def open_last(sessions: list[Session]) -> None:
            if sessions:
                self.chat.open_session(sessions[0].key)

        if self.services.memory is not None:
            start(self, Job.LIST_SESSIONS, self.services.memory.sessions.all, open_last)

    async def action_tour_ask(self, question: str) -> None:
        await self.chat.action_new_chat()
        self.chat.post_message(PromptSent(question))

    # -- sleep

    def _arm(self) -> None:
        """Sleep when it is quiet, as the settings have it now."""
        self._stay_awake()
        quiet = self.services.settings.idle_seconds
        self._idle = self.set_interval(quiet, partial(self._begin_sleep, asked_for=False)) if quiet > 0 else None
        self._timers_of_sleep = [self._idle, self.set_interval(PAUSE, self._doze)] if self._idle is not None else []

    def _stay_awake(self) -> None:
        """Sleep only when asked to: what broke once would break at every pause."""
        for timer in self._timers_of_sleep:
            timer.stop()

    async def on_event(self, event: events.Event) -> None:
        """Any key or click wakes the memory."""
        if isinstance(event, events.Key | events.Paste | events.MouseDown):
            self._sleeper.stirred()
            self._stirred_at = monotonic()
            if self._idle is not None:
                self._idle.reset()
        await super().on_event(event)

    def action_sleep(self) -> None:
        self._begin_sleep(asked_for=True)

    def action_stop_sleep(self) -> None:
        self._sleeper.stop.set()

    def _begin_sleep(self, *, asked_for: bool) -> None:
        if self.services.memory is None or self.chat.busy or not self._sleeper.begin(asked_for=asked_for):
            return
        self.services.night.begin()
        self.chat.say_sleep("◐ asleep")
        start(self, Job.SLEEP, partial(self._sleep, self.services.memory), self._slept)

    def _doze(self) -> None:
        """A pause is enough where many conversations wait."""

        def doze_off(due: bool) -> None:
            if due:
                self._begin_sleep(asked_for=False)

        memory = self.services.memory
        if memory is not None and not self._sleeper.asleep and monotonic() - self._stirred_at >= PAUSE:
            start(self, Job.DOZE, lambda: self._is_due(memory, self._reader() is not None), doze_off)

    def _sleep(self, memory: Memory) -> tuple[int, int, int]:
        """How many turns still wait when it is over, how many it read, and how many beliefs are new by it; 0 where it
        was not due."""
        from app.tui.screens.sleep import changes_of

        reader = self._reader()
        if not self._sleeper.asked_for and not self._is_due(memory, reader is not None):
            return 0, 0, 0
        report = run_sleep(memory, self._sleeper.stop, self._tell, reader)
        self._sleeper.model_failed = bool(reader and report and report.finished and memory.reading.unheard())
        new = sum(one.new is not None for one in changes_of(memory, report.run)) if report and report.claims else 0
        return memory.reading.pending(), report.episodes if report else 0, new

    def _is_due(self, memory: Memory, reading: bool) -> bool:
        return is_due(memory, self.services.settings.rules, monotonic() - self._stirred_at, reading=reading)

    def _reader(self) -> BoundModel | None:
        """The model, if it passed for reading and is wanted for it."""
        from app.core.fitness import of_chat

        voice, wanted = self.services.voice, self.services.settings.model_reads
        if voice is None or not wanted or self._sleeper.model_failed:
            return None
        return of_chat(voice.model, wanted=wanted).model

    def _tell(self, progress: Progress) -> None:
        self._sleeper.phase = progress.phase
        self.post_message(JobAdvanced(Job.SLEEP, progress))

    def _slept(self, came: tuple[int, int, int]) -> None:
        (pending, read, new), asked_for = came, self._sleeper.asked_for
        self._wake_up()
        self.action_read_morning()
        self.chat.say(note="")
        self.chat.say_sleep(rest_words(pending))
        said = self._sleeper.summary(read, new, monotonic())
        if new or (asked_for and not pending):
            self.chat.flash(said)

    def _wake_up(self) -> None:
        self._sleeper.end()
        self.services.night.end()
        self.services.deeds += 1
        self._sleep_changed()

    def _sleep_changed(self) -> None:
        if self.screen_stack and isinstance(self.screen, FramedScreen):
            self.screen.sleep_changed()

    # -- what a model needs: its engine, and its file

    def on_model_picked(self, event: ModelPicked) -> None:
        """The old one is let go before the new one is loaded: two may not fit."""
        from app.core.settings import remember_model

        voice, self.services.voice = self.services.voice, None

        def change() -> Voice | None:
            remember_model(event.path, config_dir())
            close = getattr(voice.model, "close", None) if voice is not None else None
            if callable(close):
                close()
            return self._open_model()

        self._say_model("loading the model…")
        start(self, Job.CHANGE_MODEL, change, self._model_loaded)

    def _say_model(self, state: str) -> None:
        self.services.model_state = state
        self.chat.say(model=state)
        self._models_changed()

    def action_set_up(self) -> None:
        """Build the engine that runs models, and fetch a small model where there is none."""
        if self._set_up is not None and not self.services.setting_up:
            self.services.setting_up = "looking for what a model needs…"
            start(self, Job.SET_UP, partial(self._set_up_model, self._set_up))

    def _set_up_model(self, set_up: SetUp) -> None:
        for step in set_up(self._leaving):
            self.post_message(JobAdvanced(Job.SET_UP, step))
        if not self._leaving.is_set():
            self.post_message(JobAdvanced(Job.SET_UP, None))
            self.call_later(self._model_loaded, self._open_model())

    def on_model_wanted(self, event: ModelWanted) -> None:
        self.services.fetching.begin(event.wanted)
        self._fetch_changed()
        start(self, Job.FETCH_MODEL, self._fetch_model, self._fetched)

    def _fetch_model(self) -> Path | None:
        """Where the model is, that was fetched whole; None where its fetch paused."""
        path = None
        for step in self.services.fetching.steps(models_dir()):
            path = step.path or path
            self.post_message(JobAdvanced(Job.FETCH_MODEL, step))
        return path

    def _fetched(self, path: Path | None) -> None:
        """It is tried at once: loading a model proves that it runs here."""
        self._fetch_over()
        if path is not None:
            self.post_message(ModelPicked(path))

    def _fetch_over(self, problem: str = "") -> None:
        self.services.fetching.end(problem)
        self._fetch_changed(look=True)

    def _fetch_changed(self, *, look: bool = False) -> None:
        self.chat.say(beside=self.services.fetching.words)
        self._models_changed(look=look)

    def _models_changed(self, *, look: bool = False) -> None:
        """Tell the screen of the models; `look`: there may be other files than before."""
        if self.screen_stack and isinstance(self.screen, FramedScreen):  # none is left once one leaves
            self.screen.models_changed(look=look)

    # -- how jobs go, what failed, and what is told in passing

    def on_job_advanced(self, event: JobAdvanced) -> None:
        match event.job:
            case Job.SLEEP if self._sleeper.asleep:
                self.services.night.advance(event.step)
                self.chat.say_sleep(progress_words(event.step))
                self._sleep_changed()
            case Job.SET_UP:
                self.services.setting_up = event.step.sentence if event.step is not None else ""
                self._say_model(self.services.setting_up or "loading the model…")
            case Job.FETCH_MODEL if self.services.fetching.running:
                self.services.fetching.advance(event.step)
                self._fetch_changed()

    def on_job_failed(self, event: JobFailed) -> None:
        """What it was about to show is put right; then its sentence is told, unless that stands there already."""
        welcome, in_place = self.chat.welcome, False  # whether the sentence stands on the screen for good
        match event.job:
            case Job.OPEN_MEMORY:
                welcome.memory_problem, in_place = event.in_place, welcome.display
                self.chat.take_back_waiting()
                self.chat.say(note="The memory is not open.")
            case Job.OPEN_MODEL | Job.CHANGE_MODEL | Job.SET_UP:
                in_place = welcome.display and event.job is not Job.CHANGE_MODEL
                self.services.setting_up = ""
                self._speak_with(None, problem=event.in_place)
            case Job.FETCH_MODEL:
                in_place = bool(self.screen_stack) and isinstance(self.screen, _screen("models.ModelsScreen"))
                self._fetch_over(event.in_place)
            case Job.COUNT:
                welcome.turns = max(welcome.turns, 0)  # it is open, though nobody knows how much is in it
            case Job.SLEEP:
                self._wake_up()
                self.chat.say_sleep("")
                self.action_count_state()
            case Job.BACK_UP:
                in_place = True
                self.chat.say(note=event.in_place)
                if not event.expected and self._backups is not None:
                    self._backups.stop()  # what broke once would break every time
            case Job.READ_DRAFT | Job.KEEP_DRAFT:
                self.services.draft = None  # told once: it would fail at every keystroke
        if event.job in (Job.SLEEP, Job.DOZE) and not event.expected:
            self._stay_awake()
        if not (event.expected and in_place):
            # What takes minutes fails while nobody looks: its sentence stays for longer than a line that passes.
            quick = event.job not in (Job.SET_UP, Job.FETCH_MODEL)
            self.tell_fault(event.sentence, expected=event.expected and quick)

    def tell_fault(self, sentence: str, *, expected: bool) -> None:
        """What nobody expected stands out, and longer; the rest is told like any other answer to a key."""
        if expected and isinstance(self.screen, DoingScreen):
            self.screen.flash(sentence, bad=True)
        else:
            self.notify(plain(sentence), severity="error", timeout=SECONDS_OF_A_FAULT, markup=False)

    def on_delivery_complete(self, event: events.DeliveryComplete) -> None:
        """Textual's own words for it hold the path as markup."""
        event.prevent_default()
        self.notify(plain(f"Saved: {event.path}"), markup=False)

    def on_delivery_failed(self, event: events.DeliveryFailed) -> None:
        event.prevent_default()
        fault = event.exception
        where = f": {fault.filename}" if isinstance(fault, OSError) and fault.filename else ""
        why = fault.strerror if isinstance(fault, OSError) else fault
        self.tell_fault(f"The screenshot was not saved. {why}{where}", expected=False)

    def copy_to_clipboard(self, text: str) -> None:
        """To the terminal's clipboard, and to the desktop's where there is one."""
        super().copy_to_clipboard(text)
        start(self, Job.COPY, partial(self.services.copy, text))

    def on_text_copied(self, event: TextCopied) -> None:
        self.copy_to_clipboard(event.text)
        if isinstance(self.screen, DoingScreen):
            self.screen.flash(f"Copied: {one_line(event.text, 60)}")

    # -- commands, from whichever screen

    async def action_here(self, name: str) -> None:
        await self.screen.run_action(name)

    def action_undo(self) -> None:
        if isinstance(self.screen, FramedScreen):
            self.screen.by_hand(deeds.undo)

    def on_unsure_judged(self, event: UnsureJudged) -> None:
        self.chat.by_hand((deeds.confirm if event.yes else deeds.retract)(event.fact))

    def action_forget_words(self) -> None:
        """Words were erased: the conversation on screen may hold them, and the brief."""
        self.services.morning = None
        self.chat.welcome.news = ()
        self.chat.forget_words()
        self.action_read_morning()

    def action_ask_as_of(self) -> None:
        """Questions in the chat are asked as of a day from now on: what was so then, as it is known now."""

        def ask_then(day: Stretch) -> None:
            self.services.times = Times() if day.start is None or day.start >= self.services.now else Times(day)
            self.chat.refresh_times()

        self.go_home()
        dialog = WhenDialog("As of which day are questions asked?", self.services.parse_when, self.services.in_words)
        self.chat.ask_in(dialog, ask_then)

    def action_back_to_now(self) -> None:
        self.chat.action_leave_time()

    async def action_chat(self, name: str) -> None:
        """Run one of the chat's actions, from wherever one is."""
        self.go_home()
        await self.chat.run_action(name)

    def wear(self, name: str) -> None:
        self.theme = {"dark": DARK.name, "light": LIGHT.name}.get(name, name)

    def action_look(self, name: str) -> None:
        """Show a theme from now on, as if it had been chosen in the settings."""
        from app.core.settings import read, write

        self.wear(name)
        try:
            write(config_dir(), "look", "theme", name)
            self.post_message(SettingsWritten(read()))
        except ErstwhileError as error:
            self.tell_fault(str(error), expected=True)

    def action_shoot(self) -> None:
        """When the palette is gone."""
        self.set_timer(0.2, self.deliver_screenshot)

    def on_settings_written(self, event: SettingsWritten) -> None:
        """What the file says holds at once; how the first chat begins, and what a flag said, stay."""
        before = self.services.settings
        self.services.settings = replace(
            event.settings, off_the_record=before.off_the_record, model_invents=before.model_invents
        )
        self.wear(self.services.settings.theme)
        self.set_keymap(dict(self.services.settings.keymap))
        self._arm()
        if isinstance(self.screen, FramedScreen):
            self.screen.settings_changed()
