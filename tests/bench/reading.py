"""What is read in single turns, by the network alone and with the words around: against marks of people held out.

    python -m tests.bench.reading [--messages FILE]

Without a file it takes the people of the corpus who are held out. First the reader's own statements by the strict
measure (predicate exact, half of the shorter value's words; each mark once), at several bars, with the status and
the subject of those found, by predicate, by status and by kind of writer; then what each reading hears and how much of
it is supported, as `tests.bench.diaries` counts, over claims. Times a turn takes on one thread are printed last.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from store.reading.claims import claims_of
from store.reading.encoder import Before, Reader, Statement, shipped
from store.reading.extract import Speakers, read
from store.records import Claim, Episode, Instant
from tests.bench.diaries import CORPUS, Heard, Object, held_out, lines, share, words
from tests.make.reader.calibrate import STATES, read_all, whose

BARS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass
class Strict:
    """Counts of the strict measure."""

    told: int = 0
    read: int = 0
    found: int = 0
    status: int = 0
    state: int = 0
    subject: int = 0
    by: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, message: Object, statements: Sequence[Statement], kind: str) -> None:
        text, free = message["text"], list(message["claims"])
        self.told += len(free)
        self.read += len(statements)
        for claim in free:
            self.by["predicate"][f"{_label(claim)} told"] += 1
            self.by["status"][f"{claim['st']} told"] += 1
            self.by["kind"][f"{kind} told"] += 1
        for one in statements:
            value = words(text[one.value.start : one.value.end])
            hit = next((c for c in free if _label(c) == one.predicate and share(words(c["o"]), value)), None)
            self.by["kind"][f"{kind} read"] += 1
            if hit is None:
                continue
            free.remove(hit)
            self.found += 1
            self.status += hit["st"] == one.status
            self.state += STATES[hit["st"]] == STATES[one.status]
            self.subject += whose(text, one.subject, hit["s"])
            self.by["predicate"][f"{one.predicate} found"] += 1
            self.by["status"][f"{hit['st']} found"] += 1
            self.by["status"][f"{hit['st']} right"] += hit["st"] == one.status
            self.by["kind"][f"{kind} found"] += 1

    def __str__(self) -> str:
        precision, recall = self.found / max(1, self.read), self.found / max(1, self.told)
        score = 2 * precision * recall / max(1e-9, precision + recall)
        of = max(1, self.found)
        return (
            f"precision {precision:.3f}  recall {recall:.3f}  F1 {score:.3f}  status {self.status / of:.3f}  "
            f"state {self.state / of:.3f}  subject {self.subject / of:.3f}"
        )


def _label(claim: Object) -> str:
    return "other" if claim["p"].startswith("other") else str(claim["p"])


def episodes(messages: Sequence[Object]) -> list[Episode]:
    """The messages as turns, a session for each person."""
    found = []
    for place, message in enumerate(messages):
        at = Instant.of(datetime.fromisoformat(f"{message['at']}+00:00"))
        found.append(
            Episode(
                message["id"], place, message["id"], message["persona"], place, message.get("speaker", "me"), "user",
                message["text"], at, at, "chat",
            )
        )  # fmt: skip
    return found


Read = Callable[[Episode, Sequence[Episode]], Sequence[Claim]]


def known_only(reading: Read) -> Read:
    """The same reading without what is unsure."""
    return lambda turn, before: [one for one in reading(turn, before) if one.modality == "fact"]


def heard_by(messages: Sequence[Object], reading: Read) -> Heard:
    """What a reading hears of some messages."""
    turns, counts, claims = episodes(messages), Heard(), []
    for place, turn in enumerate(turns):
        before = [one for one in turns[max(0, place - 12) : place] if one.session == turn.session]
        claims += [
            {"object": one.object, "text": "", "sources": [{"external_id": turn.id}]} for one in reading(turn, before)
        ]
    counts.add(messages, claims)
    return counts


def strictly(reader: Reader, messages: Sequence[Object], kinds: dict[str, str]) -> None:
    """Print the strict measure."""
    by_message: dict[str, list[Statement]] = defaultdict(list)
    for message, one in read_all(reader, messages):
        by_message[message["id"]].append(one)
    for bar in BARS:
        counts = Strict()
        for message in messages:
            over = [one for one in by_message[message["id"]] if one.sure >= bar]
            counts.add(message, over, kinds.get(message["persona"], "?"))
        print(f"over {bar}: {counts}")
        if bar == BARS[0]:
            shown = counts
    for name, by in shown.by.items():
        told = {key.removesuffix(" told"): n for key, n in by.items() if key.endswith(" told")}
        rows = sorted(told.items(), key=lambda one: -one[1])[:30]
        print(f"recall by {name} (over {BARS[0]}):",
              ", ".join(f"{key} {by[f'{key} found']}/{n}" for key, n in rows))  # fmt: skip


def timed(reader: Reader, messages: Sequence[Object]) -> None:
    """Print how long a turn takes, read once, on one thread."""
    fresh = Reader(reader.path)
    fresh.read([("Warm.", Before())])
    took = []
    for message in messages:
        began = time.perf_counter()
        fresh.read([(message["text"], Before())])
        took.append(1000 * (time.perf_counter() - began))
    took.sort()
    print(f"a turn: median {took[len(took) // 2]:.1f} ms, p95 {took[int(0.95 * len(took))]:.1f} ms; "
          f"{1000 * len(took) / sum(took):.0f} turns a second")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=Path)
    asked = parser.parse_args()
    messages = lines(asked.messages.read_text("utf-8")) if asked.messages else held_out("messages.jsonl")
    people = json.loads((CORPUS / "people.json").read_text("utf-8"))
    reader, me = shipped(), Speakers(frozenset({"me"}))
    strictly(reader, messages, {who: one["kind"] for who, one in people.items()})
    only: dict[str, Read] = {
        "reader": lambda turn, before: claims_of(turn, before, me, reader).claims,
        "words": lambda turn, before: read(turn, before, me),
    }
    for name, reading in only.items():
        print(f"{name:7} known       {heard_by(messages, known_only(reading))}")
        print(f"{name:7} with unsure {heard_by(messages, reading)}")
    timed(reader, messages)


if __name__ == "__main__":
    main()
