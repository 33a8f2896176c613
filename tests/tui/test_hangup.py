"""A closed terminal ends the app, and what was typed is kept."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from time import sleep

import pytest

from app.core.draft import Draft
from app.tui import start as starting
from app.tui.app import ErstwhileApp
from app.tui.hangup import LOOK_EVERY, is_hung_up
from store.memory import Memory
from tests.bench.terminal import Terminal
from tests.tui.acting import QUIET
from tests.tui.scripted import ZONE, FrozenClock, ScriptedMemory, ScriptedModel


def _running(memory: Path, ignored: tuple[signal.Signals, ...]) -> None:
    """The app over a memory at this path, started by somebody who ignores these signals."""
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
    app = ErstwhileApp(
        ScriptedMemory(), ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=QUIET, draft=Draft(memory)
    )
    app.run()
    app.chat.keep_at_end()
    os._exit(7 if app.hung_up else 3)


@pytest.mark.parametrize("how", ["a closed terminal", "a closed terminal under nohup", "a terminate"])
def test_the_app_ends_and_keeps_what_was_typed(tmp_path: Path, how: str) -> None:
    memory = tmp_path / "memory.db"
    ignored = (signal.SIGHUP,) if "nohup" in how else ()
    terminal = Terminal(lambda: _running(memory, ignored), size=(100, 30))
    code = None
    try:
        terminal.until(b"remembered")
        terminal.write(b"half a thought")
        terminal.until(b"thought")
        if how == "a terminate":
            os.kill(terminal.child, signal.SIGTERM)
        else:
            terminal.hang_up()
    finally:
        code = terminal.end(LOOK_EVERY + 10)
    assert code == 7
    assert Draft(memory).path.read_text(encoding="utf-8") == "half a thought"


def _slow() -> Memory:
    sleep(120)
    raise AssertionError("nobody waits as long")


def _opening() -> None:
    """The app over a memory that is being opened for as long as anybody waits."""
    app = ErstwhileApp(_slow, ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=QUIET)
    app.run()
    os._exit(5 if app.left_opening else 3)


@pytest.mark.parametrize("closed", [False, True])
def test_nobody_who_quits_waits_for_a_memory_that_opens(closed: bool) -> None:
    terminal = Terminal(_opening, size=(100, 30))
    code = None
    try:
        terminal.until(b"opening the memory")
        terminal.write(b"\x11")
        if closed:
            terminal.hang_up()
    finally:
        code = terminal.end(10)
    assert code == 5


def test_what_is_no_terminal_is_not_hung_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "piped").open("w+") as piped:
        monkeypatch.setattr(sys, "__stdin__", piped)
        assert not is_hung_up()


def test_nothing_is_done_at_the_end_that_nobody_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[object] = []
    monkeypatch.setattr(starting, "sleep_at_exit", lambda *given: slept.append(given))
    monkeypatch.setattr(ErstwhileApp, "run", lambda app: setattr(app, "hung_up", True))
    monkeypatch.setattr(starting, "load_model", lambda path: None)
    starting._run(Path("/nowhere/memory.db"), ZONE, (), demo=False)
    assert slept == []
    monkeypatch.setattr(ErstwhileApp, "run", lambda app: None)
    starting._run(Path("/nowhere/memory.db"), ZONE, (), demo=False)
    assert len(slept) == 1
