"""Screens get what they need handed to them: one object, owned by the app, filled in as memory and model become
ready.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual.message import Message

from app import paths
from app.core.clock import Times
from app.core.opening import Morning
from app.core.settings import Settings
from app.core.shelf import Fetching, Shelf, Tester, engine_is_missing, examined, note_speed, shelf, total_memory
from app.core.turn import Voice
from store.protocols import Clock
from store.records import Fact, Instant, Progress, Stretch
from widgets.sleep_rows import Phase
from widgets.wording import day_words, moment

if TYPE_CHECKING:
    from app.core.draft import Draft
    from app.llm.catalogue import FileToFetch
    from store.memory import Memory

LOOKING, NO_MODEL = "looking for a model…", "○ no model"
"""As the status line says it."""
MODEL_HELP = "To add one: f3 recommends some, or erstwhile models get"
LONGEST_COPY = 5.0
"""Seconds that a clipboard may take."""
PHASES = {
    "wait": "wait for the sleep in another window",
    "extract": "read what is new",
    "settle": "find out who is who",
    "fold": "put beliefs together",
    "gists": "sum up",
    "salience": "weigh what matters",
    "brief": "write the morning's note",
    "listen": "have the model check the unsure",
}
"""Those of a sleep, in their order."""
AT_TIMES = ("wait", "listen")
"""Those that not every sleep has."""
WORTH_SAYING = 3.0
"""Seconds that are left, from which on it is said."""


def copy(text: str) -> bool:
    """Hand the text to the desktop's clipboard; whether one took it. Blocks, so that only a worker asks.

    In a process of its own: what pyperclip starts may hang, and may write to the terminal that the app draws on. The
    terminal is told as well (OSC 52), by Textual: that reaches the person's own machine through ssh.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-m", "pyperclip", "--copy"], input=text.encode(), timeout=LONGEST_COPY,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@dataclass
class Night:
    """The sleep that goes on, or the last one: a screen that opens in the middle of one shows all of it."""

    asleep: bool = False
    ended: bool = False
    """It is over, and a screen that shows sleeps has not yet read what it did."""
    seconds: Callable[[], float] = monotonic
    _seen: dict[str, Progress] = field(default_factory=dict)
    """How far each phase has come, the one that is under way last."""
    _began: float = 0.0
    """When the phase that is under way began."""

    def begin(self) -> None:
        self.asleep, self.ended, self._seen = True, False, {}

    def advance(self, progress: Progress) -> None:
        if next(reversed(self._seen), None) != progress.phase:
            self._began = self.seconds()
        self._seen.pop(progress.phase, None)
        self._seen[progress.phase] = progress

    def end(self) -> None:
        self.asleep, self.ended = False, True

    @property
    def known(self) -> bool:
        """There was a sleep since the app was opened, or there is one."""
        return self.asleep or bool(self._seen)

    def phases(self) -> tuple[Phase, ...]:
        """Each phase with how far it has come; one that was passed had nothing to do."""
        newest = next(reversed(self._seen), None)
        names = [name for name in PHASES if name in self._seen or name not in AT_TIMES]
        names += [name for name in self._seen if name not in PHASES]
        come = names.index(newest) if newest is not None else -1
        found = []
        for place, name in enumerate(names):
            words, seen = PHASES.get(name, name), self._seen.get(name)
            if seen is None:
                found.append(Phase(words, "done") if place < come else Phase(words))
            elif self.asleep and name == newest:
                found.append(Phase(words, "running", seen.done, seen.total, seen.note))
            else:
                found.append(Phase(words, "done", seen.done, seen.total, seen.note))
        return tuple(found)

    @property
    def left(self) -> str:
        """How long the phase that is under way will take, at its pace so far; empty while that is not worth saying."""
        latest = next(reversed(self._seen.values()), None)
        if not self.asleep or latest is None or not latest.total or not latest.done:
            return ""
        seconds = (self.seconds() - self._began) / latest.done * (latest.total - latest.done)
        if seconds < WORTH_SAYING:
            return ""
        return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


@dataclass
class Services:
    """What every screen may use. `memory` and `voice` are None until they are ready."""

    clock: Clock
    zone: tzinfo
    settings: Settings = field(default_factory=Settings)
    profile: str = ""
    """Whose memory this is; empty where it is that of none."""
    draft: Draft | None = None
    """Where what is typed is kept; None: nowhere."""
    memory: Memory | None = None
    voice: Voice | None = None
    model_state: str = LOOKING
    times: Times = field(default_factory=Times)
    """At which times questions are asked; both None is now."""
    night: Night = field(default_factory=Night)
    morning: Morning | None = None
    """What the memory has to tell since one was last here; None until that is read."""
    fetching: Fetching = field(default_factory=Fetching)
    """The model that is being fetched."""
    setting_up: str = ""
    """How far the model's engine is; empty while nothing is built."""
    shelf: Shelf = shelf
    """Finds the models of this machine."""
    tester: Tester = examined
    """Finds out what a model is fit for."""
    engine_is_missing: Callable[[], bool] = engine_is_missing
    """Whether nothing here can run a model."""
    total_memory: Callable[[], int | None] = total_memory
    """Bytes that this machine has."""
    copy: Callable[[str], object] = copy
    """Hands text to the desktop's clipboard."""
    deeds: int = 0
    """How much was done by hand; a screen that shows less than that reads anew."""
    erased: bool = False
    """The last of it was an erase: no key offers to undo what was done before that."""

    @property
    def coming(self) -> str:
        """Where a chat model is that comes: "on its way (fetching qwen3-4b 34%)"; empty where none does."""
        if self.fetching.running:
            return f"on its way ({self.fetching.words})"
        if self.voice is not None or self.model_state == NO_MODEL:
            return ""
        if self.model_state == LOOKING:
            return "still being looked for"
        words = self.model_state.partition(";")[0].rstrip(".…")
        return f"on its way ({words[:1].lower()}{words[1:]})"

    @property
    def now(self) -> int:
        """Microseconds UTC."""
        return self.clock.now().us

    def reply_came(self, pieces_per_second: float) -> None:
        path = getattr(self.voice.model, "path", None) if self.voice is not None else None
        if isinstance(path, Path):
            note_speed(paths.speeds_file(), path, pieces_per_second)

    def parse_when(self, text: str, *, ahead: bool = False) -> Stretch:
        """A time in words, read against now; `ahead`: a bare "20 December" is the next one. Raises BadTime."""
        from store.time.expressions import parse_when

        return parse_when(text, moment(self.now, self.zone), prefer="future" if ahead else "past")

    def in_words(self, us: int | None) -> str:
        """ "now", or the day."""
        return "now" if us is None else day_words(Instant.of(moment(us, self.zone)))

    @property
    def today(self) -> str:
        """As names of files have it: 2026-11-29."""
        return f"{moment(self.now, self.zone):%Y-%m-%d}"


# -- what the person wants of the app


@dataclass
class ModelPicked(Message):
    """The person wants another model from now on."""

    path: Path


@dataclass
class ProfileChosen(Message):
    """The person wants to go to the profile with this memory."""

    memory: Path


@dataclass
class ModelWanted(Message):
    """The person wants a model that is not here."""

    wanted: FileToFetch


@dataclass
class SettingsWritten(Message):
    """The settings file says this from now on."""

    settings: Settings


@dataclass
class UnsureJudged(Message):
    """The person said whether what the reader was unsure of is so."""

    fact: Fact
    yes: bool
