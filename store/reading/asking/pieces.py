"""A question, and a question beside a turn, are cut into word pieces the same way in training and after it.

No model here. A turn is read with who said it, how long before the question, and on which day: "me, 3 weeks ago,
4 March 2026: ...", and behind it, where another asked for it, the end of the turn before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.reading.tokens import writing

if TYPE_CHECKING:
    from datetime import date

    from tokenizers import Tokenizer

MAX_QUESTION = 48
LONGEST = 1_500
"""Characters of a text that are cut into pieces: more than are ever read."""
MAX_TURN = 112
"""Word pieces that are read of a turn, with what stands in front of it."""
MAX_BEFORE = 24
"""Of the turn before."""
ASKED = 4
"""The segment of a question's words; those of a turn are the reader's own."""
BEFORE = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """[CLS] question [SEP] turn [SEP] and, if there is one, the end of the turn before [SEP]."""

    ids: list[int]
    segments: list[int]
    offsets: list[tuple[int, int]]
    """Characters of each piece in the turn's text; (-1, -1) for all that is not of the text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A turn as it is read beside a question."""

    text: str
    speaker: str
    """ "me" for the one who asks."""
    said: date
    age: int
    """Days from the turn to the last one that the memory knows."""
    before: str = ""
    """What another asked just before it."""


def front(turn: Passage) -> str:
    """What stands in front of a turn: "me, 3 weeks ago, 4 March 2026: "."""
    return f"{turn.speaker}, {_ago(turn.age)}, {turn.said.day} {turn.said:%B %Y}: "


def _ago(days: int) -> str:
    if days < 2:
        return "now"
    for unit, long in (("year", 365), ("month", 30), ("week", 7)):
        if days >= 2 * long or (days >= long and unit != "year"):
            count = days // long
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return f"{days} days ago"


def question_of(tokenizer: Tokenizer, question: str) -> Pair:
    """[CLS] question [SEP], with the characters of each piece in the question. Of a long text that ends in a question
    its end is read, of another its beginning."""
    asks = question.rstrip().endswith(("?", "？", "؟"))
    cut = max(0, len(question) - LONGEST) if asks else 0
    encoded = tokenizer.encode(question[cut : cut + LONGEST])
    most, last = MAX_QUESTION - 2, len(encoded.ids) - 1
    inside = slice(max(1, last - most), last) if asks else slice(1, min(last, 1 + most))
    ids = [encoded.ids[0], *encoded.ids[inside], encoded.ids[-1]]
    offsets = [(start + cut, end + cut) for start, end in encoded.offsets[inside]]
    return Pair(ids, [ASKED] * len(ids), [(-1, -1), *offsets, (-1, -1)])


def pair_of(tokenizer: Tokenizer, question: str, turn: Passage) -> Pair:
    """A question beside a turn that may answer it."""
    asked = question_of(tokenizer, question)
    ids, segments = list(asked.ids), list(asked.segments)
    offsets = [(-1, -1)] * len(ids)
    lead = front(turn)
    told = tokenizer.encode(lead + turn.text[:LONGEST])
    for piece, (start, end) in zip(told.ids[1:-1][:MAX_TURN], told.offsets[1:-1], strict=False):
        ids.append(piece)
        own = start >= len(lead)
        segments.append(writing(turn.text, start - len(lead), end - len(lead)) if own else 0)
        offsets.append((start - len(lead), end - len(lead)) if own else (-1, -1))
    ids.append(told.ids[-1])
    if turn.before:
        tail = tokenizer.encode(turn.before[-6 * MAX_BEFORE :]).ids[1:][-MAX_BEFORE:]
        ids += tail
    more = len(ids) - len(segments)
    return Pair(ids, [*segments, *([BEFORE] * more)], [*offsets, *([(-1, -1)] * more)])
