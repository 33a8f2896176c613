"""Words are found anywhere in a conversation, also where it is not mounted, and nothing is left of it afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from app.tui.app import ErstwhileApp
from app.tui.screens.conversations import WINDOW
from store.records import Episode
from tests.tui.acting import app_with, say, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel, turns
from tests.tui.scripted_parts import ScriptedEpisodes
from widgets.finding import PAUSE, FindField
from widgets.look import AT_MATCH, FOUND
from widgets.prompt import Prompt
from widgets.transcript import Transcript


def long_talk(count: int = 60) -> ScriptedMemory:
    """In turn 3 and turn 41 stands something about a kite."""
    said = turns(count)
    said[3] = replace(said[3], text="Did the **kite** fly? The kite did.")
    if count > 41:
        said[41] = replace(said[41], text="The Kite is old.")
    return ScriptedMemory(said=said)


async def find(pilot: Pilot[None], words: str) -> None:
    await pilot.press("ctrl+slash")
    await settle(pilot)
    await type_text(pilot, words)
    await found(pilot)


async def found(pilot: Pilot[None]) -> None:
    await pilot.pause(PAUSE + 0.05)
    await settle(pilot)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await found(pilot)


def styles(app: ErstwhileApp) -> list[str]:
    """How the words are marked that are."""
    marked = [part.visual for part in app.screen.query_one(Transcript).query(Static)]
    spans = [str(span.style) for one in marked if isinstance(one, Content) for span in one.spans]
    return [one for one in spans if one in (FOUND, AT_MATCH)]


@pytest.mark.parametrize("width", [60, 120])
async def test_a_word_is_found_beyond_what_is_mounted(width: int) -> None:
    app = app_with(long_talk())
    async with app.run_test(size=(width, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "enter")
        assert "Kite is old" not in screen_text(app)
        await find(pilot, "KITE")
        shown = screen_text(app)
        assert "The Kite is old." in shown
        assert "3 of 3" in shown
        await press(pilot, "up")
        assert "Did the kite fly?" in screen_text(app)
        assert "2 of 3" in screen_text(app)
        assert sorted(styles(app)) == sorted([AT_MATCH, FOUND])
        await press(pilot, "enter", "enter")
        assert "1 of 3" in screen_text(app)
        await press(pilot, "escape")
        assert styles(app) == []
        assert "1 of 3" not in screen_text(app)
        assert app.focused is app.chat.query_one(Prompt)


async def test_the_pager_keys_go_from_match_to_match() -> None:
    app = app_with(long_talk(6))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "enter", "shift+tab")
        app.chat.query_one(Transcript).focus()
        await press(pilot, "slash")
        assert isinstance(app.focused, FindField)
        await type_text(pilot, "kite")
        await found(pilot)
        assert "1 of 2" in screen_text(app)
        app.chat.query_one(Transcript).focus()
        await press(pilot, "n")
        assert "2 of 2" in screen_text(app)
        await press(pilot, "n")
        assert "1 of 2" in screen_text(app)
        await press(pilot, "N")
        assert "2 of 2" in screen_text(app)
        await press(pilot, "y")
        assert app.clipboard.startswith("Did the **kite** fly?")


async def test_what_is_nowhere_is_said_and_typing_on_finds_again() -> None:
    app = app_with(long_talk(6))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "enter")
        await find(pilot, "kitex")
        assert "nothing found" in screen_text(app)
        await press(pilot, "enter", "backspace")
        assert "1 of 2" in screen_text(app)
        await press(pilot, "ctrl+slash", "delete")
        assert "of 2" not in screen_text(app)
        assert styles(app) == []


async def test_a_chat_that_is_new_or_off_the_record_is_searched_too() -> None:
    app = app_with(ScriptedMemory(said=[]))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+slash")
        assert not app.chat.find_bar.is_open
        await press(pilot, "ctrl+r")
        await say(pilot, "I flew a kite.")
        await find(pilot, "kite")
        assert "1 of 1" in screen_text(app)
        await press(pilot, "ctrl+n")
        assert not app.chat.find_bar.is_open


async def test_a_reply_that_is_written_meanwhile_ends_whole() -> None:
    model = ScriptedModel(pieces=("The kite ", "flies ", "on."))
    app = app_with(ScriptedMemory(said=[]), model)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "Hello there")
        await find(pilot, "kite")
        await say_more(pilot, app)
        await press(pilot, "ctrl+slash", "escape")
        assert screen_text(app).count("The kite flies on.") == 2


async def say_more(pilot: Pilot[None], app: ErstwhileApp) -> None:
    app.chat.query_one(Prompt).focus()
    await say(pilot, "Hello once more")


class SlowEpisodes(ScriptedEpisodes):
    """They are read only when the gate is open."""

    def page(self, session: str, start: int, limit: int) -> list[Episode]:
        if limit > WINDOW:
            self.script.gate.wait(20)
        return super().page(session, start, limit)


async def test_a_keystroke_waits_for_no_search_of_thousands_of_turns() -> None:
    memory = ScriptedMemory(said=turns(4000))
    memory.recast(episodes=SlowEpisodes(memory))
    memory.gate.set()
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "enter", "ctrl+slash")
        memory.gate.clear()
        for letter in "keys":
            await pilot.press(letter)
            await pilot.pause(PAUSE + 0.05)
        assert app.chat.find_bar.query_words == "keys"
        assert "2,000" not in screen_text(app)
        memory.gate.set()
        await found(pilot)
        assert "of 2,000" in screen_text(app)


async def test_a_match_far_down_in_a_long_turn_is_in_view() -> None:
    said = turns(6)
    said[2] = replace(said[2], text="\n".join(f"line {number} of many words that wrap" for number in range(120)))
    said[3] = replace(said[3], text="\n".join(f"- line **{number}** of a list" for number in range(120)))
    app = app_with(ScriptedMemory(said=said))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+o", "enter")
        await find(pilot, "line 97")
        assert "1 of 1" in screen_text(app)
        assert "line 97 of many" in screen_text(app)
        await press(pilot, "ctrl+slash")
        app.screen.query_one(FindField).value = "97"
        await found(pilot)
        await press(pilot, "enter")
        assert "line 97 of a list" in screen_text(app)
