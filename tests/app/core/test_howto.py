"""What is asked about the program has its sentence, and each key that a sentence names does what it says."""

from __future__ import annotations

import re
import threading

import pytest
from textual.binding import Binding

from app.core.stock_replies import CORRECT, HOW_TO, UNDO, how_to
from app.core.turn import Closed, Request, take_turn
from app.tui.palette import COMMANDS
from app.tui.screens.chat import ChatScreen
from app.tui.screens.search import SESSION_KEYS
from store.memory import Memory
from store.records import Turn


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How do I get you to forget somebody?", "Forget everything about"),
        ("how can I remove an old conversation", "ctrl+o"),
        ("Can I import my old chats?", "f8"),
        ("how can i import my diary", "f8"),
        ("How do I delete an old chat?", "ctrl+x"),
        ("How would I export the whole memory?", "erstwhile export"),
        ("is there any way to undo something here?", "memory: undo"),
        ("how do I put right what you noted?", "ctrl+l"),
        ("Where can I see why you said that?", "f2"),
        ("Can we have a chat that stays private?", "ctrl+r"),
        ("how do i get another model for you", "f3"),
        ("What can you do?", "f1"),
        ("can you remind me at six to water the tomatoes?", "no alarm"),
        ("off to bed. remind me on friday to ring the bank", "no alarm"),
    ],
)
def test_a_question_about_the_program(text: str, names: str) -> None:
    assert names in how_to(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I make a roux?",
        "Remind me which days I work",
        "remind me what I said to Tom",
        "Can you tell me where my sister lives?",
        "how do i delete a file in linux",
        "Can you save me a recipe?",
        "How can I find a better job?",
        "Do you remember my manager's name?",
        "I undo the knots for you every day",
        "Can you search the web?",
        "how do you correct a child?",
        "how do you say good morning in Italian?",
        "where do you think the best beaches are",
    ],
)
def test_a_question_about_anything_else(text: str) -> None:
    assert how_to(text) == ""


@pytest.mark.parametrize("text", ["undo", "undo that", "Undo that please!", "ok undo the last one", "take that back"])
def test_undo_says_how_one_takes_back_and_teaches_nothing(memory: Memory, text: str) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s")).id)
    before = len(memory.beliefs.facts())
    *_, closed = take_turn(memory, None, Request(Turn(text, "s")), threading.Event())
    assert isinstance(closed, Closed) and closed.text == UNDO
    assert "ctrl+l" in UNDO and "alt+e says it otherwise" in UNDO
    assert len(memory.beliefs.facts()) == before and memory.reading.unsure() == []


@pytest.mark.parametrize(
    "text", ["I undo the knots every day", "undo the top button and breathe", "I take it back to Ana"]
)
def test_undo_is_about_other_things_too(text: str) -> None:
    assert how_to(text) == ""


def test_the_keys_are_those_of_the_commands() -> None:
    bound = {key for _, words, _ in COMMANDS for key in re.findall(r"\((ctrl\+.|alt\+.|f\d+)\)", words)}
    named = {key for _, sentence in HOW_TO for key in re.findall(r"\b(?:ctrl\+[a-z/]|alt\+[a-z]|f\d+)", sentence)}
    bound |= set(re.findall(r"ctrl\+.", SESSION_KEYS)) | {
        one.key for one in ChatScreen.BINDINGS if isinstance(one, Binding)
    }
    assert named <= bound
    commands = {name for name, _, _ in COMMANDS}
    assert {name for _, sentence in HOW_TO for name in re.findall(r"“(\w+: \w+)”", sentence)} <= commands


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("that is wrong", True), ("no, that's not right!", True), ("it isn't true", True), ("you are wrong", True),
        ("that's right", False), ("that is true", False), ("that was wrong of her", False),
    ],
)  # fmt: skip
def test_whoever_says_that_it_is_wrong_is_told_how_to_put_it_right(text: str, wrong: bool) -> None:
    assert (how_to(text) == CORRECT) is wrong
