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
"""Words whose vectors are kept in memory; when there are more, all are forgotten."""
AT_ONCE = 1 << 18
"""Multiplications in one matrix product. BLAS shares a larger one among threads that wait for each other: on a busy
machine that takes a hundred times longer, and the last digit depends on the number of processors."""


_known: dict[str, dict[str, Floats]] = {}
"""The vectors of the words met so far, by embedder; zeros for a word that is near to none."""
_lock = threading.Lock()


def held(terms: Sequence[str], documents: Sequence[str], embedder: Embedder) -> Floats:
    """How much of each term each document holds, from 0 to 1; shape (terms, documents).

    A document is its terms, joined by single spaces.
    """
    import numpy as np

    found = np.zeros((len(terms), len(documents)), dtype=np.float32)
    filled = [place for place, one in enumerate(documents) if one]
    if not filled:
        return found
    said = [documents[place].split(" ") for place in filled]
    starts = np.cumsum([0, *map(len, said)])[:-1]
    number: dict[str, int] = {}
    numbers = [number.setdefault(word, len(number)) for words in said for word in words]
    vectors = _vectors([*terms, *number], embedder)
    cosines = _products(vectors[: len(terms)], vectors[len(terms) :])
    near = np.clip((cosines - NEAR) / (1 - NEAR), 0, 1)
    for row, term in enumerate(terms):
        if term in number:
            near[row, number[term]] = 1
    found[:, filled] = np.maximum.reduceat(near[:, numbers], starts, axis=1)
    return found


def _vectors(words: Sequence[str], embedder: Embedder) -> Floats:
    """Shape (words, dimension)."""
    import numpy as np

    with _lock:
        known = _known.setdefault(embedder.fingerprint, {})
        if len(known) > KEPT:
            known.clear()
        new = [word for word in dict.fromkeys(words) if word not in known]
        known.update(dict.fromkeys(new, np.zeros(embedder.dimension, dtype=np.float32)))
        if told := [word for word in new if word.isascii() and word.isalpha()]:
            known.update(zip(told, embedder.embed(told), strict=True))
        return np.array([known[word] for word in words])


def _products(left: Floats, right: Floats) -> Floats:
    """`left @ right.T`, in pieces that one thread takes."""
    import numpy as np

    products = np.empty((len(left), len(right)), dtype=np.float32)
    step = max(AT_ONCE // max(left.size, 1), 1)
    for start in range(0, len(right), step):
        products[:, start : start + step] = left @ right[start : start + step].T
    return products
