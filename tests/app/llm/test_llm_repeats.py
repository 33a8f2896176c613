"""A sentence that an earlier reply said is not shown again, and everything else is, whatever the pieces."""

from __future__ import annotations

import pytest

from app.llm.repeats import ReplyGuard, asks_again, says_nothing

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


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("what is the capital city of France", True),
        ("What is the capital of Spain?", False),
        ("Who wrote the Lusiads?", False),
    ],
)
def test_which_questions_ask_the_same(text: str, again: bool) -> None:
    assert asks_again("What is the capital of France?", text) is again
    assert asks_again("Hi", "hi!")
    assert not asks_again("Hi", "ho")


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("The Nile River is a testament to the power of human ingenuity.",
         "The Himalayas are a testament to the power of human ingenuity.", True),
        ("It is one of the most beautiful places in the world.",
         "Porto, I would say, is one of the most beautiful places in the world.", True),
        ("Paris is the capital of France.", "Madrid is the capital of Spain.", False),
        ("The river flows through the middle of the old town.", "We walked through the middle of the fair.", False),
        ("I like the smell of rain in the morning.", "Rain is likely in the morning.", False),
    ],
)  # fmt: skip
def test_which_sentences_say_the_same(one: str, other: str, near: bool) -> None:
    for said, earlier in ((one, other), (other, one)):
        guard = ReplyGuard([earlier])
        guard.feed(said)
        guard.end()
        assert guard.repeats is near


@pytest.mark.parametrize(
    ("before", "reply"),
    [
        ("1. Heat the oven to 180 degrees.\n2. Mix the eggs and the sugar.",
         "For the second one:\n1. Heat the oven to 180 degrees.\n2. Mix the flour and the sugar."),
        ("- a cup of plain white flour", "You need:\n- a cup of plain white flour\n- two eggs"),
        ("```python\nimport numpy as np\n```", "Then:\n```python\nimport numpy as np\nprint(np.e)\n```"),
    ],
)  # fmt: skip
def test_what_is_rightly_alike_is_said(before: str, reply: str) -> None:
    guard = ReplyGuard([before])
    assert shown(guard, reply, 3) == reply
    assert not guard.repeats


def test_after_a_list_and_after_code_nothing_is_said_again() -> None:
    guard = ReplyGuard([SORRY])
    assert shown(guard, "```\nx\n```\n- Rest.\n\nI'm so sorry to hear that.", 3) == "```\nx\n```\n- Rest.\n\n"
    assert guard.repeats


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
