"""What is for a chat model is declined where none can be relied on: the chat says why, and a key asks for it anyway."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.core.settings import Settings
from app.llm.fetch import Step
from app.tui.app import ErstwhileApp
from app.tui.jobs import Job, JobAdvanced
from app.tui.screens.reply import SMALL
from store.records import About, Answer
from tests.app.llm.making import gguf
from tests.tui.acting import app_with, say, screen_text, settle, type_text, until_shown
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, lives
from widgets.bars import StatusLine
from widgets.transcript import TurnView

SIZE = (120, 40)
LEFT_TO_SIZE = Settings(idle_seconds=0)
"""What the model may do is told by its size."""


class OfFewWeights(ScriptedModel):
    """A chat model in a file that holds 64 weights."""

    path: Path


def small(tmp_path: Path, *pieces: str) -> OfFewWeights:
    model = OfFewWeights(pieces=pieces, name="few.gguf")
    model.path = tmp_path / "few.gguf"
    model.path.write_bytes(gguf())
    return model


def declined(about: About) -> Answer:
    return Answer("It is for a chat model.", 2, True, 1.0, about=about)


def noted(app: ErstwhileApp) -> str:
    """What the status line says."""
    return app.chat.query_one(StatusLine).status.note


def words(app: ErstwhileApp) -> list[str]:
    """The words of the turns on screen."""
    return [view.text for view in app.chat.query(TurnView)]


def said(memory: ScriptedMemory) -> list[str]:
    return [one.text for one in memory.said]


async def test_without_what_runs_models_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.tui.screens.reply.missing", lambda: True)
    memory = ScriptedMemory(said=[])
    memory.answers["How do magnets work?"] = declined("world")
    app = app_with(memory, lambda: None, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await say(pilot, "How do magnets work?")
        assert "What runs one (llama.cpp) is not installed" in words(app)[-1]


@pytest.mark.parametrize("text", ["How do magnets work?", "Write a limerick about goats"])
async def test_a_small_model_answers_nothing_of_its_own_accord(tmp_path: Path, text: str) -> None:
    model, memory = small(tmp_path, "Of course."), ScriptedMemory(said=[])
    memory.answers[text] = declined("world")
    app = app_with(memory, model, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, text)
        assert words(app)[-1] == ("That is for a larger model than few: f3 has some, and alt+r lets this one try.")
        assert model.prompts == []
        assert said(memory) == [text]


async def test_a_key_lets_it_try_and_its_reply_has_the_badge(tmp_path: Path) -> None:
    model, memory = small(tmp_path, "By pulling."), ScriptedMemory(said=[])
    memory.answers["How do magnets work?"] = declined("world")
    app = app_with(memory, model, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, "How do magnets work?")
        await pilot.press("alt+r")
        await settle(pilot)
        shown = screen_text(app)
        assert "By pulling." in shown
        assert SMALL in shown
        assert "too small to be relied on" not in shown
        assert said(memory) == ["How do magnets work?", "By pulling."]
        assert len(memory.sessions.all()) == 1  # nothing was replied before: there is no other version


async def test_a_small_model_is_not_shown_what_nobody_answered(tmp_path: Path) -> None:
    model, memory = small(tmp_path, "A song."), ScriptedMemory(said=[])
    for text in ("How do magnets work?", "Write a song"):
        memory.answers[text] = declined("request")
    app = app_with(memory, model, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, "How do magnets work?")
        await say(pilot, "Write a song")
        await pilot.press("alt+r")
        await settle(pilot)
        (prompt,) = model.prompts
        assert "How do magnets work?" not in [message.content for message in prompt]


async def test_what_the_memory_answers_it_answers_as_before(tmp_path: Path) -> None:
    model = small(tmp_path, "In Rome.")
    memory = ScriptedMemory(answers={"Where do I live?": answered(lives()[:1], "You live in Lisbon.")})
    app = app_with(memory, model, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, "Where do I live?")
        await say(pilot, "Where did I park?")
        await say(pilot, "I bought a bike.")
        shown = screen_text(app)
        assert "You live in Lisbon." in shown
        assert "I was never told that." in shown
        assert "too small" not in shown
        assert model.prompts == []


# -- one that is on its way


async def declined_meanwhile(pilot: Pilot[None], memory: ScriptedMemory, text: str) -> str:
    """Ask for something while a model's engine is built; what the chat says."""
    app = pilot.app
    assert isinstance(app, ErstwhileApp)
    memory.answers[text] = declined("request")
    await settle(pilot)
    app.post_message(
        JobAdvanced(Job.SET_UP, Step("building the engine 34%, about 3 min; the memory works already", 0.34))
    )
    await settle(pilot)
    await say(pilot, text)
    return words(app)[-1]


