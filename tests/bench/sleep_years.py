"""Five years of one person's chats: the first sleep by phase, then a sleep after each of many days.

    python -m tests.bench.sleep_years [--turns 50000] [--years 5] [--days 200]

Printed as JSON: seconds of this process's CPU and of the clock by phase, peak memory, the time of each further sleep
(last 20 against first 20), what was lost (episodes, facts ever believed: nothing may be), and whether sampled runs are
undone to the state before them.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

from store.memory import Memory
from store.records import Instant
from tests.bench.slots import StillClock
from tests.bench.years import BEGIN, Years, turns

ENDS = 20
"""Sleeps at each end that are compared."""
EVERY = 40
"""Days between two runs that are undone on a copy."""


def slept(memory: Memory) -> dict[str, Any]:
    """One sleep: CPU seconds, seconds, and by phase the CPU seconds and the longest step in milliseconds."""
    cpu: dict[str, float] = defaultdict(float)
    step: dict[str, float] = defaultdict(float)
    began, began_cpu = time.perf_counter(), time.process_time()
    at_cpu = began_cpu
    for progress in memory.sleep():
        now_cpu = time.process_time()
        cpu[progress.phase] += now_cpu - at_cpu
        step[progress.phase] = max(step[progress.phase], (now_cpu - at_cpu) * 1000)
        at_cpu = now_cpu
    return {
        "seconds": time.perf_counter() - began, "cpu": time.process_time() - began_cpu,
        "cpu_by_phase": {name: round(took, 2) for name, took in cpu.items()},
        "longest_step_cpu_ms": {name: round(took) for name, took in step.items()},
    }  # fmt: skip


def counts(memory: Memory) -> tuple[int, int]:
    """Episodes, and facts that were ever believed."""
    reader = memory._database.reader()
    episodes, facts = (reader.execute(f"select count(*) from {table}").get for table in ("episodes", "facts"))
    return int(episodes), int(facts)


def undone(memory: Memory, before: str, folder: Path, clock: StillClock) -> bool:
    """Whether the last run, undone on a copy, leaves the state that was there before it."""
    copy_path = folder / "copy.db"
    for leftover in folder.glob("copy.db*"):
        leftover.unlink()
    memory.backup(copy_path)
    last = memory.last_sleep()
    assert last is not None and last.run is not None
    with Memory.open(copy_path, clock=clock, zone=UTC) as copy:
        copy.undo_run(last.run)
        return copy.state_hash() == before


def further(memory: Memory, first_day: int, days: int, folder: Path, clock: StillClock) -> dict[str, Any]:
    """A day's turns and a sleep, so many times."""
    talk = Years(seed=11)
    took: list[dict[str, Any]] = []
    undoings: list[bool] = []
    fell = 0
    known = counts(memory)
    for number in range(days):
        clock.moment = Instant.of(BEGIN + timedelta(days=first_day + number, hours=23))
        list(memory.ingest(talk.day(first_day + number)))
        sampled = number % EVERY == EVERY - 1
        before = memory.state_hash() if sampled else ""
        took.append(slept(memory))
        now = counts(memory)
        fell += now[0] < known[0] or now[1] < known[1]
        known = now
        if sampled:
            undoings.append(undone(memory, before, folder, clock))
    ends = min(ENDS, max(1, days // 2))
    cpu = [one["cpu"] for one in took]
    return {
        "sleeps": days, "cpu_median": round(statistics.median(cpu), 3),
        "cpu_first": round(statistics.mean(cpu[:ends]), 3), "cpu_last": round(statistics.mean(cpu[-ends:]), 3),
        "last_over_first": round(statistics.mean(cpu[-ends:]) / statistics.mean(cpu[:ends]), 3),
        "seconds_median": round(statistics.median(one["seconds"] for one in took), 3),
        "by_phase_last": took[-1]["cpu_by_phase"], "longest_step_cpu_ms": _longest(took), "fell": fell,
        "undone_exactly": undoings,
    }  # fmt: skip


def _longest(took: list[dict[str, Any]]) -> dict[str, int]:
    longest: dict[str, int] = defaultdict(int)
    for one in took:
        for phase, ms in one["longest_step_cpu_ms"].items():
            longest[phase] = max(longest[phase], ms)
    return dict(longest)


def main(arguments: list[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description="Five years of chats, slept on.")
    parser.add_argument("--turns", type=int, default=50_000)
    parser.add_argument("--years", type=int, default=5)
    parser.add_argument("--days", type=int, default=200)
    options = parser.parse_args(arguments)
    clock = StillClock(Instant.of(BEGIN + timedelta(days=365 * options.years)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Memory.open(folder / "years.db", clock=clock, zone=UTC) as memory:
            began = time.process_time()
            list(memory.ingest(turns(options.turns, options.years)))
            document: dict[str, Any] = {"turns": options.turns, "import_cpu": round(time.process_time() - began, 1)}
            document["first"] = slept(memory)
            last = memory.last_sleep()
            document["first"]["did"] = last.detail if last else {}
            document["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            sys.stdout.write(json.dumps(document) + "\n")
            sys.stdout.flush()
            document = {"further": further(memory, 365 * options.years, options.days, folder, clock)}
            document["bytes"] = memory.path.stat().st_size
            sys.stdout.write(json.dumps(document) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
