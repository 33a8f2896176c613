"""A bare reply is read behind its question, said as a statement: "Where do you live?", "Utrecht" is "I live: Utrecht".

What is claimed lies in the reply to the character; nothing that the other asked is ever claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from store.records import Claim, Episode

LONGEST = 8
"""Words of a reply that needs its question to be understood."""
_ASKS = re.compile(
    r"(?i)(?:^|[.!,;:]\s+)(?:and |so |but )?"
    r"(?:what|where|who|which(?: \w+)?|how (?:much|many \w+|old|tall))(?:['’]s| is| are| do| does)?\s+"
    r"(?P<rest>[^.!?]+)\?\W*$"
)
_TURNED = {"you": "I", "your": "my", "yours": "mine", "yourself": "myself"}
_YOU = re.compile(r"(?i)\b(?:you|your|yours|yourself)\b")


def as_said(question: str, reply: str) -> str:
    """The words before a reply that make a statement of it; "" where the turn before asks for no value."""
    match = _ASKS.search(question)
    if match is None or "?" in reply or not 0 < len(reply.split()) <= LONGEST:
        return ""
    return _YOU.sub(lambda word: _TURNED[word[0].lower()], match["rest"].strip()) + ": "


def placed(claims: Iterable[Claim], episode: Episode) -> Iterator[Claim]:
    """The claims of a reply that was read behind its question, with the characters of the turn itself."""
    for claim in claims:
        at = episode.text.find(claim.object)
        if claim.object and at >= 0:
            yield replace(claim, start=at, end=at + len(claim.object))
