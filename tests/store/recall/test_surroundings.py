"""Whole terms are counted, as often as they stand there, and never across two documents."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from store.recall.surroundings import _counted, _neighbours

TERMS = ("a", "aa", "b", "a.b", "猫", "2023-05", "quagga-7", "quagga-7731", "quagga-7732", "猫猫猫", "猫猫猫猫")
DOCUMENTS = st.lists(st.lists(st.sampled_from((*TERMS, "c", "aaa")), max_size=6), min_size=1, max_size=5)


@given(documents=DOCUMENTS)
def test_terms_are_counted_as_splitting_would(documents: list[list[str]]) -> None:
    counted, lengths = _counted([" ".join(words) for words in documents], TERMS)
    assert counted.shape == (len(TERMS), len(documents))
    expected = [[Counter(words)[term] for words in documents] for term in TERMS]
    assert counted.tolist() == expected
    assert lengths.tolist() == [len(words) for words in documents]


@st.composite
def chains(draw: st.DrawFn) -> list[list[int]]:
    """What a session of some turns gives for some of them: three places on either side, -1 beyond its ends."""
    size = draw(st.integers(1, 9))
    padded = [-1] * 3 + list(range(size)) + [-1] * 3
    return [padded[seed : seed + 7] for seed in draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=4))]


@given(chains())
def test_neighbours_are_those_of_the_session(found: list[list[int]]) -> None:
    candidates, around = _neighbours(np.array(found))
    assert candidates.tolist() == sorted({place for chain in found for place in chain[2:5] if place >= 0})
    last = max(place for chain in found for place in chain)
    for number, place in enumerate(candidates.tolist()):
        near = [int(around[offset][number]) for offset in (-2, -1, 1, 2)]
        assert near[:2] == [place - offset if place >= offset else -1 for offset in (2, 1)]
        assert near[2:] == [at if at <= last else -1 for at in (place + 1, place + 2)]
