"""No question is asked twice before it is timed: how recall and the writing path grow with the memory.

    python -m tests.bench.recall_scale 10000 100000 1000000 --folder /somewhere [--cold] [--live]

One memory of N made-up turns for each size, in a process of its own. Words are drawn from the embedder's own vocabulary
by Zipf's law, sessions have 40 turns, two people take turns and a third of all turns name a time. The questions differ
in their shape, in how many words they have and in how common these are. Printed are, by the clock and in processor time
of all threads, p50 and p95:

    warming           of the process, once, as the app does behind its first frame and `recall -` before its first line:
                      it loads the embedder and the vectors (the system's file cache is as it is)
    first question    after that; with --cold there is no warming, and the first question does the loading
    whole, first 200  every question for the first time, nothing of it read before
    whole, next 200   other new ones
    whole, again      all of them once more
    each channel      alone, after that

and turns/s in bulk (where the file is made), the index on the disk, what is held in memory, peak memory; with `--live`,
which adds turns to the file, single durable writes. There are no beliefs in it: tests.bench.asof_scale measures those.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import UTC
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import apsw
import numpy as np

from store.database.connections import Database
from store.database.rows import rows, scalar
from store.episodes import index
from store.episodes.embedding import StaticEmbedder, default_path
from store.parts.recall import WARMING
from store.recall import dense, lexical, search
from store.recall.query import read
from store.recall.scope import Scope
from store.records import Episode, Instant
from tests.bench.memories import BATCH, append, write

START = 1_600_000_000_000_000
MINUTE = 60_000_000
SESSION = 40
TIMES = ("yesterday", "last Friday", "two weeks ago", "in March 2021", "next month")
QUESTIONS = 400
SHAPES = (
    "When did Ana {}?",
    "{}",
    "Did Ben {} last Friday?",
    "What about {} in March 2021?",
    "How many {}?",
    "Who {}?",
)
WAL_BYTES = 80_000


def words() -> list[str]:
    """The whole words of the embedder's vocabulary, in its order, which is roughly that of frequency."""
    vocabulary = json.loads((default_path() / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return [word for word in vocabulary if word.isalpha() and word.isascii() and len(word) > 2]


def turns(count: int, vocabulary: list[str], seed: int) -> Iterator[Episode]:
    """Made-up turns, oldest first."""
    random = np.random.default_rng(seed)
    for row in range(1, count + 1):
        places = random.zipf(1.25, int(random.integers(5, 35))) % len(vocabulary)
        text = " ".join(vocabulary[place] for place in places)
        text += (f" {TIMES[row % len(TIMES)]}" if row % 3 == 0 else "") + ("?" if row % 5 == 0 else ".")
        said = Instant(START + row * MINUTE)
        session, speaker = f"s{row // SESSION}", ("Ana", "Ben")[row % 2]
        yield Episode(f"e{row}", row, None, session, row % SESSION, speaker, "user", text, said, said, "bench")


def filled(path: Path, count: int, embedder: StaticEmbedder) -> tuple[Database, float]:
    """A new memory and how many turns a second went into it."""
    database = Database(path)
    with database.writing() as connection:
        index.create(connection)
    source, sessions, spent = turns(count, words(), 1), dict[str, int](), 0.0
    while batch := list(islice(source, BATCH)):
        started = time.perf_counter()
        write(database, batch, sessions, embedder)
        spent += time.perf_counter() - started
    return database, count / spent


def live(times: Times, database: Database, embedder: StaticEmbedder, folder: Path, rounds: int = 300) -> None:
    """Single durable writes at the end of a full memory, the part of them that is the index, and the disk alone: 80 kB,
    about what a turn puts into the WAL, written and synced."""
    sessions: dict[str, int] = dict(rows(database.reader(), "select key, id from sessions"))
    newest = scalar(database.reader(), "select max(row) from episodes")
    with (folder / "disk").open("wb") as file:
        for episode in islice(turns(newest + rounds, words(), 2), newest, None):
            times.take("live write", partial(_write, times, database, episode, sessions, embedder))
            file.write(bytes(WAL_BYTES))
            file.flush()
            times.take("disk alone", partial(os.fdatasync, file.fileno()))


def _write(
    times: Times, database: Database, episode: Episode, sessions: dict[str, int], embedder: StaticEmbedder
) -> None:
    with database.writing() as connection:
        append(connection, [episode], sessions)
        times.take("index of a write", partial(index.add, connection, [episode], embedder))


def questions(vocabulary: list[str]) -> list[str]:
    """Different ones: of every shape, about two to eight words, common and rare."""
    random, asked = np.random.default_rng(3), dict[str, None]()
    while len(asked) < QUESTIONS:
        places = random.zipf(1.25, int(random.integers(2, 9))) % len(vocabulary)
        asked[SHAPES[len(asked) % len(SHAPES)].format(" ".join(vocabulary[place] for place in places))] = None
    return list(asked)


class Times:
    """Milliseconds by name: by the clock, and of the processor, which says what a machine would take that does nothing
    else."""

    def __init__(self) -> None:
        self.spent: dict[str, list[tuple[float, float]]] = {}

    def take(self, name: str, step: Callable[[], object]) -> None:
        started, worked = time.perf_counter(), time.process_time()
        step()
        worked, started = time.process_time() - worked, time.perf_counter() - started
        self.spent.setdefault(name, []).append((started * 1_000, worked * 1_000))

    def print(self) -> None:
        print(f"  {'milliseconds':<20} {'p50':>8} {'p95':>8} {'p99':>8}   {'processor p50':>13} {'p95':>8}")
        for name, spent in self.spent.items():
            clock, worked = zip(*spent, strict=True)
            low, high, last = np.percentile(clock, (50, 95, 99))
            print(f"  {name:<20} {low:8.1f} {high:8.1f} {last:8.1f}", end="   ")
            print("{:13.1f} {:8.1f}".format(*np.percentile(worked, (50, 95))))


def measure(times: Times, connection: apsw.Connection, embedder: StaticEmbedder, now: int, cold: bool) -> None:
    """The whole before its parts, for what a channel has read is quicker to read again."""

    def whole(text: str) -> Callable[[], object]:
        return lambda: search.recall(connection, text, k=10, embedder=embedder, now=now, zone=UTC)

    if not cold:
        times.take("warming", lambda: [whole(text)() for text in WARMING])
    times.take("first question", whole("What did Ana say about the garden?"))
    asked = questions(words())
    half = len(asked) // 2
    # No question is asked twice, but by the second half the process knows the words of this memory, as an app does that
    # has been open for a while.
    for name, part in (("whole, first 200", asked[:half]), ("whole, next 200", asked[half:]), ("whole, again", asked)):
        for text in part:
            times.take(name, whole(text))
    for text in asked[:half]:
        for name, step in _channels(connection, text, embedder).items():
            times.take(name, step)


def sizes(connection: apsw.Connection) -> dict[str, float]:
    """Megabytes of the full text, of the vectors and of everything else."""
    found = {"full text": 0.0, "vectors": 0.0, "the rest": 0.0}
    for name, size in connection.execute("select name, pgsize from dbstat where aggregate = 1"):
        part = "full text" if name.startswith("episode_terms") else "vectors" if "vectors" in name else "the rest"
        found[part] += size / 1e6
    return found


def held(found: dense.Matrix) -> float:
    """Megabytes of the vectors, their bits, times and flags in memory."""
    parts = (found.settled, found.tail)
    return float(sum(getattr(part, field.name).nbytes for part in parts for field in fields(part)) / 1e6)


def _channels(connection: apsw.Connection, text: str, embedder: StaticEmbedder) -> dict[str, Callable[[], object]]:
    """Each channel as something to call; the dense one with the embedding of the question."""
    scope, query = Scope(), read(text, ("Ana", "Ben"))

    def full_text() -> object:
        known = lexical.frequencies(connection, query.terms)
        return lexical.candidates(connection, known.among(query.matter()), scope, search.DRAWN["lexical"])

    def vectors() -> object:
        matrix = dense.matrix(connection)
        assert matrix is not None
        vector = embedder.embed([query.bare])[0]
        return dense.candidates(connection, matrix, vector, scope, search.DRAWN["dense"])

    return {"lexical": full_text, "dense": vectors}


def main() -> None:
    """Build, ask, write, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--folder", type=Path, default=None, help="where the files go; a temporary folder if not given")
    parser.add_argument("--cold", action="store_true", help="ask a process that was not warmed")
    parser.add_argument("--live", action="store_true", help="measure single writes too, which adds turns to the files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for size in options.sizes:
            path = (options.folder or Path(scratch)) / f"scale-{size}.db"
            if not path.exists():
                _alone(fill, path, size)
            _alone(one_size, path, size, options.live, options.cold)


def _alone(step: Callable[..., None], *values: object) -> None:
    """In a process of its own: peak memory is a process's, and one that has just written has read everything."""
    process = get_context("spawn").Process(target=step, args=values)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(1)


def fill(path: Path, size: int) -> None:
    """Make the file, and print how fast."""
    database, rate = filled(path, size, StaticEmbedder.load())
    database.close()
    print(f"{size} turns written: {rate:.0f} turns/s in bulk")


def one_size(path: Path, size: int, with_writes: bool, cold: bool) -> None:
    """Print everything about one memory."""
    embedder, database, times = StaticEmbedder.load(), Database(path), Times()
    measure(times, database.reader(), embedder, START + size * MINUTE, cold)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    if with_writes:
        live(times, database, embedder, path.parent)
    matrix = dense.matrix(database.reader())
    assert matrix is not None
    parts = sizes(database.reader())
    print(f"{size} turns: {sum(parts.values()):.0f} MB on the disk", end=" ")
    print(f"({', '.join(f'{name} {part:.0f}' for name, part in parts.items())}),", end=" ")
    print(f"{held(matrix):.0f} MB of vectors held in memory, peak {peak:.0f} MB with the file's mapped pages")
    times.print()
    database.close()


if __name__ == "__main__":
    main()
