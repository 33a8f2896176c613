"""kill -9 at random moments of a sleep, again and again: nothing is lost, and it comes to what it would have come to.

    python -m tests.bench.sleep_kill [--turns 2000] [--kills 100] [--seed 7]

One file is slept on by one child after another; each is killed before its n-th statement, n at random, and the next
goes on where it was. Every other one is killed before the n-th statement of a phase that is drawn, for some take but a
few. After each kill the file must open and pass every check. When the file is done and kills are left,
it is begun anew. At the end its state (beliefs, the sentences of turns) must be that of a sleep that nobody disturbed.
Printed as JSON: the kills by phase, and what was wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

from store.database.rows import Row, rows
from store.memory import Memory
from store.records import Instant, Turn
from store.sleep import cycle
from store.sleep.phases import Phase
from tests.bench.slots import StillClock
from tests.bench.years import A_DAY, BEGIN, turns

CLOCK = StillClock(Instant.of(BEGIN + timedelta(days=3650)))
SHORTEST, LONGEST = 20, 4_000
"""Statements that a child may do before it is killed."""
IN_A_PHASE = 24
"""Statements of a phase that is drawn within which it is killed."""
PHASES = tuple(name for name, _ in cycle.PHASES)


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=CLOCK, zone=UTC)


_GISTS = "select e.id, g.spans from gists g join episodes e on e.row = g.episode_row order by 1"


def state(path: Path) -> tuple[str, list[Row], int]:
    """Beliefs, the sentences of turns, and how many turns wait."""
    with opened(path) as memory:
        return memory.state_hash(), rows(memory._database.reader(), _GISTS), memory.reading.pending()


def life(path: Path, statements: int, within: str = "") -> str | None:
    """Sleep in a child that is killed before that statement (of that phase, or of all); gives the phase it died in,
    None where it lived."""
    said, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(said)
        _sleep_and_die(path, statements, tell, within)
    os.close(tell)
    with os.fdopen(said) as heard:
        phases = heard.read().split()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return None
    if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
        raise RuntimeError(f"the child ended by itself, with status {status}")
    return phases[-1] if phases else "begin"


def _sleep_and_die(path: Path, statements: int, tell: int, within: str) -> None:
    """In the child: never returns."""
    left, phase, load = statements, "begin", cycle._load

    def begun(function: str) -> Phase:
        """A phase is loaded when its turn comes."""
        nonlocal phase
        phase = next(name for name, known in cycle.PHASES if known == function)
        os.write(tell, f"{phase}\n".encode())
        return load(function)

    vars(cycle)["_load"] = begun
    try:
        with opened(path) as memory:

            def count(*_: object) -> bool:
                nonlocal left
                left -= not within or phase == within
                if left <= 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return True

            memory._database._writer.exec_trace = count
            for _ in memory.sleeping.run():
                pass
    except BaseException as error:  # noqa: BLE001 # a forked child must never unwind into the parent's code
        os.write(2, f"{error!r}\n".encode())
        os._exit(1)
    os._exit(0)


def bad_checks(path: Path) -> list[str]:
    with opened(path) as memory:
        return [one.name for one in memory.file.check() if not one.ok]


def run(folder: Path, said: Sequence[Turn], kills: int, seed: int, longest: int = LONGEST) -> dict[str, Any]:
    """Kill so many times, each within `longest` statements; gives what came of it."""
    chance = random.Random(seed)
    base, whole = folder / "base.db", folder / "whole.db"
    with opened(base) as memory:
        list(memory.episodes.ingest(said))
        memory.backups.make(whole)
    with opened(whole) as memory:
        for _ in memory.sleeping.run():
            pass
    wanted = state(whole)
    died: Counter[str] = Counter()
    wrong: list[str] = []
    rounds = 0
    while sum(died.values()) < kills:
        rounds += 1
        path = folder / f"round{rounds}.db"
        with opened(base) as memory:
            memory.backups.make(path)
        while sum(died.values()) < kills:
            drawn = sum(died.values()) % 2 == 1
            phase = (
                life(path, chance.randint(1, IN_A_PHASE), chance.choice(PHASES))
                if drawn
                else life(path, chance.randrange(SHORTEST, longest))
            )
            if phase is None:
                break
            died[phase] += 1
            wrong += bad_checks(path)
        life(path, 2**60)
        if state(path) != wanted:
            names = ("beliefs", "sentences", "waiting")
            other = [name for name, one, two in zip(names, state(path), wanted, strict=True) if one != two]
            wrong.append(f"round {rounds} came to another state: {', '.join(other)}")
    return {"turns": len(said), "kills": dict(died), "files": rounds, "wrong": wrong, "waiting": wanted[2]}


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description="Sleeps that are killed.")
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    said = list(turns(options.turns, years=1, seed=options.seed, each_day=A_DAY))
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), said, options.kills, options.seed)
    sys.stdout.write(json.dumps(found) + "\n")
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
