"""Makes how sure an answer from a turn is mean something: of those given as answers, nine in ten answer.

    python -m tests.make.reader.calibrate_asking [--asker models/asker] [--show]

Through the product: what each person said is imported and slept on, each question is asked, and the turns are judged. A
logistic regression over the log odds of the first three turns and the form of the question says whether the first one
answers, or one of the first two. Nobody who is asked here was trained on. Prints the reliability, and writes the card.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np

from store.memory import Memory
from store.reading.asking.encoder import Asker, Intent
from store.recall import answers, turns
from store.recall.turns import Candidate
from store.records import Instant, Turn
from tests.bench.diaries import CORPUS, Object, lines

RIDGE = 0.3


class Now:
    """The real time."""

    def now(self) -> Instant:
        return Instant.of(datetime.now(UTC))


@dataclass(frozen=True)
class Case:
    """One question, and the turns that were judged for it."""

    question: Object
    intent: Intent
    found: list[Candidate]

    def right(self, most: int = 1) -> bool:
        """Whether one of the first turns is among those that somebody marked."""
        return any(one.hit.external_id in self.question["turns"] for one in self.found[:most])


def cases(asker: Asker, part: str) -> Iterator[Case]:
    """Every question of the people of one part, asked of a memory of what they said."""
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    said: dict[str, list[Object]] = {}
    for one in lines((CORPUS / "messages.jsonl").read_text("utf-8")):
        if people[one["persona"]]["part"] == part:
            said.setdefault(one["persona"], []).append(one)
    questions = lines((CORPUS / "questions.jsonl").read_text("utf-8"))
    for who, messages in said.items():
        with tempfile.TemporaryDirectory() as folder:
            names = [messages[0]["speaker"]] if "speaker" in messages[0] else []
            with Memory.open(Path(folder) / "m.db", clock=Now(), zone=UTC, person=names) as memory:
                list(memory.episodes.ingest([turn_of(one) for one in messages]))
                list(memory.sleeping.run())
                for question in questions:
                    if question["persona"] == who and question.get("about", "memory") == "memory":
                        yield from _cases(asker, memory, question)


def turn_of(one: Object) -> Turn:
    at = Instant.of(datetime.fromisoformat(one["at"]).replace(tzinfo=UTC))
    return Turn(one["text"], one["at"][:7], speaker=one.get("speaker", "me"), said_at=at, external_id=one["id"])


def _cases(asker: Asker, memory: Memory, question: Object) -> Iterator[Case]:
    intent = asker.intent(question["q"])
    found = turns.judged(question["q"], asker, memory.recall.evidence(question["q"], answers.MOST_TURNS, None))
    if found and intent.about == "memory":
        yield Case(question, intent, found)


def fitted(found: Sequence[Case], most: int) -> Object:
    """Bias, weights of the first turns and of each form: logistic regression by Newton's method with a small ridge."""
    forms = sorted({one.intent.form for one in found})
    rows = np.array(
        [[1.0, *turns.values(one.found), *(float(one.intent.form == form) for form in forms)] for one in found]
    )
    truth = np.array([float(one.right(most)) for one in found])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (truth - chance) - RIDGE * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + RIDGE * np.eye(rows.shape[1])
        weights = weights + np.linalg.solve(curve, slope)
    bias, *rest = (round(float(weight), 4) for weight in weights)
    return {"bias": bias, "values": rest[:3], "forms": dict(zip(forms, rest[3:], strict=True))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asker", type=Path, default=Path("models/asker"))
    parser.add_argument("--show", action="store_true", help="print the reliability only; the card stays as it is")
    chosen = parser.parse_args()
    asker = Asker(chosen.asker)
    if chosen.show:
        reliability(asker, list(cases(asker, "held")))
        return
    found = list(cases(asker, "calibrate"))
    asker.card |= {"one": fitted(found, 1), "two": fitted(found, 2)}
    reliability(asker, found)
    (chosen.asker / "asker.json").write_text(json.dumps(asker.card, indent=1) + "\n")


def reliability(asker: Asker, found: Sequence[Case]) -> None:
    """Of the turns that are given each chance, how many answer."""
    kinds: tuple[tuple[Literal["one", "two"], int], ...] = (("one", 1), ("two", 2))
    for which, most in kinds:
        chances = np.array([turns.chance_of(asker, one.found, one.intent, which) for one in found])
        right = np.array([one.right(most) for one in found])
        told = np.array([bool(one.question["turns"]) for one in found])
        print(f"{which}: chance, questions, right")
        for low in np.arange(0, 1, 0.1):
            inside = (chances >= low) & (chances < low + 0.1)
            if inside.any():
                print(f"  {low:.1f}  {int(inside.sum()):4}  {100 * right[inside].mean():.0f} %")
        for least in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9):
            over = chances >= least
            print(
                f"  over {least}: {100 * over[told].mean():.1f} % of told,"
                f" {100 * right[over & told].mean():.1f} % right,"
                f" {100 * over[~told].mean():.1f} % of never told"
            )


if __name__ == "__main__":
    main()
