"""What asks for the last reply in other words goes to the model that wrote it, with the reply and no notes between."""

from __future__ import annotations

import threading

import pytest

from app.core.composing import compose
from app.core.turn import NO_MODEL, Closed, Prompted, Request, TurnEvent, Voice, take_turn
from store.memory import Memory
from store.protocols import Message
from store.records import Turn
from tests.tui.scripted import ScriptedModel

LETTER = (
    Message("user", "write a two-line note to my landlord about the boiler"),
    Message("assistant", "Dear landlord, the boiler is out of order."),
)


def events(memory: Memory, text: str, history: tuple[Message, ...]) -> list[TurnEvent]:
    voice = Voice(ScriptedModel(), compose, invents=False, comments=False)
    return list(take_turn(memory, voice, Request(Turn(text, "talk"), history), threading.Event()))


@pytest.mark.usefixtures("capable")
@pytest.mark.parametrize("text", ["less stiff please", "make it warmer", "in French", "another one", "ok, shorter"])
def test_the_reply_is_written_again(memory: Memory, text: str) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "talk")).id)
    prompt = next(one for one in events(memory, text, LETTER) if isinstance(one, Prompted))
    assert [one.content for one in prompt.messages[-3:]] == [*(one.content for one in LETTER), text]


def test_after_what_was_only_told_there_is_nothing_to_write_again(memory: Memory) -> None:
    told = Message("user", "I moved my desk to the window"), Message("assistant", NO_MODEL)
    closed = next(one for one in events(memory, "in the bedroom", told) if isinstance(one, Closed))
    assert closed.text == NO_MODEL


def test_words_over_several_turns_lean_on_the_same_letter(memory: Memory) -> None:
    history = (*LETTER, Message("user", "shorter"), Message("assistant", "The boiler is broken."))
    assert any(isinstance(one, Prompted) for one in events(memory, "in German", history))
