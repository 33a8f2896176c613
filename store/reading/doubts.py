"""What is said of a thing may hold of another one, be hearsay, or hold at times only: then nothing is certain.

Each function looks at the words around a value.
"""

from __future__ import annotations

import re

from store.reading.encoder import Statement

_HEARSAY = re.compile(
    r"(?i)(?:\baccording to\b|\byou (?:said|told me|say|think|thought|claim(?:ed)?)\b|\bsays?:)[^.!?;\n]*\Z"
)
"""Whose word it is, before a value."""
_MAYBE = re.compile(r"(?i)[^.!?;\n]{0,40}\b(?:maybe|perhaps|possibly)\W*(?:\Z|[.!?;\n])")
"""Behind a value, at the end of its clause: "giving up coffee for Lent, maybe"."""
_OF_MANY = re.compile(r"(?i)\b(?:average|typical|median|minimum|usual) [\w ]*\Z")
"""What a price or a pay is of many, before its noun: "the average salary here is"."""
_INDEFINITE = re.compile(r"(?i)\b(?<!\bwas )(?<!\bis )(?<!\bhad )(?:an?|some|one of (?:my|our|the)) (?:[\w-]+ )?\Z")
"""Before a thing, that it is none that was told of."""
_AT_TIMES = re.compile(
    r"(?i) (?:on an?|on \w+days|on (?-i:[A-ZÀ-Þ])[\w-]+|after(?! all)|before|when|while|unless|with(?:out)?|every|each"
    r"|at (?:night|work|home|school)|in the (?:morning|evening|afternoon|week))\b"
)
"""Behind what is denied, when or how it is not so: "no ibuprofen on an empty stomach"."""
_HELD = frozenset(["owns", "drives", "uses", "pet"])
_TAKEN = frozenset(["medicine", "diet", "likes", "habit", "uses", "drives", "hobby", "sport", "plays", "speaks"])
_FIGURE = re.compile(r"[$£€]?\d[^,;]*")
_TO = re.compile(r" (?:(?:up|down) )?to (?:about )?[$€£]?\d")


def is_of_another(text: str, said: Statement) -> bool:
    """Whether a value is of many, somebody else's word, or said to be possible: then it is unsure, and ends nothing."""
    start = said.value.start
    many = said.predicate in ("pay", "price") and _OF_MANY.search(text, max(0, start - 60), start)
    return bool(many or _HEARSAY.search(text, 0, start) or _MAYBE.match(text, said.value.end))


def is_left_behind(text: str, said: Statement) -> bool:
    """Whether it is the old one of two figures, and the new one says so: "from 41 to 38.5"."""
    figure = _FIGURE.fullmatch(text, *said.value) is not None and said.status in ("ends", "corrects", "was", "is")
    return figure and text.endswith("from ", 0, said.value.start) and _TO.match(text, said.value.end) is not None


def ends_no_other(text: str, said: Statement) -> bool:
    """Whether what is over is "a" car, which need not be the one that was told of, or is not so at times only."""
    one_of = said.predicate in _HELD and _INDEFINITE.search(text, 0, said.value.start) is not None
    partly = said.status == "not" and said.predicate in _TAKEN and _AT_TIMES.match(text, said.value.end) is not None
    return one_of or partly
