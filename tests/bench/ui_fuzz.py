"""Text that would do harm, through every widget that shows data, and through the real app in a terminal of its own.

    python -m tests.bench.ui_fuzz [--texts 100000] [--rounds 12] [--seed 1]

First part: the app in a pseudo-terminal over memories made of such texts, all screens visited. Second part: a wall of
widgets in a pseudo-terminal, on which every text is painted: each as rows by one of the functions that make something
to see, and in one of the other widgets (title, head of a turn, flash, status, words, field, prompt, reply), in turn.
Third part: each text, as every word of a fact, a turn, a hit, a change, a session and a log entry, through all of these
functions. Counts what broke, the bytes from data that a terminal would act on, and the harmful characters that were
left. All must be 0. A hundred thousand texts take some twenty minutes of one core.
"""

from __future__ import annotations

import argparse
import re
import select
import sys
from collections.abc import Iterator, Sequence
from functools import partial
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
PAUSE = 0.2
"""Seconds in which the terminals must have been silent before the next key."""
AT_ONCE = 4
"""Apps that are gone through side by side."""


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


def in_terminals(seeds: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """(bytes that were written, of them those that data made a terminal act on, whether it ended well), of an app for
    each seed: they go through the same keys side by side, since most of that time is waiting."""
    open_ones = [Terminal(partial(_show, seed), size=(110, 40)) for seed in seeds]
    _silence(open_ones, 20)
    for key in KEYS:
        for one in open_ones:
            one.write(key)
        _silence(open_ones, PAUSE)
    for one in open_ones:
        one.write(b"\x11")
    for one in open_ones:
        ended, seen = one.end(10), bytes(one.seen)
        reached = list(REACHED.finditer(seen))
        for found in reached[:5]:
            print(f"reached the terminal: {seen[max(0, found.start() - 20) : found.end() + 20]!r}", file=sys.stderr)
        crashed = re.search(rb"Traceback|MarkupError", seen) is not None
        if crashed or ended != 0:
            print(f"ended with {ended}; last seen: {seen[-300:]!r}", file=sys.stderr)
        yield len(seen), len(reached), ended == 0 and not crashed


def _silence(terminals: Sequence[Terminal], first: float) -> None:
    """Read until none of them has written anything for PAUSE seconds; waits `first` seconds for the first byte. A
    cursor that blinks is not waited for.
    """
    left, wait, until = list(terminals), first, monotonic() + first + 10 * PAUSE
    while left and monotonic() < until and (ready := select.select(left, [], [], wait)[0]):
        left, wait = [one for one in left if one not in ready or one.read(0)], PAUSE


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bad = 0
    for number in range(0, given.rounds, AT_ONCE):
        seeds = [given.seed + one for one in range(number, min(number + AT_ONCE, given.rounds))]
        for written, reached, well in in_terminals(seeds):
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
