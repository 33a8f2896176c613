"""While one writes, the keys do what hands expect of a chat: pages scroll, what was typed comes back, and no draft is
lost.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from app.llm import wire
from app.tui.app import ErstwhileApp
from app.tui.screens import chat
from app.tui.screens.reply import SMALL
from store.errors import Busy
from store.records import Change
from tests.app.llm.making import gguf
from tests.tui.acting import app_with, say, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, lives, turns
from tests.tui.scripted_parts import ScriptedReading
from widgets.finding import FindField
from widgets.prompt import Prompt
from widgets.transcript import Elapsed, Transcript, TurnView


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


@pytest.mark.parametrize("key", ["ctrl+end", "end"])
async def test_end_brings_the_newest_line_back_where_nothing_is_typed(key: str) -> None:
    app = app_with(ScriptedMemory(said=turns(200)))
    async with app.run_test(size=(120, 30)) as pilot:
        _, transcript = await resumed(pilot, app)
        await press(pilot, "pageup", "pageup")
        assert below(transcript) > 0
        await press(pilot, key)
        assert below(transcript) == 0
        app.chat.open_session("s1", "e50")
        await settle(pilot)
        assert "(199)" not in screen_text(app)
        await press(pilot, key)
        assert "(199)" in screen_text(app) and below(transcript) == 0


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
        assert isinstance(app.focused, FindField)


async def test_what_is_pasted_elsewhere_goes_to_the_prompt() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "Hello")
        app.chat.query_one(Transcript).focus()
        app.post_message(events.Paste("two\nlines"))
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == "two\nlines"


async def press_only(pilot: Pilot[None], *keys: str) -> None:
    """Press, and do not wait for what goes on in the background."""
    await pilot.press(*keys)
    await pilot.pause()


async def replying(pilot: Pilot[None], app: ErstwhileApp, model: ScriptedModel) -> None:
    """A reply is being written, and goes on until it is stopped or let go on."""
    await settle(pilot)
    await send(pilot, "One")
    while not model.began.is_set():
        await pilot.pause()


async def send(pilot: Pilot[None], text: str) -> None:
    """Type and send, and wait for no reply."""
    await type_text(pilot, text)
    await pilot.press("enter")
    await pilot.pause()


def told(memory: ScriptedMemory, before: int) -> list[str]:
    """What the person said since, in this order."""
    return [episode.text for episode in memory.said[before:] if episode.role == "user"]


async def test_what_is_sent_while_a_reply_is_written_waits_in_sight_and_is_sent_when_it_ends() -> None:
    memory, model = ScriptedMemory(), ScriptedModel(hold=threading.Event())
    app, before = app_with(memory, model), len(memory.said)
    async with app.run_test(size=(120, 30)) as pilot:
        await replying(pilot, app, model)
        await send(pilot, "Two")
        await send(pilot, "Three")
        assert told(memory, before) == ["One"]
        shown = screen_text(app)
        assert "waits: Two" in shown and "waits: Three" in shown and "↑ takes it back" in shown
        assert app.chat.query_one(Prompt).text == ""
        assert model.hold is not None
        model.hold.set()
        await settle(pilot)
        assert told(memory, before) == ["One", "Two", "Three"]
        assert [episode.role for episode in memory.said[before:]] == ["user", "assistant"] * 3
        assert [prompt[-1].content for prompt in model.prompts] == ["One", "Two", "Three"]
        assert "waits" not in screen_text(app)


async def test_escape_stops_the_reply_and_what_waits_is_sent_next() -> None:
    memory, model = ScriptedMemory(), ScriptedModel(hold=threading.Event())
    app, before = app_with(memory, model), len(memory.said)
    async with app.run_test(size=(120, 30)) as pilot:
        await replying(pilot, app, model)
        await send(pilot, "Two")
        model.began.clear()
        await pilot.press("escape")
        while not model.began.is_set():
            await pilot.pause()
        assert told(memory, before) == ["One", "Two"]
        assert memory.said[before + 1].cut
        await pilot.press("escape")
        await settle(pilot)
        assert not app.chat.busy


async def test_up_takes_back_what_waits_the_last_first_and_a_draft_is_left_alone() -> None:
    memory, model = ScriptedMemory(), ScriptedModel(hold=threading.Event())
    app, before = app_with(memory, model), len(memory.said)
    async with app.run_test(size=(120, 30)) as pilot:
        prompt = app.chat.query_one(Prompt)
        await replying(pilot, app, model)
        await send(pilot, "Two")
        await send(pilot, "Three")
        await press_only(pilot, "up")
        assert prompt.text == "Three"
        await press_only(pilot, "up", "up")
        assert prompt.text == "Three"
        prompt.clear()
        await press_only(pilot, "up")
        assert prompt.text == "Two"
        assert "waits" not in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert told(memory, before) == ["One"]
        assert prompt.text == "Two"


@pytest.mark.parametrize("key", ["ctrl+n", "ctrl+r"])
async def test_what_waits_comes_back_to_the_prompt_where_another_conversation_is_begun(key: str) -> None:
    memory, model = ScriptedMemory(), ScriptedModel(hold=threading.Event())
    app, before = app_with(memory, model), len(memory.said)
    async with app.run_test(size=(120, 30)) as pilot:
        await replying(pilot, app, model)
        await send(pilot, "Two")
        await send(pilot, "Three")
        await type_text(pilot, "Four")
        await press_only(pilot, key)
        assert app.chat.query_one(Prompt).text == "Two\nThree\nFour"
        assert model.hold is not None
        model.hold.set()
        await settle(pilot)
        assert told(memory, before) == ["One"]


async def test_what_waits_comes_back_where_a_turn_could_not_be_saved() -> None:
    gate = threading.Event()

    class Failing(ScriptedReading):
        def learn(self, episode_id: str) -> tuple[Change, ...]:
            gate.wait(5)
            raise Busy("Another process holds the file; close it and say that again.")

    memory = ScriptedMemory()
    memory.recast(reading=Failing(memory))
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await send(pilot, "One")
        await send(pilot, "Two")
        gate.set()
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == "Two"
        assert "waits" not in screen_text(app)


async def test_what_was_on_its_way_to_the_screen_is_not_said_in_another_conversation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory, model, gate = ScriptedMemory(), ScriptedModel(), asyncio.Event()
    app, before, add = app_with(memory, model), len(memory.said), Transcript.add

    async def slowly(transcript: Transcript, view: TurnView) -> None:
        await gate.wait()
        await add(transcript, view)

    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        app.chat.off_record = True
        monkeypatch.setattr(Transcript, "add", slowly)
        app.chat.query_one(Prompt).text = "A secret"
        app.chat.query_one(Prompt).action_send()
        while not app.chat.busy:
            await asyncio.sleep(0)
        await app.chat.run_action("new_chat")
        gate.set()
        await settle(pilot)
        assert not told(memory, before)
        assert not model.prompts
        assert app.chat.query_one(Prompt).text == "A secret"


@dataclass
class CountingModel(ScriptedModel):
    """A model in a file, which says how many tokens its last reply took."""

    path: Path = Path("tiny.gguf")
    n_ctx: int = 4096
    last_reply: wire.Done = field(default=wire.Done(1, prompt_tokens=1200, generated_tokens=34))


@pytest.mark.parametrize("badge", [True, False])
async def test_a_small_model_is_marked_and_the_room_it_took_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, badge: bool
) -> None:
    monkeypatch.setattr("app.llm.small.FEW_WEIGHTS", 65 if badge else 64)
    file = tmp_path / "tiny.gguf"
    file.write_bytes(gguf(elements=64))
    app = app_with(model=CountingModel(path=file))
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "Tell me about the sea")
        assert (SMALL in screen_text(app)) == badge
        app.chat.open_session(app.chat._key)
        await settle(pilot)
        assert (SMALL in screen_text(app)) == badge
        assert app.chat._status.room == "1,234 of 4,096 tokens"
    async with app_with(model=CountingModel(path=file)).run_test(size=(160, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "Tell me about the sea")
        assert " · 1,234 of 4,096 tokens" in screen_text(pilot.app)


async def test_the_seconds_are_told_while_a_reply_is_waited_for() -> None:
    model = ScriptedModel(pieces=("", "So."), hold=threading.Event())
    app = app_with(model=model)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await send(pilot, "One")
        while not model.began.is_set():
            await pilot.pause()
        (elapsed,) = app.chat.query(Elapsed)
        elapsed._began -= 3600
        elapsed._tell()
        await pilot.pause()
        assert "thinking…  36" in screen_text(app)
        assert model.hold is not None
        model.hold.set()
        await settle(pilot)
        assert not app.chat.query(Elapsed)


async def test_undo_brings_back_nothing_that_was_sent_in_another_conversation() -> None:
    app = app_with(model=ScriptedModel(("Yes.",)))
    async with app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        await say(pilot, "Should I move in December?")
        await settle(pilot)
        await press(pilot, "ctrl+n", "ctrl+z")
        assert app.chat.query_one(Prompt).text == ""


@pytest.mark.parametrize(("width", "alone"), [(60, True), (160, False)])
async def test_what_was_done_is_said_whole_and_passes(width: int, alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "NOTE_SECONDS", 0.6)
    app = app_with()
    async with app.run_test(size=(width, 32)) as pilot:
        await settle(pilot)
        app.chat.flash("Erased for good: 14 turns, 4 beliefs; 1 copy still has the words")
        await pilot.pause()
        shown = screen_text(app)
        assert "still has" in shown and ("sleep on" not in shown.splitlines()[-2]) is alone
        await pilot.pause(0.9)
        assert "Erased for good" not in screen_text(app)


async def test_a_resumed_answer_of_the_memory_says_whose_words_it_rests_on() -> None:
    lisbon = lives()[0]
    said = [*turns(), replace(turns()[-1], id="e9", text="You live in Lisbon.", role="assistant", speaker="memory",
                              sources=lisbon.sources)]  # fmt: skip
    app = app_with(ScriptedMemory(said=said))
    async with app.run_test(size=(100, 32)) as pilot:
        await resumed(pilot, app)
        assert "from memory  from your own words" in screen_text(app)
