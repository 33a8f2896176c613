"""Recall on LoCoMo, turn level: every question is asked of a memory that holds its own conversation and nothing else.

    python -m tests.bench.locomo_recall DIR                   figures with the weights that ship
    python -m tests.bench.locomo_recall DIR --cv              ... with weights fitted to the other conversations
    python -m tests.bench.locomo_recall DIR --without dense   an ablation; weights are fitted anew, cross-validated
    python -m tests.bench.locomo_recall DIR --fit [--with FILE.jsonl.gz]
                                                              fit to all of it (and to LongMemEval's haystacks, four
                                                              times over) and write store/recall/weights.py
    python -m tests.bench.locomo_recall DIR --jsonl OUT       figures of what `erstwhile recall -` wrote

DIR holds turns-*.jsonl and questions.jsonl. Questions without evidence are left out.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

import numpy as np

from store.database.connections import Database
from store.database.rows import rows as rows_of
from store.episodes.embedding import StaticEmbedder
from store.recall import weights as shipped
from store.recall.scope import Scope
from store.recall.search import CHANNELS, judge, recall
from tests.bench.longmemeval_recall import Haystack, haystacks
from tests.bench.memories import build, episodes_of, instant, json_lines, slept
from tests.bench.ranking import Example, cross_validated, fit, interval, printed, recall_at, table

CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop", 5: "5 adversarial"}
DECIMALS = 3
FOLDS = 6
"""Of LongMemEval's haystacks, in cross-validation."""
REPEATED = 4
"""How often each LongMemEval question counts: few, but without them nothing is known of assistants' replies."""


class Bench:
    """The conversations, each in a memory of its own, and the questions about them."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.embedder = StaticEmbedder.load()
        self.questions = [q for q in json_lines(folder / "questions.jsonl") if q["evidence"]]
        self.memories: dict[str, tuple[Database, int]] = {}
        for path in sorted(folder.glob("turns-*.jsonl")):
            name = path.stem.removeprefix("turns-")
            lines = json_lines(path)
            latest = max((instant(line["said_at"]) for line in lines), key=lambda one: one.us)
            database = build(scratch / f"{name}.db", episodes_of(lines), self.embedder)
            slept(database, self.embedder, latest)
            self.memories[name] = database, latest.us

    def examples(self, channels: Sequence[str] = CHANNELS) -> tuple[list[Example], list[str]]:
        """Every question with the features of its candidates, and the features' names."""
        examples, names = [], list[str]()
        for question in self.questions:
            database, latest = self.memories[question["conversation"]]
            judged = judge(
                database.reader(),
                question["question"],
                Scope(),
                embedder=self.embedder,
                now=latest,
                zone=UTC,
                channels=channels,
            )
            if judged is not None:
                names = list(judged.features)
                features = np.stack([judged.features[name] for name in names], axis=1).astype(np.float64)
                examples.append(example_of(question, self._external(database, judged.rows.tolist()), features))
        return examples, names

    def asked(self) -> tuple[list[tuple[Example, list[str]]], list[float]]:
        """What the door itself gives, and the milliseconds that it took."""
        ranked, elapsed = [], []
        for question in self.questions:
            database, latest = self.memories[question["conversation"]]
            found = recall(database.reader(), question["question"], k=10, embedder=self.embedder, now=latest, zone=UTC)
            ids = [hit.external_id or "" for hit in found.hits]
            ranked.append((example_of(question, ids, np.zeros((len(ids), 0))), ids))
            elapsed.append(found.elapsed_ms)
        return ranked, elapsed

    @staticmethod
    def _external(database: Database, rows: Sequence[int]) -> list[str]:
        known: dict[int, str] = dict(rows_of(database.reader(), "select row, external_id from episodes"))
        return [str(known[row]) for row in rows]


def example_of(question: dict[str, Any], ids: Sequence[str], features: Any) -> Example:
    category = CATEGORIES[question["category"]]
    return Example(question["conversation"], category, tuple(ids), features, frozenset(question["evidence"]))


