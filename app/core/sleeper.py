"""The memory sleeps when the person is quiet, and wakes at a keystroke: what is left stays pending, and nothing is
half-done.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import Busy
from store.protocols import BoundModel
from store.records import Progress, SleepReport
from store.sleep.schedule import Rules, SleepConditions, reason_to_sleep
from widgets.wording import count

if TYPE_CHECKING:
    from store.memory import Memory

SUPPLIES = Path("/sys/class/power_supply")  # where Linux tells of batteries; elsewhere it is as on mains
BY_MODEL = "listen"  # the phase of a model: the last of a sleep
RIGHT_AFTER = 600.0  # seconds in which a sleep is remembered as the one before
AGAIN = 0.1  # seconds until a sleep that could not write is tried again
PHASE_WORDS = {
    "wait": "in another window", "extract": "reading", "settle": "sorting names", "fold": "putting beliefs together",
    "gists": "summing up", "salience": "weighing", "brief": "writing a note for the morning",
    "listen": "the model reads", "re-embed": "making new vectors",
}  # fmt: skip


@dataclass
class Sleeper:
    """Knows whether a sleep is under way, and how to end it."""

    asked_for: bool = False  # the person asked for it: a keystroke does not end it
    asleep: bool = False
    phase: str = ""  # what the sleep is doing
    found: int = 0  # new beliefs of the last sleep that found any
    found_at: float = float("-inf")  # when that was, by the monotonic clock
    model_failed: bool = False  # it did not read what it was to read; it is not waited for again
    stop: threading.Event = field(default_factory=threading.Event)

    def begin(self, *, asked_for: bool) -> bool:
        """False if one is under way already."""
        if self.asleep:
            self.asked_for = self.asked_for or asked_for
            return False
        self.asleep, self.asked_for, self.stop, self.phase = True, asked_for, threading.Event(), ""
        return True

    def summary(self, read: int, new: int, now: float) -> str:
        """What is said of a sleep that read so many turns and found so many new beliefs; one that was asked for right
        after another had read everything finds none."""
        if new:
            self.found, self.found_at = new, now
            return f"{count(new, 'new belief')}; f4 shows {'it' if new == 1 else 'them'}"
        if not read and now - self.found_at < RIGHT_AFTER:
            return f"Slept: nothing was left to read; the sleep before found {count(self.found, 'new belief')} (f4)"
        return "Slept: nothing new was learned"

    def stirred(self) -> None:
        """The person did something. A model that reads gives way even in a sleep that was asked for."""
        if not self.asked_for or self.phase == BY_MODEL:
            self.stop.set()

    def end(self) -> None:
        self.asleep = self.asked_for = False


def is_due(memory: Memory, rules: Rules, quiet: float = 0.0, *, leaving: bool = False, reading: bool = False) -> bool:
    """Whether the memory should sleep though nobody asked: something waits (`reading`: be it for a model that reads),
    it is quiet (for so many seconds, or the person is leaving), and there is power for it."""
    turns, sessions = memory.sleeping.restless()
    if not turns and reading:
        turns = memory.reading.unheard()
    return reason_to_sleep(rules, SleepConditions(turns, sessions, quiet, charge(), leaving)) is not None


def charge(supplies: Path = SUPPLIES) -> float | None:
    """How full the batteries are, 0 to 1, while they are what the machine runs on; else None."""
    found: list[float] = []
    for supply in sorted(supplies.glob("*")) if supplies.is_dir() else ():
        kind = _line(supply / "type")
        if kind in ("Mains", "USB") and _line(supply / "online") == "1":
            return None
        level = _line(supply / "capacity")
        if kind == "Battery" and _line(supply / "status") == "Discharging" and level.isdecimal():
            found.append(int(level) / 100)
    return min(found, default=None)


def _line(path: Path) -> str:
    """The one line of a file of the kernel's; empty where it is not there, or will not be read."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def run_sleep(
    memory: Memory, stop: threading.Event, tell: Callable[[Progress], None], model: BoundModel | None = None
) -> SleepReport | None:
    """Drive one sleep to its end or to `stop`; returns its report. `model` reads after the rules. A sleep of another
    process is waited for: what is left then is little. So is one that writes for longer than SQLite waits for it: a
    sleep goes on where it was cut off."""
    while True:
        steps: Iterator[Progress] = memory.sleeping.run(stop, model=model, wait=True)
        try:
            while True:
                tell(next(steps))
        except StopIteration as end:
            return end.value if isinstance(end.value, SleepReport) else None
        except Busy:
            if stop.wait(AGAIN):  # nobody wants it any more
                return None


def progress_words(progress: Progress) -> str:
    """◐ asleep: reading 12 of 40"""
    phase = PHASE_WORDS.get(progress.phase, progress.phase)
    amount = f" {progress.done:,} of {progress.total:,}" if progress.total else ""
    return f"◐ asleep: {phase}{amount}"


def rest_words(pending: int) -> str:
    """What the status line says of a memory that is awake."""
    return f"◔ {pending:,} to sleep on" if pending else "● rested"


def progress(what: str, done: int, total: int | None) -> None:
    """A line that is drawn over itself, on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{what} {done}" + (f" of {total}" if total else ""))
        sys.stderr.flush()


def drawn(running: Iterator[Progress]) -> Any:
    """Run it to its end, drawing how far it has come; gives what came of it."""
    try:
        while True:
            step = next(running)
            progress(step.phase, step.done, step.total)
    except StopIteration as end:
        return end.value
    finally:
        progress_done()


def progress_done() -> None:
    """Take that line away."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
