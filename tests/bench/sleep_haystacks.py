"""LongMemEval's haystacks: how long from the import of one to a memory that has slept on it and answers.

    python -m tests.bench.sleep_haystacks PATH/s_haystacks.jsonl.gz [--limit 5]

Printed as JSON: the median over haystacks of seconds by the clock and of this process's CPU (which other programs on
the machine disturb less), by step, and by phase of the sleep. Each is imported, slept on once, and asked its question.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from store.memory import Memory
from store.records import Instant, Turn
from tests.bench.sleep_years import slept
from tests.bench.slots import StillClock


def haystacks(path: Path, limit: int) -> Iterator[dict[str, Any]]:
    """The first so many."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number == limit:
                return
            yield json.loads(line)


def moment(text: str) -> datetime:
    """2023/02/15 (Wed) 23:50"""
    day, _, hour = text.split()
    return datetime.strptime(f"{day} {hour}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def turns(one: dict[str, Any]) -> list[Turn]:
    """The turns of a haystack, a minute apart within a session."""
    said: list[Turn] = []
    for key, date, session in zip(
        one["haystack_session_ids"], one["haystack_dates"], one["haystack_sessions"], strict=True
    ):
        begins = moment(date)
        for place, turn in enumerate(session):
            user = turn["role"] == "user"
            said.append(Turn(
                turn["content"], key, "me" if user else "assistant", "user" if user else "assistant",
                said_at=Instant.of(begins + timedelta(minutes=place)), external_id=f"{key}-{place}",
            ))  # fmt: skip
    return said


def measured(one: dict[str, Any]) -> dict[str, Any]:
    """Seconds of one haystack, by the clock and of CPU."""
    said = turns(one)
    clock = StillClock(Instant.of(moment(one["question_date"])))
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC) as memory:
        memory.recall._embedder.embed(["warm"])
        began, cpu = time.perf_counter(), time.process_time()
        list(memory.episodes.ingest(said))
        read, read_cpu = time.perf_counter(), time.process_time()
        sleep = slept(memory)
        memory.answering.ask(one["question"])
        memory.recall.search(one["question"])
        ended, ended_cpu = time.perf_counter(), time.process_time()
    return {
        "turns": len(said), "seconds": ended - began, "cpu": ended_cpu - cpu, "import": read - began,
        "import_cpu": read_cpu - cpu, **{f"{name}_cpu": took for name, took in sleep["cpu_by_phase"].items()},
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description="From import to slept and queryable.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--limit", type=int, default=5)
    options = parser.parse_args(arguments)
    found = [measured(one) for one in haystacks(options.path, options.limit)]
    medians = {name: round(statistics.median(one.get(name, 0) for one in found), 2) for name in found[0]}
    sys.stdout.write(json.dumps({"haystacks": len(found), **medians}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
