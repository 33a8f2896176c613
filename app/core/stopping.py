"""A model that does what it wants holds nobody up: what it is asked ends when the person stops it, whatever it does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK = 0.02  # seconds between two looks at whether the person wants it to stop


@contextmanager
def stoppable(model: object, stop: threading.Event) -> Iterator[None]:
    """While this lasts, the model is interrupted when `stop` is set: also where what waits for it cannot look. One that
    cannot be interrupted (`ModelProcess.interrupt`) needs none of that."""
    interrupt: Callable[[], None] | None = getattr(model, "interrupt", None)
    if interrupt is None:
        yield
        return
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(interrupt, stop, over), name="stop the model", daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


def _watch(interrupt: Callable[[], None], stop: threading.Event, over: threading.Event) -> None:
    """More than once, since what waited for one that hung may have started another."""
    while not over.wait(TICK):
        if stop.is_set():
            interrupt()
