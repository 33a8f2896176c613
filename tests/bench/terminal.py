"""What the app costs is measured where people have it: in a terminal of its own, until the bytes arrive there.

Wall time says what a person waits on this machine as busy as it is; processor time is that of the child alone, and
what a busy machine changes less.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from fcntl import ioctl
from pathlib import Path
from time import perf_counter, sleep

TICKS = os.sysconf("SC_CLK_TCK")
Size = tuple[int, int]
"""(columns, rows)"""


class Terminal:
    """A child process in a pseudo-terminal."""

    def __init__(self, act: Sequence[str] | Callable[[], None], *, size: Size = (100, 32), **env: str) -> None:
        """`act` is a command line for this Python, or what the child does; `env` is added to its environment."""
        self.began = perf_counter()
        self.seen = bytearray()
        self.child, self._master = pty.fork()
        if self.child == 0:
            # Until the parent has set the size, the child would draw for another one.
            ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            _become(act, env)
        ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def fileno(self) -> int:
        """For waiting on several terminals at once."""
        return self._master

    def read(self, wait: float) -> bytes:
        """What has been written, once anything is, within so many seconds; empty where nothing was."""
        if not select.select([self._master], [], [], max(0.0, wait))[0]:
            return b""
        try:
            piece = os.read(self._master, 1 << 16)
        except OSError:  # the other side is gone
            return b""
        self.seen += piece
        return piece

    def until(self, words: bytes, patience: float = 30.0) -> float:
        """Milliseconds from the beginning until the words were seen. Raises TimeoutError."""
        while words not in self.seen:
            if perf_counter() - self.began > patience:
                raise TimeoutError(f"{words!r} was never shown")
            self.read(0.05)
        return (perf_counter() - self.began) * 1000

    def rest(self, silent: float, first: float | None = None) -> bytes:
        """What is written until nothing comes for `silent` seconds; waits `first` seconds for the first byte."""
        found = self.read(silent if first is None else first)
        piece = found
        while piece:
            piece = self.read(silent)
            found += piece
        return found

    def answer(self, keys: bytes, silent: float = 0.1, patience: float = 5.0) -> float:
        """Milliseconds from a key to the last byte that it causes; 0 where it causes none."""
        began = last = perf_counter()
        os.write(self._master, keys)
        wait = patience
        while self.read(wait):
            last, wait = perf_counter(), silent
        return (last - began) * 1000

    def write(self, keys: bytes) -> None:
        os.write(self._master, keys)

    @property
    def processor(self) -> float:
        """Milliseconds of processor time that the child has used, in all its threads."""
        fields = Path(f"/proc/{self.child}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / TICKS

    def hang_up(self) -> None:
        """Close the terminal under the child, as a window is closed."""
        os.close(self._master)
        self._master = -1

    def end(self, patience: float = 0.0) -> int | None:
        """Wait for the child, then kill it. Its exit status, or None where it had to be killed."""
        until = perf_counter() + patience
        ended, status = os.waitpid(self.child, os.WNOHANG)
        while not ended and perf_counter() < until:
            if self._master < 0 or not self.read(0.05):
                sleep(0.01)
            ended, status = os.waitpid(self.child, os.WNOHANG)
        if not ended:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        if self._master >= 0:
            os.close(self._master)
        return os.waitstatus_to_exitcode(status) if ended else None


def _become(act: Sequence[str] | Callable[[], None], env: Mapping[str, str]) -> None:
    os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor", **env})
    if not callable(act):
        # As it is once installed: with the bytecode that the first start wrote.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.execv(sys.executable, [sys.executable, *act])
    try:
        act()
    finally:
        os._exit(0)
