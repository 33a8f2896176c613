"""The same word counts fully, a near one in part, and a number is near to none but itself, nor is a word outside ASCII:
the embedder that ships takes it apart into letters, and then all words of a script are alike.

"Trips" are found in "we hiked": the nearness of two words is the cosine of their static vectors, above NEAR. What a
turn holds of a word is its nearest word, as in the late interaction of ColBERT (Khattab and Zaharia, SIGIR 2020).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from store.protocols import Embedder

    Floats = npt.NDArray[np.float32]

NEAR = 0.5
"""A cosine up to which two words have nothing to do with each other."""
KEPT = 20_000
"""Words whose vectors are kept in memory; when there are more, all are forgotten, and come again as they are met."""
AT_ONCE = 1 << 18
"""Multiplications in one matrix product. BLAS shares a larger one among threads that wait for each other: on a busy
machine that takes a hundred times longer, and the last digit depends on the number of processors."""


class Lexicon:
    """The vectors of the words met so far, by one embedder."""

    def __init__(self, dimension: int) -> None:
        import numpy as np

        self._numbers: dict[str, int] = {}
        self._vectors: Floats = np.zeros((1_024, dimension), dtype=np.float32)

    def numbers(self, words: Sequence[str], embedder: Embedder) -> npt.NDArray[np.intp]:
        """The number of each word."""
        try:
            return self._numbered(words)
        except KeyError:
            self._learn([word for word in dict.fromkeys(words) if word not in self._numbers], embedder)
        return self._numbered(words)

    def _numbered(self, words: Sequence[str]) -> npt.NDArray[np.intp]:
        import numpy as np

        return np.fromiter(map(self._numbers.__getitem__, words), dtype=np.intp, count=len(words))

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

    lengths = np.array([one.count(" ") + bool(one) for one in documents], dtype=np.intp)
    found = np.zeros((len(terms), len(documents)), dtype=np.float32)
    if not lengths.any():
        return found
    with _lock:
        lexicon = _lexicon(embedder)
        asked = lexicon.numbers(terms, embedder)
        said = lexicon.numbers(" ".join(filter(None, documents)).split(" "), embedder)
        different, places = _different(said)
        cosines = _products(lexicon.vectors(asked), lexicon.vectors(different))
    near = np.clip((cosines - NEAR) / (1 - NEAR), 0, 1)
    near[asked[:, None] == different] = 1
    filled = np.flatnonzero(lengths)
    starts = (np.cumsum(lengths) - lengths)[filled]
    found[:, filled] = np.maximum.reduceat(near[:, places], starts, axis=1)
    return found


def _different(numbers: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The different numbers, ascending, and at which of them each is: numbers this small need no sorting."""
    import numpy as np

    there = np.zeros(int(numbers.max()) + 1, dtype=np.bool_)
    there[numbers] = True
    place = np.cumsum(there) - 1
    return np.flatnonzero(there), place[numbers]


def _products(left: Floats, right: Floats) -> Floats:
    """`left @ right.T`, in pieces that one thread takes."""
    import numpy as np

    products = np.empty((len(left), len(right)), dtype=np.float32)
    step = max(AT_ONCE // max(left.size, 1), 1)
    for start in range(0, len(right), step):
        products[:, start : start + step] = left @ right[start : start + step].T
    return products


def _lexicon(embedder: Embedder) -> Lexicon:
    known = _lexica.get(embedder.fingerprint)
    if known is None or known.full():
        known = _lexica[embedder.fingerprint] = Lexicon(embedder.dimension)
    return known
