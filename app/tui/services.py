"""Screens get what they need handed to them: one object, owned by the app, filled in as memory and model become
ready.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from app import paths
from app.core.clock import Times
from app.core.opening import Morning
from app.core.settings import Settings
from app.core.shelf import Fetching, Shelf, Tester, engine_is_missing, examined, note_speed, shelf, total_memory
from app.core.turn import Voice
from app.tui import clipboard
from app.tui.night import Night
from store.protocols import Clock
from store.records import Instant, Stretch
from widgets.wording import day_words, moment

if TYPE_CHECKING:
    from app.core.draft import Draft
    from store.memory import Memory

LOOKING, NO_MODEL = "looking for a model…", "○ no model"
"""As the status line says it."""
MODEL_HELP = "To add one: f3 recommends some, or erstwhile models get"


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
    copy: Callable[[str], object] = clipboard.copy
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
        """The model wrote at this speed."""
        path = getattr(self.voice.model, "path", None) if self.voice is not None else None
        if isinstance(path, Path):
            note_speed(paths.speeds_file(), path, pieces_per_second)

    def parse_when(self, text: str, *, ahead: bool = False) -> Stretch:
        """A time in words, read against now; `ahead`: a bare "20 December" is the next one. Raises BadTime."""
        from store.time.expressions import parse_when

        return parse_when(text, self._anchor(), prefer="future" if ahead else "past")

    def times_in_words(self) -> tuple[str, str]:
        """What the top line says: (true at, believed at)."""
        true_at, believed = self.times.as_of, self.times.believed
        start = None if true_at is None else true_at.start
        if start is None and believed is not None:
            start = believed
        return self.in_words(start), self.in_words(believed)

    def in_words(self, us: int | None) -> str:
        """ "now", or the day."""
        return "now" if us is None else day_words(Instant.of(moment(us, self.zone)))

    @property
    def today(self) -> str:
        """As names of files have it: 2026-11-29."""
        return f"{self._anchor():%Y-%m-%d}"

    def _anchor(self) -> datetime:
        return moment(self.now, self.zone)
