"""Whether to sleep now follows from what waits, how long it has been quiet, and the power: a pure function of these.

Nothing here reads a clock, a battery or a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal["quiet", "sessions", "exit"]
PAUSE = 5.0
"""Seconds of quiet before a sleep that many conversations call for: nobody is in the middle of a word."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the person wants."""

    after_seconds: float = 60.0
    """Of quiet; 0: never because of quiet."""
    every_sessions: int = 3
    """Conversations that have come since; 0: never because of them (All-Mem, appendix F.4: every 3)."""
    at_exit: bool = False
    least_charge: float = 0.3
    """On battery, with less charge than this (0 to 1), the memory sleeps when asked only; 0: the battery is no
    matter."""


@dataclass(frozen=True, slots=True)
class SleepConditions:
    """How things are."""

    waiting: int
    """Turns that a sleep has yet to do something with."""
    sessions: int = 0
    """Conversations that they are of."""
    quiet: float = 0.0
    """Seconds since the last keystroke."""
    charge: float | None = None
    """0 to 1 on battery; None on mains power, or where the system does not tell."""
    leaving: bool = False


def reason_to_sleep(rules: Rules, moment: SleepConditions) -> Reason | None:
    """Why a sleep that nobody asked for should begin; None where it should not."""
    if not moment.waiting or (moment.charge is not None and moment.charge < rules.least_charge):
        return None
    if moment.leaving:
        return "exit" if rules.at_exit else None
    if rules.after_seconds and moment.quiet >= rules.after_seconds:
        return "quiet"
    many = rules.every_sessions and moment.sessions >= rules.every_sessions
    return "sessions" if many and moment.quiet >= PAUSE else None
