"""The last exchange is had again: another reply, other words, the rest; what was there before can be gone back to."""

from __future__ import annotations

import threading

import pytest
from textual import events
from textual.pilot import Pilot

from app.core.conversation import (
    FROM_MEMORY,
    NO_MODEL,
    NOT_CUT,
    NOTHING_SAID,
    Conversation,
    LastExchange,
    Way,
    branch_key,
    fork_of,
    history_of,
    instead_key,
    joined,
    listed,
    versions,
    why_not,
)
from app.tui.app import ErstwhileApp
from app.tui.screens.chat import ONLY_ONE, TYPED, UNCHANGED
from store.protocols import Message
from store.records import BY_HAND, Turn
from tests.tui.acting import app_with, say, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, lives
from widgets.transcript import TurnView


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def cut_off(pilot: Pilot[None], model: ScriptedModel, text: str) -> None:
    """Say it, and stop the reply after its first piece."""
    await settle(pilot)
    await type_text(pilot, text)
    await pilot.press("enter")
    while not model.began.is_set():
        await pilot.pause()
    await press(pilot, "escape")
    model.hold = None


async def answered_twice(pilot: Pilot[None], model: ScriptedModel) -> None:
    """Say something, and ask for another reply to it."""
    await say(pilot, "Tell me something")
    model.pieces = ("The second.",)
    await press(pilot, "alt+r")


def shown(app: ErstwhileApp) -> list[str]:
    """The words of the turns on screen."""
    return [view.text for view in app.chat.query(TurnView)]


def told(memory: ScriptedMemory, app: ErstwhileApp) -> list[str]:
    """The words of the conversation that is open, as the memory has it."""
    conversation = Conversation.of(memory, app.chat._key)
    return [one.text for one in conversation.page(memory, 0, conversation.turns)]


# -- another reply


async def test_another_reply_keeps_the_first_one_which_a_key_shows_again() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(pieces=("The first.",))
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await answered_twice(pilot, model)
        assert shown(app) == ["Tell me something", "The second."]
        assert told(memory, app) == ["Tell me something", "The second."]
        assert [one.text for one in memory.said] == ["Tell me something", "The first.", "The second."]
        assert model.prompts[0] == model.prompts[1]
        assert "is kept" in flashed_words(app)
        await press(pilot, "alt+o")
        assert shown(app) == ["Tell me something", "The first."]
        assert "Version 1 of 2" in flashed_words(app)
        await press(pilot, "alt+o")
        assert shown(app) == ["Tell me something", "The second."]


@pytest.mark.usefixtures("capable")
async def test_what_is_said_after_another_reply_belongs_to_that_version() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(pieces=("The first.",))
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await answered_twice(pilot, model)
        await say(pilot, "Go on then")
        said = [message.content for message in model.prompts[-1] if message.role == "assistant"]
        assert "The second." in said
        assert "The first." not in said
        assert told(memory, app)[:3] == ["Tell me something", "The second.", "Go on then"]


async def test_a_message_without_a_reply_is_replied_to_where_it_stands() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(dies=True, pieces=("",))
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Tell me something")
        key = app.chat._key
        model.dies, model.pieces = False, ("Here it is.",)
        await press(pilot, "alt+r")
        assert shown(app) == ["Tell me something", "Here it is."]
        assert app.chat._key == key


async def test_an_answer_of_the_memory_is_not_asked_for_again() -> None:
    memory = ScriptedMemory(said=[], answers={"Where do I live?": answered(lives()[:1], "You live in Lisbon.")})
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Where do I live?")
        await press(pilot, "alt+r")
        assert flashed_words(app) == FROM_MEMORY
        assert len(memory.said) == 2


async def test_off_the_record_another_reply_takes_the_place_of_the_first() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(pieces=("The first.",))
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "ctrl+r")
        await say(pilot, "Tell me something")
        model.pieces = ("The second.",)
        await press(pilot, "alt+r")
        assert shown(app) == ["Tell me something", "The second."]
        assert memory.said == []


