"""Foreign bytes at every parser, for as long as one likes: each gives a result or one of our own errors, in bounds.

    python -m tests.bench.fuzz_parsers [--minutes 60] [--seed 1] [--only NAME] [--processes 1]
    python -m tests.bench.fuzz_parsers --replay FILE...

Inputs are made from real examples (tests/fuzz/mutating.py) and are the same for the same seed. Prints each fault when
it is first met, saves its input under tests/fuzz/corpus/NAME, and says how to replay it; a line a minute says how many
inputs a second each parser took. The suite replays what is saved. 0 faults are wanted.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from tests.fuzz.law import Target, fault
from tests.fuzz.mutating import mutated
from tests.fuzz.targets import targets

CORPUS = Path(__file__).resolve().parent.parent / "fuzz" / "corpus"
MOST_ALIKE = 3
"""Inputs that are saved of one fault."""


def replay(paths: Sequence[Path]) -> int:
    """How many of the saved inputs are still faults; prints each."""
    known = {one.name: one for one in targets()}
    bad = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            found = fault(known[path.parent.name], path.read_bytes(), Path(folder))
        bad += found is not None
        print(f"{path}: {found or 'fine'}", flush=True)
    return bad


class Round:
    """What one process does until its time is over."""

    def __init__(self, chosen: Sequence[Target], seed: int) -> None:
        self._targets, self._seed = [one for one in chosen for _ in range(one.share)], seed
        self._taken, self._met = Counter[str](), Counter[tuple[str, str]]()

    def run(self, minutes: float) -> int:
        """Gives the number of different faults."""
        began = said = monotonic()
        number = 0
        with tempfile.TemporaryDirectory() as scratch:
            while (now := monotonic()) - began < minutes * 60:
                if now - said > 60:
                    said = now
                    print(self._speed(now - began), flush=True)
                self._one(self._targets[number % len(self._targets)], number, Path(scratch))
                number += 1
        print(self._speed(monotonic() - began), flush=True)
        return len(self._met)

    def _one(self, target: Target, number: int, scratch: Path) -> None:
        chance = random.Random(f"{self._seed}/{target.name}/{number}")
        data = mutated(target.examples, chance, target.words)
        folder = scratch / str(number)
        folder.mkdir()
        found = fault(target, data, folder)
        shutil.rmtree(folder)
        self._taken[target.name] += 1
        if found is not None:
            self._note(target, data, found)

    def _note(self, target: Target, data: bytes, found: str) -> None:
        what = (target.name, found.partition(": ")[0])
        self._met[what] += 1
        if self._met[what] > MOST_ALIKE:
            return
        path = CORPUS / target.name / blake2b(data, digest_size=6).hexdigest()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        print(f"FAULT {target.name}, {len(data)} bytes: {found}", flush=True)
        print(f"      python -m tests.bench.fuzz_parsers --replay {path}", flush=True)

    def _speed(self, seconds: float) -> str:
        each = ", ".join(f"{name} {count / seconds:.1f}" for name, count in sorted(self._taken.items()))
        total = self._taken.total()
        return (
            f"{seconds / 60:.1f} min: {total} inputs, {total / seconds:.1f} a second ({each}); {len(self._met)} faults"
        )


def _run(only: str, seed: int, minutes: float) -> int:
    logging.disable()  # parsers of others log what they dislike
    warnings.simplefilter("ignore")
    chosen = [one for one in targets() if only in one.name]
    for one in chosen:
        with tempfile.TemporaryDirectory() as folder:  # what is loaded once counts against no input
            one.run(one.examples[0], Path(folder))
    return Round(chosen, seed).run(minutes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only parsers whose name holds this")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--replay", type=Path, nargs="+")
    given = parser.parse_args()
    if given.replay:
        return int(replay(given.replay) > 0)
    with get_context("spawn").Pool(given.processes) as pool:
        work = [(given.only, given.seed + number, given.minutes) for number in range(given.processes)]
        return int(sum(pool.starmap(_run, work)) > 0)


if __name__ == "__main__":
    sys.exit(main())
