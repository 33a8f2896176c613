"""A program that is run for its lines, such as pip, ends with who listens to it, and so does all that it started: also
where the listener is killed, or its terminal is closed.

This file is run as a script between the two: at the head of a session of its own, for as long as somebody holds the
other end of its standard input; whoever dies lets go of it. What is started in process groups of its own, as build
tools start compilers, is in the session still, and nobody in that is left behind.
"""

from __future__ import annotations

import errno
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

TICK = 0.1
"""Seconds until a wish to stop is heard."""
PATIENCE = 2.0
"""Seconds that killed processes may take to be gone, and again for the script to have heard that it is to end."""
_AGAIN = 0.02
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
        (sys.executable, "-I", __file__, *command), env=environment, start_new_session=True,
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
        process.stdin.close()  # which ends it, and then all that it started
        try:
            process.wait(2 * PATIENCE)
        except subprocess.TimeoutExpired:
            _end_session(process.pid)
            process.wait()
        process.stdout.close()


def _end_session(session: int, spare: int = 0) -> None:
    """Kill whoever is in a session, and whom they start meanwhile, but for one process."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (left := [member for member in _members(session) if member != spare]):
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_AGAIN)


def _members(session: int) -> Iterator[int]:
    """Whoever is in it, but for those who were killed and only wait for their parents to hear of it."""
    if Path("/proc/self/stat").exists():
        processes = [one.name for one in Path("/proc").iterdir() if one.name.isdecimal()]
    else:
        listed = subprocess.run(("ps", "-A", "-o", "pid="), capture_output=True, text=True, check=False)
        processes = listed.stdout.split()
    for process in processes:
        with suppress(OSError):  # it has ended, or is not ours
            if os.getsid(int(process)) == session and _state(process) not in ("Z", "X"):
                yield int(process)


def _state(process: str) -> str:
    """R, S, Z and so on; empty where the system does not say."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    return ""


def _main(command: list[str]) -> int:
    """Run it for as long as standard input is held; gives its exit code."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    Thread(target=_watch, daemon=True).start()
    code = process.wait()
    return code if code >= 0 else 128 - code


def _watch() -> None:
    while os.read(0, 1):
        continue
    _end_session(os.getsid(0), spare=os.getpid())
    os._exit(1)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
