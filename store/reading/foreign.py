"""The reader knows English: a turn in another language is not read, for what it would hear there is chance.

A turn is foreign if it has none of the words and forms that hardly an English turn does without, and the reader's own
vocabulary lacks many of its small words. Words with a capital do not count: names come from everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from store.text.forms import is_past

FEWEST = 4
"""Small words by which a turn is judged at least."""
KNOWN = 0.7
"""The share of them that the vocabulary of an English reader knows at least, of English."""

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = re.compile(
    r"\bI\b|[a-z](?:['’](?:s|m|d|ll|re|ve)|n['’]t)\b|\b(?i:the|and|my|your|our|his|their|you|it|its|they|she|with|from|"
    r"have|had|been|were|are|this|that|not|but|what|when|who|would|could|just|about|got|like|there|to|of|for|im|ive|out|"
    r"up|back|now|new|day|last|next|week|year|every|does|off|only|dont|cant|isnt|tues|weds|thurs|\w{3,}ing|\w{4,}ed|"
    r"(?:is|has|was) (?:an?|no|on|off)|i (?:am|take|do|can))\b"
)
_ENDING = re.compile(r"(?<=\w{3})(?:(?<!s)s|ers?|y)\Z")
_OF_MANY = re.compile(r"\w{3,}[^\Wao]s")
"""What an English noun or verb ends like: "washers", "works"."""


def is_foreign(text: str, knows: Callable[[str], bool]) -> bool:
    """Whether a turn is in a language that the reader does not know. `knows`: whether a word is in its vocabulary."""
    words = [word for word in _WORD.findall(text) if word == word.lower()]
    if len(words) < FEWEST or _ENGLISH.search(text):
        return False
    known = [word for word in words if knows(word)]
    formed = [word for word in words if word not in known and knows(_ENDING.sub("", word))]
    english = any(
        (_OF_MANY.fullmatch(word) and knows(word[:-1])) or (len(word) > len("met") and is_past(word)) for word in known
    )
    return not english and len(known) + len(formed) < KNOWN * len(words)