async def test_a_letter_with_alt_is_a_key_and_no_text_as_terminals_send_it() -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Hello there")
        app.post_message(events.Key("alt+e", "e"))
        await settle(pilot)
        assert app.chat.prompt.text == "Hello there"
        app.post_message(events.Key("alt+z", "z"))
        await settle(pilot)
        assert app.chat.prompt.text == "Hello there"


# -- the rest


@pytest.mark.usefixtures("capable")
async def test_a_reply_that_was_stopped_is_gone_on_with() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(pieces=("The fence", " is painted."), hold=threading.Event())
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await cut_off(pilot, model, "Tell me something")
        assert memory.said[-1].cut
        model.pieces = (" is painted.",)
        await press(pilot, "alt+c")
        assert model.prompts[-1][-1] == Message("assistant", "The fence")
        assert [one.text for one in memory.said] == ["Tell me something", "The fence", " is painted."]
        assert "is painted." in screen_text(app)
        await say(pilot, "Go on then")
        assert Message("assistant", "The fence is painted.") in model.prompts[-1]
        await press(pilot, "alt+c")
        assert flashed_words(app) == NOT_CUT


@pytest.mark.usefixtures("capable")
async def test_it_is_gone_on_with_also_after_the_conversation_was_opened_again() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(pieces=(" is painted.",))
    memory.episodes.remember(Turn("Hello", "s1"))
    memory.episodes.remember(Turn("Good day.", "s1", speaker="qwen3-4b", role="assistant"))
    memory.episodes.remember(Turn("Go", "s1"))
    memory.episodes.remember(Turn("The fence", "s1", speaker="qwen3-4b", role="assistant", cut=True))
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        app.chat.open_session("s1")
        await settle(pilot)
        await press(pilot, "alt+c")
        spoken = [message for message in model.prompts[-1] if message.role == "assistant"][-2:]
        assert [message.content for message in spoken] == ["Good day.", "The fence"]
        assert memory.said[-1].session == "s1"


# -- other words


async def test_other_words_take_the_place_of_the_last_ones_and_what_those_taught_is_taken_back() -> None:
    memory, model = ScriptedMemory(said=[]), ScriptedModel(pieces=("Nice.",))
    app = app_with(memory, model)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Hello there")
        await say(pilot, "I live in Proto")
        wrong = memory.said[-2].id
        await press(pilot, "alt+e")
        assert app.chat.prompt.text == "I live in Proto"
        app.chat.prompt.text = "I live in Porto"
        await press(pilot, "enter")
        assert shown(app) == ["Hello there", "Nice.", "I live in Porto", "Nice."]
        assert told(memory, app) == ["Hello there", "Nice.", "I live in Porto", "Nice."]
        assert ("unlearn", wrong) in memory.calls
        assert "I live in Proto" not in str(model.prompts[-1])
        await press(pilot, "alt+o")
        assert shown(app) == ["Hello there", "Nice.", "I live in Proto", "Nice."]


async def test_the_first_message_is_said_otherwise_too() -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "I live in Proto")
        await press(pilot, "alt+e")
        app.chat.prompt.text = "I live in Porto"
        await press(pilot, "enter")
        assert shown(app)[0] == "I live in Porto"
        assert len(shown(app)) == 2
        await press(pilot, "alt+o")
        assert shown(app)[0] == "I live in Proto"


async def test_escape_leaves_the_last_message_as_it_is() -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Hello there")
        await press(pilot, "alt+e", "escape")
        assert app.chat.prompt.text == ""
        await press(pilot, "alt+e", "!", "escape")
        assert app.chat.prompt.text == "Hello there!"
        await press(pilot, "enter")
        assert len(shown(app)) == 4
        assert "unlearn" not in memory.names()


async def test_words_that_were_not_changed_are_not_sent_again_and_a_draft_is_not_lost() -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Hello there")
        await press(pilot, "alt+e", "enter")
        assert flashed_words(app) == UNCHANGED
        assert len(memory.said) == 2
        await type_text(pilot, "half a thought")
        await press(pilot, "alt+e")
        assert flashed_words(app) == TYPED
        assert app.chat.prompt.text == "half a thought"


