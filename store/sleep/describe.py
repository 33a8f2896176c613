"""A unit's descriptor follows from its words alone, and quotes them: title and summary are spans of turns, not texts.

Keywords are the terms nearest in meaning to the whole (as KeyBERT finds them, but with the static embedder), those of
the person first; the title is the sentence of the opening turn that says the most, the summary the two of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from store.episodes.index import quantised
from store.episodes.terms import STOPWORDS, query_terms
from store.protocols import Embedder
from store.sleep.units import Piece, Span

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

KEYWORDS = 6
SENTENCES = 2
LONGEST_TITLE = 80
READ, READ_OF_REPLIES = 3_000, 800
"""Characters of a piece that are looked at for what it is about, where the person said it and where it answers."""
_CANDIDATES = 40
_TELLING = 12
"""Words of a sentence beyond which it says no more."""

_ANY = (
    "I was thinking about it today.", "Can you tell me more about that?", "We went there last week with a friend.",
    "It is a good idea, thank you.", "What should I do next?", "I have been trying to find some time for this.",
    "Here are some of the things that you could try.", "Yes, that sounds great!",
    "He said that they would be there in the morning.", "Please make a list of the most important ones.",
    "How was your day?", "There are a few things to keep in mind.", "I don't know what to say about that.",
    "Let me know if you have any other questions.", "She told me that it would take a while.",
    "I want to get better at it this year.",
)  # fmt: skip
"""Sentences about nothing in particular: what their vectors have in common says nothing about a text."""
_SENTENCE = re.compile(r"\S[^\n]*?(?:[.!?…](?=\s|$)|[。！？]|(?=\n)|$)")
WORD = re.compile(r"[^\W_](?:[\w'’-]*\w)?")
_MARKED = re.compile(r"\d|(?<=[\w,;:'\"] )[A-Z]\w{2,}")


class Descriptor(NamedTuple):
    """What a unit is found and shown by."""

    title: Span
    summary: tuple[Span, ...]
    keywords: tuple[str, ...]
    vector: bytes
    print: int


class Describer:
    """Describes units by their words and an embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._common: Floats | None = None

    def describe(self, units: Sequence[Sequence[Piece]]) -> list[Descriptor]:
        """A descriptor for each unit, which is its pieces in order."""
        vectors = self.vectors(["\n".join(piece.text[: _read(piece)] for piece in pieces) for pieces in units])
        candidates = [_candidates(pieces) for pieces in units]
        words = sorted({word for found in candidates for word in found.values()})
        vector_of = dict(zip(words, self.vectors(words), strict=True))
        return [
            Descriptor(
                _title(pieces), _summary(pieces), _keywords(found, vector_of, vector), packed.tobytes(), _print(pieces)
            )
            for pieces, found, vector, packed in zip(units, candidates, vectors, quantised(vectors), strict=True)
        ]  # fmt: skip

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimension): what each text has that not every text has, of length 1. The static vectors of
        two unrelated texts have a cosine of .7; without what they share with any sentence, of .3."""
        import numpy as np

        if self._common is None:
            self._common = self._embedder.embed(_ANY).mean(axis=0)
        apart = self._embedder.embed(texts) - self._common
        lengths = np.linalg.norm(apart, axis=1, keepdims=True)
        found: Floats = np.divide(apart, lengths, out=np.zeros_like(apart), where=lengths > 0)
        return found


def _keywords(found: Mapping[str, str], vector_of: Mapping[str, Floats], vector: Floats) -> tuple[str, ...]:
    near = {term: round(float(vector_of[word] @ vector), 4) for term, word in found.items()}
    return tuple(sorted(near, key=lambda term: (-near[term], term))[:KEYWORDS])


def _candidates(pieces: Sequence[Piece]) -> dict[str, str]:
    """Terms that may be keywords, each with the word that it stands for; the person's own before those of replies."""
    found: dict[str, str] = {}
    for piece in sorted(pieces, key=lambda piece: not piece.own):
        for match in WORD.finditer(piece.text, 0, _read(piece)):
            for term in _terms(match.group()):
                found.setdefault(term, match.group())
            if len(found) >= _CANDIDATES:
                return found
    return found


@lru_cache(maxsize=1 << 16)
def _terms(word: str) -> tuple[str, ...]:
    """The terms of one word that say something."""
    plain = word.casefold().replace("’", "'")
    return () if plain in STOPWORDS or len(plain) < 2 else tuple(query_terms(word))


def telling(text: str) -> set[str]:
    """The terms of a text that say something."""
    return {term for match in WORD.finditer(text) for term in _terms(match.group())}


def _print(pieces: Sequence[Piece]) -> int:
    said = " ".join(word for piece in pieces for word in WORD.findall(piece.text.casefold()))
    digest = blake2b(said.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def _read(piece: Piece) -> int:
    return READ if piece.own else READ_OF_REPLIES


def sentences(piece: Piece) -> Iterator[tuple[int, int]]:
    """The sentences of a piece, as characters [start, end) of its text."""
    for match in _SENTENCE.finditer(piece.text, 0, _read(piece)):
        yield match.start(), match.start() + len(match.group().rstrip())


def _says(piece: Piece, start: int, end: int) -> float:
    """How much a sentence says: its telling words up to a dozen, names and numbers twice; a reply counts for less."""
    words = piece.text[start:end]
    said = min(len(telling(words)), _TELLING) + min(len(_MARKED.findall(words)), 4)
    return said * (1.0 if piece.own else 0.5)


def _title(pieces: Sequence[Piece]) -> Span:
    opening = next((piece for piece in pieces if piece.own), pieces[0])
    whole = (0, len(opening.text))
    start, end = max(sentences(opening), key=lambda one: _says(opening, *one), default=whole)
    if end - start > LONGEST_TITLE:
        cut = opening.text.rfind(" ", start, start + LONGEST_TITLE)
        end = cut if cut > start + LONGEST_TITLE // 2 else start + LONGEST_TITLE
    return opening.span(start, end)


def _summary(pieces: Sequence[Piece]) -> tuple[Span, ...]:
    """The sentences that say the most, in the order of saying."""
    every = [(piece, *sentence) for piece in pieces for sentence in sentences(piece)]
    best = sorted(range(len(every)), key=lambda place: -_says(*every[place]))[:SENTENCES]
    return tuple(every[place][0].span(*every[place][1:]) for place in sorted(best))
