"""A program that is run for its lines, such as pip, ends with who listens to it, and so does all that it started."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from threading import Event

TICK = 0.1
"""Seconds until a wish to stop is heard."""
PATIENCE = 2.0
"""Seconds."""
_CHUNK = 64 * 1024


def lines(
    command: Sequence[str], stop: Event | None = None, *, environment: Mapping[str, str] | None = None
) -> Generator[str, None, int | None]:
    """Yield what it writes, line by line, both its output and its errors; gives its exit code.

    When `stop` is set or the iterator is closed, it is killed; then the code is None. Raises OSError if it cannot be
    started.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        rest, out = b"", process.stdout.fileno()
        while stop is None or not stop.is_set():
            if not select.select([out], [], [], TICK)[0]:
                continue
            if not (chunk := os.read(out, _CHUNK)):
                return process.wait()
            *whole, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in whole if line.strip())
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            _wait_for_all(process.stdout.fileno())
        process.wait()
        process.stdout.close()


def _wait_for_all(out: int) -> None:
    """Until nobody is left who could write, for so long as a killed process may take; who cleans up after them can."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (not select.select([out], [], [], TICK)[0] or os.read(out, _CHUNK)):
        continue
