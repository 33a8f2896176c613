"""A summary is made of sentences that somebody said, each with the turn that it is from; no word in it is new.

Which ones: those that taught the memory something, that name and date things, that are about what the whole stretch is
about (the middle of its turns' vectors), and that do not repeat one another (maximal marginal relevance, Carbonell and
Goldstein, SIGIR 1998). The same turns give the same sentences; nothing depends on the clock or on what else is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from store.episodes.marks import ASKS, COUNTED, DATED, NAMED, OWN, PAST, marks
from store.episodes.terms import query_terms
from store.reading.masks import veil
from store.reading.sentences import spans_of
from store.records import Role

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

READ, READ_OF_REPLIES = 4_000, 800
"""Characters of a turn that are looked at, where the person said it and where it answers."""
BEST = 2
"""Sentences that may stand for one turn."""
SHORTEST, LONGEST = 3, 45
"""Words of a sentence that says something by itself, and that a summary has room for."""
_MAY_QUOTE = re.compile(r"[`~>|\[<:\n\"“«„「]")
"""Without one of these nothing is pasted, quoted or fenced in."""
_TAUGHT, _MOST_TAUGHT = 0.8, 3
_SIGNS: Mapping[str, float] = {DATED: 0.25, NAMED: 0.25, COUNTED: 0.1, OWN: 0.15, PAST: 0.15, ASKS: -0.8}
_FULL_OF_WORDS = 12
"""Different words with a meaning of their own, from which on more of them make a sentence no better."""
_NOT_THE_PERSON = -0.5
"""What is not said by people is not weighed any further: it stands for a stretch only where they said nothing."""
_AWKWARD = -1.0
_CENTRAL, _REPEATING = 0.6, 0.8


class TurnSentence(NamedTuple):
    """One sentence of a turn."""

    row: int
    """The turn's row."""
    start: int
    end: int
    score: float
    """How well it stands for its turn."""


def gist(row: int, text: str, role: Role, taught: Sequence[tuple[int, int]]) -> tuple[TurnSentence, ...]:
    """The best sentences of a turn, best first; `taught` are the quotes of the claims that were read from it. What is
    quoted, pasted or secret is no sentence of it."""
    read = text[: READ if role == "user" else READ_OF_REPLIES]
    hidden = veil(read).hidden if _MAY_QUOTE.search(read) else []
    found: list[TurnSentence] = []
    for begins, ends in spans_of(read):
        if found and ends == len(read) < len(text):
            break  # it goes on where nobody looks
        words = text[begins:ends]
        start = begins + len(words) - len(words.lstrip(" \t\n-*#•>"))
        end = begins + len(words.rstrip())
        if start < end and not any(a < end and start < b for a, b in hidden):
            found.append(TurnSentence(row, start, end, round(_score(text[start:end], role, start, taught), 3)))
    return tuple(sorted(found, key=lambda one: (-one.score, one.start))[:BEST])


def _score(sentence: str, role: Role, start: int, taught: Sequence[tuple[int, int]]) -> float:
    end = start + len(sentence)
    told = min(_MOST_TAUGHT, sum(a < end and start < b for a, b in taught))
    score = _TAUGHT * told + (0.0 if SHORTEST <= len(sentence.split()) <= LONGEST else _AWKWARD)
    if role != "user":
        return score + _NOT_THE_PERSON
    score += min(len(query_terms(sentence)), _FULL_OF_WORDS) / _FULL_OF_WORDS
    return score + sum(_SIGNS.get(mark, 0.0) for mark in marks(sentence))


def choose(spans: Sequence[TurnSentence], vectors: Mapping[int, Floats], most: int) -> list[TurnSentence]:
    """The `most` spans that together say best what all of them are about, best first. `vectors` are those of the turns,
    of length 1, by row; a turn without one is about nothing in particular."""
    import numpy as np

    if not spans:
        return []
    ordered = sorted(set(spans))
    nothing = np.zeros(len(next(iter(vectors.values()))) if vectors else 1, np.float32)
    about = np.stack([vectors.get(span.row, nothing) for span in ordered])
    middle = about.mean(axis=0)
    worth = np.array([span.score for span in ordered]) + _CENTRAL * (about @ middle) / (np.linalg.norm(middle) + 1e-9)
    repeats = np.zeros(len(ordered))
    chosen: list[int] = []
    while len(chosen) < min(most, len(ordered)):
        left = worth - _REPEATING * repeats
        left[chosen] = -np.inf
        best = int(np.argmax(left))
        chosen.append(best)
        repeats = np.maximum(repeats, about @ about[best])
    return [ordered[place] for place in chosen]
