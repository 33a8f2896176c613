"""How the model speaks is said for one conversation or in the settings, and the model is asked so."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app.core.composing import compose, context_of
from app.core.conversation import Conversation, branch_key
from app.core.prompts import SYSTEM, system_prompt
from app.core.settings import OPTIONS, Settings, parse, taken, worded
from app.core.turn import Request, Voice, take_turn
from app.tui.app import ErstwhileApp
from app.tui.screens.dialogs import OptionsDialog
from store.errors import BadInput
from store.protocols import Message
from store.records import ModelOptions, Recollection, Turn
from tests.tui.acting import QUIET, app_with, say, screen_text, settle
from tests.tui.scripted import ScriptedMemory, ScriptedModel

PIRATE = ModelOptions("You are a pirate.", 0.7, 2048, 64)


@dataclass
class Sized(ScriptedModel):
    """A model that says how much it reads."""

    n_ctx: int = 4096


def asked_with(model: ScriptedModel) -> tuple[int, float | None]:
    return model.asked_with


async def fill(pilot: Pilot[None], app: ErstwhileApp, **said: str) -> None:
    """Open the dialog, write into its fields, and keep that."""
    await pilot.press("alt+m")
    await settle(pilot)
    for key, words in said.items():
        app.screen.query_one(f"#{key}", Input).value = words
    await pilot.press("enter")
    await settle(pilot)


async def test_what_is_said_before_the_first_message_holds_for_it_and_is_kept_with_the_conversation() -> None:
    memory, model = ScriptedMemory(said=[]), Sized()
    app = app_with(memory, model)
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await fill(pilot, app, system="You are a pirate.", temperature="0.7", context="2048", reply="64")
        assert memory.options == {}
        await say(pilot, "Hello there")
        assert asked_with(model) == (64, 0.7)
        assert model.prompts[-1][0] == Message("system", "You are a pirate.")
        assert memory.options == {app.chat._key: PIRATE}
        await pilot.press("ctrl+n")
        await say(pilot, "Hello again")
        assert asked_with(model) == (96, None)
        assert model.prompts[-1][0].role == "user"


async def test_it_is_changed_while_one_talks_and_is_there_again_in_an_opened_conversation() -> None:
    memory, model = ScriptedMemory(said=[]), Sized()
    app = app_with(memory, model)
    async with app.run_test(size=(100, 40)) as pilot:
        await say(pilot, "Hello there")
        key = app.chat._key
        await fill(pilot, app, reply="64")
        assert memory.options == {key: ModelOptions(reply=64)}
        await pilot.press("ctrl+n")
        app.chat.open_session(key)
        await settle(pilot)
        await say(pilot, "Hello again")
        assert model.asked_with == (64, None)
        await pilot.press("alt+m")
        await settle(pilot)
        assert app.screen.query_one("#reply", Input).value == "64"


async def test_off_the_record_it_holds_and_is_not_written() -> None:
    memory, model = ScriptedMemory(said=[]), Sized()
    app = app_with(memory, model)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("ctrl+r")
        await fill(pilot, app, temperature="0")
        await say(pilot, "Hello there")
        assert model.asked_with == (96, 0.0)
        assert memory.options == {}


async def test_a_value_that_will_not_do_is_refused_with_what_would() -> None:
    app = app_with(ScriptedMemory(said=[]), Sized())
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await fill(pilot, app, temperature="hot")
        assert "Say a number from 0 to 2" in screen_text(app)
        await pilot.press("escape")
        await fill(pilot, app, context="8192")
        assert "loaded with 4,096 tokens" in screen_text(app)
        assert isinstance(app.screen, OptionsDialog)


async def test_the_settings_hold_where_the_conversation_says_nothing() -> None:
    model = Sized()
    settings = Settings(idle_seconds=0, model_invents=True, speaking=ModelOptions(temperature=0.1, reply=200))
    app = app_with(ScriptedMemory(said=[]), model, settings=settings)
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await fill(pilot, app, temperature="1.5")
        await say(pilot, "Hello there")
        assert model.asked_with == (200, 1.5)


def test_a_branch_speaks_as_its_trunk_does_until_it_is_told_otherwise() -> None:
    memory = ScriptedMemory(said=[])
    first = memory.episodes.remember(Turn("Hello", "s1"))
    memory.sessions.set_model_options("s1", PIRATE)
    branch = branch_key(1, first.id)
    memory.episodes.remember(Turn("Good day.", branch, role="assistant"))
    assert Conversation.of(memory, branch).options(memory) == PIRATE
    memory.sessions.set_model_options(branch, ModelOptions())
    assert Conversation.of(memory, branch).options(memory) == ModelOptions()


@pytest.mark.usefixtures("capable")
def test_a_shorter_context_leaves_more_of_the_conversation_out() -> None:
    model = Sized()
    history = tuple(Message("user" if place % 2 == 0 else "assistant", "words " * 120) for place in range(12))
    turn = Turn("And now?", "s1")
    long = compose(model, Request(turn, history), Recollection("", (), 0.0), 96)
    short = compose(model, Request(turn, history, options=ModelOptions(context=1024)), Recollection("", (), 0.0), 96)
    assert len(short.messages) < len(long.messages)
    assert short.budget < 1024 < long.budget
    assert context_of(model, ModelOptions(context=1_000_000)) == 4096


def test_the_rest_of_a_reply_is_asked_for_with_room_for_what_there_is() -> None:
    model = Sized()
    request = Request(Turn("Hello", "s1"), partial="The fence ")
    composed = compose(model, request, Recollection("", (), 0.0), 96)
    whole = compose(model, Request(Turn("Hello", "s1")), Recollection("", (), 0.0), 96)
    assert list(composed.messages) == [*whole.messages, Message("assistant", "The fence")]
    assert composed.budget < whole.budget


def test_what_a_model_is_told_about_notes_stays_with_every_system_prompt() -> None:
    assert system_prompt(None) == SYSTEM
    mine = system_prompt("You are a pirate.")
    assert mine.startswith("You are a pirate. A message may begin with notes")
    assert SYSTEM.endswith(mine.removeprefix("You are a pirate."))


def test_options_are_written_down_with_the_first_turn() -> None:
    memory = ScriptedMemory(said=[])
    voice = Voice(ScriptedModel(), compose)
    list(take_turn(memory, voice, Request(Turn("Hello", "s1"), keep=PIRATE, options=PIRATE), threading.Event()))
    assert memory.options == {"s1": PIRATE}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("temperature = 3", "from 0 to 2"),
        ("temperature = true", "from 0 to 2"),
        ("context = 100", "from 512"),
        ("reply = 1.5", "whole number"),
        ("system = 1", "text in quotes"),
    ],
)
def test_a_settings_file_says_only_what_can_be(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse(f"[model]\n{text}\n", "settings.toml")


def test_a_settings_file_says_how_models_speak() -> None:
    read = parse('[model]\nsystem = "You are a pirate."\ntemperature = 0.7\ncontext = 2048\nreply = 64\n', "here")
    assert read.speaking == PIRATE
    assert parse("", "here").speaking == ModelOptions() == QUIET.speaking


def test_what_is_typed_is_read_as_the_file_has_it() -> None:
    by_key = {one.key: one for one in OPTIONS if one.table == "model"}
    assert taken(by_key["context"], "8,192 tokens") == 8192
    assert taken(by_key["temperature"], "0.3") == 0.3
    assert taken(by_key["system"], " You are a pirate. ") == "You are a pirate."
    assert taken(by_key["reply"], "") is None
    assert worded(by_key["context"], 8192) == "8192 tokens"
    with pytest.raises(BadInput, match="16 to"):
        taken(by_key["reply"], "-3")
