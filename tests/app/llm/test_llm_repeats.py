"""A sentence that an earlier reply said is not shown again, and everything else is, whatever the pieces."""

from __future__ import annotations

import pytest

from app.llm.repeats import ReplyGuard, is_near, says_nothing

SORRY = "I'm so sorry to hear that. How are you feeling?"


def shown(guard: ReplyGuard, text: str, size: int) -> str:
    """What is shown of a reply that comes in pieces of `size` characters."""
    found = ""
    for start in range(0, len(text), size):
        found += guard.feed(text[start : start + size])
        if guard.over:
            return found
    return found + guard.end()


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("I'm so sorry to hear that.", ""),
        ("I’m so sorry to hear about your dog. Was it old?", ""),
        ("Poor Rex! I'm so sorry to hear that. Was he old?", "Poor Rex!"),
        ("It is 3.5 km to the sea. How are you feeling", "It is 3.5 km to the sea."),
        ("It's 3.5 km to the sea. Of course!", "It's 3.5 km to the sea. Of course!"),
    ],
)
def test_a_reply_ends_before_it_says_again_what_was_said(reply: str, kept: str, size: int) -> None:
    guard = ReplyGuard([SORRY, "Of course!"])
    assert shown(guard, reply, size).rstrip() == kept
    assert guard.repeats == (kept != reply)
    assert guard.kept == kept


def test_without_earlier_replies_every_piece_is_shown_as_it_comes() -> None:
    guard = ReplyGuard()
    assert guard.feed("I'm so") == "I'm so"
    assert guard.end() == ""
    assert not guard.over


def test_a_loop_is_still_one() -> None:
    guard = ReplyGuard([SORRY])
    shown(guard, "no " * 30, 3)
    assert guard.loops
    assert not guard.repeats


def test_which_words_say_the_same() -> None:
    assert is_near("What is the capital of France?", "what is the capital city of France")
    assert not is_near("What is the capital of France?", "Who wrote the Lusiads?")
    assert is_near("Hi", "hi!")
    assert not is_near("Hi", "ho")


@pytest.mark.parametrize(
    ("told", "reply", "nothing"),
    [
        ("My cat Bruno is ill again", "Your cat Bruno is ill again.", True),
        ("I bought a red kayak for 300 euros", "You bought a red kayak for 300 euros, and it's red.", True),
        ("I swim on Mondays now", "Great! I'll swim on Mondays now.", True),
        ("It rains again", "I'm sorry, but I can't assist with that.", True),
        ("It rains again", "I understand. I'll make sure to take extra precautions around the rain.", True),
        ("My cat Bruno is ill again", "Poor Bruno! I hope that he gets well soon.", False),
        ("I bought a red kayak", "A kayak! Where will you paddle first?", False),
        ("Good night", "Good night!", False),
    ],
)
def test_a_reply_that_only_says_back_what_was_told_says_nothing(told: str, reply: str, nothing: bool) -> None:
    assert says_nothing(reply, told) is nothing
