"""A reply is flagged only by its own words: a sentence that claims what no longer holds, or denies what does.

Plain matching of words, in English, sentence by sentence. It is there to make a person look, not to judge: a sentence
that speaks of the past, asks, or names the present value as well is left alone, so it misses more than it invents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_PAST = re.compile(
    r"\b(was|were|had|used to|until|till|before|previously|formerly|earlier|ago|once|back (then|in|when)|no longer|"
    r"any ?more|moved|left|sold|quit|stopped|changed|switched|lived|worked|liked|owned|ex|old|last|then|since)\b"
)
_DENIAL = re.compile(r"\b(not|never|no longer|isn['’]?t|aren['’]?t|don['’]?t|doesn['’]?t)\b")
_WORDS_BETWEEN = 4
"""A denial further away from the value than so many words is about something else."""


@dataclass(frozen=True, slots=True)
class SlotValues:
    """What a slot holds at the time that the reply is about, and what it held at others."""

    value: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The sentence that does not fit, and what it does not fit to."""

    sentence: str
    held: SlotValues


def contradictions(reply: str, beliefs: Sequence[SlotValues]) -> list[Contradiction]:
    """Every sentence of the reply that speaks against one of the beliefs that the model was given."""
    return [
        Contradiction(sentence, held)
        for sentence in _sentences(reply)
        for held in beliefs
        if _against(_folded(sentence), held)
    ]


def _against(sentence: str, held: SlotValues) -> bool:
    values = _parts(held.value)
    named = [value for value in values if _names(sentence, value)]
    if named:
        return any(_denied(sentence, value) for value in named)
    outdated = any(_names(sentence, part) for other in held.others for part in _parts(other) if part not in values)
    return outdated and _PAST.search(sentence) is None and _DENIAL.search(sentence) is None


def _parts(value: str) -> list[str]:
    """Lisbon, Alfama: either names the place."""
    return [part for piece in value.split(",") if (part := _folded(piece))]


def _denied(sentence: str, value: str) -> bool:
    before = sentence[: sentence.find(value)]
    near = " ".join(before.split()[-_WORDS_BETWEEN:])
    return _DENIAL.search(near) is not None


def _names(sentence: str, value: str) -> bool:
    return bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sentence) is not None


def _sentences(reply: str) -> Iterator[str]:
    """Questions claim nothing."""
    for match in _SENTENCE.finditer(reply):
        sentence = match[0].strip()
        if sentence and not sentence.endswith("?"):
            yield sentence


def _folded(text: str) -> str:
    """Without case and diacritics."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in parts if not unicodedata.combining(c)).split())
