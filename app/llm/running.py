"""A program that is run for its lines, such as pip, ends with who listens to it, and so does all that it started: also
where the listener is killed, or its terminal is closed.
"""

from __future__ import annotations

import errno
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from threading import Event

from app.llm import held

TICK = 0.1
"""Seconds until a wish to stop is heard."""
PATIENCE = 2.0
"""Seconds until it has heard that it is to end."""
_CHUNK = 64 * 1024


def lines(
    command: Sequence[str], stop: Event | None = None, *, environment: Mapping[str, str] | None = None
) -> Generator[str, None, None]:
    """Yield what it writes, line by line, both its output and its errors.

    When `stop` is set or the iterator is closed, it is killed. Raises OSError if it cannot be started, and
    CalledProcessError if it ends with another exit code than 0.
    """
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    process = subprocess.Popen(
        (sys.executable, "-I", held.__file__, *command), env=environment, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
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
        process.stdin.close()  # which ends it
        _gone(process)
        process.stdout.close()


def _gone(process: subprocess.Popen[bytes]) -> None:
    """Wait for it to end with all that it started; whoever cleans up after them then can."""
    try:
        process.wait(held.PATIENCE + PATIENCE)
    except subprocess.TimeoutExpired:
        held.end_session(process.pid)
        process.wait()
