"""The gate's curves: what quoting and abstaining are worth at every threshold, judged on conversations not fitted to.

    python -m tests.bench.gate_curve LOCOMO_DIR [LONGMEMEVAL_FILE]          the curves, cross-validated by conversation
    python -m tests.bench.gate_curve LOCOMO_DIR [LONGMEMEVAL_FILE] --fit    ... and write store/recall/gate_weights.py

Two judgements, two precisions, both of at least 0.9 at the point that ships:
  quoting      of the questions that are answered by a quote, the share that were answerable and whose quote is right:
               the turn is evidence by the benchmark's own word (all of it, where a question joins several), or it
               holds the gold answer word for word. Wrong is worse than "I don't know": this precision a person feels.
  never told   of the questions that are answered with a flat "I was never told that", the share that were unanswerable
               (LoCoMo's category 5, LongMemEval's "_abs"). Recall: of the unanswerable ones, the share so answered.
               Cost: of the answerable ones, the share so answered.
The last line joins the two as a person meets them: every question gets a quote or an abstention of some sort, and all
abstentions together are precise only as far as the quotes reach; without a model, most answerable ones are among them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.evaluation.cases import Case, read
from app.evaluation.running import told
from app.evaluation.scoring import strictly_right
from store.memory import Memory
from store.recall import gate
from store.recall import gate_weights as shipped
from store.recall.answer_quotes import may_answer, quote_of
from store.recall.answers import MOST_TURNS, ask
from store.records import Instant
from store.views import Beliefs

Floats = npt.NDArray[np.float64]
RIDGE = 0.01
LOOKED_AT = 5
"""Turns of each question that are learned from; further down hardly any answers."""
SEVERAL = ("1 multi-hop", "multi-session")
BAR = 0.9
LEAST_ANSWERED = 20
"""Quotes or abstentions that a threshold must rest on."""
DECIMALS = 3


@dataclass(frozen=True, eq=False)
class Example:
    """One question with the features of its turns."""

    group: str
    case: Case
    features: tuple[dict[str, float], ...]
    right: tuple[bool, ...]
    quotable: tuple[bool, ...]


def main() -> None:
    """Read the arguments, print the curves, and write the weights if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("locomo", type=Path)
    parser.add_argument("longmemeval", type=Path, nargs="?")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    examples = [one for history in read("locomo", options.locomo, UTC) for one in examples_of(history)]
    if options.longmemeval:
        examples += [one for history in read("longmemeval", options.longmemeval, UTC) for one in examples_of(history)]
    sure, never = cross_validated(examples)
    quoted, untold = chosen(examples, sure, never)
    curves(examples, sure, never, quoted, untold)
    if options.fit:
        write(examples, quoted, untold)


def examples_of(history: object) -> Iterator[Example]:
    """The questions of a history that no belief answers."""
    from app.evaluation.cases import History

    assert isinstance(history, History)
    with told(history, UTC) as memory:
        for case in history.cases:
            found = _example(memory, history.name, case)
            if found is not None:
                yield found


def _example(memory: Memory, group: str, case: Case) -> Example | None:
    beliefs = Beliefs(memory, memory._database.reader())
    now = Instant(memory.latest(), 0)
    asking = ask(case.question, beliefs, now=now, zone=UTC, as_of=None, believed=None)
    evidence = beliefs.evidence(case.question, MOST_TURNS, None)
    if not evidence:
        return None
    right = tuple(
        case.answerable
        and (_is_evidence(case, one.hit.external_id) or strictly_right(quote_of(asking, one).text, case.answer))
        for one in evidence
    )
    allowed = tuple(may_answer(asking, one) for one in evidence)
    return Example(group, case, tuple(gate.features(asking, evidence)), right, allowed)


def _is_evidence(case: Case, turn: str | None) -> bool:
    """Of a question that joins several turns, one of them is half an answer."""
    return turn in case.turns and (len(case.turns) == 1 or not case.category.startswith(SEVERAL))


# ------------------------------------------------------------------------------------------------------------ fitting


def fitted(rows: Sequence[dict[str, float]], right: Sequence[bool], ridge: float = RIDGE) -> dict[str, float]:
    """Logistic regression by Newton's method, with a ridge on standardised features; weights for raw features."""
    names = list(rows[0])
    values = np.array([[row[name] for name in names] for row in rows])
    wanted = np.array(right, dtype=np.float64)
    spread = values.std(axis=0)
    kept = (spread > 1e-9) | (np.array(names) == "one")
    scale = np.where(spread > 1e-9, spread, 1.0)
    scaled = values / scale * kept
    penalty = np.diag(np.where(np.array(names) == "one", 0.0, ridge * len(rows)) + ~kept * 1.0)
    weights = np.zeros(len(names))
    for _ in range(40):
        odds = 1 / (1 + np.exp(-scaled @ weights))
        bend = scaled.T @ (scaled * (odds * (1 - odds) + 1e-9)[:, None]) + penalty
        weights += np.linalg.solve(bend, scaled.T @ (wanted - odds) - penalty @ weights)
    return dict(zip(names, (float(one) for one in weights / scale * kept), strict=True))


def answering(examples: Sequence[Example]) -> dict[str, float]:
    """Weights that tell turns that answer from those that do not, of those that may be quoted."""
    turns = [
        turn for one in examples
        for turn in list(zip(one.features, one.right, one.quotable, strict=True))[:LOOKED_AT]
    ]  # fmt: skip
    rows = [row for row, _, allowed in turns if allowed]
    return fitted(rows, [right for _, right, allowed in turns if allowed])


