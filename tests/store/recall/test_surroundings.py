"""Whole terms are counted, as often as they stand there, and never across two documents."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from store.recall.surroundings import _counts

TERMS = ("a", "aa", "b", "a.b", "猫", "2023-05")
DOCUMENTS = st.lists(st.lists(st.sampled_from((*TERMS, "c", "aaa")), max_size=6), max_size=5)


@given(documents=DOCUMENTS)
def test_terms_are_counted_as_splitting_would(documents: list[list[str]]) -> None:
    counted = _counts([" ".join(words) for words in documents], TERMS)
    assert counted.shape == (len(TERMS), len(documents))
    expected = [[Counter(words)[term] for words in documents] for term in TERMS]
    assert counted.tolist() == expected
