"""The figures printed are the embedder's alone: no words, no neighbours, no priors, nothing tuned on the questions.

    python -m tests.bench.embedder_eval LOCOMO_DIR [--model FOLDER]
    python -m tests.bench.embedder_eval --people [--model FOLDER]

Reads `questions.jsonl` and `turns-*.jsonl` of LoCoMo in Erstwhile's import form, ranks the turns of a conversation by
their dot product with the question, and prints Recall@5 (share of the evidence turns within the first five) and NDCG@5
(binary gains) over the questions that have evidence; then load time, texts a second and size on disk.

With --people it ranks what people told whom no network was trained on: how often a turn that answers is among the first
five of its person's, and among the first sixteen of all people's of the set.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from store.episodes.embedding import StaticEmbedder, default_path
from tests.bench.diaries import CORPUS

Object = dict[str, Any]
DEPTH, POOLED = 5, 16
ROOT = Path(__file__).resolve().parents[2]
LOAD = (
    "import sys, time; from pathlib import Path; from store.episodes.embedding import StaticEmbedder; "
    "start = time.perf_counter(); StaticEmbedder.load(Path(sys.argv[1])).embed(['first words']); "
    "print(time.perf_counter() - start)"
)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of one conversation, and its questions that have evidence."""

    ids: list[str]
    speakers: list[str]
    texts: list[str]
    questions: list[tuple[str, set[str]]]
    """Each with the ids of its evidence turns."""


def read_lines(path: Path) -> list[Object]:
    """The JSON objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def conversations(folder: Path) -> Iterator[Conversation]:
    """The conversations of a folder, in the order of their names."""
    questions = read_lines(folder / "questions.jsonl")
    for file in sorted(folder.glob("turns-*.jsonl")):
        name, turns = file.stem.removeprefix("turns-"), read_lines(file)
        ids = [turn["id"] for turn in turns]
        asked = [(q["question"], set(q["evidence"]) & set(ids)) for q in questions if q["conversation"] == name]
        yield Conversation(
            ids=ids,
            speakers=[turn["speaker"] for turn in turns],
            texts=[turn["text"] for turn in turns],
            questions=[(text, evidence) for text, evidence in asked if evidence],
        )


def scores(embedder: StaticEmbedder, conversation: Conversation, names: bool) -> Iterator[tuple[float, float]]:
    """Recall@5 and NDCG@5 of each question; `names` keeps the speakers' names in texts and questions."""
    speakers = "|".join(sorted({re.escape(speaker) for speaker in conversation.speakers}))
    name = re.compile(rf"\b(?:{speakers})(?:['’]s)?\b", re.IGNORECASE)
    asked = [question for question, _ in conversation.questions]
    if names:
        texts = [f"{who}: {text}" for who, text in zip(conversation.speakers, conversation.texts, strict=True)]
    else:
        texts, asked = [name.sub(" ", text) for text in conversation.texts], [name.sub(" ", text) for text in asked]
    likeness = embedder.embed(asked) @ embedder.embed(texts).T
    for row, (_, evidence) in zip(likeness, conversation.questions, strict=True):
        found = [conversation.ids[turn] in evidence for turn in np.argsort(-row, kind="stable")[:DEPTH]]
        yield sum(found) / len(evidence), gain(found) / gain([True] * min(DEPTH, len(evidence)))


def gain(found: Sequence[bool]) -> float:
    """Discounted cumulative gain of a ranking with binary gains."""
    return sum(hit / math.log2(rank + 2) for rank, hit in enumerate(found))


def load_seconds(folder: Path) -> float:
    """From nothing imported to the first vector, in a fresh process; the best of five."""
    command = [sys.executable, "-c", LOAD, str(folder)]
    runs = [subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def texts_a_second(embedder: StaticEmbedder, texts: list[str]) -> float:
    """Throughput on real turns; the best of three."""
    best = math.inf
    for _ in range(3):
        start = time.perf_counter()
        embedder.embed(texts)
        best = min(best, time.perf_counter() - start)
    return len(texts) / best


def of_people() -> Iterator[tuple[str, list[Object], list[Object]]]:
    """The sets of people whom nobody trained on: a name, their messages, their questions."""
    here = Path(__file__).parent
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    messages, questions = read_lines(CORPUS / "messages.jsonl"), read_lines(CORPUS / "questions.jsonl")
    for name, part in (("held out", "held"), ("to calibrate", "calibrate")):
        some = [one for one in questions if people[one["persona"]]["part"] == part]
        yield name, [one for one in messages if people[one["persona"]]["part"] == part], some
    later = [here / f"diaries_{name}" for name in ("later", "eight")]
    told, asked = (
        [one for path in later for one in read_lines(path.with_name(f"{path.name}_{kind}.jsonl"))]
        for kind in ("messages", "questions")
    )
    yield "written later", told, asked
    asked = read_lines(here / "diaries_terse.jsonl")
    whose = {one["persona"] for one in asked}
    yield "terse", [one for one in messages if one["persona"] in whose], asked


def found_of_people(embedder: StaticEmbedder, messages: Sequence[Object], questions: Sequence[Object]) -> str:
    """How many of their questions lead to a turn that answers: in their own turns, and in all."""
    asked = [one for one in questions if one["turns"]]
    likeness = embedder.embed([one["q"] for one in asked]) @ embedder.embed([one["text"] for one in messages]).T
    own = all_ = 0
    for row, one in zip(likeness, asked, strict=True):
        order = [messages[place] for place in np.argsort(-row, kind="stable")]
        mine = [told["id"] for told in order if told["persona"] == one["persona"]][:DEPTH]
        own += not {*mine}.isdisjoint(one["turns"])
        all_ += not {told["id"] for told in order[:POOLED]}.isdisjoint(one["turns"])
    count = len(asked)
    return f"{100 * own / count:.1f} % in five of one person's, {100 * all_ / count:.1f} % in sixteen of all ({count})"


def main() -> None:
    """Print the figures of one model on one folder."""
    parser = argparse.ArgumentParser(description="What the static embedder finds by itself.")
    parser.add_argument("locomo", type=Path, nargs="?")
    parser.add_argument("--people", action="store_true", help="the people of the corpus and of the diaries' benches")
    parser.add_argument("--model", type=Path, default=default_path())
    options = parser.parse_args()
    embedder = StaticEmbedder.load(options.model)
    if options.people:
        for name, messages, questions in of_people():
            print(f"{name:14} {found_of_people(embedder, messages, questions)}")
    if options.locomo is None:
        return
    found = list(conversations(options.locomo))
    for names in (False, True):
        pairs = [pair for conversation in found for pair in scores(embedder, conversation, names)]
        recall, ndcg = np.mean(np.array(pairs), axis=0)
        print(f"names {'in ' if names else 'out'}  R@5 {recall:.3f}  NDCG@5 {ndcg:.3f}  ({len(pairs)} questions)")
    size = sum(file.stat().st_size for file in options.model.rglob("*") if file.is_file())
    turns = [text for conversation in found for text in conversation.texts]
    print(f"import and load {load_seconds(options.model):.3f} s, {texts_a_second(embedder, turns):,.0f} texts/s")
    print(f"{embedder.dimension} dimensions, {size:,} bytes, fingerprint {embedder.fingerprint}")


if __name__ == "__main__":
    main()
