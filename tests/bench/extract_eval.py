"""The figures of extraction are measured over real turns, and a sample is drawn by seed, so that anybody can judge
the same claims.

    python tests/bench/extract_eval.py TURNS.jsonl... [--sample N] [--seed S] [--me NAME]

Prints claims per 100 turns, turns a second on one core, and N random claims with their quotes. The turns are in the
JSONL form that `erstwhile import` reads.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from store.reading.extract import Speakers, read
from store.records import Claim, Episode, Instant

BEFORE = 12


def episodes(path: Path) -> Iterator[Episode]:
    """The turns of a JSONL file as episodes; times without a zone are taken as UTC."""
    places: Counter[str] = Counter()
    with path.open(encoding="utf-8") as lines:
        for row, line in enumerate(lines):
            turn = json.loads(line)
            session = turn["session"]
            said = datetime.fromisoformat(turn.get("said_at") or turn["timestamp"])
            at = Instant.of(said if said.tzinfo else said.replace(tzinfo=UTC))
            text = turn.get("text") or turn.get("content") or ""
            identity = f"{path.stem}/{turn.get('id', row)}"
            yield Episode(
                identity,
                row,
                turn.get("id"),
                session,
                places[session],
                turn["speaker"],
                turn["role"],
                text,
                at,
                at,
                "chat",
            )
            places[session] += 1


def extracted(turns: list[Episode], speakers: Speakers) -> Iterator[tuple[Episode, Claim]]:
    """Every claim with its turn, read as sleep reads them."""
    sessions: dict[str, list[Episode]] = {}
    for turn in turns:
        before = sessions.setdefault(turn.session, [])
        for claim in read(turn, before[-BEFORE:], speakers):
            yield turn, claim
        before.append(turn)


def shown(turn: Episode, claim: Claim) -> str:
    """One claim on one line, with its quote."""
    marks = " ".join(
        part
        for part in (claim.cue, "NOT" if claim.negative else "", f"was {claim.replaces}" if claim.replaces else "")
        if part
    )
    start, end = claim.valid.first(), claim.valid.last()
    when = (
        f" [{start.iso()[:10] if start else ''}..{end.iso()[:10] if end else ''} {claim.valid.precision}]"
        if start or end
        else ""
    )
    more = f" {dict(claim.qualifiers)}" if claim.qualifiers else ""
    said = " | ".join((claim.subject, claim.predicate, claim.object))
    return f"{turn.external_id} | {said} | {marks}{when}{more} | {turn.text[claim.start : claim.end]}"


def main() -> None:
    """Measure, and show a sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--me", default="me")
    options = parser.parse_args()
    turns = [turn for path in options.paths for turn in episodes(path)]
    speakers = Speakers(frozenset({options.me.casefold(), "user", "me"}))
    began = time.perf_counter()
    found = list(extracted(turns, speakers))
    took = time.perf_counter() - began
    share, speed = 100 * len(found) / len(turns), len(turns) / took
    print(f"{len(turns)} turns, {len(found)} claims, {share:.1f} per 100 turns, {speed:.0f} turns/s")
    print(
        ", ".join(f"{name} {count}" for name, count in Counter(claim.predicate for _, claim in found).most_common(60))
    )
    assert all(turn.text[claim.start : claim.end].strip() for turn, claim in found)
    for turn, claim in random.Random(options.seed).sample(found, min(options.sample, len(found))):
        print(shown(turn, claim))


if __name__ == "__main__":
    main()
