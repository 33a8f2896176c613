"""A figure is only ever computed over questions that have evidence, and weights are never judged on what they were
fitted to.

Metrics of ranked lists, the listwise fit of linear weights, and cross-validation over groups. Needs numpy only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
SMALLEST = 1e-5
"""A step, or a gain of one, that is not worth another."""


@dataclass(frozen=True, eq=False)
class Example:
    """One question: its candidates' features, which of them are evidence, and how much evidence there is in all."""

    group: str
    """Questions of one group are never split between fitting and judging."""
    category: str
    ids: tuple[str, ...]
    features: Floats
    """Shape (candidates, features)."""
    evidence: frozenset[str]

    def gains(self) -> Floats:
        return np.array([id_ in self.evidence for id_ in self.ids], dtype=np.float64)


def recall_at(ranked: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """The share of the evidence within the first `k`."""
    return len(evidence & set(ranked[:k])) / len(evidence)


def ndcg_at(ranked: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """Normalised discounted cumulative gain with binary gains."""
    discount = 1 / np.log2(np.arange(2, k + 2))
    gained = sum(discount[place] for place, id_ in enumerate(ranked[:k]) if id_ in evidence)
    return float(gained / discount[: min(k, len(evidence))].sum())


def ranked_by(example: Example, weights: Floats) -> list[str]:
    """The candidates' ids, best first."""
    order = np.argsort(-(example.features @ weights), kind="stable")
    return list(dict.fromkeys(example.ids[place] for place in order))


def fit(examples: Sequence[Example], *, ridge: float = 1e-3, steps: int = 12) -> Floats:
    """Weights that put the evidence first: the listwise softmax loss (ListNet, Cao et al., ICML 2007) with a ridge on
    weights of features brought to spread 1, by Newton's method, halving steps that would lose."""
    useful = [example for example in examples if example.gains().any()]
    stacked = np.concatenate([example.features for example in useful])
    spread = stacked.std(axis=0) + 1e-6
    starts = np.cumsum([0, *(len(example.ids) for example in useful[:-1])])
    owner = np.repeat(np.arange(len(useful)), [len(example.ids) for example in useful])
    scaled = (stacked / spread).astype(np.float32)
    target = np.concatenate([example.gains() / example.gains().sum() for example in useful])

    def loss(weights: Floats) -> tuple[float, Floats]:
        """What these weights lose, and the share that each candidate has of its question."""
        scores = (scaled @ weights.astype(np.float32)).astype(np.float64)
        scores -= np.maximum.reduceat(scores, starts)[owner]
        odds = np.exp(scores)
        total = np.add.reduceat(odds, starts)
        lost = float((np.log(total) - np.add.reduceat(target * scores, starts)).mean())
        return lost + ridge / 2 * float(weights @ weights), odds / total[owner]

    weights = np.zeros(scaled.shape[1])
    lost, share = loss(weights)
    for _ in range(steps):
        slope = scaled.T @ ((share - target) / len(useful)).astype(np.float32) + ridge * weights
        shared = scaled * share[:, None].astype(np.float32)
        means = np.add.reduceat(shared, starts, axis=0)
        bend = (scaled.T @ shared - means.T @ means) / len(useful) + ridge * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        before = lost
        while (lost := loss(weights - step)[0]) > before and np.abs(step).max() > SMALLEST:
            step /= 2
        weights = weights - step
        lost, share = loss(weights)
        if before - lost < SMALLEST:
            break
    return np.asarray(weights / spread)


def cross_validated(
    examples: Sequence[Example], fitted: Callable[[Sequence[Example]], Floats] = fit
) -> list[tuple[Example, list[str]]]:
    """Every example ranked by weights that were fitted to the other groups."""
    ranked = []
    for group in sorted({example.group for example in examples}):
        weights = fitted([example for example in examples if example.group != group])
        ranked += [(example, ranked_by(example, weights)) for example in examples if example.group == group]
    return ranked


def table(ranked: Sequence[tuple[Example, Sequence[str]]]) -> dict[str, dict[str, float]]:
    """Recall@5, NDCG@5 and Recall@10 in percent, overall and by category."""
    rows: dict[str, dict[str, float]] = {}
    for category in ("all", *sorted({example.category for example, _ in ranked})):
        chosen = [(ids, example.evidence) for example, ids in ranked if category in ("all", example.category)]
        rows[category] = {
            "questions": len(chosen),
            "R@5": 100 * float(np.mean([recall_at(ids, evidence, 5) for ids, evidence in chosen])),
            "N@5": 100 * float(np.mean([ndcg_at(ids, evidence, 5) for ids, evidence in chosen])),
            "R@10": 100 * float(np.mean([recall_at(ids, evidence, 10) for ids, evidence in chosen])),
        }
    return rows


def interval(values: Sequence[float], *, rounds: int = 1_000, seed: int = 7) -> tuple[float, float]:
    """A 95 % bootstrap interval of the mean."""
    drawn = np.random.default_rng(seed).choice(np.asarray(values), (rounds, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def printed(title: str, rows: Mapping[str, Mapping[str, float]]) -> str:
    """The table as text."""
    lines = [f"{title:<34} {'n':>5} {'R@5':>6} {'N@5':>6} {'R@10':>6}"]
    lines += [
        f"  {name:<32} {row['questions']:>5.0f} {row['R@5']:>6.1f} {row['N@5']:>6.1f} {row['R@10']:>6.1f}"
        for name, row in rows.items()
    ]
    return "\n".join(lines)
