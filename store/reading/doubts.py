"""What is said of a thing may hold of another one, be hearsay, or hold at times only: then nothing is certain.

Each function looks at the words around a value, and gives whether they leave the claim open. An open claim is shown as
unsure, and ends nothing.
"""

from __future__ import annotations

import re

from store.reading.encoder import Statement
from store.reading.worded import is_of_somebody

_HEARSAY = re.compile(
    r"(?i)(?:\baccording to\b|\byou (?:said|told me|say|think|thought|claim(?:ed)?)\b|\bsays?:)[^.!?;\n]*\Z"
)
"""Whose word it is, before a value."""
_MAYBE = re.compile(r"(?i)[^.!?;\n]{0,40}\b(?:maybe|perhaps|possibly)\W*(?:\Z|[.!?;\n])")
"""Behind a value, at the end of its clause: "giving up coffee for Lent, maybe"."""
_OF_MANY = re.compile(r"(?i)\b(?:average|typical|median|minimum|usual) [\w ]*\Z")
"""What a price or a pay is of many, before its noun: "the average salary here is"."""
_LENT = re.compile(r"(?i)\b(?:rental|rented|hired?|loan(?:ed)?|loaner|courtesy|borrowed|test)\b")
"""What one has of somebody else for a while."""
_INDEFINITE = re.compile(r"(?i)\b(?<!\bwas )(?<!\bis )(?<!\bhad )(?:an?|some|one of (?:my|our|the)) (?:[\w-]+ )?\Z")
"""Before a thing, that it is none that was told of."""
_AT_TIMES = re.compile(
    r"(?i) (?:on an?|on \w+days|on (?-i:[A-ZÀ-Þ])[\w-]+|after(?! all)|before|when|while|unless|with(?:out)?|every|each"
    r"|at (?:night|work|home|school)|in the (?:morning|evening|afternoon|week))\b"
)
"""Behind what is denied, when or how it is not so: "no ibuprofen on an empty stomach"."""
_HELD = frozenset(["owns", "drives", "uses", "pet"])
_TAKEN = frozenset(["medicine", "diet", "likes", "habit", "uses", "drives", "hobby", "sport", "plays", "speaks"])
_THEIRS = re.compile(r"(?i)\b(?:their|his|her) (?:[\w-]+ )?[\w-]+(?:['’]s| is| was|,)? \Z")
"""Before a name, that it is of somebody of somebody else's: "their mum is"."""


_COUPLE = re.compile(r" and (?!I\b)[A-Z][\w'’-]+ (?:have|are|were|got|get|will)\b")
"""Behind a name, that of whoever is together with them: "Nora and Felix have been together"."""


def is_of_another(text: str, said: Statement) -> bool:
    """Whether a value is borrowed, is of many, of somebody else, or is somebody else's word for it; or is but maybe
    so."""
    start, end = said.value
    lent = said.predicate in _HELD and _LENT.search(text[start:end]) is not None
    many = said.predicate in ("pay", "price") and _OF_MANY.search(text, max(0, start - 60), start)
    theirs = said.subject is None and is_of_somebody(said) and _THEIRS.search(text, 0, start)
    couple = said.predicate == "partner" and said.subject is None and _COUPLE.match(text, end)
    return bool(lent or many or theirs or couple or _HEARSAY.search(text, 0, start) or _MAYBE.match(text, end))


def ends_no_other(text: str, said: Statement) -> bool:
    """Whether what is over is "a" car, which need not be the one that was told of, or is not so at times only."""
    one_of = said.predicate in _HELD and _INDEFINITE.search(text, 0, said.value.start) is not None
    partly = said.status == "not" and said.predicate in _TAKEN and _AT_TIMES.match(text, said.value.end) is not None
    return one_of or partly
