"""A correction names what was wrong, or takes back what was said last; it never touches anything else.

"I had the door code wrong, it is 4417"; "it's Dixon, not Davis"; "that was a joke, forget it".
"""

from __future__ import annotations

import re
from dataclasses import replace

from store.records import Claim, Cue
from store.text.lists import wordset

RETRACTION = re.compile(
    r"\b(?:(?:that|it|this|what i said)(?: (?:about|before)[^.!?]{0,40})? (?:was|is) (?:just |only |all )?(?:a "
    r"joke|a lie|not true|untrue|a test|nonsense)|"
    r"i (?:was|am|'m) (?:just |only )?(?:joking|kidding|lying|making (?:that|it) up)|i made (?:that|it|this) up|i lied|"
    r"(?:please )?forget (?:that(?! (?:i|he|she|they|we|it|you|there|my|our|his|her|the|an?|[\w'’-]+ (?:is|was|are))\b)"
    r"|what i (?:just )?said|what i told you|about that|it, that)"
    r"|scratch that(?=\s*(?:[^\w\s]|\Z|(?:i|we|he|she|it|they|my|our|actually|no)\b))|ignore "
    r"(?:that|what i (?:just )?said)|"
    r"take that back|disregard that|strike that)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^\W*(?:(?:oh|oops|no|wait|hmm|ah|sorry|hey|well|ok|okay)[,.! ]+)*(?:actually|correction|sorry|wait|my "
    r"mistake|i misspoke)\b|\b(?:had|got) (?:it|that|this|her|his) wrong\b",
    re.IGNORECASE,
)
_TURNED_OUT = re.compile(
    r"^\W*(?:so |well |it |and )*(?:turns|turned) out\b|\b(?:got|had|gave|told)\b[^.;!?]{1,30}\bwrong\b"
    r"|\bi (?:was|'m|am) (?:wrong|mistaken|confused) about\b",
    re.IGNORECASE,
)
_CLAUSAL = wordset("i he she we it really sure because only just")


def retraction(text: str) -> re.Match[str] | None:
    """The words that take back what was said, if there are any."""
    return RETRACTION.search(text)


def corrects(sentence: str) -> bool:
    """The sentence opens as a correction does."""
    return _OPENS.search(sentence) is not None


def turned_out(sentence: str) -> bool:
    """Something is said never to have been so: "turns out I'm not ...", "I got the date wrong, ..."."""
    return _TURNED_OUT.search(sentence) is not None


def put_right(text: str, claim: Claim) -> Claim:
    """A claim whose value stands in the place of another one: "Dixon, not Davis", "Firefox instead of Chrome"."""
    at = text.find(claim.object, claim.start, claim.end) if claim.object else -1
    match = None if at < 0 or claim.negative or claim.cue == "stop" else _NOT.match(text, at + len(claim.object))
    if match is None or _CLAUSAL & set(match["old"].lower().split()):
        return claim
    cue: Cue = "correct" if match["wrong"] else "update"
    return replace(claim, cue=cue, replaces=match["old"])


FIGURES = frozenset(["cost", "measured"])
"""Predicates of what happened once, whose value is the figure that was told."""


_NOT = re.compile(
    r"(?i)(?:\W*(?:,|-|–|—|\band)\s*(?P<wrong>not)|\s+(?:instead of|rather than)) "
    r"(?:(?:in|on|at|to|from|as|for) )?(?:(?:an?|the|my) )?"
    r"(?P<old>(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\w[^,;:!?\n]{0,40}?)"
    r"(?: now)?(?!\w| any ?more| any longer)(?=\W*(?:$|[,;:!?\n]|\. ))"
)
