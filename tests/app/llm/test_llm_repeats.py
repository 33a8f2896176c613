"""A reply that only says back what somebody told is known from one that says something to it."""

from __future__ import annotations

import pytest

from app.llm.repeats import says_nothing


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
