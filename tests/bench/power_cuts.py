"""Kills, power cuts, full and failing disks, again and again: no acknowledged turn is lost, no check fails.

    nice -n 15 python -m tests.bench.power_cuts [--runs 1000] [--seed 1] [--only kill|cut|full|broken|WORK ...]

    kill     SIGKILL at a random moment of the work
    cut      the power goes in a random step of the work (tests/faults/disk.py says what is left then)
    full     from one write on there is no room; every write in turn, or as many as `--runs` says, evenly spread
    broken   one write or sync fails; as for full

The works are chat, import, sleep, migration, backup, restore, erase, merge and export, each on a small file, in turn;
on a full or failing disk they are done by the verbs of the command line, each of which must then say one sentence and
end with 1. After each run the memory is opened by the product and checked, and what was acknowledged must be there;
after a full or failing disk the work is done again, and must succeed. Without `--only` there are kills and cuts. A cut
can be had again by its seed; a kill comes about when the machine gets to it. Printed are a table, and whatever was
wrong with the seed or the write. Every write of `full` and `broken` takes about half an hour.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from tests.faults.failing import Mode
from tests.faults.running import Runs
from tests.faults.work import WORKS, Found, Work, small_batches

KINDS = ("kill", "cut", *get_args(Mode))
BY_CHANCE = 1_000
"""Kills, and cuts, if nobody says how many."""
_SHOWN = 20
"""Faults that are printed one by one."""


@dataclass(slots=True)
class Row:
    """What came of one kind of fault in one work."""

    runs: int = 0
    lost: int = 0
    failed: int = 0
    seconds: float = 0.0
    told: list[str] = field(default_factory=list)
    """What was wrong, with what makes it come again."""

    def add(self, found: Found, seconds: float, again: str) -> None:
        """Count one run."""
        self.runs += 1
        self.lost += len(found.lost)
        self.failed += len(found.wrong)
        self.seconds += seconds
        self.told += [f"{again}: {what}" for what in (*(f"lost {text!r}" for text in found.lost), *found.wrong)]

    def __add__(self, other: Row) -> Row:
        return Row(
            self.runs + other.runs, self.lost + other.lost, self.failed + other.failed, self.seconds + other.seconds,
            self.told + other.told,
        )  # fmt: skip

    def shown(self, kind: str, work: str) -> str:
        return f"{kind:<7} {work:<10} {self.runs:>6} {self.lost:>6} {self.failed:>14} {self.seconds:>9.1f}"


def run(runs: Runs, kind: str, work: Work, count: int | None, seed: int) -> Row:
    """One kind of fault in one work, so many times; None is every write."""
    row = Row()
    for place in _places(runs, kind, work, count, seed):
        began = time.monotonic()
        found = _once(runs, kind, work, place)
        if found is not None:
            row.add(found, time.monotonic() - began, f"{kind} {work.name} {place}")
    return row


def _once(runs: Runs, kind: str, work: Work, place: int) -> Found | None:
    match kind:
        case "kill":
            return runs.kill(work, place)
        case "cut":
            return runs.cut(work, place)
        case "full":
            return runs.fail(work, "full", place)
        case _:
            return runs.fail(work, "broken", place)


def _places(runs: Runs, kind: str, work: Work, count: int | None, seed: int) -> Iterable[int]:
    """Seeds, or numbers of writes."""
    if kind in ("kill", "cut"):
        return range(seed * 1_000_000, seed * 1_000_000 + (count or 0))
    writes = runs.writes(work, "full" if kind == "full" else "broken")
    wanted = writes if count is None else min(count, writes)
    return [1 + number * writes // wanted for number in range(wanted)]


def table(runs: Runs, kinds: Sequence[str], works: Sequence[Work], count: int | None, seed: int) -> list[str]:
    """Run it all and print the table; gives what was wrong."""
    print(f"{'kind':<7} {'work':<10} {'runs':>6} {'lost':>6} {'failed checks':>14} {'seconds':>9}", flush=True)
    wrong: list[str] = []
    for kind in kinds:
        total = Row()
        for place, work in enumerate(works):
            wanted = (BY_CHANCE if kind in ("kill", "cut") else None) if count is None else count
            share = None if wanted is None else wanted // len(works) + (place < wanted % len(works))
            row = run(runs, kind, work, share, seed)
            print(row.shown(kind, work.name), flush=True)
            total += row
        print(total.shown(kind, "all"), flush=True)
        wrong += total.told
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 if anything was lost or failed."""
    parser = argparse.ArgumentParser(description="Kills, power cuts, full and failing disks.")
    parser.add_argument("--runs", type=int, help="of each kind, over all works")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=[*KINDS, *WORKS], default=[], metavar="KIND|WORK")
    options = parser.parse_args(arguments)
    small_batches()
    kinds = [kind for kind in KINDS if kind in options.only] or ["kill", "cut"]
    works = [work for work in WORKS.values() if work.name in options.only] or list(WORKS.values())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ERSTWHILE_HOME"] = str(Path(folder) / "home")  # the verbs read settings
        runs = Runs(Path(folder))
        runs.warm(works)
        wrong = table(runs, kinds, works, options.runs, options.seed)
    for line in wrong[:_SHOWN]:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
