"""While one writes, the keys do what hands expect of a chat: pages scroll, what was typed comes back, and no draft is
lost.
"""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from app.app import ErstwhileApp
from app.screens.search import SearchDialog
from tests.tui.acting import app_with, say, settle, type_text
from tests.tui.scripted import ScriptedMemory, answered, lives, turns
from widgets.prompt import Prompt
from widgets.transcript import Transcript


async def resumed(pilot: Pilot[None], app: ErstwhileApp) -> tuple[Prompt, Transcript]:
    """The conversation s1 is open at its end."""
    await settle(pilot)
    app.chat.open_session("s1")
    await settle(pilot)
    return app.chat.query_one(Prompt), app.chat.query_one(Transcript)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.wait_for_animation()
    await settle(pilot)


def below(transcript: Transcript) -> float:
    """Lines below what is in view; earlier turns may be mounted above it meanwhile."""
    return transcript.max_scroll_y - transcript.scroll_y


async def test_pages_scroll_the_conversation_while_one_writes_and_home_and_end_move_in_the_prompt() -> None:
    app = app_with(ScriptedMemory(said=turns(70)))
    async with app.run_test(size=(120, 30)) as pilot:
        prompt, transcript = await resumed(pilot, app)
        await type_text(pilot, "half a thought")
        assert below(transcript) == 0
        await press(pilot, "pageup")
        assert (up := below(transcript)) > 0
        await press(pilot, "pageup")
        assert below(transcript) > up
        await press(pilot, "pagedown")
        assert below(transcript) == up
        at = transcript.scroll_y
        await press(pilot, "home")
        assert prompt.cursor_location == (0, 0)
        await press(pilot, "end")
        assert prompt.cursor_location == (0, len("half a thought"))
        assert (transcript.scroll_y, prompt.has_focus, prompt.text) == (at, True, "half a thought")


async def test_up_in_an_empty_prompt_recalls_what_was_typed_and_down_goes_forward_again() -> None:
    app = app_with(ScriptedMemory())
    async with app.run_test(size=(120, 30)) as pilot:
        prompt = app.chat.query_one(Prompt)
        await settle(pilot)
        await press(pilot, "up")
        assert prompt.text == ""
        for text in ("One", "Two", "Two", "Three"):
            await say(pilot, text)
        seen = []
        for key in ("up", "up", "up", "up", "down", "down", "down", "down"):
            await press(pilot, key)
            seen.append(prompt.text)
        assert seen == ["Three", "Two", "One", "One", "Two", "Three", "", ""]


async def test_what_was_typed_in_a_resumed_conversation_is_recalled_and_not_that_of_another() -> None:
    app = app_with(ScriptedMemory(said=turns(6)))
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "elsewhere")
        prompt, _ = await resumed(pilot, app)
        await press(pilot, "up", "up")
        assert prompt.text == turns(6)[2].text
        await press(pilot, "ctrl+n", "up")
        assert prompt.text == turns(6)[2].text, "what stands in the prompt is the person's draft by now"


async def test_a_draft_is_never_replaced_by_what_is_recalled() -> None:
    app = app_with(ScriptedMemory())
    async with app.run_test(size=(120, 30)) as pilot:
        prompt = app.chat.query_one(Prompt)
        for text in ("One", "Two"):
            await say(pilot, text)
        await type_text(pilot, "a draft")
        await press(pilot, "up", "down")
        assert prompt.text == "a draft"
        prompt.clear()
        await press(pilot, "up", "exclamation_mark", "up", "down")
        assert prompt.text == "Two!"
        await press(pilot, "ctrl+z", "up")
        assert prompt.text == "One"


async def test_up_moves_within_a_recalled_message_of_several_lines_first() -> None:
    app = app_with(ScriptedMemory())
    async with app.run_test(size=(120, 30)) as pilot:
        prompt = app.chat.query_one(Prompt)
        for text in ("One", "Two\nlines"):
            await say(pilot, text)
        await press(pilot, "up", "up")
        assert (prompt.text, prompt.cursor_location[0]) == ("Two\nlines", 0)
        await press(pilot, "down")
        assert (prompt.text, prompt.cursor_location[0]) == ("Two\nlines", 1)
        await press(pilot, "up", "up")
        assert prompt.text == "One"


async def test_erased_words_are_not_recalled() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        prompt = app.chat.query_one(Prompt)
        await say(pilot, "One")
        await press(pilot, "up")
        assert prompt.text == "One"
        memory.said.clear()
        await app.run_action("forget_words")
        await settle(pilot)
        assert prompt.text == ""
        await press(pilot, "up")
        assert prompt.text == ""


@pytest.mark.parametrize("selector", ["#transcript", "SourceLine", "#memory-rows"])
async def test_what_is_typed_elsewhere_goes_to_the_prompt(selector: str) -> None:
    app = app_with(ScriptedMemory(answers={"Where do I live?": answered(lives()[:2], "You live in Lisbon.")}))
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "Where do I live?")
        prompt = app.chat.query_one(Prompt)
        for key, text in (("H", "H"), ("ä", "ä"), ("1", "1"), ("exclamation_mark", "!"), ("space", " ")):
            prompt.clear()
            app.chat.query(selector).first().focus()
            await press(pilot, key)
            assert (prompt.text, prompt.has_focus) == (text, True)
        await press(pilot, "a", "space", "b")
        app.chat.query(selector).first().focus()
        await press(pilot, "H", "y")
        assert prompt.text == " a bHy"


async def test_a_letter_that_is_a_key_where_the_focus_is_stays_one() -> None:
    app = app_with(ScriptedMemory(said=turns(70)))
    async with app.run_test(size=(120, 30)) as pilot:
        prompt, transcript = await resumed(pilot, app)
        transcript.focus()
        await press(pilot, "k")
        assert (below(transcript) > 0, prompt.text, prompt.has_focus) == (True, "", False)
        await press(pilot, "slash")
        assert isinstance(app.screen, SearchDialog)


async def test_what_is_pasted_elsewhere_goes_to_the_prompt() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "Hello")
        app.chat.query_one(Transcript).focus()
        app.post_message(events.Paste("two\nlines"))
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == "two\nlines"
