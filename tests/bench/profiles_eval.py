"""A memory test is right only by the words that tell its right answer from its wrong one; whatever is unsure is wrong.

    python tests/bench/profiles_eval.py PROFILES.jsonl [--quiet]

Each person's sessions are imported a week apart, slept on without a model, and every memory test's question is asked
of the memory. An answer is right if it holds at least half of the key words of the right answer that the wrong one does
not have (numbers, names, and with none of those its other words), and none of the wrong one's own; between yes and no,
the first word decides; it abstains if the memory says so. Every question is printed with its answer and with what was
wanted, for a person to judge.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from store.memory import Memory
from store.protocols import Embedder
from store.recall.answer_words import keys
from store.records import Answer, Instant, Turn
from store.text.lists import wordset

FIRST = datetime(2026, 1, 5, 10, tzinfo=UTC)
"""The first session is on a Monday; the file has no dates."""

_COMMON = wordset(
    "you your you're the and for are was were now not from with that this been then have has had i i'm it it's a an is "
    "in on at to of by as or no yes don't just already still overall prefer like want"
)
_WHOLE = frozenset(["consolidation", "cross_session"])
"""Categories whose answers are wanted whole; of the others the first part answers, and the rest explains."""
_FIRST = re.compile(r" — |[;.:] |, and ")
_WORD = re.compile(r"[\w#+'’-]+(?:[.,/%][\w%]+)*%?")


class Clock:
    """Stands still a week after the last session."""

    def __init__(self, sessions: int) -> None:
        self._now = FIRST + timedelta(weeks=sessions)

    def now(self) -> Instant:
        return Instant.of(self._now)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--quiet", action="store_true", help="print the table only")
    options = parser.parse_args()
    from store.episodes.embedding import StaticEmbedder

    embedder = StaticEmbedder.load()
    tally: Counter[tuple[str, str]] = Counter()
    for line in options.path.read_text(encoding="utf-8").splitlines():
        for test, answer in run(json.loads(line), embedder):
            verdict = judged(test, answer)
            tally[test["category"], verdict] += 1
            if not options.quiet:
                print(f"{verdict:9} {test['test_id']} [{test['category']}] {test['query']}\n"
                      f"          -> {answer.text}\n          gold: {test['correct_answer']}")  # fmt: skip
    print(table(tally))
    return 0


def run(person: dict[str, Any], embedder: Embedder) -> Iterator[tuple[dict[str, Any], Answer]]:
    """Each memory test of one person, and what the memory answers."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(
            Path(folder) / "memory.db", clock=Clock(len(person["sessions"])), zone=UTC, embedder=embedder
        ) as memory,
    ):
        for _ in memory.episodes.ingest(_turns(person)):
            pass
        for _ in memory.sleeping.run():
            pass
        for test in person["memory_tests"]:
            yield test, memory.answering.ask(test["query"])


def _turns(person: dict[str, Any]) -> Iterator[Turn]:
    """The turns that were said; the questions of the tests are asked, not imported."""
    for week, session in enumerate(person["sessions"]):
        if any("[MEMORY TEST]" in turn["content"] for turn in session["turns"]):
            continue
        for place, turn in enumerate(session["turns"]):
            yield Turn(
                text=turn["content"],
                session=f"{person['user_id']}-{session['session_id']}",
                speaker="me" if turn["role"] == "user" else "assistant",
                role=turn["role"],
                said_at=Instant.of(FIRST + timedelta(weeks=week, minutes=place)),
                external_id=str(place),
                source="import:jsonl",
            )


def judged(test: dict[str, Any], answer: Answer) -> str:
    """right, wrong or abstained; where the right answer is to know nothing of it, to abstain is right."""
    if test["category"] == "noise_resistance":
        return "right" if answer.abstained else "wrong"
    if answer.abstained:
        return "abstained"
    texts = answer.text, test["correct_answer"], test["wrong_answer"]
    starts = [text.split()[0].lower().strip(",.") for text in texts]
    if {"yes", "no"} <= set(starts[1:]):
        return "right" if starts[0] == starts[1] else "wrong"
    said, good, bad = (_words(text) for text in texts)
    told = test["correct_answer"] if test["category"] in _WHOLE else _FIRST.split(test["correct_answer"])[0]
    key, against = _key(told) - bad, _key(test["wrong_answer"]) - good
    if not key:
        key, said = set(keys(told) - keys(test["wrong_answer"])), set(keys(answer.text))
    return "right" if 2 * len(key & said) >= len(key) and not against & said else "wrong"


def _key(text: str) -> set[str]:
    """The words of a text that are numbers or names: with a digit, or with a capital that no sentence begins with."""
    found = set()
    for match in _WORD.finditer(text):
        word, before = match.group(), text[: match.start()].rstrip()
        inner = before and before[-1] not in ".!?:—"
        if any(letter.isdigit() for letter in word) or (inner and word != word.lower()) or not word[1:].islower():
            found.add(word.lower())
    return {_bare(word) for word in found} - _COMMON


def _words(text: str) -> set[str]:
    return {_bare(word.lower()) for word in _WORD.findall(text)} - _COMMON


def _bare(word: str) -> str:
    """A name without its 's."""
    return re.sub(r"['’]s$", "", word)


def table(tally: Counter[tuple[str, str]]) -> str:
    """Right, wrong and abstained by category, and their shares."""
    lines = [f"{'category':22} right wrong abstained"]
    lines += [
        f"{category:22} {tally[category, 'right']:5} {tally[category, 'wrong']:5} {tally[category, 'abstained']:9}"
        for category in sorted({category for category, _ in tally})
    ]
    totals = [sum(count for (_, verdict), count in tally.items() if verdict == one)
              for one in ("right", "wrong", "abstained")]  # fmt: skip
    lines.append(f"{'all':22} {totals[0]:5} {totals[1]:5} {totals[2]:9}")
    shares = [round(100 * count / sum(totals)) for count in totals]
    lines.append(f"{'share':22} {shares[0]:4}% {shares[1]:4}% {shares[2]:8}%")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
