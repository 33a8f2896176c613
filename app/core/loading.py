"""A long read never stops the interface for a collection of garbage: what was read is not garbage, and is passed over.

A full collection looks at every object of the process; with a hundred thousand beliefs in memory that takes a second,
in whichever thread it falls. Records have no cycles, so that they are freed without it. What is imported stays for
good, and is passed over likewise.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_LOCK = threading.Lock()
_readers = 0


@contextmanager
def long_read() -> Iterator[None]:
    """While it lasts no collection runs; at its end what is there is set apart from what the next ones look at."""
    global _readers
    with _LOCK:
        _readers += 1
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            _readers -= 1
            if not _readers:
                gc.freeze()
                gc.enable()
