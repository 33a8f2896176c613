"""What was typed and not sent is there again, however the program ended; off the record it is on no disk."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.core.draft import Draft
from app.tui.app import ErstwhileApp
from app.tui.screens.chat import BACK, EVERY
from store.errors import StoreError
from tests.bench.terminal import Terminal
from tests.tui.acting import QUIET, screen_text, settle, type_text
from tests.tui.scripted import ZONE, FrozenClock, ScriptedMemory, ScriptedModel
from widgets.prompt import Prompt


def app_at(path: Path, model: ScriptedModel | None = None) -> ErstwhileApp:
    """The app over a memory at this path, where its draft is kept."""
    return ErstwhileApp(
        ScriptedMemory(), model or ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=QUIET, draft=Draft(path)
    )


async def kept(pilot: Pilot[None]) -> None:
    """Until what was typed is on the disk."""
    await pilot.pause(EVERY + 0.1)
    await settle(pilot)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def file(memory: Path) -> Path:
    return Draft(memory).path


async def test_a_draft_is_on_the_disk_soon_and_comes_back_and_goes_when_it_is_sent(memory: Path, file: Path) -> None:
    app = app_at(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await type_text(pilot, "half a\nthought")
        await kept(pilot)
        assert file.read_text(encoding="utf-8") == "half a\nthought"
        assert file.stat().st_mode & 0o777 == 0o600
    app = app_at(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert app.chat.prompt.text == "half a\nthought"
        assert BACK in screen_text(app)
        await pilot.press("enter")
        await kept(pilot)
        assert not file.exists()


async def test_what_waits_to_be_sent_is_part_of_it(memory: Path, file: Path) -> None:
    model = ScriptedModel(hold=threading.Event())
    app = app_at(memory, model)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        for text in ("One", "Two", "Three"):
            await type_text(pilot, text)
            await pilot.press("enter")
            await pilot.pause()
        await type_text(pilot, "Four")
        await pilot.pause(EVERY + 0.2)
        assert file.read_text(encoding="utf-8") == "Two\nThree\nFour"
        await pilot.press("escape")
        while app.chat.waiting.messages or app.chat.busy:
            await pilot.press("escape")
            await pilot.pause(0.02)
        await kept(pilot)
        assert file.read_text(encoding="utf-8") == "Four"


async def test_what_was_only_recalled_is_no_draft(memory: Path, file: Path) -> None:
    app = app_at(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await type_text(pilot, "Hello")
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("up")
        await kept(pilot)
        assert app.chat.prompt.text == "Hello"
        assert not file.exists()
        await pilot.press("x")
        await kept(pilot)
        assert file.read_text(encoding="utf-8") == "Hellox"


async def test_off_the_record_nothing_is_written_and_what_was_is_removed(memory: Path, file: Path) -> None:
    app = app_at(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await type_text(pilot, "a secret")
        await kept(pilot)
        assert file.exists()
        await pilot.press("ctrl+r")
        await kept(pilot)
        assert app.chat.prompt.text == "a secret"
        assert not file.exists()
        await pilot.press("s")
        await kept(pilot)
        assert not file.exists()
    app.chat.keep_at_end()
    assert not file.exists()


async def test_a_disk_that_takes_nothing_is_told_once(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.core.draft.replace_file", full)
    app = app_at(memory)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await type_text(pilot, "one")
        await kept(pilot)
        assert "No space left" in screen_text(app)
        app.chat.say(note="")
        await type_text(pilot, "two")
        await kept(pilot)
        assert "No space left" not in screen_text(app)
        assert app.chat.prompt.text == "onetwo"


def _crashing(memory: Path) -> None:
    """The real app in this process, in which a new line ends in a fault of the program."""

    def broken(_prompt: Prompt) -> None:
        raise ValueError("The document line index 1 is out of bounds")

    pytest.MonkeyPatch().setattr(Prompt, "action_newline", broken)
    app = app_at(memory)
    try:
        app.run()
    finally:
        app.chat.keep_at_end()


@pytest.mark.parametrize("how", ["a fault", "a kill"])
def test_a_crash_keeps_what_was_typed(memory: Path, file: Path, how: str) -> None:
    terminal = Terminal(lambda: _crashing(memory), size=(100, 30))
    try:
        terminal.until(b"remembered")
        terminal.write(b"half a thought")
        if how == "a kill":
            while not file.exists():
                terminal.read(0.1)
            os.kill(terminal.child, signal.SIGKILL)
        else:
            terminal.write(b"\x0a")  # ctrl+j, before half a second is over
    finally:
        terminal.end(10)
    assert file.read_text(encoding="utf-8") == "half a thought"


def test_a_draft_that_is_no_text_is_told(memory: Path, file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StoreError, match="cannot be read"):
        Draft(memory).read()
