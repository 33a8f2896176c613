"""A model that does what it wants holds nobody up: what it is asked ends when the person stops it, whatever it does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

TICK = 0.02
"""Seconds between two looks at whether the person wants it to stop."""


@runtime_checkable
class Interruptible(Protocol):
    """A model that may hang, and can be ended from another thread."""

    def interrupt(self) -> None:
        """The person waits no longer: what gives no sign of life is ended, so that nobody waits for it."""
        ...


@contextmanager
def stoppable(model: object, stop: threading.Event) -> Iterator[None]:
    """While this lasts, the model is interrupted when `stop` is set: also where what waits for it cannot look."""
    if not isinstance(model, Interruptible):
        yield
        return
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(model, stop, over), name="stop the model", daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


def _watch(model: Interruptible, stop: threading.Event, over: threading.Event) -> None:
    """More than once, since what waited for one that hung may have started another."""
    while not over.wait(TICK):
        if stop.is_set():
            model.interrupt()
