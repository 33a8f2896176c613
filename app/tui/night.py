"""What a sleep has done so far is kept in one place: a screen that opens in the middle of one shows all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from store.records import Progress
from widgets.sleep_rows import Phase

WORDS = {
    "wait": "wait for the sleep in another window",
    "extract": "read what is new",
    "settle": "find out who is who",
    "fold": "put beliefs together",
    "tidy": "tidy what was said",
    "forest": "sum up",
    "salience": "weigh what matters",
    "brief": "write the morning's note",
    "listen": "have the model check the unsure",
}
"""The phases, in their order."""
AT_TIMES = ("wait", "tidy", "listen")
"""Those that not every sleep has."""
WORTH_SAYING = 3.0
"""Seconds that are left, from which on it is said."""


@dataclass
class Night:
    """The sleep that goes on, or the last one."""

    asleep: bool = False
    ended: bool = False
    """It is over, and a screen that shows sleeps has not yet read what it did."""
    seconds: Callable[[], float] = monotonic
    _seen: dict[str, Progress] = field(default_factory=dict)
    _began: float = 0.0
    """When the phase that is under way began."""

    def begin(self) -> None:
        """Somebody fell asleep."""
        self.asleep, self.ended = True, False
        self._seen = {}

    def advance(self, progress: Progress) -> None:
        """It has come so far."""
        if next(reversed(self._seen), None) != progress.phase:
            self._began = self.seconds()
        self._seen.pop(progress.phase, None)
        self._seen[progress.phase] = progress

    def end(self) -> None:
        """It is over."""
        self.asleep, self.ended = False, True

    @property
    def known(self) -> bool:
        """There was a sleep since the app was opened, or there is one."""
        return self.asleep or bool(self._seen)

    def phases(self) -> tuple[Phase, ...]:
        """Each phase with how far it has come."""
        newest = next(reversed(self._seen), None)
        names = [name for name in WORDS if name in self._seen or name not in AT_TIMES]
        names += [name for name in self._seen if name not in WORDS]
        come = names.index(newest) if newest is not None else -1
        return tuple(self._phase(name, newest, passed=place < come) for place, name in enumerate(names))

    def _phase(self, name: str, newest: str | None, *, passed: bool) -> Phase:
        words, seen = WORDS.get(name, name), self._seen.get(name)
        if seen is None:
            return Phase(words, "done") if passed else Phase(words)  # it was passed: there was nothing to do
        running = self.asleep and name == newest
        return Phase(words, "running" if running else "done", seen.done, seen.total, seen.note)

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
