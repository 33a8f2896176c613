"""A closed terminal ends the app as ctrl+q does: what is typed is kept, and no process is left behind.

A hang-up comes as a signal, unless whoever started the program ignores that (`nohup`); then only the terminal shows it.
Textual's thread that writes dies at the first error of the terminal, and the event loop then waits for it without end:
what is written to a closed terminal must be dropped instead.
"""

from __future__ import annotations

import asyncio
import errno
import signal
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import IO, Any, cast

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

LOOK_EVERY = 2.0
"""Seconds between two looks at the terminal."""


def leave_on(leave: Callable[[], None]) -> None:
    """Call `leave` in the running event loop when the terminal hangs up, or the machine ends its programs."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, leave)


def is_hung_up() -> bool:
    """Whether the terminal of the standard input was there and is gone."""
    try:
        termios.tcgetattr(sys.__stdin__.fileno() if sys.__stdin__ is not None else 0)
    except (termios.error, OSError, ValueError) as error:
        return isinstance(error, termios.error) and error.args[0] in (errno.EIO, errno.ENXIO)
    return False


def outliving(driver: type[Driver]) -> type[Driver]:
    """The driver that stands for this one where the terminal may be closed under it."""
    return OutlivingDriver if driver is LinuxDriver else driver


class OutlivingDriver(LinuxDriver):
    """Textual's driver, whose output goes nowhere once the terminal is closed."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._file = cast("TextIOWrapper", _Outliving(cast("IO[str]", self._file)))

    def _sigcont_application(self, *given: Any) -> None:
        # A hang-up comes with the signal to go on: who would draw again then reads a closed terminal without end.
        if not is_hung_up():
            super()._sigcont_application(*given)


class _Outliving:
    """The part of a file that Textual writes through; a terminal that is gone raises nothing."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()
