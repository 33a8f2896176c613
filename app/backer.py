"""While the app runs the memory is backed up of itself; nobody is told but of a backup that could not be made."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from app.messages import BackupFailed
from app.ports import MemoryPort
from store.errors import ErstwhileError

LOOK_EVERY = 300.0
"""Seconds between two looks whether a backup is due."""


def back_up(memory: MemoryPort, stop: Event, tell: Callable[[BackupFailed], object]) -> None:
    """Make a backup if one is due; to be called on a thread of its own."""
    try:
        memory.back_up_when_due(stop)
    except ErstwhileError as error:
        tell(BackupFailed(str(error)))
