"""What a sleep is worth to recall: before and after it, the visible surface against everything, and with one operator
or one family of trees left out at a time.

    python -m tests.bench.sleep_recall LOCOMO_DIR [--haystacks FILE.jsonl.gz] [--every 1] [--limit 10]

R@5: of turns on LoCoMo (every so manieth question), of sessions on LongMemEval (the first so many haystacks that have
an answer). An operator is left out by undoing its edits on a copy, as `erstwhile undo` does. `units` ranks turns by the
units that they stand in, `forest` by browsing the trees; "+" is weighted reciprocal rank. Each line says how far it is
from the one that it is compared with, and how many questions it makes better and worse.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import numpy as np

from store.database.rows import rows
from store.episodes.embedding import StaticEmbedder
from store.episodes.terms import query_terms
from store.memory import Memory
from store.records import Instant
from store.sleep.describe import Describer
from store.sleep.edits import KINDS
from tests.bench import browsing as channel
from tests.bench.browsing import reciprocal
from tests.bench.longmemeval_recall import answerable, lines, when
from tests.bench.memories import Stopped, build, episodes_of, instant, json_lines

DRAWN = 50
WEIGHT = 0.25
"""Of what is fused with recall."""
_UNITS = "select s.episode_row, u.vector from units u join unit_spans s on s.unit_id = u.id"
_HIDDEN = (
    "select distinct s.episode_row from unit_spans s where s.episode_row not in "
    "(select v.episode_row from unit_spans v join units u on u.id = v.unit_id where u.visible = 1)"
)

Ranking = list[int]
Ways = dict[str, Ranking]
Shares = dict[str, float]
COMPARED = {
    "after sleep": "before sleep", "visible surface only": "after sleep", "+ units": "after sleep",
    "+ forest": "after sleep", "units, everything": "units, visible",
}  # fmt: skip
"""With what each line is compared; those that leave something out, with what they leave it out of."""


@dataclass(frozen=True)
class Asked:
    """A question, and what answers it."""

    text: str
    evidence: frozenset[str]


class Slept:
    """One memory, its questions, and the keys (turns or sessions) by which its rows are judged."""

    def __init__(self, memory: Memory, embedder: StaticEmbedder, key_of: str) -> None:
        self.memory, self._embedder = memory, embedder
        self._describer = Describer(embedder)
        self._key: dict[int, str] = dict(rows(memory._database.reader(), f"select e.row, {key_of} from episodes e "
                                              "join sessions s on s.id = e.session_id"))  # fmt: skip
        self._row: dict[str, int] = dict(rows(memory._database.reader(), "select id, row from episodes"))

    def share(self, ranking: Ranking, evidence: frozenset[str]) -> float:
        """R@5 of a ranking."""
        first = list(dict.fromkeys(self._key[row] for row in ranking))[:5]
        return len(evidence.intersection(first)) / len(evidence)

    def recalled(self, question: str) -> Ranking:
        return [self._row[hit.id] for hit in self.memory.recall.search(question, k=DRAWN).hits]

    def ways(self, question: str) -> Ways:
        """What each way finds after the sleep."""
        found = self.recalled(question)
        vector, terms = self._embedder.embed([question])[0], query_terms(question)
        ways = {"after sleep": found} | self.units(question, found, "")
        reader = self.memory._database.reader()
        ways["forest alone"] = channel.candidates(reader, vector, terms, DRAWN)
        ways["+ forest"] = fused(found, ways["forest alone"])
        for family in channel.FAMILIES:
            others = tuple(one for one in channel.FAMILIES if one != family)
            ways[f"forest alone, no {family} trees"] = channel.candidates(reader, vector, terms, DRAWN, others)
            ways[f"+ forest, no {family} trees"] = fused(found, ways[f"forest alone, no {family} trees"])
        return ways

    def units(self, question: str, found: Ranking, without: str) -> Ways:
        """What the units find, and what is left of `found` on the surface."""
        reader = self.memory._database.reader()
        hidden = {row for (row,) in rows(reader, _HIDDEN)}
        visible = self._by_units(question, " where u.visible = 1")
        ways = {
            f"visible surface only{without}": [row for row in found if row not in hidden],
            f"units, visible{without}": visible, f"+ units{without}": fused(found, visible),
        }  # fmt: skip
        return ways if without else ways | {"units, everything": self._by_units(question, "")}

    def _by_units(self, question: str, which: str) -> Ranking:
        vector, best = self._describer.vectors([question])[0], defaultdict[int, float](lambda: -1.0)
        stored = rows(self.memory._database.reader(), _UNITS + which)
        matrix = np.stack([np.frombuffer(packed, np.int8) for _, packed in stored]).astype(np.float32)
        cosines = matrix @ vector / np.maximum(np.linalg.norm(matrix, axis=1), 1e-9)
        for (row, _), cosine in zip(stored, cosines, strict=True):
            best[row] = max(best[row], float(cosine))
        return sorted(best, key=lambda row: (-best[row], row))[:DRAWN]


def fused(found: Ranking, other: Ranking) -> Ranking:
    """Both, by weighted reciprocal rank."""
    ranks = [{row: at for at, row in enumerate(one, 1)} for one in (found, other)]
    scores = reciprocal(ranks, (1.0, WEIGHT))
    return sorted(scores, key=lambda row: (-scores[row], row))


def measured(path: Path, now: Instant, asked: Sequence[Asked], key_of: str, edits: Counter[str]) -> Iterator[Shares]:
    """For each question R@5 by way; the edits of the sleep are counted in `edits`."""
    embedder = StaticEmbedder.load()
    with Memory.open(path, clock=Stopped(now), zone=UTC, embedder=embedder) as memory:
        slept = Slept(memory, embedder, key_of)
        before = [slept.recalled(one.text) for one in asked]
        for _ in memory.sleeping.run(tidy=True):
            pass
        found = [slept.ways(one.text) for one in asked]
        made = [one for one in memory.log.operations(limit=100_000, phase="tidy") if one.reason == "APPLIED"]
        edits.update(one.kind for one in made)
        for kind in KINDS:
            copy = Path(f"{path}.no-{kind}.db")
            memory.backups.make(copy)
            with Memory.open(copy, clock=Stopped(now), zone=UTC, embedder=embedder) as other:
                for edit in made:
                    if edit.kind == kind:
                        other.log.undo(edit.id)
                less = Slept(other, embedder, key_of)
                for ways, one in zip(found, asked, strict=True):
                    ways.update(less.units(one.text, ways["after sleep"], f", no {kind}"))
        for first, ways, one in zip(before, found, asked, strict=True):
            every = {"before sleep": first} | ways
            yield {name: slept.share(ranking, one.evidence) for name, ranking in every.items()}


def locomo(folder: Path, every: int, scratch: Path, edits: Counter[str]) -> Iterator[Shares]:
    """Conversations, turn level."""
    questions = [one for one in json_lines(folder / "questions.jsonl") if one["evidence"]][::every]
    embedder = StaticEmbedder.load()
    for path in sorted(folder.glob("turns-*.jsonl")):
        name, said = path.stem.removeprefix("turns-"), json_lines(path)
        now = max((instant(line["said_at"]) for line in said), key=lambda one: one.us)
        build(scratch / f"{name}.db", episodes_of(said), embedder).close()
        asked = [Asked(one["question"], frozenset(one["evidence"])) for one in questions if one["conversation"] == name]
        yield from measured(scratch / f"{name}.db", now, asked, "e.external_id", edits)


def longmemeval(path: Path, limit: int, scratch: Path, edits: Counter[str]) -> Iterator[Shares]:
    """Haystacks, session level."""
    embedder = StaticEmbedder.load()
    for item in answerable(path)[:limit]:
        file = scratch / f"{item['question_id']}.db"
        build(file, episodes_of(lines(item)), embedder).close()
        asked = [Asked(item["question"], frozenset(item["answer_session_ids"]))]
        yield from measured(file, Instant.of(when(item["question_date"])), asked, "s.key", edits)


def printed(title: str, found: Sequence[Shares], edits: Counter[str]) -> None:
    """A line for each way."""
    print(f"{title}: {len(found)} questions; the sleeps made", ", ".join(f"{edits[kind]} x {kind}" for kind in KINDS))
    for name in found[0]:
        shares = [ways[name] for ways in found]
        other = compared_with(name)
        line = f"  {name:<34} R@5 {100 * sum(shares) / len(shares):5.1f}"
        if other is not None:
            changes = [ways[name] - ways[other] for ways in found]
            better, worse = sum(one > 0 for one in changes), sum(one < 0 for one in changes)
            line += f"  {100 * sum(changes) / len(changes):+5.1f} against {other} ({better} better, {worse} worse)"
        print(line, flush=True)


def compared_with(name: str) -> str | None:
    whole, _, left_out = name.partition(", no ")
    return whole if left_out else COMPARED.get(name)


def main(arguments: list[str] | None = None) -> None:
    """Read the arguments, and print one table for each benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("locomo", type=Path)
    parser.add_argument("--haystacks", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit", type=int, default=10)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        edits = Counter[str]()
        printed("LoCoMo, turns", list(locomo(options.locomo, options.every, Path(scratch), edits)), edits)
        if options.haystacks:
            edits = Counter[str]()
            found = list(longmemeval(options.haystacks, options.limit, Path(scratch), edits))
            printed("LongMemEval, sessions", found, edits)


if __name__ == "__main__":
    main()
