"""Scores are those of the papers, by hand."""

from __future__ import annotations

import pytest

from app.evaluation.outcomes import normalised, strictly_right, token_f1
from app.evaluation.tables import interval, mcnemar, ndcg_at, recall_at


def test_normalisation_is_that_of_locomo() -> None:
    assert normalised("The 7th of May, 2023!") == "7th of may 2023"
    assert normalised("1,000 cats and a dog") == "1000 cats dog"


@pytest.mark.parametrize(
    ("answer", "wanted", "right"),
    [
        ("On 7 May 2023, she said.", "7 May 2023", True),
        ("On 17 May 2023.", "7 May 2023", False),
        ("A neighbour.", "the neighbour", True),
        ("Anything", "", False),
    ],
)
def test_strictly_right_is_word_for_word(answer: str, wanted: str, right: bool) -> None:
    assert strictly_right(answer, wanted) is right


def test_token_f1() -> None:
    assert token_f1("she paints lakes", "painted lake") == pytest.approx(0.8)  # 2 of 3 and 2 of 2 stems
    assert token_f1("nothing of it", "Porto") == 0
    assert token_f1("tea, running shoes", "shoes, tea", "1 multi-hop") == pytest.approx((2 / 3 + 1) / 2)
    assert token_f1("yes", "yes; she said so", "3 open-domain") == 1


def test_ranks() -> None:
    evidence = frozenset({"a", "b"})
    assert recall_at(["a", "x", "b"], evidence, 2) == 0.5
    assert ndcg_at(["a", "b"], evidence, 5) == pytest.approx(1)
    assert ndcg_at(["x", "a"], frozenset({"a"}), 5) == pytest.approx(1 / 1.5849625)


def test_an_interval_holds_the_mean_and_repeats() -> None:
    values = [1.0] * 30 + [0.0] * 70
    low, high = interval(values)
    assert low < 0.3 < high and (low, high) == interval(values)


def test_mcnemar_is_exact() -> None:
    one = [True] * 8 + [False] * 2
    other = [True] * 2 + [False] * 8
    assert mcnemar(one, other) == (6, 0, 2 * (1 / 64))
    assert mcnemar(one, one) == (0, 0, 1.0)
