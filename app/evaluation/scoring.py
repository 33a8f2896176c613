"""Every score is a pure function of what was asked for and what was given; none knows which system gave it.

Token F1 and its normalisation are those of LoCoMo's own evaluation (Maharana et al., ACL 2024): lower case, no commas,
punctuation or articles, Porter stems; a list is scored part by part, of an open question only what stands before ";".
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from store.text.stem import stem

_PUNCTUATION = re.compile(r"[^\w\s]")
_ARTICLES = re.compile(r"\b(?:a|an|the|and)\b")


def normalised(text: str) -> str:
    """Lower case, without commas, punctuation, articles and spare spaces."""
    bare = _PUNCTUATION.sub("", text.lower().replace(",", ""))
    return " ".join(_ARTICLES.sub(" ", bare).split())


def strictly_right(answer: str, wanted: str) -> bool:
    """Whether the whole wanted answer stands in the answer, word for word, once both are normalised."""
    gold = normalised(wanted)
    return bool(gold) and f" {gold} " in f" {normalised(answer)} "


def token_f1(answer: str, wanted: str, category: str = "") -> float:
    """The harmonic mean of the shares of tokens in common, 0 to 1."""
    if category.startswith("1"):
        parts = [part for part in wanted.split(",") if part.strip()]
        given = answer.split(",")
        return sum(max(_f1(one, part) for one in given) for part in parts) / max(len(parts), 1)
    return _f1(answer, wanted.split(";")[0] if category.startswith("3") else wanted)


def _f1(answer: str, wanted: str) -> float:
    given, gold = (Counter(stem(word) for word in normalised(text).split()) for text in (answer, wanted))
    common = sum((given & gold).values())
    if not common:
        return 0.0
    precision, recall = common / given.total(), common / gold.total()
    return 2 * precision * recall / (precision + recall)


def recall_at(ranked: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """The share of the evidence within the first `k`."""
    return len(evidence & set(ranked[:k])) / len(evidence)


def ndcg_at(ranked: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """Normalised discounted cumulative gain with binary gains."""
    gained = sum(1 / math.log2(place + 2) for place, one in enumerate(ranked[:k]) if one in evidence)
    return gained / sum(1 / math.log2(place + 2) for place in range(min(k, len(evidence))))


def interval(values: Sequence[float], *, rounds: int = 2_000, seed: int = 7) -> tuple[float, float]:
    """A 95 % bootstrap interval of the mean (percentiles); the same values give the same interval."""
    import numpy as np

    drawn = np.random.default_rng(seed).choice(np.asarray(values, dtype=float), (rounds, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> tuple[int, int, float]:
    """(only `one` is right, only `other` is right, p) over the same questions: McNemar's test, exact and two-sided."""
    first = sum(a and not b for a, b in zip(one, other, strict=True))
    second = sum(b and not a for a, b in zip(one, other, strict=True))
    total, least = first + second, min(first, second)
    if not total:
        return 0, 0, 1.0
    tail = sum(math.comb(total, k) for k in range(least + 1)) / 2**total
    return first, second, min(1.0, 2 * tail)
