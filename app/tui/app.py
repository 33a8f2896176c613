"""The first frame waits for nothing: memory and model are opened behind it, and every screen works with what is there.

The app owns the parts and moves between screens; each screen does its own fetching, and one chat turn lives in turn.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES, Theme
from textual.timer import Timer

from app.core import deeds
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
from app.tui.jobs import Job, JobFailed, start
from app.tui.messages import (
    FetchAdvanced,
    ModelPicked,
    ModelWanted,
    ProfileChosen,
    SettingsWritten,
    SetUpAdvanced,
    SleepAdvanced,
    UnsureJudged,
)
from app.tui.screens.base import FramedScreen, WatchesModels, WatchesSleep
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import LinkDialog
from app.tui.services import MODEL_HELP, NO_MODEL, Services
from app.tui.theme import DARK, FALLBACK, LIGHT, readable
from app.tui.touring import Touring
from app.tui.visits import Visits
from app.tui.warming import warm
from store.errors import ErstwhileError, Locked
from store.protocols import BoundModel, Clock
from store.records import BY_HAND, Change, Progress, Session
from store.sleep.schedule import PAUSE
from widgets.memory_panel import MemoryPanel
from widgets.messages import LinkChosen, TypedAside
from widgets.plain import plain
from widgets.welcome import Welcome
from widgets.wording import count

if TYPE_CHECKING:
    from app.core.draft import Draft
    from store.database.opening import Passphrase
    from store.memory import Memory

BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-narrow"), (60, "-medium"), (100, "-wide"), (140, "-very-wide")]
"""Columns from which a screen has a class: one column, then with a drawer, then with a panel beside it."""
SHOWN_IN_PLACE = (Job.OPEN_MEMORY, Job.OPEN_MODEL, Job.SET_UP, Job.BACK_UP)
"""The chat itself says for good why there is no memory, no model or no backup."""

LOOK_EVERY = 300.0
"""Seconds between two looks whether a backup is due."""


def names_provider() -> type[Provider]:
    """What finds conversations, people and beliefs in the palette, imported when that opens."""
    from app.tui.naming import NamesProvider

    return NamesProvider


def _untold(folder: Path) -> str | None:
    from app.core.synced import untold

    return untold(folder)


class ErstwhileApp(Touring):
    """A terminal chat that remembers."""

    TITLE = "erstwhile"
    ENABLE_COMMAND_PALETTE = True
    CSS_PATH = "app.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    COMMANDS = Visits.COMMANDS | {names_provider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit", show=False, priority=True, id="app.quit"),
        Binding("ctrl+g", "jump", "jump", show=False, priority=True, id="app.jump"),
        Binding("alt+t", "tour", "tour", show=False, id="app.tour"),
    ]

    def __init__(
        self,
        memory: MemorySource,
        model: ModelSource = None,
        *,
        clock: Clock,
        zone: tzinfo,
        demo: bool = False,
        settings: Settings | None = None,
        profile: str = "",
        draft: Draft | None = None,
        open_url: Callable[[str], object] | None = None,
        set_up: SetUp | None = None,
        set_up_first: bool = False,
        tour: bool = False,
    ) -> None:
        """`set_up` can be asked for in the app; with `set_up_first` it is done before the model is looked for. `tour`:
        the demo's memory is shown stop by stop, and the app ends."""
        super().__init__(demo=demo, tour=tour)
        self.services = Services(clock, zone, settings or Settings(), profile, draft)
        self.next: Path | None = None
        """The memory that the person wants instead when the app has ended; None: they quit."""
        self.hung_up = False
        """The terminal was closed: nobody waits for what is done at the end."""
        self._memory_source, self._model_source = memory, model
        self._open_url = open_url
        self._set_up, self._set_up_first = set_up, set_up_first
        self._sleeper = Sleeper()
        self.left_opening = False
        """The person quit while the memory was being opened, and a thread still does that."""
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
            self.set_interval(LOOK_AT_TERMINAL, self._leave_if_hung_up)

    def _hang_up(self) -> None:
        self.hung_up = True
        self.exit()

    def _leave_if_hung_up(self) -> None:
        if is_hung_up():
            self._hang_up()

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

    def _open_parts(self) -> None:
        """After the first frame: opening them imports much, and would hold it up."""
        start(self, Job.OPEN_MEMORY, self._open_memory, self._memory_opened)
        self.chat.query_one(Welcome).touring = self._for_tour
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

    def _ask_passphrase(self, path: Path, *, wrong: bool) -> None:
        from app.tui.screens.passphrase import PassphraseDialog

        self.push_screen(PassphraseDialog(path, wrong=wrong), partial(self._unlock, path))

    def _unlock(self, path: Path, passphrase: Passphrase | None) -> None:
        """Go on with what the person typed; leave where they typed nothing."""
        if passphrase is None:
            self.exit()
        else:
            from store.database.opening import offer

            start(self, Job.OPEN_MEMORY, partial(offer, path, passphrase), partial(self._offered, path))

    def _offered(self, path: Path, opens: bool) -> None:
        if opens:
            start(self, Job.OPEN_MEMORY, self._open_memory, self._memory_opened)
        else:
            self._ask_passphrase(path, wrong=True)

    def _open_model(self) -> Voice | None:
        return open_model(self._model_source, self.services.settings)

    def on_unmount(self) -> None:
        self._sleeper.stop.set()
        self._leaving.set()
        if self.next is None and not self.wants_tour:
            self._quitting.set()
        self.services.fetching.pause()

    # -- memory and model become ready

    def _memory_opened(self, memory: Memory | Locked | None) -> None:
        if memory is None:
            return
        if isinstance(memory, Locked):
            self._ask_passphrase(memory.path, wrong=False)
            return
        self.services.memory = memory
        self.services.deeds += 1
        if isinstance(self.screen, FramedScreen):
            self.screen.on_screen_resume()  # gone to meanwhile, it has read nothing yet
        self.chat.opened()
        self.action_count_state()
        self._read_morning()
        start(self, Job.LOOK_AROUND, partial(_untold, memory.path), self._look_around)
        start(self, Job.PREPARE_SCREENS, warm)
        start(self, Job.PREPARE_SEARCH, memory.recall.warm)
        self._backups = self.set_interval(LOOK_EVERY, partial(self._back_up, memory))
        self.begin_tour()

    def _back_up(self, memory: Memory) -> None:
        start(self, Job.BACK_UP, partial(memory.backups.make_when_due, self._leaving))

    def _look_around(self, sentence: str | None) -> None:
        """Whoever syncs the folder that the memory lies in is told of, once."""
        if sentence is not None:
            self.warn(sentence)

    def _read_morning(self) -> None:
        if self.services.memory is not None:
            start(self, Job.READ_MORNING, partial(read_morning, self.services.memory), self._morning_read)

    def _morning_read(self, morning: Morning) -> None:
        self.services.morning = morning
        self.chat.query_one(Welcome).news = morning.news

    def action_brief(self) -> None:
        """It is told once: what is read here is not told again."""
        from app.tui.screens.brief import BriefDialog

        self.push_screen(BriefDialog(self.services.morning or Morning()), self._chosen)
        if self.services.memory is not None:
            start(self, Job.END_MORNING, self.services.memory.overview.brief_read)
        self.chat.query_one(Welcome).news = ()

    def _model_loaded(self, voice: Voice | None) -> None:
        self._speak_with(voice, problem="" if voice else MODEL_HELP)

    def _speak_with(self, voice: Voice | None, *, problem: str) -> None:
        """From now on this model speaks; where there is none, the problem says why."""
        self.services.voice = voice
        self.services.model_state = spoken_name(voice.model) if voice else NO_MODEL
        self.chat.say(model=self.services.model_state)
        self.chat.query_one(Welcome).model_problem = problem
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
        welcome = self.chat.query_one(Welcome)
        welcome.sessions, welcome.turns = len(sessions), sum(session.turns for session in sessions)
        panel = self.chat.query_one(MemoryPanel)
        panel.now = self.services.now
        panel.show_lately(lately)
        if not self._sleeper.asleep:
            self.chat.say_sleep(rest_words(pending))

    # -- sleep

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
        memory = self.services.memory
        if memory is not None and not self._sleeper.asleep and self._quiet() >= PAUSE:
            start(self, Job.DOZE, lambda: self._is_due(memory, self._reader() is not None), self._doze_off)

    def _doze_off(self, due: bool) -> None:
        if due:
            self._begin_sleep(asked_for=False)

    def _quiet(self) -> float:
        """Seconds since the person did something."""
        return monotonic() - self._stirred_at

    def _sleep(self, memory: Memory) -> tuple[int, int]:
        """How many turns still wait when it is over, and how many beliefs are new by it; 0 where it was not due."""
        from app.tui.screens.sleep import changes_of

        reader = self._reader()
        if not self._sleeper.asked_for and not self._is_due(memory, reader is not None):
            return 0, 0
        report = run_sleep(memory, self._sleeper.stop, self._tell, reader, tidy=self.services.settings.rules.tidy)
        self._sleeper.model_failed = bool(reader and report and report.finished and memory.reading.unheard())
        new = sum(one.new is not None for one in changes_of(memory, report.run)) if report and report.claims else 0
        return memory.reading.pending(), new

    def _is_due(self, memory: Memory, reading: bool) -> bool:
        return is_due(memory, self.services.settings.rules, self._quiet(), reading=reading)

    def _reader(self) -> BoundModel | None:
        """The model, if it passed for reading and is wanted for it."""
        from app.core.fitness import of_chat

        voice, wanted = self.services.voice, self.services.settings.model_reads
        if voice is None or not wanted or self._sleeper.model_failed:
            return None
        return of_chat(voice.model, wanted=wanted).model

    def _tell(self, progress: Progress) -> None:
        self._sleeper.phase = progress.phase
        self.post_message(SleepAdvanced(progress))

    def on_sleep_advanced(self, event: SleepAdvanced) -> None:
        if self._sleeper.asleep:
            self.services.night.advance(event.progress)
            self.chat.say_sleep(progress_words(event.progress))
            self._sleep_changed()

    def _slept(self, came: tuple[int, int]) -> None:
        pending, new = came
        self._wake_up()
        self._read_morning()
        self.chat.say(note="")
        self.chat.say_sleep(rest_words(pending))
        if new:
            self.chat.flash(f"{count(new, 'new belief')}; f4 shows {'it' if new == 1 else 'them'}")

    def _wake_up(self) -> None:
        """The sleep is over, however it ended."""
        self._sleeper.end()
        self.services.night.end()
        self.services.deeds += 1
        self._sleep_changed()

    def _sleep_changed(self) -> None:
        if self.screen_stack and isinstance(self.screen, WatchesSleep):
            self.screen.sleep_changed()

    # -- what failed

    def on_job_failed(self, event: JobFailed) -> None:
        """What it was about to show is put right; then its sentence is told, unless that stands there already."""
        match event.job:
            case Job.OPEN_MEMORY:
                self.chat.query_one(Welcome).memory_problem = event.in_place
                self.chat.not_opened()
                self.chat.say(note="The memory is not open.")
            case Job.OPEN_MODEL | Job.CHANGE_MODEL | Job.SET_UP:
                self.services.setting_up = ""
                self._speak_with(None, problem=event.in_place)
            case Job.FETCH_MODEL:
                self._fetch_over(event.in_place)
            case Job.COUNT:
                welcome = self.chat.query_one(Welcome)
                welcome.turns = max(welcome.turns, 0)  # it is open, though nobody knows how much is in it
            case Job.SLEEP:
                self._wake_up()
                self.chat.say_sleep("")
                self.action_count_state()
            case Job.BACK_UP:
                self.chat.say(note=event.in_place)
            case Job.READ_DRAFT | Job.KEEP_DRAFT:
                self.services.draft = None  # told once: it would fail at every keystroke
        if event.job in (Job.SLEEP, Job.DOZE) and not event.expected:
            self._stay_awake()
        if event.job is Job.BACK_UP and not event.expected and self._backups is not None:
            self._backups.stop()  # what broke once would break every time
        if not (event.expected and self._shown_in_place(event.job)):
            # What takes minutes fails while nobody looks: its sentence stays for longer than a line that passes.
            quick = event.job not in (Job.SET_UP, Job.FETCH_MODEL)
            self.tell_fault(event.sentence, expected=event.expected and quick)

    def _shown_in_place(self, job: Job) -> bool:
        """Its fault stands on the screen for good: a backup's in the status line, a fetch's below the model, those of
        the others on the empty chat.
        """
        if job is Job.FETCH_MODEL:
            return bool(self.screen_stack) and isinstance(self.screen, WatchesModels)
        return job in SHOWN_IN_PLACE and (job is Job.BACK_UP or self.chat.query_one(Welcome).display)

    def on_typed_aside(self, event: TypedAside) -> None:
        self.chat.prompt.type_on(plain(event.text))

    # -- what came of a visit

    def on_model_picked(self, event: ModelPicked) -> None:
        """The old one is let go before the new one is loaded: two may not fit."""
        voice, self.services.voice = self.services.voice, None
        self.services.model_state = "loading the model…"
        self.chat.say(model=self.services.model_state)
        self._models_changed()
        start(self, Job.CHANGE_MODEL, partial(self._change_model, voice, event.path), self._model_loaded)

    def _change_model(self, voice: Voice | None, path: Path) -> Voice | None:
        from app.core.settings import remember_model

        remember_model(path, config_dir())
        close = getattr(voice.model, "close", None) if voice is not None else None
        if callable(close):
            close()
        return self._open_model()

    def on_profile_chosen(self, event: ProfileChosen) -> None:
        """The app ends, and with it all that holds anything of this memory; another begins on the other memory."""
        self.next = event.memory
        self.exit()

    # -- what a model needs: its engine, and its file

    def action_set_up(self) -> None:
        """Build the engine that runs models, and fetch a small model where there is none."""
        if self._set_up is not None and not self.services.setting_up:
            self.services.setting_up = "looking for what a model needs…"
            start(self, Job.SET_UP, partial(self._set_up_model, self._set_up))

    def _set_up_model(self, set_up: SetUp) -> None:
        for step in set_up(self._leaving):
            self.post_message(SetUpAdvanced(step))
        if not self._leaving.is_set():
            self.post_message(SetUpAdvanced(None))
            self.call_later(self._model_loaded, self._open_model())

    def on_set_up_advanced(self, event: SetUpAdvanced) -> None:
        self.services.setting_up = event.step.sentence if event.step is not None else ""
        self.services.model_state = self.services.setting_up or "loading the model…"
        self.chat.say(model=self.services.model_state)
        self._models_changed()

    def on_model_wanted(self, event: ModelWanted) -> None:
        self.services.fetching.begin(event.wanted)
        self._fetch_changed()
        start(self, Job.FETCH_MODEL, self._fetch_model, self._fetched)

    def _fetch_model(self) -> Path | None:
        """Where the model is, that was fetched whole; None where its fetch paused."""
        path = None
        for step in self.services.fetching.steps(models_dir()):
            path = step.path or path
            self.post_message(FetchAdvanced(step))
        return path

    def on_fetch_advanced(self, event: FetchAdvanced) -> None:
        if self.services.fetching.running:
            self.services.fetching.advance(event.step)
            self._fetch_changed()

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
        if self.screen_stack and isinstance(self.screen, WatchesModels):  # none is left once one leaves
            self.screen.models_changed(look=look)

    def action_import(self) -> None:
        from app.tui.screens.bring import ImportDialog

        self.push_screen(ImportDialog(self.services), self._imported)

    def _imported(self, new: int | None) -> None:
        if new:
            self.services.deeds += 1
            self.chat.say(note=f"{count(new, 'turn')} to read from the import; ctrl+s reads them.", tone="$success")
            self.action_count_state()

    # -- what is done by hand, from whichever screen

    async def action_here(self, name: str) -> None:
        """Run an action of the screen that one is on."""
        await self.screen.run_action(name)

    def action_undo(self) -> None:
        if isinstance(self.screen, FramedScreen):
            self.screen.by_hand(deeds.undo)

    def on_unsure_judged(self, event: UnsureJudged) -> None:
        self.chat.by_hand((deeds.confirm if event.yes else deeds.retract)(event.fact))

    def action_forget_words(self) -> None:
        """Words were erased: the conversation on screen may hold them, and the brief."""
        self.services.morning = None
        self.chat.query_one(Welcome).news = ()
        self.chat.forget_words()
        self._read_morning()

    # -- the rest of the commands

    def action_back_to_now(self) -> None:
        self.chat.action_leave_time()

    async def action_chat(self, name: str) -> None:
        """Run one of the chat's actions, from wherever one is."""
        self._home()
        await self.chat.run_action(name)

    def wear(self, name: str) -> None:
        """Show a theme, by the name that the settings have for it."""
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

    async def action_help_here(self) -> None:
        await self.screen.run_action("show_help")

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

    def on_link_chosen(self, event: LinkChosen) -> None:
        self.push_screen(LinkDialog(event.href), partial(self._open_link, event.href))

    def _open_link(self, href: str, agreed: bool | None) -> None:
        if agreed:
            import webbrowser

            (self._open_url or webbrowser.open)(href)
