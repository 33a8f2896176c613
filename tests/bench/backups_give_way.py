"""What an automatic backup costs a turn that is said meanwhile, and the thread of the interface.

    python -m tests.bench.backups_give_way [--turns 30000] [--seconds 6]

Turns are said every 20 ms to a memory of so many turns, first with nothing else going on, then while backup after
backup is made on a thread of its own. Printed, in milliseconds (median, p99, most): the time until a turn is on the
disk, and by how much later than asked a third thread gets its turn; and how long a backup takes.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from datetime import UTC
from pathlib import Path

from store.maintenance import backups, copies
from store.memory import Memory
from store.records import Instant, Turn
from tests.bench.slots import StillClock
from tests.bench.years import BEGIN, turns


def backing_up(memory: Memory, done: threading.Event, took: list[float]) -> None:
    """One backup after the other, as the app makes them, until `done`."""
    while not done.is_set():
        began = time.perf_counter()
        target = copies.backup_beside(memory.path, memory._clock.now().local(), copies.AUTO)
        with memory._database.snapshot() as connection:
            try:
                backups.make(connection, target, stopped=done.is_set, breath=backups.BREATH)
            except backups.GaveWay:
                return
        took.append(time.perf_counter() - began)
        target.unlink()


def interface(done: threading.Event, late: list[float]) -> None:
    while not done.is_set():
        began = time.perf_counter()
        time.sleep(0.005)
        late.append((time.perf_counter() - began) * 1000 - 5)


def measure(memory: Memory, seconds: float, *, backed_up: bool) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of each turn and of each lateness, and seconds of each backup."""
    done, took, late, waited = threading.Event(), list[float](), list[float](), list[float]()
    threads = [threading.Thread(target=interface, args=(done, late))]
    threads += [threading.Thread(target=backing_up, args=(memory, done, took))] if backed_up else []
    for thread in threads:
        thread.start()
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        began = time.perf_counter()
        memory.episodes.remember(Turn("Are you there?", "live"))
        waited.append((time.perf_counter() - began) * 1000)
        time.sleep(0.02)
    done.set()
    for thread in threads:
        thread.join()
    return waited, late, took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=30_000)
    parser.add_argument("--seconds", type=float, default=6.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        clock = StillClock(Instant.of(BEGIN))
        with Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC) as memory:
            for _ in memory.episodes.ingest(turns(options.turns)):
                pass
            memory._database.fold_wal()
            print(f"{options.turns:,} turns, {memory.path.stat().st_size / 1e6:,.0f} MB")
            for name, backed_up in (("alone", False), ("while backed up", True), ("alone again", False)):
                waited, late, took = measure(memory, options.seconds, backed_up=backed_up)
                print(f"{name:<16} turn {_three(waited)}   interface late {_three(late)}", end="")
                print(f"   a backup {statistics.median(took):.2f} s, of {len(took)}" if took else "")


def _three(values: list[float]) -> str:
    ordered = sorted(values)
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"{statistics.median(ordered):6.2f} {p99:6.2f} {ordered[-1]:6.2f}"


if __name__ == "__main__":
    main()
