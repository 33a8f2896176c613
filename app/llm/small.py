"""A small model chats and nothing more: it is shown how, it is kept cool, and it is not given room to wander. One with
fewer weights still answers only where the person lets it try.

Measured with SmolLM2-135M (tests/bench/reply_loops.py): alone it answers "I'm learning Portuguese" with a screen of
what only looks like Portuguese; after a few short exchanges that show how one answers, and with little chance in its
choice of words, it does not. The exchanges name nobody and nothing that could be taken for the person's life.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from store.protocols import Message

TRUSTED_SIZE = 350_000_000
"""Bytes: about half a billion weights at 4 bits. Below that, models answer questions about a stranger's life with
fiction.
"""
TEMPERATURE, USUAL_TEMPERATURE = 0.2, 0.4
FEW_WEIGHTS = 500_000_000  # fewer than that are called a small model
RELIED_ON = 300_000_000
"""Weights from which a model answers of its own accord. Measured with 135 million: of 30 questions to the world it
answered 9 sensibly, of 20 requests 2.
"""
COMMENTS_UNTESTED = 3_000_000_000
"""Weights from which a model comments on what was told without having passed the test for it. One of half as many said
"That's great news!" to a death.
"""
LONGEST = 96  # tokens of a reply
_SHOWN = (
    ("Hello", "Hello! Good to see you. How was your day?"),
    ("I painted the fence today!", "Well done! How does it look?"),
    ("It rained all week.", "That sounds wet. What did you do indoors?"),
    ("I have a headache.", "Oh no. I hope it gets better soon."),
    ("Thank you", "You're welcome!"),
)
SHOWN = tuple(
    one for said, answered in _SHOWN for one in (Message("user", said), Message("assistant", answered))
)  # fmt: skip
"""Before the conversation, always the same, so that what was read of them is never read again."""
MOST_BACK = 3  # messages of the person that one after them may lean on
_LEANS = re.compile(
    r"(?i)\A\W*(?:(?:and|but|or|s?he|they)\b|(?:why(?: not)?|how(?: so)?|when|where|who|(?:tell me )?more|go on)\W*\Z)"
    r"|(?<=\w )(?:it|its|they|them|theirs?|he|him|his|she|hers?)\b(?!['’])|\bthat\W*\Z"
)
"""Says little without what was said before: "Why?", "And Tom?", "Where was she born?"."""


def shown_to_small(history: Sequence[Message], text: str) -> tuple[Message, ...]:
    """What a small model is shown of a conversation before the message `text`: never a reply, or it says that again;
    and of what the person said only that which the message leans on, or it replies to both. Measured with
    SmolLM2-135M: "Tell me about the Himalayas" after "Tell me about the Nile" was answered with the Nile.
    """
    shown: list[Message] = []
    for message in reversed([one for one in history if one.role == "user"]):
        if len(shown) == MOST_BACK or not _LEANS.search(text):
            break
        shown.insert(0, message)
        text = message.content
    return tuple(shown)


def is_small_file(path: Path) -> bool:
    """So few weights that it makes up what it does not know; so is a file whose size nobody can tell."""
    try:
        return path.stat().st_size < TRUSTED_SIZE
    except OSError:
        return True


def usual_temperature(path: Path) -> float:
    """How much chance there is in the choice of words."""
    return TEMPERATURE if is_small_file(path) else USUAL_TEMPERATURE
