"""Whether browsing the forest helps to find turns: LoCoMo's questions, with and without it.

    python -m tests.bench.forest_recall DIR [--conversations N]

DIR holds turns-*.jsonl and questions.jsonl. Each conversation is a memory that has slept. R@5 of recall as it ships, of
the forest alone, and of both, fused by reciprocal rank at several weights; with one family of trees left out at a time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

from store.database.rows import rows
from store.episodes.embedding import StaticEmbedder
from store.episodes.terms import query_terms
from store.memory import Memory
from store.records import Instant, Turn
from store.sleep import forest
from tests.bench import browsing as channel
from tests.bench.browsing import reciprocal
from tests.bench.memories import instant, json_lines
from tests.bench.slots import StillClock

DRAWN = 50
WEIGHTS = (0.1, 0.25, 0.5, 1.0)
WITHOUT = {name: tuple(one for one in channel.FAMILIES if one != name) for name in channel.FAMILIES}


def slept(path: Path, lines: Sequence[dict[str, Any]], embedder: StaticEmbedder) -> Memory:
    """A memory of one conversation, read and put into trees."""
    latest = max(instant(line["said_at"]) for line in lines)
    memory = Memory.open(path, clock=StillClock(latest), zone=UTC, embedder=embedder)
    turns = [
        Turn(line["text"], str(line["session"]), speaker=line["speaker"], role=line.get("role", "user"),
             said_at=Instant(*instant(line["said_at"])), external_id=line["id"])
        for line in lines
    ]  # fmt: skip
    list(memory.episodes.ingest(turns))
    for _ in memory.sleeping.run():
        pass
    with memory._database.writing() as connection:
        for _ in forest.rebuild(connection):
            pass
    return memory


def ranked(memory: Memory, question: str, embedder: StaticEmbedder) -> dict[str, list[int]]:
    """The rows that each way finds, best first."""
    reader = memory._database.reader()
    row_of: dict[str, int] = dict(rows(reader, "select id, row from episodes"))
    found = [row_of[hit.id] for hit in memory.recall.search(question, k=DRAWN).hits]
    vector = embedder.embed([question])[0]
    terms = query_terms(question)
    browsed = channel.candidates(reader, vector, terms, DRAWN)
    ways = {"recall": found, "forest alone": browsed}
    for name, families in WITHOUT.items():
        ways[f"forest, no {name} trees"] = channel.candidates(reader, vector, terms, DRAWN, families)
    return ways | {f"fused, forest x {weight}": fused(found, browsed, weight) for weight in WEIGHTS}


def fused(found: Sequence[int], browsed: Sequence[int], weight: float) -> list[int]:
    """Both, by weighted reciprocal rank."""
    ranks = [{row: at for at, row in enumerate(one, 1)} for one in (found, browsed)]
    scores = reciprocal(ranks, (1.0, weight))
    return sorted(scores, key=lambda row: (-scores[row], -row))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("--conversations", type=int, default=99)
    options = parser.parse_args()
    embedder = StaticEmbedder.load()
    asked = [one for one in json_lines(options.dir / "questions.jsonl") if one["evidence"]]
    hits: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(options.dir.glob("turns-*.jsonl"))[: options.conversations]:
            name = path.stem.removeprefix("turns-")
            with slept(Path(scratch) / f"{name}.db", json_lines(path), embedder) as memory:
                known: dict[int, str] = dict(rows(memory._database.reader(), "select row, external_id from episodes"))
                for one in asked:
                    if one["conversation"] != name:
                        continue
                    for system, order in ranked(memory, one["question"], embedder).items():
                        first = {known[row] for row in order[:5]}
                        share = len(first & set(one["evidence"])) / len(set(one["evidence"]))
                        hits.setdefault(system, []).append(share)
    for system, shares in hits.items():
        print(f"{system:<26} R@5 {100 * sum(shares) / len(shares):5.1f}  ({len(shares)} questions)")


if __name__ == "__main__":
    main()
