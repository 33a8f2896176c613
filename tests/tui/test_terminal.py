"""No control character of the data reaches the terminal, through any widget that shows data, and no text is markup.

Every screen is looked at as it is drawn, after all of Textual's own work; and once the real bytes that a
pseudo-terminal receives from the real driver are searched for what the data tried to send.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.pilot import Pilot
from textual.widgets import Input

from app.tui.app import ErstwhileApp
from store.records import Hit
from tests.tui.acting import app_with, say, search_results, settle
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, changed, fact, instant, turns
from widgets.lanes import Lanes
from widgets.messages import LinkChosen

EVIL = (
    "a\x1b]52;c;AAAA\x07b \x1b[31mred\x1b[0m \x9b2J \x90q\x9c \x85 [/x] [bold]no[/bold] $text @click=app.quit "
    "\u202egnp.exe\u2066 \u200bzero \ufeff \x00\x08\x7f \ud800 [link=http://x]y[/link] &#27;[2J &#x202e; 你好 👩‍👩‍👧"
)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def evil_memory() -> ScriptedMemory:
    """Every string in it wants to act on the terminal."""
    known = [
        fact("me", f"likes{EVIL}", EVIL, ("2024-01-01", None), ("2024-01-02", None), quote=EVIL),
        fact(EVIL, "lives_in", EVIL, ("2024-01-01", "2024-05-01"), ("2024-01-02", "2024-02-02"), ended="correct"),
    ]
    said = [replace(one, text=EVIL) for one in turns(4, EVIL)]
    hit = Hit("episode", "e0", None, EVIL, EVIL, EVIL, instant("2024-01-02"), 1.0, ((EVIL, 1),))
    return ScriptedMemory(
        known=known, said=said, hits=(hit,), answers={"Who?": answered(known, EVIL)},
        taught={"Hello": (changed(known[0], known[1]),)},
    )  # fmt: skip


def shown(app: ErstwhileApp) -> Iterator[Segment]:
    """What is drawn, after all of Textual's own work on it."""
    for strip in app.screen._compositor.render_strips():
        yield from strip


def assert_harmless(app: ErstwhileApp) -> None:
    for segment in shown(app):
        found = CONTROL.search(segment.text)
        assert found is None, (app.screen, repr(segment.text))
        assert segment.control is None


async def walk(pilot: Pilot[None], app: ErstwhileApp) -> None:
    """Through every screen, looking at each."""
    await say(pilot, "Hello")
    assert_harmless(app)
    await say(pilot, "Who?")
    assert_harmless(app)
    await pilot.press("ctrl+o")
    await settle(pilot)
    assert_harmless(app)
    await pilot.press("enter")
    await settle(pilot)
    assert_harmless(app)
    await pilot.press("ctrl+f")
    await settle(pilot)
    app.screen.query_one(Input).value = "zero"
    await search_results(pilot)
    assert_harmless(app)
    await pilot.press("escape", "ctrl+t")
    await settle(pilot)
    assert_harmless(app)
    app.screen.query_one(Lanes).action_row(5)
    await settle(pilot)
    assert_harmless(app)
    await pilot.press("enter")
    await settle(pilot)
    assert_harmless(app)
    await app.run_action("beliefs")
    await settle(pilot)
    for key in ("1", "down", "y", "p", "e", "escape", "x"):
        await pilot.press(key)
        await settle(pilot)
        assert_harmless(app)
    await pilot.press("escape")
    app.post_message(LinkChosen(EVIL))
    await settle(pilot)
    assert_harmless(app)


@pytest.mark.parametrize("size", [(60, 30), (120, 40)])
async def test_no_control_character_is_drawn_anywhere(size: tuple[int, int]) -> None:
    model = ScriptedModel(
        pieces=(EVIL, "\n\n```\x1b[2J\n" + EVIL, "\n```\n\n| a |\n|---|\n| " + EVIL + " |"), name=EVIL
    )
    app = app_with(evil_memory(), model)
    async with app.run_test(size=size) as pilot:
        await walk(pilot, app)


async def test_a_status_and_a_title_are_harmless_too() -> None:
    app = app_with(ScriptedMemory(said=[]))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        app.chat.say(note=EVIL, model=EVIL, sleep=EVIL)
        app.chat._name_place(EVIL)
        await settle(pilot)
        assert_harmless(app)
        assert "[/x]" in "".join(segment.text for segment in shown(app))


PROGRAM = """
from tests.tui.acting import app_with
from tests.tui.scripted import ScriptedModel
from tests.tui.test_terminal import evil_memory
app_with(evil_memory(), ScriptedModel(pieces=("SENTINEL \\x1b]52;c;SMUGGLED\\x07 \\x9b31m", "end."))).run()
"""
ROOT = Path(__file__).resolve().parents[2]


def read_until(master: int, wanted: bytes, seconds: float) -> bytes:
    """What the terminal received until `wanted` came, or the time was up."""
    received, deadline = b"", time.monotonic() + seconds
    while wanted not in received and time.monotonic() < deadline:
        if select.select([master], [], [], 0.1)[0]:
            received += os.read(master, 65536)
    return received


def test_the_bytes_that_a_terminal_receives_hold_nothing_that_the_data_smuggled() -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env=environment
    )
    os.close(slave)
    try:
        received = read_until(master, b"qwen3-4b", 30)  # until the model is there, the memory alone answers
        os.write(master, b"Hello\r")
        received += read_until(master, b"end.", 20)
        os.write(master, b"\x11")
        received += read_until(master, b"\x1b[?1049l", 20)
        child.wait(20)
    finally:
        child.kill()
        os.close(master)
    assert b"SENTINEL" in received
    assert b"SMUGGLED" in received
    assert b"\x1b]52;c;SMUGGLED" not in received
    assert not re.search(rb"\x1b\](?:0|1|2|8|52);", received)
    assert not re.search(r"[\x80-\x9f\u202a-\u202e\u2066-\u2069]", received.decode("utf-8", "ignore"))
