"""A conversation as a whole: exported and erased from the list and from the chat, through the erase that there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app.tui.app import ErstwhileApp
from app.tui.screens.dialogs import EraseDialog, SaveDialog
from app.tui.screens.search import SessionsDialog
from tests.tui.acting import app_with, say, screen_text, settle
from tests.tui.scripted import ScriptedMemory, turns


def two_talks() -> ScriptedMemory:
    """Conversations s1 and s2; s1 is the later."""
    other = [replace(one, id=f"x{one.id}") for one in turns(2, "s2")]
    return ScriptedMemory(said=[*turns(), *other])


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def fill(pilot: Pilot[None], words: str) -> None:
    pilot.app.screen.query_one(Input).value = words
    await press(pilot, "enter")


async def test_a_conversation_is_erased_from_the_list_after_a_look_at_it() -> None:
    memory = two_talks()
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "ctrl+x")
        assert isinstance(app.screen, EraseDialog)
        assert "Erase the conversation “about s1”?" in screen_text(app)
        assert "6 turns in 1 conversation" in screen_text(app)
        assert "erase" not in memory.names()
        await fill(pilot, "erase")
        assert isinstance(app.screen, SessionsDialog)
        shown = screen_text(app)
        assert "Erased for good: 6 turns" in shown
        assert "about s1" not in shown
        assert "about s2" in shown
        assert {one.session for one in memory.said} == {"s2"}


async def test_who_does_not_agree_erases_nothing() -> None:
    memory = two_talks()
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "ctrl+x", "escape")
        assert isinstance(app.screen, SessionsDialog)
        assert "erase" not in memory.names()


async def test_what_is_erased_is_gone_from_the_screen() -> None:
    app = app_with(two_talks())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "enter")
        assert "we sign on the 1st of September" in screen_text(app)
        await press(pilot, "ctrl+o", "ctrl+x")
        await fill(pilot, "erase")
        await press(pilot, "escape")
        assert "we sign on the 1st of September" not in screen_text(app)
        assert not app.chat._history


async def test_the_conversation_on_screen_is_erased_from_the_palette() -> None:
    memory = two_talks()
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await app.run_action("chat('erase')")
        await settle(pilot)
        assert app.screen is app.chat
        assert "Nothing of this conversation is written down" in screen_text(app)
        await say(pilot, "I moved to Lisbon.")
        await app.run_action("chat('erase')")
        await settle(pilot)
        assert "Erase the conversation “I moved to Lisbon.”?" in screen_text(app)
        await fill(pilot, "erase")
        assert "I moved to Lisbon." not in [one.text for one in memory.said]
        assert "I moved to Lisbon." not in screen_text(app)


async def test_no_conversation_is_erased_while_it_is_answered() -> None:
    memory = two_talks()
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        app.push_screen(SessionsDialog(app.services, lambda key: key == "s1"))
        await settle(pilot)
        await press(pilot, "ctrl+x")
        assert isinstance(app.screen, SessionsDialog)
        assert "A reply is being written in it" in screen_text(app)


async def exported(pilot: Pilot[None], app: ErstwhileApp, target: Path) -> str:
    """Type a name in the dialog that is open, and read the file."""
    assert isinstance(app.screen, SaveDialog)
    assert app.screen.query_one(Input).value.startswith("~/")
    await fill(pilot, str(target))
    return target.read_text()


@pytest.mark.parametrize("width", [60, 100])
async def test_the_end_of_a_long_path_is_shown(width: int) -> None:
    app = app_with(two_talks())
    async with app.run_test(size=(width, 30)) as pilot:
        await settle(pilot)
        app.push_screen(SaveDialog(f"~/{'a-long-way/' * 12}kept.md"))
        await settle(pilot)
        assert "a-long-way/kept.md" in screen_text(app)


@pytest.mark.parametrize("width", [60, 100])
async def test_a_conversation_is_exported_from_the_list(tmp_path: Path, width: int) -> None:
    app = app_with(two_talks())
    async with app.run_test(size=(width, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "ctrl+e")
        text = await exported(pilot, app, tmp_path / "a.md")
        assert text.startswith("# about s1\n\n6 turns")
        assert isinstance(app.screen, SessionsDialog)
        assert "Saved: 6 turns in" in screen_text(app)
        await press(pilot, "a")
        assert "ctrl+x erases" in screen_text(app)


async def test_the_conversation_on_screen_is_exported_from_the_palette(tmp_path: Path) -> None:
    app = app_with(two_talks())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "I moved to Lisbon.")
        await app.run_action("chat('export')")
        await settle(pilot)
        text = await exported(pilot, app, tmp_path / "a.md")
        assert "### you, 21:40\n" in text
        assert "\nI moved to Lisbon.\n" in text


async def test_off_the_record_nothing_is_exported() -> None:
    app = app_with(two_talks())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+r")
        await say(pilot, "Hello there")
        await app.run_action("chat('export')")
        await settle(pilot)
        assert app.screen is app.chat
