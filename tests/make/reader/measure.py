"""What the network reads of people whom it was not trained on, claim by claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from tests.make.reader.batches import batch_of, own_of
from tests.make.reader.corpus import STATUSES, Example, predicate_of
from tests.make.reader.network import Reader


@dataclass(frozen=True)
class Found:
    """One claim that was read, with how sure the network is."""

    value: str
    predicate: str
    status: str
    subject: tuple[int, int]
    when: tuple[int, int]
    span: float
    kind: float
    first: int
    last: int

    @property
    def sure(self) -> float:
        return self.span * self.kind


def decode(reader: Reader, some: list[Example], predicates: Sequence[str], least: float = 0.05) -> list[list[Found]]:
    """Spans that don't overlap, the surest first; each with the best of every head."""
    ids, mask, segments = batch_of(some)
    hidden = reader(ids, mask, segments)
    heads = reader.statements
    chances = heads.spans(hidden).sigmoid() * own_of(some, ids.shape[1])
    chosen: list[tuple[int, int, int]] = []
    for row in range(len(some)):
        spans = [(float(chances[row, i, j]), i, j) for i, j in (chances[row] > least).nonzero().tolist()]
        taken: list[tuple[int, int]] = []
        for _, i, j in sorted(spans, reverse=True):
            if all(j < a or i > b for a, b in taken):
                taken.append((i, j))
                chosen.append((row, i, j))
    found: list[list[Found]] = [[] for _ in some]
    if not chosen:
        return found
    where = torch.tensor(chosen)
    described = heads.describe(hidden, where)
    kinds, statuses = heads.kinds(described).softmax(-1), heads.status(described).softmax(-1)
    points = heads.pointers(hidden, where, described, mask).argmax(-1).tolist()
    for n, (row, i, j) in enumerate(chosen):
        one = some[row]
        value = one.message["text"][one.pieces.offsets[i][0] : one.pieces.offsets[j][1]]
        best = int(kinds[n].argmax())
        found[row].append(
            Found(
                value,
                predicates[best],
                STATUSES[int(statuses[n].argmax())],
                (points[n][0], points[n][1]),
                (points[n][2], points[n][3]),
                float(chances[row, i, j]),
                float(kinds[n, best]),
                i,
                j,
            )
        )
    return found


def _said(one: Example, where: tuple[int, int]) -> str:
    """The words that a pointer means; "" for the mark at the front."""
    first, last = where
    if not 0 < first < one.pieces.own - 1:
        return ""
    return str(one.message["text"][one.pieces.offsets[first][0] : one.pieces.offsets[max(first, last)][1]])


def _overlap(one: str, other: str) -> bool:
    left, right = set(one.lower().strip(" .,!?").split()), set(other.lower().strip(" .,!?").split())
    return len(left & right) >= 0.5 * max(1, min(len(left), len(right)))


def strict(reader: Reader, test: list[Example], predicates: Sequence[str], least: float) -> dict[str, float]:
    """Precision, recall and F1 (predicate exact, half of the value's words), and of those found the right status and
    subject; `heard` and `supported` ask for the value alone."""
    reader.eval()
    right = wrong = gold_count = status = subject = heard = supported = whens = when_right = 0
    with torch.no_grad():
        for at in range(0, len(test), 32):
            some = test[at : at + 32]
            for one, all_got in zip(some, decode(reader, some, predicates), strict=True):
                gold = one.message["claims"]
                gold_count += len(gold)
                used: set[int] = set()
                got = [claim for claim in all_got if claim.sure >= least]
                heard += sum(any(_overlap(claim["o"], mine.value) for mine in got) for claim in gold)
                supported += sum(any(_overlap(claim["o"], mine.value) for claim in gold) for mine in got)
                for mine in got:
                    hit = next(
                        (
                            n
                            for n, claim in enumerate(gold)
                            if n not in used
                            and predicate_of(claim) == mine.predicate
                            and _overlap(claim["o"], mine.value)
                        ),
                        None,
                    )
                    if hit is None:
                        wrong += 1
                        continue
                    used.add(hit)
                    right += 1
                    claim = gold[hit]
                    status += claim["st"] == mine.status
                    pointed = _said(one, mine.subject)
                    subject += (claim["s"] == "me") if not pointed else _overlap(claim["s"], pointed)
                    if claim["w"]:
                        whens += 1
                        said = _said(one, mine.when)
                        when_right += bool(said) and _overlap(claim["w"], said)
    precision, recall = right / max(1, right + wrong), right / max(1, gold_count)
    found = max(1, right)
    return {
        "P": round(precision, 3), "R": round(recall, 3),
        "F1": round(2 * precision * recall / max(1e-9, precision + recall), 3),
        "status": round(status / found, 3), "subject": round(subject / found, 3),
        "when": round(when_right / max(1, whens), 3),
        "heard": round(heard / max(1, gold_count), 3), "supported": round(supported / max(1, right + wrong), 3),
    }  # fmt: skip
