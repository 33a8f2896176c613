"""The same word is 1, a number is near to none but itself, and what was met before changes no score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from store.recall import soft

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Near:
    """Words that begin with the same letter have a cosine of 0.8."""

    fingerprint: str
    dimension: int = 64

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row, ord(text[0]) % 32] = 0.8**0.5
            vectors[row, 32 + sum(map(ord, text)) % 32] = 0.2**0.5
        return vectors


def test_the_same_word_is_one_and_a_near_one_less() -> None:
    found = soft.held(("trip", "cat"), ("tour in may", "a trip", "", "dog"), Near("a"))
    assert found.tolist()[0] == pytest.approx([0.6, 1, 0, 0])
    assert found.tolist()[1] == pytest.approx([0, 0, 0, 0])


def test_a_number_is_near_to_none_but_itself() -> None:
    found = soft.held(("2023", "c++"), ("2022", "2023", "clang c"), Near("b"))
    assert found.tolist() == [[0, 1, 0], [0, 0, 0]]


def test_no_documents_and_no_words() -> None:
    assert soft.held(("trip",), (), Near("c")).shape == (1, 0)
    assert soft.held(("trip",), ("", ""), Near("c")).tolist() == [[0, 0]]


def test_what_was_met_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, said = ("trip", "cat"), ("tour", "cab trip")
    before = soft.held(asked, said, Near("d")).tolist()
    monkeypatch.setattr(soft, "KEPT", 3)
    for words in ("one two three", "four five six"):
        soft.held(("seven",), (words * 300,), Near("d"))
    assert soft.held(asked, said, Near("d")).tolist() == before


def test_a_word_outside_ascii_is_near_to_none_but_itself() -> None:
    from store.episodes.embedding import StaticEmbedder

    found = soft.held(["바다"], ["바다 집", "설탕 김치"], StaticEmbedder.load())
    assert found.tolist() == [[1.0, 0.0]]


def test_products_in_pieces_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, said = ("trip", "cat", "sun"), tuple(f"{letter}{letter} {letter}at" for letter in "abcdefgstuv")
    whole = soft.held(asked, said, Near("e"))
    monkeypatch.setattr(soft, "AT_ONCE", 1)
    assert soft.held(asked, said, Near("e")) == pytest.approx(whole, abs=1e-6)
    assert whole.any()
