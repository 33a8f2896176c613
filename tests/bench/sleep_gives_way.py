"""How soon a sleep gives way: from the moment it is told to stop to its end, and what a writer waits for meanwhile.

    python -m tests.bench.sleep_gives_way [--turns 1500] [--stops 60]

A sleep runs in a thread and is stopped after a random while, again and again until nothing is left; another thread
appends a turn every 50 ms, as a chat does. Printed as JSON, in milliseconds: median, p99 and most of both, and the most
by phase. On a busy machine these grow with its load; compare the two.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

from store.memory import Memory
from store.records import Instant, Turn
from tests.bench.slots import StillClock
from tests.bench.years import A_DAY, BEGIN, turns


class Sleeping(threading.Thread):
    """One sleep, and when it ended."""

    def __init__(self, memory: Memory, stop: threading.Event) -> None:
        super().__init__()
        self._memory, self._stop_asked = memory, stop
        self.phase, self.ended_at = "begin", 0.0

    def run(self) -> None:
        for progress in self._memory.sleep(self._stop_asked):
            self.phase = progress.phase
        self.ended_at = time.perf_counter()


def stopped_after(memory: Memory, seconds: float) -> tuple[str, float] | None:
    """(phase, milliseconds from stop to end) of a sleep; None where it ended by itself."""
    stop = threading.Event()
    sleeping = Sleeping(memory, stop)
    sleeping.start()
    sleeping.join(seconds)
    if not sleeping.is_alive():
        return None
    asked = time.perf_counter()
    stop.set()
    sleeping.join()
    return sleeping.phase, (sleeping.ended_at - asked) * 1000


def write_on(memory: Memory, done: threading.Event, waited: list[float]) -> None:
    """Append a turn every 50 ms until `done`."""
    while not done.wait(0.05):
        began = time.perf_counter()
        memory.remember(Turn("Are you there?", "live"))
        waited.append((time.perf_counter() - began) * 1000)


def summary(found: list[float]) -> dict[str, float]:
    ordered = sorted(found)
    return {
        "count": len(ordered), "median": round(statistics.median(ordered), 1),
        "p99": round(ordered[int(0.99 * (len(ordered) - 1))], 1), "most": round(ordered[-1], 1),
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description="How soon a sleep gives way.")
    parser.add_argument("--turns", type=int, default=1_500)
    parser.add_argument("--stops", type=int, default=60)
    options = parser.parse_args(arguments)
    chance, gave_way, by_phase = random.Random(5), list[float](), defaultdict[str, float](float)
    done, waited = threading.Event(), list[float]()
    clock = StillClock(Instant.of(BEGIN + timedelta(days=800)))
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC) as memory:
        list(memory.ingest(turns(options.turns, years=1, each_day=A_DAY)))
        memory.learn(memory.remember(Turn("I like tea.", "live")).id)  # as a chat has done before the first sleep
        writer = threading.Thread(target=write_on, args=(memory, done, waited))
        writer.start()
        while len(gave_way) < options.stops and (found := stopped_after(memory, chance.uniform(0.05, 1.0))):
            gave_way.append(found[1])
            by_phase[found[0]] = round(max(by_phase[found[0]], found[1]), 1)
        done.set()
        writer.join()
    document: dict[str, Any] = {"gave_way_ms": summary(gave_way), "write_waited_ms": summary(waited)}
    sys.stdout.write(json.dumps({**document, "most_by_phase_ms": dict(by_phase)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
