"""The fold of a slot with 10, 1,000 and 10,000 claims, and what one more claim costs such a slot in a real memory.

    python tests/bench/fold_scale.py [--claims 10 1000 10000]

Four slots: `moves` (each claim changes the world), `same` (each says the same), `late` (moves told in a random order of
world time) and `many` (each names another thing that is liked). Times are the median of 5 folds, and of 20 turns.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from store.beliefs.fold import fold
from store.memory import Memory
from store.records import Claim, Instant, Precision, Stretch, Turn
from tests.bench.slots import StillClock, WordlessEmbedder, write_claims

DAY = 86_400_000_000
START = 1_300_000_000_000_000
KINDS = ("moves", "same", "late", "many")


def claims(kind: str, count: int) -> list[Claim]:
    """Claims about where the person lives, one a day."""
    order = list(range(count))
    if kind == "late":
        random.Random(7).shuffle(order)
    return [_claim(kind, place, order[place]) for place in range(count)]


def _claim(kind: str, place: int, day: int) -> Claim:
    told = kind in ("moves", "late")
    begins = START + day * DAY if told else None
    return Claim(
        id=f"c{place}", episode=f"e{place}", start=0, end=1, subject="me",
        predicate="likes" if kind == "many" else "lives_in",
        object="Porto" if kind == "same" else f"town {day}",
        valid=Stretch(begins, None, Precision.OPEN if begins is None else Precision.DAY), holds_now=not told,
        said_at=Instant(START + place * DAY), session="s", position=place, cue="update" if told else "state",
    )  # fmt: skip


def fold_times(kind: str, count: int) -> float:
    """Milliseconds of one fold."""
    said = claims(kind, count)
    return statistics.median(
        _timed(lambda: fold(said, "me", "likes" if kind == "many" else "lives_in")) for _ in range(5)
    )


def _timed(act: Callable[[], object]) -> float:
    began = perf_counter()
    act()
    return (perf_counter() - began) * 1000


def learn_times(kind: str, count: int) -> Iterator[float]:
    """Milliseconds of `learn` for each of 20 turns that add to a slot with so many claims."""
    clock = StillClock(Instant(START + (count + 1) * DAY))
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC, embedder=WordlessEmbedder()) as memory,
    ):
        write_claims(memory._database, claims(kind, count))
        for extra in range(21):
            clock.moment = Instant(clock.moment.us + DAY)
            words = {"same": "I live in Porto.", "many": f"I like Thing{extra}."}.get(kind, f"I moved to Town{extra}.")
            episode = memory.episodes.remember(Turn(words, "now", said_at=clock.now()))
            began = perf_counter()
            learned = memory.reading.learn(episode.id)
            took = (perf_counter() - began) * 1000
            assert kind == "same" or learned
            if extra:
                yield took
        assert all(one.ok for one in memory.file.check() if one.name.startswith("facts"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, nargs="+", default=[10, 1_000, 10_000])
    counts = parser.parse_args().claims
    print(f"{'slot':8} {'claims':>7} {'fold ms':>9} {'learn p50':>10} {'learn max':>10}")
    for kind in KINDS:
        for count in counts:
            learned = sorted(learn_times(kind, count))
            print(f"{kind:8} {count:7} {fold_times(kind, count):9.1f} {learned[len(learned) // 2]:10.1f} "
                  f"{learned[-1]:10.1f}", flush=True)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
