"""A courtesy gets one back where no model speaks; whatever else a message says is not taken for one."""

from __future__ import annotations

import threading

import pytest

from app.core.composing import compose
from app.core.stock_replies import DESPAIR, SORRY, courtesy, feeling
from app.core.turn import NO_MODEL, Closed, Request, Voice, take_turn
from store.memory import Memory
from store.records import Turn
from tests.tui.scripted import ScriptedModel


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("thanks!", "You’re welcome."),
        ("Thank you so much :)", "You’re welcome."),
        ("great, thanks", "You’re welcome."),
        ("Good morning", "Good morning."),
        ("night night x", "Good night."),
        ("How are you today?", "Well, thank you. What’s new with you?"),
        ("how are your hens", ""),
        ("good night", "Good night."),
        ("Hi there!", "Hello."),
        ("see you tomorrow", "Goodbye."),
        ("ok", "All right."),
        ("Thanks to Ana I passed", ""),
        ("Morning shift today", ""),
        ("Hi, I live in Porto", ""),
        ("no sugar for me", ""),
        ("thanks, night", "Good night."),
        ("Great, thanks! And good night.", "Good night."),
        ("thanks, I live in Porto", ""),
        ("thx ur pretty good", "You’re welcome."),
        ("cheers for all your help, you're a star", "Thank you."),
        ("thats useful ta", "You’re welcome."),
        ("nice one", "Thank you."),
        ("brilliant, cheers pal", "You’re welcome."),
        ("aight, night night dude", "Good night."),
        ("Good night, and thanks for the chat", "You’re welcome."),
        ("thanks you are late again", ""),
        ("my cat is not bad", ""),
        ("ok cool thanks x", "You’re welcome."),
        ("thanks buddy", "You’re welcome."),
        ("bless you", "Thank you."),
        ("haha perfect, sent", "Good."),
        ("thats nicer than i would have managed", "Thank you."),
        ("That’s much better than mine!", "Thank you."),
        ("lol excellent", "Good."),
        ("great, sorted", "Good."),
        ("love it", "Thank you."),
        ("i love it here in Porto", ""),
        ("it's better than I have slept in weeks", ""),
        ("sent the form to Ana", ""),
        ("done with the Co-op", ""),
        ("cool, I live in Porto", ""),
        ("", ""),
    ],
)
def test_a_courtesy_and_nothing_else(text: str, reply: str) -> None:
    assert courtesy(text) == reply


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        (DESPAIR, "I don't want to live any more, I don't want to be here, I can't go on like this, I want to die"),
        (SORRY, "My dad died, I feel so low, We are devastated, My wife just got fired, I had a miscarriage"),
        ("", "I don't want to live in London, I don't want to wake up early, I hurt myself on the door"),
        ("", "No point going on holiday in May, I want to die my hair red, The suicide squad film was great"),
        ("", "We gutted the house, The battery is very low, The pot was fired, Grandad nearly died, Mum's phone died"),
        ("", "I'm no longer depressed, She was in tears of joy, I can't go on Tuesday, I got fired up"),
    ],
)
def test_despair_and_sorrow_are_met_with_a_word(reply: str, texts: str) -> None:
    assert {text: feeling(text) for text in texts.split(", ")} == dict.fromkeys(texts.split(", "), reply)


@pytest.mark.parametrize(("text", "reply"), [("thanks", "You’re welcome."), ("It rained all week.", NO_MODEL)])
def test_the_memory_says_it_without_a_model(memory: Memory, text: str, reply: str) -> None:
    *_, closed = take_turn(memory, None, Request(Turn(text, "s1")), threading.Event())
    assert isinstance(closed, Closed) and closed.text == reply


def test_the_memory_is_not_searched_for_it_beside_a_model_that_is_not_relied_on(memory: Memory) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("The scan is still on the 9th of December.", "s0")).id)
    voice = Voice(ScriptedModel(), compose, relied_on=False)
    *_, closed = take_turn(memory, voice, Request(Turn("cheers for that", "s1")), threading.Event())
    assert isinstance(closed, Closed) and closed.text == "You’re welcome."


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("My brother Karl, who was 80, died in May.", SORRY),
        ("my brother karl, who was 80, died in may", SORRY),
        ("Our dog, an old collie called Bess, died at Easter.", SORRY),
        ("My car, an old Polo, died on the motorway.", ""),
        ("It was her birthday today. miss her so much", SORRY),
        ("the cat ran away on Sunday", SORRY),
    ],
)
def test_a_loss_is_heard_however_it_is_told(text: str, reply: str) -> None:
    assert feeling(text) == reply
