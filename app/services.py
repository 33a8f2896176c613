"""Screens get what they need handed to them: one object, owned by the app, filled in as memory and model become
ready.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from app import clipboard, paths
from app.fetching import Fetching
from app.night import Night
from app.ports import MemoryPort
from app.shelf import Shelf, engine_is_missing, shelf, total_memory
from app.times import Times
from store.protocols import Clock
from store.records import ModelOptions, Stretch
from store.sleep.schedule import Rules
from widgets.wording import moment

if TYPE_CHECKING:
    from app.draft import Draft
    from app.screens.brief import Morning
    from app.settings import FileSettings
    from app.turn import Voice

LOOKING, NO_MODEL = "looking for a model…", "○ no model"
"""As the status line says it."""
MODEL_HELP = "To add one: f3 recommends some, or erstwhile models get"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the interface behaves; what the configuration file may say about it."""

    sleep: Rules = field(default_factory=Rules)
    """When the memory sleeps though nobody asked."""
    theme: str = "dark"
    """dark or light."""
    idle_seconds: float = 60.0
    """Without a keystroke for so long, the memory sleeps; 0 never."""
    model_invents: bool | None = None
    """The model is too small to be asked about the person: what the beliefs don't hold is "never told". None: its
    size tells.
    """
    max_tokens: int = 512
    """Of a reply, where nobody says otherwise."""
    speaking: ModelOptions = field(default_factory=ModelOptions)
    """How a model speaks where the conversation does not say otherwise."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Binding id to keys, as Textual's set_keymap takes it."""
    off_the_record: bool = False
    """The first chat is off the record."""
    model_reads: bool = False
    """In a sleep the model checks what the reader is unsure of, if it passed the test for that."""

    @property
    def rules(self) -> Rules:
        """When the memory sleeps though nobody asked, with the seconds of quiet that hold here; the timer that waits
        for them may be early by a few milliseconds."""
        return replace(self.sleep, after_seconds=self.idle_seconds * 0.95)

    @classmethod
    def of(cls, given: FileSettings, *, off_the_record: bool = False) -> Settings:
        """What the settings file says, and the defaults where it says nothing."""
        usual = cls()
        return cls(
            theme=given.theme or usual.theme,
            idle_seconds=usual.idle_seconds if given.sleep_after is None else given.sleep_after,
            sleep=given.sleep,
            model_reads=given.model_reads,
            speaking=given.speaking,
            keymap=given.keys,
            off_the_record=off_the_record or bool(given.off_the_record),
        )


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
    memory: MemoryPort | None = None
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
    engine_is_missing: Callable[[], bool] = engine_is_missing
    """Whether nothing here can run a model."""
    total_memory: Callable[[], int | None] = total_memory
    """Bytes that this machine has."""
    copy: Callable[[str], object] = clipboard.copy
    """Hands text to the desktop's clipboard."""
    deeds: int = 0
    """How much was done by hand; a screen that shows less than that reads anew."""

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
        """The model wrote at this speed."""
        path = getattr(self.voice.model, "path", None) if self.voice is not None else None
        if isinstance(path, Path):
            from app.llm import speeds

            speeds.note(paths.speeds_file(), path, pieces_per_second)

    def parse_when(self, text: str) -> Stretch:
        """A time in words, read against now. Raises BadTime."""
        from store.time import parse_when

        return parse_when(text, self._anchor())

    def times_in_words(self) -> tuple[str, str]:
        """What the top line says: (true at, believed at)."""
        true_at, believed = self.times.as_of, self.times.believed
        start = None if true_at is None else true_at.start
        if start is None and believed is not None:
            start = believed
        return self.in_words(start), self.in_words(believed)

    def in_words(self, us: int | None) -> str:
        """ "now", or the day."""
        return "now" if us is None else f"{moment(us, self.zone):%Y-%m-%d}"

    def _anchor(self) -> datetime:
        return moment(self.now, self.zone)
