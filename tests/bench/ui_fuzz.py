"""Text that would do harm, through every widget that shows data, and through the real app in a terminal of its own.

    python -m tests.bench.ui_fuzz [--texts 100000] [--rounds 12] [--seed 1]

First part: the app in a pseudo-terminal over memories made of such texts, all screens visited. Second part: a wall of
widgets in a pseudo-terminal, on which every text is drawn: each by one of the functions that make something to see, in
turn, and as title, flash, field, prompt and reply. Third part: each text, as every word of a fact, a turn, a hit, a
change, a session and a log entry, through all of these functions. Counts what broke, the bytes from data that a
terminal would act on, and the harmful characters that were left. All must be 0.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from fcntl import ioctl
from time import monotonic

from tests.bench.terminal import Terminal
from tests.tui.nasty import HARMFUL, REACHED, nasty, nasty_memory
from tests.tui.showing import shown

KEYS = (
    b"hello\r", b"\x1bOQ", b"\x1b", b"\x14", b"\x1b[B", b"{", b"\r", b"\x1b", b"\x1b", b"\x0c", b"\x1b[B", b"1",
    b"\x1b",
    b"\x06the\x1b[B", b"\x1b", b"\x0f", b"\x1b[B", b"\r", b"\x1bOS", b"\t", b"\x1b[B", b"\x1b", b"\x1b[15~", b"\x1b[B",
    b"\x1b", b"\x05", b"\x1b", b"\x1bOP", b"\x1b", b"\x1b[20~", b"\x1b", b"\x1bOR", b"\x1b[B", b"\x1b", b"\x1b[19~",
    b"\x1b",
    b"\x0c", b"\x1b[B", b"o", b"\x1b[B", b"\x1b", b"\x1b", b"\x14", b"Y", b"=", b"\x1b", b"\x1b", b"\x1b[17~",
    b"\x1b", b"\x07", b"\x1b",
)  # fmt: skip
"""A turn, why, timeline, chain, beliefs, search, conversations, sleep, fading, brief, help, doctor, models, import, a
person's page, differences, settings, jump."""
DONE = "every text was on the wall"
PAUSE = 0.5
"""Seconds in which the terminal must have been silent before the next key."""


def through_widgets(texts: int, seed: int) -> tuple[int, int]:
    """(texts that broke something, lines that held a harmful character)"""
    broke = held = 0
    for number, text in enumerate(nasty(texts, seed)):
        try:
            for line in shown(text, (24, 60, 100)[number % 3]):
                held += HARMFUL.search(line) is not None
        except Exception as error:  # noqa: BLE001 # counting what breaks is what this is for
            broke += 1
            print(f"broke on {text!r}: {type(error).__name__}: {error}", file=sys.stderr)
        if number % 10_000 == 9_999:
            print(f"  {number + 1:,} texts, {broke} broke, {held} harmful", flush=True)
    return broke, held


def in_a_terminal(seed: int) -> tuple[int, int, bool]:
    """(bytes that were written, of them those that data made a terminal act on, whether it ended well)"""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        _show(seed)
        os._exit(0)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 110, 0, 0))
    seen = bytearray(_read(terminal, 20))
    for key in KEYS:
        os.write(terminal, key)
        seen += _read(terminal, PAUSE)
    os.write(terminal, b"\x11")
    seen += _read(terminal, 2)
    until, ended, status = monotonic() + 10, 0, 1
    while not ended and monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        seen += _read(terminal, 0.1) if not ended else b""
    if not ended:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    os.close(terminal)
    reached = list(REACHED.finditer(bytes(seen)))
    for found in reached[:5]:
        print(f"reached the terminal: {bytes(seen[max(0, found.start() - 20) : found.end() + 20])!r}", file=sys.stderr)
    if not ended:
        print(f"did not end; last seen: {bytes(seen[-300:])!r}", file=sys.stderr)
    crashed = re.search(rb"Traceback|MarkupError", bytes(seen)) is not None
    return len(seen), len(reached), bool(ended) and status == 0 and not crashed


def _show(seed: int) -> None:
    from tests.tui.acting import app_with
    from tests.tui.scripted import ScriptedModel

    texts = list(nasty(200, seed))
    app_with(nasty_memory(texts), ScriptedModel(pieces=tuple(texts[:20]))).run()


def on_the_wall(texts: int, seed: int) -> tuple[int, int, bool]:
    """The same, of a wall on which so many texts are drawn."""
    terminal = Terminal(lambda: _wall(texts, seed), size=(110, 240))
    written, reached, tail = 0, 0, b""
    while piece := terminal.read(30.0):
        written += len(piece)
        # What was cut in two by the reading is looked at again with what follows it.
        held = tail + piece
        for found in REACHED.finditer(held):
            if found.end() > len(tail):
                reached += 1
                print(f"reached the terminal: {held[max(0, found.start() - 20) : found.end() + 20]!r}", file=sys.stderr)
        tail = held[-64:]
        if b"Traceback" in held or DONE.encode() in held:
            break
        del terminal.seen[:]
    well = DONE.encode() in tail + bytes(terminal.seen)
    terminal.write(b"\x11")
    return written, reached, terminal.end(10) == 0 and well


def _wall(texts: int, seed: int) -> None:
    from tests.tui.wall import Wall

    Wall(nasty(texts, seed), DONE).run()


def _read(terminal: int, first: float) -> bytes:
    """What is written until nothing comes for PAUSE seconds; waits `first` seconds for the first byte."""
    seen, until = bytearray(), monotonic() + first
    while select.select([terminal], [], [], max(0.0, until - monotonic()))[0]:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # the other side is gone
            break
        if not piece:
            break
        seen += piece
        until = monotonic() + PAUSE
    return bytes(seen)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bad = 0
    for number in range(given.rounds):
        written, reached, well = in_a_terminal(given.seed + number)
        bad += reached + (not well)
        how = "ended well" if well else "CRASHED"
        print(f"terminal, 200 texts: {written:,} bytes, {reached} from data acted, {how}", flush=True)
    written, reached, well = on_the_wall(given.texts, given.seed)
    bad += reached + (not well)
    how = "ended well" if well else "CRASHED"
    print(f"wall, {given.texts:,} texts: {written:,} bytes, {reached} from data acted, {how}", flush=True)
    broke, held = through_widgets(given.texts, given.seed)
    print(f"widgets: {given.texts:,} texts, {broke} broke, {held} harmful characters left")
    return 1 if bad or broke or held else 0


if __name__ == "__main__":
    sys.exit(main())
