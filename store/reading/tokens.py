"""A text is cut into word pieces the same way when the reader is trained and when it reads.

No model here. `Pieces.segments` tells the encoder how each word is written, which an uncased vocabulary forgets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_PIECES = 256
"""Of a text that is read at once; the encoder was trained up to here."""
MAX_BEFORE, MAX_OWN_BEFORE = 40, 72
"""Pieces from the end of the turn before that are read with a text: of somebody else's, and of the writer's own."""
SMALL, CAPITAL, CAPITALS, BEFORE, OWN_BEFORE = range(5)
"""Segments: how a word is written, and the words of the turn before, somebody else's or the writer's own."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text in word pieces: [CLS], its own, [SEP], then the end of the turn before with [SEP], if there is one."""

    ids: list[int]
    segments: list[int]
    offsets: list[tuple[int, int]]
    """Characters of each piece in the text; of the turn before, in that one; (0, 0) for marks."""
    own: int
    """How many belong to the text itself, both marks included."""


def cut(tokenizer: Tokenizer, text: str, before: str = "", own_before: bool = False) -> Pieces:
    """The pieces of a text, at most MAX_PIECES of its own; `own_before`: the turn before is the same writer's."""
    encoded = tokenizer.encode(text)
    inner = min(len(encoded.ids), MAX_PIECES) - 1
    ids, offsets = [*encoded.ids[:inner], encoded.ids[-1]], [*encoded.offsets[:inner], (0, 0)]
    segments = list(_segments(text, offsets))
    own = len(ids)
    if before:
        most = MAX_OWN_BEFORE if own_before else MAX_BEFORE
        start = max(0, len(before) - 6 * most)
        tail = tokenizer.encode(before[start:])
        ids += tail.ids[1:][-most:]
        offsets += [(start + a, start + b) if b else (0, 0) for a, b in tail.offsets[1:][-most:]]
        segments += [OWN_BEFORE if own_before else BEFORE] * (len(ids) - own)
    return Pieces(ids, segments, offsets, own)


def _segments(text: str, offsets: list[tuple[int, int]]) -> Iterator[int]:
    last = SMALL
    for start, end in offsets:
        if end == 0:
            last = SMALL
        elif start == 0 or not text[start - 1].isalnum():
            last = _writing(text[start:end])
        yield last


def writing(text: str, start: int, end: int) -> int:
    """How a word is written. It is the whole word around text[start:end]."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    return _writing(text[start:end])


def _writing(word: str) -> int:
    if not word[:1].isupper():
        return SMALL
    return CAPITALS if len(word) > 1 and word.isupper() else CAPITAL


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Characters of a text, widened to the words that they begin and end within; signs of Chinese are words."""
    while start > 0 and _within(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _within(text[end - 1], text[end]):
        end += 1
    return start, end


def _within(one: str, other: str) -> bool:
    return one.isalnum() and other.isalnum() and max(one, other) < "\u2e80"
