"""Recall on LongMemEval-S, session level: each question is asked of its own haystack, at the time at which it was
asked.

    python -m tests.bench.longmemeval_recall FILE.jsonl.gz

A session's place is that of its best turn. `has_answer` is stripped before anything is stored. Questions whose id ends
in "_abs" want an abstention and are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from store.episodes.embedding import StaticEmbedder
from store.recall.scope import Scope
from store.recall.search import judge, recall
from store.records import Instant
from tests.bench.memories import build, episodes_of, slept
from tests.bench.ranking import Example, printed, ranked_by, table

TURNS = 50
"""Hits that are asked for, so that five sessions are among them."""


def when(text: str) -> datetime:
    """LongMemEval's own form: "2023/05/20 (Sat) 02:21"."""
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)


def lines(item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A haystack in the import form."""
    sessions = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True)
    for session, date, turns in sessions:
        for turn in turns:
            speaker = "me" if turn["role"] == "user" else "assistant"
            said = when(date).isoformat()
            yield {
                "session": session,
                "speaker": speaker,
                "role": turn["role"],
                "text": turn["content"],
                "said_at": said,
            }


def asked(item: dict[str, Any], folder: Path, embedder: StaticEmbedder) -> tuple[Example, list[str], float]:
    """The sessions that recall finds for one question, best first, and the milliseconds."""
    now = Instant.of(when(item["question_date"]))
    database = build(folder / "haystack.db", episodes_of(lines(item)), embedder)
    slept(database, embedder, now)
    found = recall(database.reader(), item["question"], k=TURNS, embedder=embedder, now=now.us, zone=UTC)
    database.close()
    sessions = list(dict.fromkeys(hit.session for hit in found.hits))
    evidence = frozenset(item["answer_session_ids"])
    example = Example(item["question_id"], item["question_type"], (), np.zeros((0, 0)), evidence)
    return example, sessions, found.elapsed_ms


def answerable(path: Path) -> list[dict[str, Any]]:
    """The questions that have an answer in their haystack."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file if line.strip()]
    return [item for item in items if item["answer_session_ids"] and not item["question_id"].endswith("_abs")]


@dataclass(frozen=True, eq=False)
class Haystack:
    """One question with its candidates' features, to fit weights to and to judge them by."""

    turns: Example
    """The candidates; its evidence is the turns that hold the answer."""
    session_of: dict[str, str]
    """Of each candidate."""
    sessions: Example
    """Without candidates; its evidence is the sessions that hold the answer."""

    def ranked(self, weights: Any) -> list[str]:
        """The sessions, best first, by their best turn."""
        return list(dict.fromkeys(self.session_of[id_] for id_ in ranked_by(self.turns, weights)[:TURNS]))


def haystacks(path: Path, folder: Path, embedder: StaticEmbedder) -> list[Haystack]:
    """Every question with the features of its candidates."""
    found = []
    for item in answerable(path):
        episodes = list(episodes_of(lines(item)))
        holding = [bool(turn.get("has_answer")) for session in item["haystack_sessions"] for turn in session]
        now = Instant.of(when(item["question_date"]))
        database = build(folder / "haystack.db", episodes, embedder)
        slept(database, embedder, now)
        judged = judge(database.reader(), item["question"], Scope(), embedder=embedder, now=now.us, zone=UTC)
        database.close()
        if judged is not None:
            ids = tuple(str(row) for row in judged.rows)
            evidence = frozenset(str(one.row) for one, holds in zip(episodes, holding, strict=True) if holds)
            features = np.stack(list(judged.features.values()), axis=1).astype(np.float64)
            turns = Example(item["question_id"], item["question_type"], ids, features, evidence)
            sessions = replace(turns, ids=(), features=np.zeros((0, 0)), evidence=frozenset(item["answer_session_ids"]))
            found.append(Haystack(turns, {str(one.row): one.session for one in episodes}, sessions))
    return found


def main() -> None:
    """Read the arguments, and print one table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", type=Path)
    items = answerable(parser.parse_args().file)
    embedder, results, started = StaticEmbedder.load(), [], time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        for item in items:
            results.append(asked(item, Path(scratch), embedder))  # noqa: PERF401 - one memory at a time, and slow
    print(printed("sessions", table([(example, ids) for example, ids, _ in results])))
    elapsed = [spent for _, _, spent in results]
    print(f"ms p50 {np.percentile(elapsed, 50):.1f}, p95 {np.percentile(elapsed, 95):.1f};", end=" ")
    print(f"{time.perf_counter() - started:.0f} s in all")
    for example, ids, _ in results:
        if not example.evidence & set(ids[:5]):
            print("missed:", example.group)


if __name__ == "__main__":
    main()
