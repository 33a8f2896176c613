"""A correction names what was wrong, or it points at what was said last; it never touches anything else.

"I had the door code wrong, it is 4417"; "it's Dixon, not Davis"; "I meant the 14th"; "that was a joke, forget it".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.beliefs.predicates import find
from store.records import Claim, Cue
from store.text.lists import wordset

RETRACTION = re.compile(
    r"\b(?:(?:that|it|this|what i said)(?: (?:about|before)[^.!?]{0,40})? (?:was|is) (?:just |only |all )?(?:a "
    r"joke|a lie|not true|untrue|a test|nonsense)|"
    r"i (?:was|am|'m) (?:just |only )?(?:joking|kidding|lying|making (?:that|it) up)|i made (?:that|it|this) up|i lied|"
    r"(?:please )?forget (?:that(?! (?:i|he|she|they|we|it|you|there|my|our|his|her|the|an?|[\w'’-]+ (?:is|was|are))\b)"
    r"|what i (?:just )?said|what i told you|about that|it, that)|scratch that|ignore "
    r"(?:that|what i (?:just )?said)|"
    r"take that back|disregard that|strike that)\b",
    re.IGNORECASE,
)
_RETRACTING = (
    "joke",
    "lie",
    "true",
    "test",
    "nonsense",
    "joking",
    "kidding",
    "lying",
    "lied",
    "made ",
    "making",
    "forget",
    "scratch",
    "ignore",
    "back",
    "disregard",
    "strike",
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
    low = text.lower()
    return RETRACTION.search(text) if any(word in low for word in _RETRACTING) else None


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


def pointed(text: str, claim: Claim, told: Sequence[Claim]) -> Claim:
    """ "It's Dixon, not Davis": what the same speaker said of Davis is put right, whatever it was; "it's 4488":
    the last value of its make."""
    if claim.cue != "correct" or claim.negative:
        return claim
    old = claim.replaces or ""
    for one in reversed(told):
        if one.negative or one.cue == "stop" or not one.object:
            continue
        if not old and claim.predicate == one.predicate == "expires_on" and claim.subject == one.subject:
            return replace(claim, replaces=one.object)  # its value is the day
        if old and old.casefold() in one.object.casefold():
            value = re.sub(re.escape(old), lambda _: claim.object, one.object, flags=re.IGNORECASE)
        elif not old and (_is_it(text, claim, one) or one in _instead_of(text, claim, told)):
            value, old = claim.object, one.object
        else:
            continue
        return replace(
            claim, subject=one.subject, predicate=one.predicate, object=value, functional=one.functional,
            modality=one.modality, replaces=old,
        )  # fmt: skip
    return claim


FIGURES = frozenset(["cost", "measured"])
"""Predicates of what happened once, whose value is the figure that was told."""


def _is_it(text: str, claim: Claim, one: Claim) -> bool:
    """Whether "it's" leads to a value that is of the make of another."""
    return _IT.search(text, 0, text.find(claim.object, claim.start)) is not None and _alike(one, claim.object)


def _instead_of(text: str, claim: Claim, told: Sequence[Claim]) -> list[Claim]:
    """What a value of which somebody may have several is told instead of, if one alone was told: "no wait, it's
    hazelnuts I'm allergic to"."""
    slot = claim.subject, claim.predicate, False
    same = [one for one in told if (one.subject, one.predicate, one.negative) == slot]
    anew = {one.object.casefold() for one in same} - {claim.object.casefold()}
    meant = find(claim.predicate).cardinality == "many" and corrects(text)
    return same if meant and len(anew) == len(same) == 1 else []


_IT = re.compile(r"(?i)\b(?:it|that)(?:['’]?s| is| should be)\s+\Z")


def _alike(one: Claim, new: str) -> bool:
    """A single value of the same make: digits for digits, a name for a name."""
    single = one.functional or find(one.predicate).cardinality == "one"
    digits = any(letter.isdigit() for letter in one.object) == any(letter.isdigit() for letter in new)
    return single and digits and one.object[:1].isupper() == new[:1].isupper()


_NOT = re.compile(
    r"(?i)(?:\W*(?:,|-|–|—|\band)\s*(?P<wrong>not)|\s+(?:instead of|rather than)) "
    r"(?:(?:in|on|at|to|from|as|for) )?(?:(?:an?|the|my) )?"
    r"(?P<old>(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\w[^,;:!?\n]{0,40}?)"
    r"(?: now)?(?!\w| any ?more| any longer)(?=\W*(?:$|[,;:!?\n]|\. ))"
)
