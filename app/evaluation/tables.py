"""A table says what each figure is a share of, with its interval where it matters; nothing is left out for being bad.

answered   of the answerable questions, the share that got an answer
right      of these answers, the share that the strict rule passes; `evidence`: that cite a turn given as evidence
F1         token F1 of these answers
declined   of the unanswerable questions, the share that got none
correct    of all questions, the share that is right: answered rightly, or rightly declined
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from app.evaluation.outcomes import OURS, WITH_MODEL, Outcome, systems

MISSES = 10
Figures = dict[str, Any]
_HEAD = (
    f"{'':<22} {'n':>5} {'answered':>9} {'right':>7} {'evidence':>9} {'F1':>6} {'declined':>9} {'correct':>8}"
    f" {'R@5':>6} {'N@5':>6} {'judge':>6}"
)


def figures(found: Sequence[Outcome]) -> Figures:
    """The figures of one system over some questions; shares from 0 to 1, None where there is nothing to share."""
    shares = {name: sum(values) / len(values) if values else None for name, values in _values(found).items()}
    return {"questions": len(found), **shares}


def _values(found: Sequence[Outcome]) -> dict[str, list[float]]:
    """What each figure is the mean of: a number for each question that it is of."""
    can = [one for one in found if one.answerable]
    answers = [one for one in can if not one.abstained]
    ranked = [one for one in found if one.evidence and one.ranked]
    return {
        "answered": [not one.abstained for one in can],
        "right": [one.right for one in answers],
        "rests_on_evidence": [one.rests_on_evidence for one in answers],
        "f1": [one.f1 for one in answers],
        "declined": [one.abstained for one in found if not one.answerable],
        "correct": [one.right for one in found],
        "recall_5": [recall_at(one.ranked, frozenset(one.evidence), 5) for one in ranked],
        "ndcg_5": [ndcg_at(one.ranked, frozenset(one.evidence), 5) for one in ranked],
        "judged_right": [one.judged for one in found if one.judged is not None],
    }


def document(found: Sequence[Outcome]) -> Figures:
    """Everything that the table shows, as data; the intervals are 95 % ones, by bootstrap over the questions."""
    by_system = {name: [one for one in found if one.system == name] for name in systems(found)}
    ours, told = by_system[OURS], dict[str, Figures]()
    for name, mine in by_system.items():
        values = _values(mine)
        some = {key: interval(values[key]) for key in ("correct", "right", "f1", "recall_5") if values[key]}
        told[name] = figures(mine) | {"intervals": some}
    first, compared = WITH_MODEL if WITH_MODEL in by_system else OURS, []
    for name, theirs in by_system.items():
        if name != first:
            a, b, p = mcnemar([one.right for one in by_system[first]], [one.right for one in theirs])
            compared.append({"one": first, "other": name, "only_one": a, "only_other": b, "p": p})
    spent = sorted(one.elapsed_ms for one in ours)
    return {
        "systems": told,
        "categories": _by(attrgetter("category"), ours),
        "kinds": _by(attrgetter("kind"), ours),
        "tiers": dict(sorted(Counter(f"{one.tier}" for one in ours if not one.abstained).items())),
        "mcnemar": compared,
        "milliseconds": {"p50": spent[len(spent) // 2], "p95": spent[int(len(spent) * 0.95)]} if spent else {},
        "misses": [asdict(one) for one in misses(ours)],
    }


def _by(key: Callable[[Outcome], str], found: Sequence[Outcome]) -> dict[str, Figures]:
    return {name: figures([one for one in found if key(one) == name]) for name in sorted({key(one) for one in found})}


def misses(found: Sequence[Outcome], most: int = MISSES) -> list[Outcome]:
    """The misses that teach most: answers to what has none, wrong answers, silence with the evidence found first."""
    invented = [one for one in found if not one.answerable and not one.abstained]
    wrong = [one for one in found if one.answerable and not one.abstained and not one.right]
    wrong.sort(key=lambda one: (one.rests_on_evidence, one.f1))
    silent = [one for one in found if one.answerable and one.abstained and {*one.ranked[:1]} & {*one.evidence}]
    room = [(invented, most * 3 // 10), (wrong, most * 4 // 10)]
    picked = [one for some, count in room for one in some[:count]]
    return [*picked, *silent[: most - len(picked)]]


def lines(found: Sequence[Outcome]) -> list[str]:
    """The honest table."""
    told = document(found)
    rows = [_HEAD, *(_row(name, one) for name, one in told["systems"].items())]
    rows += ["", f"{OURS}, by category", *(_row(f"  {name}", one) for name, one in told["categories"].items())]
    rows += ["", f"{OURS}, by what it answered with", *(_row(f"  {name}", one) for name, one in told["kinds"].items())]
    rows += ["", "95 % intervals (bootstrap over questions)"]
    for name, one in told["systems"].items():
        rows.append(f"  {name:<22}" + "".join(f"  {key} {100 * low:.1f} to {100 * high:.1f}"
                                              for key, (low, high) in one["intervals"].items()))  # fmt: skip
    rows += [
        f"McNemar, correct: {one['one']} alone {one['only_one']}, {one['other']} alone {one['only_other']},"
        f" p = {one['p']:.2g}" for one in told["mcnemar"]
    ]  # fmt: skip
    if told["milliseconds"]:
        rows.append(f"ask: p50 {told['milliseconds']['p50']:.1f} ms, p95 {told['milliseconds']['p95']:.1f} ms")
    return rows


def _row(name: str, one: Figures) -> str:
    keys = ("answered", "right", "rests_on_evidence", "f1", "declined", "correct", "recall_5", "ndcg_5", "judged_right")
    widths = (9, 7, 9, 6, 9, 8, 6, 6, 6)
    shares = ("–" if one[key] is None else f"{100 * one[key]:.1f}" for key in keys)
    shown = "".join(f" {share:>{width}}" for share, width in zip(shares, widths, strict=True))
    return f"{name:<22} {one['questions']:>5}{shown}"


def miss_lines(found: Sequence[Outcome], shown: Callable[[str, int], str]) -> list[str]:
    """The most instructive misses, for people; `shown` makes a text fit to be printed."""
    rows = ["", "the most instructive misses"]
    for one in misses([one for one in found if one.system == OURS]):
        wanted = shown(one.wanted, 80) if one.answerable else "(it was never said)"
        rows += [f"  {one.category}: {shown(one.question, 120)}", f"      wanted: {wanted}",
                 f"      {one.kind}: {shown(one.given, 160)}"]  # fmt: skip
    return rows


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
