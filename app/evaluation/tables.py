"""A table says what each figure is a share of, with its interval where it matters; nothing is left out for being bad.

answered   of the answerable questions, the share that got an answer
right      of these answers, the share that the strict rule passes; `evidence`: that cite a turn given as evidence
F1         token F1 of these answers
declined   of the unanswerable questions, the share that got none
correct    of all questions, the share that is right: answered rightly, or rightly declined
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from app.evaluation.outcomes import OURS, WITH_MODEL, Outcome, systems
from app.evaluation.scoring import interval, mcnemar, ndcg_at, recall_at

MISSES = 10
Figures = dict[str, Any]
_HEAD = (
    f"{'':<22} {'n':>5} {'answered':>9} {'right':>7} {'evidence':>9} {'F1':>6} {'declined':>9} {'correct':>8}"
    f" {'R@5':>6} {'N@5':>6} {'judge':>6}"
)


def figures(found: Sequence[Outcome]) -> Figures:
    """The figures of one system over some questions; shares from 0 to 1, None where there is nothing to share."""
    can = [one for one in found if one.answerable]
    answers = [one for one in can if not one.abstained]
    cannot = [one for one in found if not one.answerable]
    ranked = [one for one in found if one.evidence and one.ranked]
    return {
        "questions": len(found),
        "answered": _mean([not one.abstained for one in can]),
        "right": _mean([answer.right for answer in answers]),
        "rests_on_evidence": _mean([one.rests_on_evidence for one in answers]),
        "f1": _mean([one.f1 for one in answers]),
        "declined": _mean([one.abstained for one in cannot]),
        "correct": _mean([one.right for one in found]),
        "recall_5": _mean([recall_at(one.ranked, frozenset(one.evidence), 5) for one in ranked]),
        "ndcg_5": _mean([ndcg_at(one.ranked, frozenset(one.evidence), 5) for one in ranked]),
        "judged_right": _mean([one.judged for one in found if one.judged is not None]),
    }


def _mean(values: Sequence[float | bool]) -> float | None:
    return sum(values) / len(values) if values else None


def document(found: Sequence[Outcome]) -> Figures:
    """Everything that the table shows, as data."""
    by_system = {name: [one for one in found if one.system == name] for name in systems(found)}
    ours = by_system[OURS]
    return {
        "systems": {name: figures(mine) | {"intervals": _intervals(mine)} for name, mine in by_system.items()},
        "categories": _by(attrgetter("category"), ours),
        "kinds": _by(attrgetter("kind"), ours),
        "tiers": dict(sorted(Counter(f"{one.tier}" for one in ours if not one.abstained).items())),
        "mcnemar": [
            {"one": one, "other": other, "only_one": a, "only_other": b, "p": p}
            for one, other, (a, b, p) in _compared(by_system)
        ],
        "milliseconds": _percentiles([one.elapsed_ms for one in ours]),
        "misses": [asdict(one) for one in misses(ours)],
    }


def _intervals(found: Sequence[Outcome]) -> Figures:
    """95 % bootstrap intervals, over questions."""
    can = [one for one in found if one.answerable and not one.abstained]
    ranked = [one for one in found if one.evidence and one.ranked]
    values = {
        "correct": [float(one.right) for one in found],
        "right": [float(one.right) for one in can],
        "f1": [one.f1 for one in can],
        "recall_5": [recall_at(one.ranked, frozenset(one.evidence), 5) for one in ranked],
    }
    return {name: interval(some) for name, some in values.items() if some}


def _compared(by_system: dict[str, list[Outcome]]) -> Iterator[tuple[str, str, tuple[int, int, float]]]:
    """Ours against each other system, over the same questions."""
    first = WITH_MODEL if WITH_MODEL in by_system else OURS
    for name, theirs in by_system.items():
        if name != first:
            yield first, name, mcnemar([one.right for one in by_system[first]], [one.right for one in theirs])


def _by(key: Callable[[Outcome], str], found: Sequence[Outcome]) -> dict[str, Figures]:
    """The figures of those that have something in common."""
    return {name: figures([one for one in found if key(one) == name]) for name in sorted({key(one) for one in found})}


def _percentiles(values: Sequence[float]) -> Figures:
    ordered = sorted(values)
    return {"p50": ordered[len(ordered) // 2], "p95": ordered[int(len(ordered) * 0.95)]} if ordered else {}


def misses(found: Sequence[Outcome], most: int = MISSES) -> list[Outcome]:
    """The misses that teach most: answers to what has none, wrong answers, silence with the evidence found first."""
    invented = [one for one in found if not one.answerable and not one.abstained]
    wrong = [one for one in found if one.answerable and not one.abstained and not one.right]
    wrong.sort(key=lambda one: (one.rests_on_evidence, one.f1))
    silent = [
        one for one in found if one.answerable and one.abstained and one.ranked[:1] and one.ranked[0] in one.evidence
    ]
    room = [(invented, most * 3 // 10), (wrong, most * 4 // 10)]
    picked = [one for some, count in room for one in some[:count]]
    return [*picked, *silent[: most - len(picked)]]


# ------------------------------------------------------------------------------------------------------ for people


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
    shown = "".join(f" {_percent(one[key]):>{width}}" for key, width in zip(keys, widths, strict=True))
    return f"{name:<22} {one['questions']:>5}{shown}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def miss_lines(found: Sequence[Outcome], shown: Callable[[str, int], str]) -> list[str]:
    """The most instructive misses, for people; `shown` makes a text fit to be printed."""
    rows = ["", "the most instructive misses"]
    for one in misses([one for one in found if one.system == OURS]):
        wanted = shown(one.wanted, 80) if one.answerable else "(it was never said)"
        rows += [f"  {one.category}: {shown(one.question, 120)}", f"      wanted: {wanted}",
                 f"      {one.kind}: {shown(one.given, 160)}"]  # fmt: skip
    return rows