def never_told(examples: Sequence[Example], answers: dict[str, float]) -> dict[str, float]:
    """Weights that tell questions to which nobody ever said the answer."""
    rows = [gate.overall(one.features, best(one, answers)[0]) for one in examples]
    return fitted(rows, [not one.case.answerable for one in examples])


def best(example: Example, weights: dict[str, float], *, quotable: bool = False) -> tuple[float, bool]:
    """How sure the gate is of the likeliest turn (of those that may be quoted), and whether that turn is right."""
    scored = [
        (gate.answers(told, weights), right)
        for told, right, allowed in zip(example.features, example.right, example.quotable, strict=True)
        if allowed or not quotable
    ]
    return max(scored, key=lambda one: one[0], default=(0.0, False))


def cross_validated(examples: Sequence[Example]) -> tuple[list[tuple[float, bool]], list[float]]:
    """For every question, by weights fitted to other groups: (sure, right) of its quote; how likely it was never told.

    LongMemEval's haystacks, of one question each, are one group.
    """
    groups = [one.group if one.group.startswith("conv") else "" for one in examples]
    sure: list[tuple[float, bool]] = [(0.0, False)] * len(examples)
    never = [0.0] * len(examples)
    for group in sorted(set(groups)):
        others = [one for one, its in zip(examples, groups, strict=True) if its != group]
        answers = answering(others)
        untold = never_told(others, answers)
        for place, one in enumerate(examples):
            if groups[place] == group:
                sure[place] = best(one, answers, quotable=True)
                never[place] = gate.untold(gate.overall(one.features, best(one, answers)[0]), untold)
    return sure, never


# -------------------------------------------------------------------------------------------------------- the curves


def chosen(
    examples: Sequence[Example], sure: Sequence[tuple[float, bool]], never: Sequence[float]
) -> tuple[float, float]:
    """The lowest thresholds at which both precisions reach the bar."""
    quoted = _lowest([value for value, _ in sure], [right for _, right in sure])
    untold = _lowest(list(never), [not one.case.answerable for one in examples])
    return quoted, untold


def _lowest(values: Sequence[float], right: Sequence[bool]) -> float:
    order = sorted(range(len(values)), key=lambda at: -values[at])
    hits = np.cumsum([right[at] for at in order]) / np.arange(1, len(order) + 1)
    enough = [at for at in range(LEAST_ANSWERED - 1, len(order)) if hits[at] >= BAR]
    return values[order[enough[-1]]] if enough else 1.0


def curves(
    examples: Sequence[Example],
    sure: Sequence[tuple[float, bool]],
    never: Sequence[float],
    quoted: float,
    untold: float,
) -> None:
    """Print the three tables; the point that ships is marked."""
    answerable = [one.case.answerable for one in examples]
    print(f"{len(examples)} questions, {len(examples) - sum(answerable)} of them unanswerable")
    print("quoting: threshold  quotes  precision  answerable  coverage of answerable")
    for threshold in sorted({*np.arange(0.3, 0.95, 0.05).round(2).tolist(), quoted}):
        picked = [place for place, (value, _) in enumerate(sure) if value >= threshold]
        right = [sure[place][1] for place in picked]
        known = [answerable[place] for place in picked]
        print(f"{'>' if threshold == quoted else ' '} {threshold:17.3f} {len(picked):7} {_share(right):10.3f}"
              f" {_share(known):11.3f} {sum(right) / sum(answerable):23.3f}")  # fmt: skip
    print("never told: threshold  said  precision  recall  cost on answerable")
    for threshold in sorted({*np.arange(0.3, 0.95, 0.05).round(2).tolist(), untold}):
        picked = [place for place, value in enumerate(never) if value >= threshold]
        wrong = sum(answerable[place] for place in picked)
        right_said = len(picked) - wrong
        print(f"{'>' if threshold == untold else ' '} {threshold:20.3f} {len(picked):5}"
              f" {right_said / max(len(picked), 1):10.3f} {right_said / (len(examples) - sum(answerable)):7.3f}"
              f" {wrong / sum(answerable):19.3f}")  # fmt: skip
    _joined(answerable, sure, quoted)


def _joined(answerable: Sequence[bool], sure: Sequence[tuple[float, bool]], quoted: float) -> None:
    abstained = [not known for known, (value, _) in zip(answerable, sure, strict=True) if value < quoted]
    unanswerable = len(answerable) - sum(answerable)
    print(f"as met, without beliefs or a model: abstained on {len(abstained)}, of which unanswerable"
          f" {_share(abstained):.3f}; of the unanswerable abstained on {sum(abstained) / unanswerable:.3f}; of the"
          f" answerable {(len(abstained) - sum(abstained)) / sum(answerable):.3f}")  # fmt: skip


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 1.0


def write(examples: Sequence[Example], quoted: float, untold: float) -> None:
    """Replace the weights in store/recall/gate_weights.py by those fitted to everything."""
    answers = answering(examples)
    path = Path(shipped.__file__)
    head = path.read_text(encoding="utf-8").split("ANSWERS: Final", 1)[0]
    tables = [_table("ANSWERS", answers), _table("UNTOLD", never_told(examples, answers))]
    points = f"QUOTED: Final = {quoted:.3f}\nNEVER: Final = {untold:.3f}\n"
    path.write_text(head + "\n\n".join([*tables, points]), encoding="utf-8")
    print(f"wrote {path.name}")


def _table(name: str, weights: dict[str, float]) -> str:
    lines = [f'    "{key}": {round(value, DECIMALS)},' for key, value in weights.items()]
    return f"{name}: Final[dict[str, float]] = {{\n" + "\n".join(lines) + "\n}"


if __name__ == "__main__":
    main()