# -- why not


async def test_without_a_model_a_sentence_says_why_there_is_no_other_reply() -> None:
    app = app_with(ScriptedMemory(said=[]), lambda: None)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "alt+r")
        assert NOTHING_SAID in screen_text(app)
        await press(pilot, "alt+o")
        assert ONLY_ONE in screen_text(app)
    assert why_not(LastExchange("Hi", reply="Yes", cut=True), "another reply", has_model=False) == NO_MODEL
    assert why_not(LastExchange("Hi", reply="Yes", cut=True), "the rest", has_model=False) == NO_MODEL
    assert why_not(LastExchange("Hi", reply="Yes", cut=True), "other words", has_model=False) == ""


@pytest.mark.parametrize("way", ["another reply", "the rest", "other words"])
def test_with_a_model_a_reply_that_was_cut_can_be_had_again_in_every_way(way: Way) -> None:
    assert why_not(LastExchange("Hi", reply="Ye", cut=True), way, has_model=True) == ""


# -- versions


def test_versions_of_versions_are_all_found_from_each_of_them() -> None:
    memory = ScriptedMemory(said=[])
    first = memory.episodes.remember(Turn("Hello", "s1"))
    memory.episodes.remember(Turn("Good day.", "s1", role="assistant"))
    reply = memory.episodes.remember(Turn("Good morning.", branch_key(1, first.id), role="assistant"))
    memory.episodes.remember(Turn("Hi", instead_key(2, first.id)))
    memory.episodes.remember(Turn("Go on then", branch_key(3, reply.id)))
    memory.episodes.remember(Turn("Elsewhere", "s2"))
    keys = ["s1", branch_key(1, first.id), branch_key(3, reply.id), instead_key(2, first.id)]
    assert [versions(memory, key) for key in keys] == [keys] * 4
    assert versions(memory, "s2") == ["s2"]
    found = listed(memory).versions
    assert [found[key][:2] for key in keys] == [("s1", number) for number in (1, 2, 3, 4)] and "s2" not in found
    assert found[keys[1]].own == "Good morning."


def test_what_was_done_by_hand_is_no_conversation() -> None:
    memory = ScriptedMemory(said=[])
    memory.episodes.remember(Turn("Hello", "s1"))
    memory.episodes.remember(Turn("Retraction: me, likes: tea", BY_HAND))
    assert [one.key for one in listed(memory).sessions] == ["s1"]


def test_a_branch_instead_of_a_turn_has_what_came_before_it() -> None:
    memory = ScriptedMemory(said=[])
    memory.episodes.remember(Turn("Hello", "s1"))
    memory.episodes.remember(Turn("Good day.", "s1", role="assistant"))
    wrong = memory.episodes.remember(Turn("I live in Proto", "s1"))
    key = instead_key(5, wrong.id)
    memory.episodes.remember(Turn("I live in Porto", key))
    conversation = Conversation.of(memory, key)
    texts = [one.text for one in conversation.page(memory, 0, 9)]
    assert texts == ["Hello", "Good day.", "I live in Porto"]
    fork = fork_of(key)
    assert fork is not None
    assert (fork.episode, fork.with_it) == (wrong.id, False)


def test_a_reply_in_two_parts_is_one_message_to_the_model() -> None:
    memory = ScriptedMemory(said=[])
    said = [
        memory.episodes.remember(Turn("Hello", "s1")),
        memory.episodes.remember(Turn("The fen ", "s1", role="assistant", cut=True)),
        memory.episodes.remember(Turn(" is painted.", "s1", role="assistant")),
    ]
    assert history_of(said) == [Message("user", "Hello"), Message("assistant", "The fen is painted.")]
    assert joined("pain", "ted") == "painted"
    assert joined("One.\n\n", "Two.") == "One.\n\nTwo."


def flashed_words(app: ErstwhileApp) -> str:
    """What the status line says in passing."""
    return app.chat._status.note
