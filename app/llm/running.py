"""A program that is run for its lines, such as pip, ends with who listens to it, and so does all that it started.

It is at the head of a session of its own: what it starts in process groups of their own, as build tools start
compilers, is in the session still. Where the listener itself is killed, the program ends when it next writes a line.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

TICK = 0.1  # seconds until a wish to stop is heard
_CHUNK = 64 * 1024


def lines(
    command: Sequence[str], stop: Event | None = None, *, environment: Mapping[str, str] | None = None
) -> Generator[str, None, None]:
    """Yield what it writes, line by line, both its output and its errors.

    When `stop` is set or the iterator is closed, it is killed. Raises OSError if it cannot be started, and
    CalledProcessError if it ends with another exit code than 0.
    """
    process = subprocess.Popen(
        command, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        rest, out = b"", process.stdout.fileno()
        while stop is None or not stop.is_set():
            if not select.select([out], [], [], TICK)[0]:
                continue
            if not (chunk := os.read(out, _CHUNK)):
                if code := process.wait():
                    raise subprocess.CalledProcessError(code, command)
                return
            *whole, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in whole if line.strip())
    finally:
        if process.poll() is None:
            _end_session(process)
        process.stdout.close()


def _end_session(process: subprocess.Popen[bytes]) -> None:
    """Kill whoever is in the session of a process: its group first, so that nobody starts anybody any more. Where there
    is no /proc, what is in a group of its own ends with the file at hand."""
    with suppress(OSError):  # it has ended this very moment
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for one in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is not ours
            if os.getsid(int(one.name)) == process.pid:
                os.kill(int(one.name), signal.SIGKILL)
