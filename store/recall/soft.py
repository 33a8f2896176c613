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
"""Words whose vectors are kept in memory; when there are more, the half that was met most goes on."""
AT_ONCE = 1 << 18
"""Multiplications in one matrix product. BLAS shares a larger one among threads that wait for each other: on a busy
machine that takes a hundred times longer, and the last digit depends on the number of processors."""


class Lexicon:
    """The vectors of the words met so far, by one embedder."""

    def __init__(self, dimension: int) -> None:
        import numpy as np

        self._numbers: dict[str, int] = {}
        # Room for all from the start: memory that was never written to takes none.
        self._vectors: Floats = np.zeros((KEPT + KEPT // 4, dimension), dtype=np.float32)
        self._met = np.zeros(len(self._vectors), dtype=np.int64)

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
        """Shape (numbers, dimension), each number once; a row of zeros for a word that is near to none."""
        self._met[numbers] += 1
        return self._vectors[numbers]

    def full(self) -> bool:
        """Whether it is time to go on with fewer."""
        return len(self._numbers) > KEPT

    def go_on(self) -> None:
        """Forget the half of the words that was met least; what was met long ago counts less and less."""
        import numpy as np

        words = list(self._numbers)
        kept = np.argsort(-self._met[: len(words)], kind="stable")[: KEPT // 2]
        self._numbers = {words[number]: place for place, number in enumerate(kept.tolist())}
        self._vectors[: len(kept)], self._met[: len(kept)] = self._vectors[kept], self._met[kept] // 2

    def _learn(self, words: Sequence[str], embedder: Embedder) -> None:
        import numpy as np

        first, last = len(self._numbers), len(self._numbers) + len(words)
        if last > len(self._vectors):
            more = last - len(self._vectors)
            self._vectors = np.concatenate([self._vectors, np.zeros((more, self._vectors.shape[1]), np.float32)])
            self._met = np.concatenate([self._met, np.zeros(more, np.int64)])
        self._vectors[first:last], self._met[first:last] = 0, 0
        told = [place for place, word in enumerate(words, start=first) if word.isascii() and word.isalpha()]
        if told:
            self._vectors[told] = embedder.embed([words[place - first] for place in told])
        self._numbers.update(zip(words, range(first, last), strict=True))


_lexica: dict[str, Lexicon] = {}
_lock = threading.Lock()


def held(terms: Sequence[str], documents: Sequence[str], embedder: Embedder) -> Floats:
    """How much of each term each document holds, from 0 to 1; shape (terms, documents).

    A document is its terms, joined by single spaces.
    """
    import numpy as np

    filled = [place for place, one in enumerate(documents) if one]
    found = np.zeros((len(terms), len(documents)), dtype=np.float32)
    if not filled:
        return found
    said_there = [documents[place] for place in filled]
    lengths = np.array([one.count(" ") + 1 for one in said_there], dtype=np.intp)
    with _lock:
        lexicon = _lexicon(embedder)
        asked = lexicon.numbers(terms, embedder)
        said = lexicon.numbers(" ".join(said_there).split(" "), embedder)
        different, places = _different(said)
        cosines = _products(lexicon.vectors(asked), lexicon.vectors(different))
    near = np.clip((cosines - NEAR) / (1 - NEAR), 0, 1)
    near[asked[:, None] == different] = 1
    found[:, filled] = np.maximum.reduceat(near[:, places], np.cumsum(lengths) - lengths, axis=1)
    return found


def learn(documents: Sequence[str], embedder: Embedder) -> None:
    """Meet the words of documents before anybody asks; what is known already stays as it is."""
    words = list(dict.fromkeys(" ".join(filter(None, documents)).split()))
    with _lock:
        _lexicon(embedder).numbers(words[: KEPT * 3 // 4], embedder)  # which leaves room for those of questions


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
    if known is None:
        known = _lexica[embedder.fingerprint] = Lexicon(embedder.dimension)
    if known.full():
        known.go_on()
    return known
