"""Runs a command for as long as somebody holds the other end of its standard input: whoever dies lets go of it.

Run as a script, at the head of a session of its own. What is started in process groups of its own, as build tools start
compilers, is in the session still, and nobody in that is left behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

PATIENCE = 2.0
"""Seconds that killed processes may take to be gone."""
_AGAIN = 0.02


def end_session(session: int, spare: int = 0) -> None:
    """Kill whoever is in a session, and whom they start meanwhile, but for one process."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (left := [member for member in _members(session) if member != spare]):
        for one in left:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        time.sleep(_AGAIN)


def _members(session: int) -> list[int]:
    found = list[int]()
    for process in _processes():
        with suppress(OSError):  # it has ended, or is not ours
            if os.getsid(process) == session and not _is_over(process):
                found.append(process)
    return found


def _is_over(process: int) -> bool:
    """It was killed, and only waits for its parent to hear of it."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] in "ZX"
    return False


def _processes() -> list[int]:
    """All of this machine: where there is no /proc, `ps` knows them."""
    if (proc := Path("/proc/self/stat")).exists():
        return [int(one.name) for one in proc.parent.parent.iterdir() if one.name.isdecimal()]
    listed = subprocess.run(("ps", "-A", "-o", "pid="), capture_output=True, text=True, check=False)
    return [int(one) for one in listed.stdout.split()]


def main(command: list[str]) -> int:
    """Run it; gives its exit code."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    Thread(target=_watch, daemon=True).start()
    code = process.wait()
    return code if code >= 0 else 128 - code


def _watch() -> None:
    while os.read(0, 1):
        continue
    end_session(os.getsid(0), spare=os.getpid())
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
