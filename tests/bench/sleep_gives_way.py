"""How soon a sleep gives way: from the moment it is told to stop to its end, and what others wait for meanwhile.

    python -m tests.bench.sleep_gives_way [--turns 1500] [--stops 60] [--gaps 10] [--model MODEL.gguf] [--replies 12]

A sleep runs in a thread and is stopped after a random while, again and again until nothing is left; another thread
appends a turn every 50 ms, as a chat does. Then, by turns with a sleep under way and without one: how much later than
asked for the main thread gets its turn (as the interface's does), and how long the first token of a reply takes, of a
model in its own process. "woken" is a reply that is asked for in the moment in which a sleep is told to stop, which is
what a keystroke does. Printed as JSON, in milliseconds: median, p99 and most. On a busy machine all of these grow with
its load: compare the two, or see the CPU time that this process had meanwhile ("own"), which is what they would be on
an idle one.
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

from app.llm.process import ModelProcess
from store.memory import Memory
from store.protocols import LanguageModel, Message
from store.records import Instant, Turn
from tests.bench.slots import StillClock
from tests.bench.years import A_DAY, BEGIN, turns

PROMPT = "Tell me something about the sea, and the ships on it, the wind over it, and the people who live by it."


class Sleeping(threading.Thread):
    """One sleep, and when it ended."""

    def __init__(self, memory: Memory, stop: threading.Event) -> None:
        super().__init__()
        self._memory, self._stop_asked = memory, stop
        self.phase, self.ended_at, self.finished = "begin", 0.0, False

    def run(self) -> None:
        for progress in self._memory.sleeping.run(self._stop_asked):
            self.phase = progress.phase
        self.ended_at, self.finished = time.perf_counter(), not self._stop_asked.is_set()


def stopped_after(memory: Memory, seconds: float) -> tuple[str, float, float] | None:
    """(phase, milliseconds from stop to end, and of CPU meanwhile) of a sleep; None where it ended by itself."""
    stop = threading.Event()
    sleeping = Sleeping(memory, stop)
    sleeping.start()
    sleeping.join(seconds)
    if not sleeping.is_alive():
        return None
    asked, cpu = time.perf_counter(), time.process_time()
    stop.set()
    sleeping.join()
    return sleeping.phase, (sleeping.ended_at - asked) * 1000, (time.process_time() - cpu) * 1000


def write_on(memory: Memory, done: threading.Event, waited: list[float]) -> None:
    """Append a turn every 50 ms until `done`."""
    while not done.wait(0.05):
        began = time.perf_counter()
        memory.episodes.remember(Turn("Are you there?", "live"))
        waited.append((time.perf_counter() - began) * 1000)


def gaps(seconds: float) -> tuple[list[float], list[float]]:
    """By how many milliseconds this thread comes back too late, asking for its turn every 5 ms; and how many of them
    the process had a CPU."""
    found, own, ends = list[float](), list[float](), time.perf_counter() + seconds
    while (began := time.perf_counter()) < ends:
        cpu = time.process_time()
        time.sleep(0.005)
        found.append((time.perf_counter() - began) * 1000 - 5)
        own.append(max(0.0, (time.process_time() - cpu) * 1000 - 5))
    return found, own


def first_token(model: LanguageModel, number: int) -> float:
    """Milliseconds to the first piece of a reply whose beginning the model has not read."""
    began = time.perf_counter()
    next(iter(model.chat([Message("user", f"{number}: {PROMPT}")], max_tokens=1)))
    return (time.perf_counter() - began) * 1000


class Naps:
    """A memory that always has something to sleep on: a copy of one that has not slept, begun anew when it is done."""

    def __init__(self, fresh: Memory, folder: Path, clock: StillClock) -> None:
        self._fresh, self._folder, self._clock, self._number = fresh, folder, clock, 0
        self._memory: Memory | None = None
        self._sleeping: Sleeping | None = None
        self._stop = threading.Event()

    def begin(self) -> None:
        """Be asleep."""
        if self._sleeping is None or not self._sleeping.is_alive():
            if self._memory is None or self._sleeping is None or self._sleeping.finished:
                self.close()
                self._number += 1
                path = self._folder / f"nap{self._number}.db"
                self._fresh.backups.make(path)
                self._memory = Memory.open(path, clock=self._clock, zone=UTC)
            self._stop = threading.Event()
            self._sleeping = Sleeping(self._memory, self._stop)
            self._sleeping.start()
            time.sleep(0.2)

    def stop(self) -> None:
        """Ask it to end, and go on."""
        self._stop.set()

    def end(self) -> None:
        """Be awake."""
        self._stop.set()
        if self._sleeping is not None:
            self._sleeping.join()

    def close(self) -> None:
        self.end()
        if self._memory is not None:
            self._memory.close()


def beside(naps: Naps, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What a sleep costs those who run beside it."""
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(options.gaps):
        for name, be in (("gap_awake", naps.end), ("gap_asleep", naps.begin)):
            be()
            late, own = gaps(0.5)
            found[name] += late
            found[f"{name}_own"] += own
    if options.model is not None:
        with ModelProcess(options.model, crashes=folder / "crashes.json") as model:
            naps.end()
            first_token(model, -1)
            for number in range(0, 3 * options.replies, 3):
                naps.end()
                found["first_token_awake"].append(first_token(model, number))
                naps.begin()
                found["first_token_asleep"].append(first_token(model, number + 1))
                naps.begin()
                naps.stop()
                found["first_token_woken"].append(first_token(model, number + 2))
    return {f"{name}_ms": summary(some) for name, some in found.items()}


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
    parser.add_argument("--gaps", type=int, default=10, help="half seconds of each")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--replies", type=int, default=12)
    options = parser.parse_args(arguments)
    chance, gave_way, own = random.Random(5), list[float](), list[float]()
    by_phase = defaultdict[str, float](float)
    done, waited = threading.Event(), list[float]()
    clock = StillClock(Instant.of(BEGIN + timedelta(days=800)))
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC) as memory:
        list(memory.episodes.ingest(turns(options.turns, years=1, each_day=A_DAY)))
        naps = Naps(memory, Path(folder), clock)
        others = beside(naps, Path(folder), options)
        naps.close()
        memory.reading.learn(
            memory.episodes.remember(Turn("I like tea.", "live")).id
        )  # as a chat has done before the first sleep
        writer = threading.Thread(target=write_on, args=(memory, done, waited))
        writer.start()
        while len(gave_way) < options.stops and (found := stopped_after(memory, chance.uniform(0.05, 1.0))):
            gave_way.append(found[1])
            own.append(found[2])
            by_phase[found[0]] = round(max(by_phase[found[0]], found[2]), 1)
        done.set()
        writer.join()
    document: dict[str, Any] = {"gave_way_ms": summary(gave_way), "gave_way_own_ms": summary(own)}
    document |= {"write_waited_ms": summary(waited)} | others
    sys.stdout.write(json.dumps({**document, "most_own_by_phase_ms": dict(by_phase)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
