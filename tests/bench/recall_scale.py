"""How recall and the writing path grow: one memory of N made-up turns, the same kind of questions at every size.

    python -m tests.bench.recall_scale 10000 100000 --folder /somewhere

Words are drawn from the embedder's own vocabulary by Zipf's law, sessions have 40 turns, two people take turns and a
third of all turns name a time. Prints turns/s in bulk, the live path's p99, each channel and the whole (p50 and p95),
memory and sizes. There are no beliefs in it: tests.bench.asof_scale measures those.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC
from itertools import islice
from pathlib import Path

import apsw
import numpy as np

from store.database import Database
from store.embedding import StaticEmbedder, default_path
from store.recall import dense, graph, lexical, recency, search
from store.recall.query import read
from store.recall.scope import Scope
from store.records import Episode, Instant
from store.rows import rows, scalar
from store.writing import index
from tests.bench.memories import BATCH, append, write

START = 1_600_000_000_000_000
MINUTE = 60_000_000
SESSION = 40
TIMES = ("yesterday", "last Friday", "two weeks ago", "in March 2021", "next month")
QUESTIONS = 100
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


def live(database: Database, embedder: StaticEmbedder, folder: Path, rounds: int = 300) -> dict[str, list[float]]:
    """Milliseconds of single durable writes at the end of a full memory, of the part that the machine does before the
    disk is asked, and of the disk alone: 80 kB, about what a turn puts into the WAL, written and synced."""
    sessions: dict[str, int] = dict(rows(database.reader(), "select key, id from sessions"))
    spent: dict[str, list[float]] = {"live write": [], "... its index": [], "disk alone": []}
    newest = scalar(database.reader(), "select max(row) from episodes")
    with (folder / "disk").open("wb") as file:
        for episode in islice(turns(newest + rounds, words(), 2), newest, None):
            begun = time.perf_counter()
            with database.writing() as connection:
                append(connection, [episode], sessions)
                appended = time.perf_counter()
                index.add(connection, [episode], embedder)
                indexed = time.perf_counter()
            committed = time.perf_counter()
            file.write(bytes(WAL_BYTES))
            file.flush()
            os.fdatasync(file.fileno())
            spent["disk alone"].append((time.perf_counter() - committed) * 1_000)
            spent["live write"].append((committed - begun) * 1_000)
            spent["... its index"].append((indexed - appended) * 1_000)
    return spent


def questions(vocabulary: list[str]) -> list[str]:
    random = np.random.default_rng(3)
    asked = []
    for _ in range(QUESTIONS):
        places = random.zipf(1.25, 4) % len(vocabulary)
        asked.append("When did Ana " + " ".join(vocabulary[place] for place in places) + "?")
    return asked


def measured(database: Database, embedder: StaticEmbedder, now: int) -> dict[str, list[float]]:
    """Milliseconds of each channel and of the whole, per question: by the clock, and of this thread's processor time,
    which says what a machine would take that does nothing else."""
    spent: dict[str, list[float]] = {}
    for text in questions(words()):
        for name, step in _steps(database.reader(), text, embedder, now).items():
            started, worked = time.perf_counter(), time.thread_time()
            step()
            spent.setdefault(f"{name}, processor", []).append((time.thread_time() - worked) * 1_000)
            spent.setdefault(name, []).append((time.perf_counter() - started) * 1_000)
    return spent


def sizes(connection: apsw.Connection) -> dict[str, float]:
    """Megabytes of the full text, of the vectors and of everything else."""
    found = {"full text": 0.0, "vectors": 0.0, "the rest": 0.0}
    for name, size in connection.execute("select name, pgsize from dbstat where aggregate = 1"):
        part = "full text" if name.startswith("episode_terms") else "vectors" if "vectors" in name else "the rest"
        found[part] += size / 1e6
    return found


def _steps(
    connection: apsw.Connection, text: str, embedder: StaticEmbedder, now: int
) -> dict[str, Callable[[], object]]:
    """Each channel, and the whole, as something to call."""
    scope, matrix, query = Scope(), dense.matrix(connection), read(text, ("Ana", "Ben"))
    vector = embedder.embed([query.bare])[0]
    assert matrix is not None

    def full_text() -> object:
        known = lexical.frequencies(connection, query.terms)
        return lexical.candidates(connection, known, scope, search.DRAWN["lexical"])

    return {
        "lexical": full_text,
        "dense": lambda: dense.nearest(matrix, vector, scope, search.DRAWN["dense"], None),
        "recency": lambda: recency.candidates(connection, scope, search.DRAWN["recency"]),
        "graph": lambda: graph.graph(connection, query, scope, search.DRAWN["graph"]),
        "beliefs": lambda: graph.beliefs(connection, query, scope, search.DRAWN["beliefs"]),
        "whole": lambda: search.recall(connection, text, k=10, embedder=embedder, now=now, zone=UTC),
    }


def main() -> None:
    """Build, write, ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--folder", type=Path, default=None, help="where the files go; a temporary folder if not given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for size in options.sizes:
            one_size(size, options.folder or Path(scratch))


def one_size(size: int, folder: Path) -> None:
    embedder = StaticEmbedder.load()
    embedder.embed(["ready"])
    path = folder / f"scale-{size}.db"
    if path.exists():
        database, rate = Database(path), float("nan")
    else:
        database, rate = filled(path, size, embedder)
    now = START + size * MINUTE
    started = time.perf_counter()
    dense.matrix(database.reader())
    print(f"{size} turns: {rate:.0f} turns/s in bulk, {path.stat().st_size / 1e6:.0f} MB,", end=" ")
    print(f"vectors loaded in {time.perf_counter() - started:.2f} s,", end=" ")
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")
    print("  " + ", ".join(f"{name} {size:.0f} MB" for name, size in sizes(database.reader()).items()))
    for name, spent in (measured(database, embedder, now) | live(database, embedder, folder)).items():
        low, high, last = np.percentile(spent, (50, 95, 99))
        print(f"  {name:<20} p50 {low:6.1f}  p95 {high:6.1f}  p99 {last:6.1f} ms")
    database.close()


if __name__ == "__main__":
    main()
