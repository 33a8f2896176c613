"""The reader knows English: a turn in another language is not read, for what it would hear there is chance.

A turn is foreign if it has none of the words and endings that hardly an English turn does without, and the reader's own
vocabulary lacks many of its small words. Words with a capital do not count: names come from everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable

FEWEST = 4
"""Small words by which a turn is judged at least."""
KNOWN = 0.7
"""The share of them that the vocabulary of an English reader knows at least, of English."""

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = re.compile(
    r"\bI\b|[a-z](?:['’](?:s|m|d|ll|re|ve)|n['’]t)\b|\b(?i:the|and|my|your|our|his|their|you|it|its|they|she|with|from|"
    r"have|had|been|were|are|this|that|not|but|what|when|who|would|could|just|about|got|like|there|to|of|for|im|ive|out|"
    r"up|back|today|yesterday|tomorrow|now|new|day|last|next|hour|week|year|because|\w{3,}ing|\w{4,}ed|"
    r"(?:is|has|was|have|need|want|bought|sold|took|gave) (?:an?|no|on|off)|"
    r"i (?:am|take|have|had|bought|work|live|like|love|hate|need|want|went|think|do|can|cant|dont)|dont|doesnt|isnt|"
    r"cant|wont|didnt|wasnt|hes|shes|theyre|theres|thats|whats|"
    r"every|took|gave|does|did|off|only|mates?|mum|mums|dad|dads|brothers?|sisters?|kids|bday|birthday|quid|thurs|"
    r"weds|tues|weekly|monthly|yr|small|dental|nurse)\b"
)


def is_foreign(text: str, knows: Callable[[str], bool]) -> bool:
    """Whether a turn is in a language that the reader does not know. `knows`: whether a word is in its vocabulary."""
    if _ENGLISH.search(text):
        return False
    words = [word for word in _WORD.findall(text) if word == word.lower()]
    return len(words) >= FEWEST and sum(map(knows, words)) < KNOWN * len(words)
