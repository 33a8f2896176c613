"""What encryption costs: the same turns in a plain and in an encrypted memory, in one run.

    python -m tests.bench.encryption [TURNS] [ROUNDS]

It needs apsw-sqlite3mc (`make encryption`, or the environment of `make test-encryption`). Printed are medians over the
rounds, each in a fresh process: opening (deriving the key from the passphrase is part of that) and opening again, a
turn that is remembered (on the disk when it returns), an import, recall with and without its second look, and a backup.
The ratio is that of the medians.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from app.core.clock import FrozenClock
from store.database import opening
from store.database.opening import Passphrase
from store.episodes.embedding import StaticEmbedder
from store.maintenance.rekeying import rekey
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE

PASSPHRASE = Passphrase("correct horse battery staple")
PEOPLE = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")
DEEDS = ("moved to Leith", "adopted a cat", "learns Danish", "bakes rye bread", "plays the cello", "sold her bicycle")
MINUTE = 60_000_000
QUERIES = 40
REMEMBERED = 20
EMBEDDER = StaticEmbedder.load()


def turns(number: int, session: str, chance: Random) -> list[Turn]:
    """Invented turns, a minute between two of them."""
    return [
        Turn(
            f"{chance.choice(PEOPLE)} {chance.choice(DEEDS)}, and pays {chance.randrange(900)} euros for room {one}.",
            f"{session}-{one // 50}", said_at=Instant(NOW.us - (number - one) * MINUTE, NOW.offset),
        )
        for one in range(number)
    ]  # fmt: skip


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE, embedder=EMBEDDER)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1000


def first_opening(path: Path) -> None:
    assert opening.offer(path, PASSPHRASE)
    opened(path).close()


def measured(path: Path, round_: int) -> dict[str, float]:
    """Milliseconds by what was done; to be called in a fresh process, where no question was read before."""
    chance = Random(round_)
    found = {"opening": timed(lambda: first_opening(path)), "opening again": timed(lambda: opened(path).close())}
    with opened(path) as memory:
        memory.recall.warm()
        said = turns(REMEMBERED, f"live{round_}", chance)
        found["one turn remembered"] = median(timed(partial(memory.episodes.remember, turn)) for turn in said)
        found["1,000 turns imported"] = timed(
            lambda: list(memory.episodes.ingest(turns(1000, f"round{round_}", chance)))
        )
        asked = [f"Who {chance.choice(DEEDS)} and pays {chance.randrange(900)} euros?" for _ in range(QUERIES)]
        found["recall, fast"] = median(timed(partial(memory.recall.search, query, fast=True)) for query in asked)
        found["recall"] = median(timed(partial(memory.recall.search, query)) for query in asked)
        found["backup"] = timed(lambda: memory.backups.make(path.with_name(f"{path.stem}-{round_}.copy")))
    return found


def main(number: int, rounds: int) -> None:
    opening.need_ciphers("Nothing can be measured")
    with tempfile.TemporaryDirectory() as folder:
        plain, locked = Path(folder) / "plain.db", Path(folder) / "locked.db"
        for path in (plain, locked):
            with opened(path) as memory:
                for _ in memory.episodes.ingest(turns(number, "before", Random(0))):
                    pass
        took = timed(lambda: rekey(locked, PASSPHRASE.new_key(), NOW))
        print(f"{number:,} turns, {plain.stat().st_size / 1e6:.0f} MB; encrypted in {took / 1000:.1f} s")
        each: dict[Path, list[dict[str, float]]] = {plain: [], locked: []}
        with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
            for round_ in range(rounds):
                for path in (plain, locked) if round_ % 2 else (locked, plain):
                    each[path].append(pool.submit(measured, path, round_).result())
        print(f"{'milliseconds':<24}{'plain':>10}{'encrypted':>12}{'ratio':>8}")
        for name in each[plain][0]:
            before, after = (median(one[name] for one in each[path]) for path in (plain, locked))
            print(f"{name:<24}{before:>10.1f}{after:>12.1f}{after / before:>8.2f}")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [5000, 5][len(given) :]))
