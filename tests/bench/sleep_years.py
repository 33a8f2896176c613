"""Five years of one person's chats: the first sleep by phase, then a sleep after each of many days.

    python -m tests.bench.sleep_years [--turns 50000] [--years 5] [--days 200] [--folder DIR]

Printed as JSON: seconds of this process's CPU and of the clock by phase, peak memory, the time of each further sleep
(last 20 against first 20), what was lost (episodes, facts ever believed: nothing may be), and whether sampled runs, and
at the end the last ones of all, one after another, are undone to the state before them. The memory is left in DIR, if
one is given.
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
from collections.abc import Sequence
from contextlib import ExitStack
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
LAST = 10
"""Runs that are undone at the end, the newest first."""


def slept(memory: Memory) -> dict[str, Any]:
    """One sleep: CPU seconds, seconds, and by phase the CPU seconds and the longest
    step in milliseconds."""
    cpu: dict[str, float] = defaultdict(float)
    step: dict[str, float] = defaultdict(float)
    began, began_cpu = time.perf_counter(), time.process_time()
    at_cpu = began_cpu
    for progress in memory.sleeping.run():
        now_cpu = time.process_time()
        cpu[progress.phase] += now_cpu - at_cpu
        step[progress.phase] = max(step[progress.phase], (now_cpu - at_cpu) * 1000)
        at_cpu = now_cpu
    return {
        "seconds": time.perf_counter() - began, "cpu": time.process_time() - began_cpu,
        "cpu_by_phase": {name: round(took, 3) for name, took in cpu.items()},
        "longest_step_cpu_ms": {name: round(took) for name, took in step.items()},
    }  # fmt: skip


def counts(memory: Memory) -> tuple[int, int]:
    """Episodes, and facts that were ever believed."""
    reader = memory._database.reader()
    episodes, facts = (reader.execute(f"select count(*) from {table}").get for table in ("episodes", "facts"))
    return int(episodes), int(facts)


def undone(memory: Memory, befores: Sequence[str], folder: Path, clock: StillClock) -> list[bool]:
    """Whether the last runs, undone on a copy one after another, the newest first, each leave the state that was there
    before it; `befores` are the hashes of these, in the order of the runs."""
    copy_path = folder / "copy.db"
    for leftover in folder.glob("copy.db*"):
        leftover.unlink()
    memory.backups.make(copy_path)
    last = memory.log.last_sleep()
    assert last is not None and last.run is not None
    found = []
    with Memory.open(copy_path, clock=clock, zone=UTC) as copy:
        for back, before in enumerate(reversed(befores)):
            copy.log.undo_run(last.run - back)
            found.append(copy.state_hash() == before)
    return found


def further(
    memory: Memory, first_day: int, days: int, folder: Path, clock: StillClock
) -> dict[str, Any]:  # fmt: skip
    """A day's turns and a sleep, so many times."""
    talk = Years(seed=11)
    took: list[dict[str, Any]] = []
    undoings: list[bool] = []
    last: list[str] = []
    fell = 0
    known = counts(memory)
    for number in range(days):
        clock.moment = Instant.of(BEGIN + timedelta(days=first_day + number, hours=23))
        list(memory.episodes.ingest(talk.day(first_day + number)))
        sampled, at_the_end = number % EVERY == EVERY - 1, number >= days - LAST
        before = memory.state_hash() if sampled or at_the_end else ""
        last += [before] if at_the_end else []
        took.append(slept(memory))
        now = counts(memory)
        fell += now[0] < known[0] or now[1] < known[1]
        known = now
        if sampled:
            undoings += undone(memory, [before], folder, clock)
    return {
        "sleeps": days, "cpu": _ends([one["cpu"] for one in took]), "seconds": _ends([one["seconds"] for one in took]),
        "by_phase_first": _by_phase(took[: len(took) // 2][:ENDS]), "by_phase_last": _by_phase(took[-ENDS:]),
        "longest_step_cpu_ms": _longest(took), "fell": fell, "undone_exactly": undoings,
        "last_undone_exactly": undone(memory, last, folder, clock),
    }  # fmt: skip


def _ends(took: Sequence[float]) -> dict[str, float]:
    """Of so many seconds: the median, the means of the first and the last ones, and their ratio."""
    ends = min(ENDS, max(1, len(took) // 2))
    first, last = statistics.mean(took[:ends]), statistics.mean(took[-ends:])
    return {"median": round(statistics.median(took), 3), "first": round(first, 3), "last": round(last, 3),
            "last_over_first": round(last / first, 3)}  # fmt: skip


def _by_phase(took: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Mean CPU seconds by phase."""
    names = dict.fromkeys(name for one in took for name in one["cpu_by_phase"])
    return {name: round(statistics.mean(one["cpu_by_phase"].get(name, 0.0) for one in took), 3) for name in names}


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
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args(arguments)
    clock = StillClock(Instant.of(BEGIN + timedelta(days=365 * options.years)))
    with ExitStack() as scratch:
        folder = options.folder or Path(scratch.enter_context(tempfile.TemporaryDirectory()))
        with Memory.open(folder / "years.db", clock=clock, zone=UTC) as memory:
            began = time.process_time()
            list(memory.episodes.ingest(turns(options.turns, options.years)))
            document: dict[str, Any] = {"turns": options.turns, "import_cpu": round(time.process_time() - began, 1)}
            document["first"] = slept(memory)
            last = memory.log.last_sleep()
            document["first"]["did"] = last.detail if last else {}
            document["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            sys.stdout.write(json.dumps(document) + "\n")
            sys.stdout.flush()
            sleeps = further(memory, 365 * options.years, options.days, folder, clock)
            document = {"further": sleeps}
            document["bytes"] = memory.path.stat().st_size
            sys.stdout.write(json.dumps(document) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
