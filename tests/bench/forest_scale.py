"""What the forest costs as it grows: counters that do not depend on the machine, and seconds that do.

    python -m tests.bench.forest_scale [--leaves 1000 10000 100000] [--turns 20000] [--sleeps 200]

First, one tree at several widths: its height, the index looks and marks of one more leaf at the end and in the middle,
and how many nodes one day's thirty leaves make dirty. Then a memory of `--turns` turns (made up, no model): its first
sleep, and the phases forest, salience and brief of `--sleeps` more with a day's turns each. Seconds of processor time.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from time import process_time

import apsw

from store.database.rows import scalar
from store.memory import Memory
from store.records import Instant, Turn
from store.sleep import brief, forest, salience
from store.sleep.phases import Phase, PhaseInput
from store.sleep.trees import Leaf, Trees
from tests.bench.slots import StillClock

DAY = 86_400_000_000
START = 1_600_000_000_000_000
A_DAY = 30
"""Turns of one day."""
WIDTHS = (4, 8, 12, 16, 32)
PHASES: dict[str, Phase] = {"forest": forest.phase, "salience": salience.phase, "brief": brief.phase}
SUBJECTS = ("I", "My sister Ana", "Paul", "My boss", "We")
VERBS = ("visited", "bought", "finished", "talked about", "like", "moved to", "started")
THINGS = ("Porto", "a violin", "the garden", "rooibos", "the report", "Berlin", "a bike", "pottery", "the tax form")


def widths(path: Path, sizes: list[int]) -> Iterator[str]:
    """One line for each size and width."""
    with Memory.open(path, clock=StillClock(Instant(START)), zone=UTC) as memory:
        for size in sizes:
            for k in WIDTHS:
                with memory._database.writing() as connection:
                    yield _width(Trees(connection, k), connection, size, k)
                    connection.execute("delete from forest_nodes")
                    connection.execute("delete from forest_trees")


def _width(trees: Trees, connection: apsw.Connection, size: int, k: int) -> str:
    tree = trees.tree("entity", "bench")
    began = process_time()
    trees.insert(tree, [Leaf(2 * at, 0, f"f{at}", 1) for at in range(size)])
    filled = process_time() - began
    _refresh(connection)
    height = scalar(connection, "select max(level) from forest_nodes")
    looks = []
    for at in (2 * size, size + 1):
        one = Trees(connection, k)
        one.insert(tree, [Leaf(at, 1, f"late{at}", 1)])
        looks.append(f"{one.cost.looked:>3} {one.cost.marked:>3}")
        _refresh(connection)
    day = Trees(connection, k)
    for at in range(A_DAY):
        day.insert(tree, [Leaf(2 * size + 10 + at, 1, f"day{at}", 1)])
    began = process_time()
    refreshed = _refresh(connection)
    took = (process_time() - began) * 1_000
    return (
        f"{size:>8} k={k:<3} height {height}  filled {filled:6.2f} s  looks, marks: end {looks[0]}, middle {looks[1]}  "
        f"a day: {refreshed} nodes, {took:5.1f} ms"
    )


def _refresh(connection: apsw.Connection) -> int:
    done = 0
    while some := forest.refresh_some(connection, 100):
        done += len(some)
    return done


def talk(source: random.Random, first: int, count: int) -> Iterator[Turn]:
    """Turns as people might say them, A_DAY a day."""
    for number in range(first, first + count):
        day, at = divmod(number, A_DAY)
        words = f"{source.choice(SUBJECTS)} {source.choice(VERBS)} {source.choice(THINGS)} number {number % 997}."
        moment = Instant(START + day * DAY + at * 60_000_000)
        yield Turn(words, f"day-{day}", said_at=moment, external_id=f"t{number}")


def sleeps(path: Path, turns: int, count: int) -> Iterator[str]:
    """The first sleep's phases, and the seconds of the first and the last twentieth of the others."""
    clock, source = StillClock(Instant(START)), random.Random(5)
    with Memory.open(path, clock=clock, zone=UTC) as memory:
        list(memory.episodes.ingest(talk(source, 0, turns)))
        clock.moment = Instant(START + turns // A_DAY * DAY)
        began = process_time()
        for _ in memory.sleeping.run():
            pass
        yield f"{turns} turns: first sleep, all phases, {process_time() - began:.1f} s"
        seconds: dict[str, list[float]] = {name: [] for name in PHASES}
        for number in range(count):
            list(memory.episodes.ingest(talk(source, turns + number * A_DAY, A_DAY)))
            clock.moment = Instant(clock.moment.us + DAY)
            _believe(memory)
            for name, phase in PHASES.items():
                work = PhaseInput(memory._database, clock, number + 2, _go_on, None, memory.recall._embedder)
                began = process_time()
                for _ in phase(work):
                    pass
                seconds[name].append(process_time() - began)
        part = max(1, count // 10)
        for name, each in seconds.items():
            first, last = sum(each[:part]) / part, sum(each[-part:]) / part
            yield f"{name:<9} a day's sleep: first {part} {first * 1e3:6.1f} ms, last {part} {last * 1e3:6.1f} ms, " \
                  f"ratio {last / first:.2f}"  # fmt: skip


def _believe(memory: Memory) -> None:
    """Read and fold the day's turns, so that there is something to sum up and weigh."""
    from importlib import import_module

    for name in ("reading:phase", "believing:settle", "believing:fold"):
        module, _, function = name.partition(":")
        phase: Phase = getattr(import_module(f"store.sleep.{module}"), function)
        for _ in phase(PhaseInput(memory._database, memory._clock, 1, _go_on, None, memory.recall._embedder)):
            pass


def _go_on() -> None:
    """Nobody stirs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--leaves", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--sleeps", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for line in widths(Path(scratch) / "trees.db", options.leaves):
            print(line, flush=True)
        for line in sleeps(Path(scratch) / "sleeps.db", options.turns, options.sleeps) if options.turns else ():
            print(line, flush=True)


if __name__ == "__main__":
    main()