def main() -> None:
    """Read the arguments, and print one table."""
    options = _parsed()
    if options.jsonl:
        print(printed("from " + options.jsonl.name, table(written(options.dir, options.jsonl))))
        return
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options.dir, Path(scratch))
        if options.cv or options.without or options.fit:
            more = haystacks(options.haystacks, Path(scratch), bench.embedder) if options.haystacks else []
            _fitted(bench, options, more)
        else:
            _shipped(bench)


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("--cv", action="store_true", help="judge weights on conversations that they were not fitted to")
    parser.add_argument("--without", action="append", default=[], help="a channel, or the beginning of features' names")
    parser.add_argument("--fit", action="store_true", help="write store/recall/weights.py")
    parser.add_argument("--with", dest="haystacks", type=Path, help="LongMemEval haystacks to fit to as well")
    parser.add_argument("--jsonl", type=Path, help="hits that `erstwhile recall -` wrote")
    return parser.parse_args()


def _shipped(bench: Bench) -> None:
    ranked, elapsed = bench.asked()
    print(printed("weights that ship", table(ranked)))
    low, high = interval([100 * recall_at(ids, example.evidence, 5) for example, ids in ranked])
    print(f"R@5 95 % interval {low:.1f} to {high:.1f}")
    print(f"ms p50 {np.percentile(elapsed, 50):.1f}, p95 {np.percentile(elapsed, 95):.1f}")


def _fitted(bench: Bench, options: argparse.Namespace, more: Sequence[Haystack]) -> None:
    channels = [channel for channel in CHANNELS if channel not in options.without]
    asked, names = bench.examples(channels)
    kept = [place for place, name in enumerate(names) if not name.startswith(tuple(options.without) or ("\0",))]
    chosen = [only(item, kept) for item in asked]
    added = [replace(one, turns=only(one.turns, kept)) for one in more]
    repeated = repeatedly(added)
    title = "cross-validated" + (f" without {', '.join(options.without)}" if options.without else "")
    print(printed(title, table(cross_validated(chosen, lambda items: fit([*items, *repeated])))))
    if added:
        print(printed("LongMemEval sessions, " + title, table(sessions_ranked(chosen, added))))
    if options.fit:
        _write([names[place] for place in kept], fit([*chosen, *repeated]))


def sessions_ranked(chosen: Sequence[Example], added: Sequence[Haystack]) -> list[tuple[Example, list[str]]]:
    """Each haystack's sessions, ranked by weights that were fitted to LoCoMo and to haystacks of other folds."""
    ranked = []
    for fold in range(FOLDS):
        others = [one for number, one in enumerate(added) if number % FOLDS != fold]
        weights = fit([*chosen, *repeatedly(others)])
        ranked += [(one.sessions, one.ranked(weights)) for one in added[fold::FOLDS]]
    return ranked


def repeatedly(haystacks: Sequence[Haystack]) -> list[Example]:
    """Their questions as often as they count in a fit."""
    return [one.turns for one in haystacks] * REPEATED


def only(item: Example, kept: Sequence[int]) -> Example:
    """The example with these features and no others."""
    return replace(item, features=item.features[:, list(kept)])


def _write(names: Sequence[str], weights: Any) -> None:
    """Replace the linear weights in store/recall/weights.py."""
    path = Path(shipped.__file__)
    head = path.read_text(encoding="utf-8").split("LINEAR: Final", 1)[0]
    lines = [f'    "{name}": {round(float(weight), DECIMALS)},' for name, weight in zip(names, weights, strict=True)]
    path.write_text(head + "LINEAR: Final[dict[str, float]] = {\n" + "\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"wrote {path.name}")


def written(folder: Path, path: Path) -> list[tuple[Example, list[str]]]:
    """The questions with what was found for them, from JSON lines of `erstwhile recall -`."""
    hits = {line["id"]: [hit.get("external_id") or "" for hit in line.get("hits", ())] for line in json_lines(path)}
    questions = [question for question in json_lines(folder / "questions.jsonl") if question["evidence"]]
    asked = [question for question in questions if question["id"] in hits]
    nothing = np.zeros((0, 0))
    return [(example_of(question, [], nothing), hits[question["id"]]) for question in asked]


if __name__ == "__main__":
    main()
