"""The same word counts fully, a near one in part, and a number is near to none but itself, nor is a word outside ASCII:
the embedder that ships takes it apart into letters, and then all words of a script are alike.

"Trips" are found in "we hiked": the nearness of two words is the cosine of their static vectors, above NEAR. What a
turn holds of a word is its nearest word, as in the late interaction of ColBERT (Khattab and Zaharia, SIGIR 2020).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from store.protocols import Embedder

    Floats = npt.NDArray[np.float32]

NEAR = 0.5
"""A cosine up to which two words have nothing to do with each other."""
KEPT = 20_000
"""Words whose vectors are kept in memory; when there are more, all are forgotten, and come again as they are met."""


class Lexicon:
    """The vectors of the words met so far, by one embedder."""

    def __init__(self, dimension: int) -> None:
        import numpy as np

        self._numbers: dict[str, int] = {}
        self._vectors: Floats = np.zeros((1_024, dimension), dtype=np.float32)

    def numbers(self, words: Sequence[str], embedder: Embedder) -> list[int]:
        """The number of each word."""
        found = list(map(self._numbers.get, words))
        if None in found:
            known = self._numbers
            self._learn(list(dict.fromkeys(word for word in words if word not in known)), embedder)
            return [known[word] for word in words]
        return cast("list[int]", found)

    def vectors(self, numbers: npt.NDArray[np.intp]) -> Floats:
        """Shape (numbers, dimension); a row of zeros for a word that is near to none."""
        return self._vectors[numbers]

    def full(self) -> bool:
        """Whether it is time to begin anew."""
        return len(self._numbers) > KEPT

    def _learn(self, words: Sequence[str], embedder: Embedder) -> None:
        import numpy as np

        first, last = len(self._numbers), len(self._numbers) + len(words)
        while last > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        told = np.array([word.isascii() and word.isalpha() for word in words], dtype=np.float32)
        self._vectors[first:last] = embedder.embed(words) * told[:, None]
        self._numbers.update(zip(words, range(first, last), strict=True))


_lexica: dict[str, Lexicon] = {}
_lock = threading.Lock()


def held(terms: Sequence[str], documents: Sequence[str], embedder: Embedder) -> Floats:
    """How much of each term each document holds, from 0 to 1; shape (terms, documents).

    A document is its terms, joined by single spaces.
    """
    import numpy as np

    split = [document.split() for document in documents]
    lengths = np.array([len(words) for words in split], dtype=np.intp)
    found = np.zeros((len(terms), len(documents)), dtype=np.float32)
    if not lengths.any():
        return found
    with _lock:
        lexicon = _lexicon(embedder)
        asked = np.array(lexicon.numbers(terms, embedder), dtype=np.intp)
        said = np.array(lexicon.numbers([word for words in split for word in words], embedder), dtype=np.intp)
        different, places = np.unique(said, return_inverse=True)
        cosines = lexicon.vectors(asked) @ lexicon.vectors(different).T
    near = np.clip((cosines - NEAR) / (1 - NEAR), 0, 1)
    near[asked[:, None] == different] = 1
    filled = np.flatnonzero(lengths)
    starts = (np.cumsum(lengths) - lengths)[filled]
    found[:, filled] = np.maximum.reduceat(near[:, places], starts, axis=1)
    return found


def _lexicon(embedder: Embedder) -> Lexicon:
    known = _lexica.get(embedder.fingerprint)
    if known is None or known.full():
        known = _lexica[embedder.fingerprint] = Lexicon(embedder.dimension)
    return known