async def test_while_a_model_is_on_its_way_the_chat_says_so_and_then_that_it_is_there(tmp_path: Path) -> None:
    memory, model = ScriptedMemory(said=[]), small(tmp_path, "A sonnet.")
    app = app_with(memory, lambda: None, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        shown = await declined_meanwhile(pilot, memory, "Write a sonnet")
        assert "a chat model, which is on its way (building the engine 34%, about 3 min)" in shown
        app._model_source = model
        app.post_message(JobAdvanced(Job.SET_UP, None))
        app._model_loaded(app._open_model())
        await until_shown(pilot, "is ready")
        assert noted(app) == "few is ready; alt+r has its reply to your last message."
        await pilot.press("alt+r")
        await settle(pilot)
        assert said(memory) == ["Write a sonnet", "A sonnet."]
        app._model_loaded(app._open_model())
        await settle(pilot)
        assert "is ready" not in noted(app)  # said once


async def test_where_there_is_none_after_all_it_says_that() -> None:
    look, memory = threading.Event(), ScriptedMemory(said=[], answers={"Write a sonnet": declined("request")})

    def none() -> None:
        look.wait(5)

    app = app_with(memory, none, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        while app.services.memory is None:
            await pilot.pause()
        await type_text(pilot, "Write a sonnet")
        await pilot.press("enter")
        await until_shown(pilot, "still being looked for")
        look.set()
        await until_shown(pilot, "There is no language model here")


async def test_where_something_else_was_said_since_it_says_that_it_can_be_sent_again(tmp_path: Path) -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory, lambda: None, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await declined_meanwhile(pilot, memory, "Write a sonnet")
        await say(pilot, "I bought a bike.")
        app._model_source = small(tmp_path, "A sonnet.")
        app._model_loaded(app._open_model())
        await until_shown(pilot, "is ready")
        assert noted(app) == "few is ready; what was for it can be sent again, with ↑."


async def test_where_none_is_here_it_says_how_to_get_one_and_later_that_it_is_there(tmp_path: Path) -> None:
    memory = ScriptedMemory(said=[], answers={"Write a sonnet": declined("request")})
    app = app_with(memory, lambda: None, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await say(pilot, "Write a sonnet")
        assert words(app)[-1] == "It is for a chat model. f3 gets one, and alt+r then has its reply to this."
        app._model_source = small(tmp_path, "A sonnet.")
        app._model_loaded(app._open_model())
        await until_shown(pilot, "is ready")


async def test_a_model_that_nobody_waited_for_comes_without_a_word(tmp_path: Path) -> None:
    app = app_with(ScriptedMemory(), small(tmp_path, "Hi."), settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert noted(app) == ""


async def test_without_a_model_another_reply_says_that_one_is_coming() -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory, lambda: None, settings=LEFT_TO_SIZE)
    async with app.run_test(size=SIZE) as pilot:
        await declined_meanwhile(pilot, memory, "Write a sonnet")
        await pilot.press("alt+r")
        await settle(pilot)
        assert "on its way" in noted(app)
