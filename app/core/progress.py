"""How far a long step has come is one line of a terminal, which the next one is drawn over."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from store.records import Progress


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
