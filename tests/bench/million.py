"""What a life costs: one table over memories of ten thousand, a hundred thousand and a million turns.

    python -m tests.bench.million [10000 100000 1000000] [--folder FOLDER] [--days 3] [--rounds 300]

Each size is one file, made and measured in processes of their own. A file of FOLDER that is there is not made again.

What is real: every turn is imported as `erstwhile import` does it (words, index, vectors); opening, single durable
turns (`remember`, and `learn`, which reads the turn), recall as a person gets it (with the reading of the first hits),
and the sleep of a day, which reads the day's turns and sums them up as any sleep does. What is not: of the turns that
were imported only the newest are read and summed up (--read, 2000 at most); the others are marked as read and teach
nothing, for reading a million takes hours (about 15 ms a turn). So beliefs and summaries are those of about two months;
the full text, the vectors and everything that is asked over turns are those of all. tests.bench.asof_scale and
tests.bench.sleep_years measure how beliefs grow.

    build turns/s     import alone
    build s           with the first sleep over the newest turns
    file MB           when that is done
    open ms           Memory.open and a first count, in a new process, of which the system has the file cached
    ingest p50, p99   ms until a turn is on the disk;  disk p99: 80 kB written and synced beside it, for comparison
    learn p50, p99    ms of reading it at once
    recall p50, p95   ms, questions that were never asked before
    day's sleep s     median over --days days of 28 turns each
    app MB            resident memory of a process that has opened the file, warmed as the app does, and did all of that
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, timedelta
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from store.memory import Memory
from store.reading.extract import extractor
from store.records import Instant, Turn
from tests.bench.recall_scale import WAL_BYTES, Times
from tests.bench.sleep_years import slept
from tests.bench.slots import StillClock
from tests.bench.years import A_DAY, BEGIN, Years, turns

YEARS = 100
"""Over which the turns are spread: at 28 a day a million takes 98 years."""
READ = 2_000
"""Of the imported turns, how many of the newest a sleep reads."""
QUESTIONS = (
    "Where does {} live?", "When did I last see {}?", "What did {} say about {}?", "Who told me about {} and {}?",
    "{} {} last month", "How many times did I go to {} with {}?", "What is the name of {}'s brother?",
    "Did {} like {} in March 2021?",
)  # fmt: skip
Row = dict[str, float]


def last_day(size: int) -> int:
    """The first day, counted from BEGIN, on which nothing was said yet."""
    return -(-size // A_DAY)


def opened(path: Path, size: int, clock: StillClock | None = None) -> Memory:
    clock = clock or StillClock(Instant.of(BEGIN + timedelta(days=last_day(size))))
    return Memory.open(path, clock=clock, zone=UTC)


def build(path: Path, size: int) -> Row:
    """Import, mark what is old as read, and sleep over the rest."""
    part = path.with_suffix(".part")
    began = time.perf_counter()
    with opened(part, size) as memory:
        for step in memory.episodes.ingest(turns(size, YEARS, each_day=A_DAY), size):
            _tell(f"import {step.new + step.seen:,} of {size:,}")
        imported = time.perf_counter() - began
        _pass_over(memory, size - READ)
        for progress in memory.sleeping.run():
            _tell(f"{progress.phase} {progress.done:,}")
        memory._database.fold_wal()
    took = time.perf_counter() - began
    part.rename(path)
    return {"build turns/s": size / imported, "build s": took}


def _pass_over(memory: Memory, count: int) -> None:
    """Mark the oldest turns as read, without claims, and as nothing that a sleep has to sum up."""
    old = "select row from episodes where row <= ?"
    with memory._database.writing(durable=False) as connection:
        connection.execute(f"insert into readings select row, ?, 0 from ({old})", (extractor(), count))
        connection.execute(f"delete from gist_waits where episode_row in ({old})", (count,))


def measure(path: Path, size: int, *, days: int, rounds: int) -> Row:
    """Open, warm, ask, write, sleep; the questions come before the turns that make the file another."""
    clock = StillClock(Instant.of(BEGIN + timedelta(days=last_day(size))))
    row: Row = {"file MB": path.stat().st_size / 1e6}
    began = time.perf_counter()
    with opened(path, size, clock) as memory:
        memory.reading.pending()
        row["open ms"] = (time.perf_counter() - began) * 1000
        memory.recall.warm()
        times = Times()
        for question in _questions(rounds):
            times.take("recall", partial(memory.recall.search, question))
        _write(times, memory, path.parent, rounds)
        for name, share in (("ingest p50", 50), ("ingest p99", 99), ("learn p50", 50), ("learn p99", 99),
                            ("disk p99", 99), ("recall p50", 50), ("recall p95", 95)):  # fmt: skip
            row[f"{name} ms"] = float(np.percentile([one[0] for one in times.spent[name.split()[0]]], share))
        row["day's sleep s"] = statistics.median(_days(memory, clock, size, days))
    row["app MB"] = _resident()
    return row


def _questions(count: int) -> list[str]:
    """Different ones, about people, places and things of these years."""
    talk = Years(seed=3)
    names = [name for pool in talk._pools for name in pool]
    asked = dict.fromkeys(
        QUESTIONS[number % len(QUESTIONS)].format(*talk._random.sample(names, 2)) for number in range(3 * count)
    )
    return list(asked)[:count]


def _write(times: Times, memory: Memory, folder: Path, rounds: int) -> None:
    """Turns that are said now, one by one, and the disk alone between them."""
    said = [turn.text for turn in turns(rounds, seed=5, each_day=A_DAY)]
    kept: list[str] = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for text in said:
            times.take("ingest", partial(_say, memory, text, kept))
            times.take("learn", partial(memory.reading.learn, kept[-1]))
            file.write(bytes(WAL_BYTES))
            file.flush()
            times.take("disk", partial(os.fdatasync, file.fileno()))


def _say(memory: Memory, text: str, kept: list[str]) -> None:
    kept.append(memory.episodes.remember(Turn(text, "live")).id)


def _days(memory: Memory, clock: StillClock, size: int, days: int) -> list[float]:
    """Seconds of the sleep after each of so many further days; the first sleeps over what was said live, and does not
    count."""
    talk, took = Years(seed=11), []
    slept(memory)
    for number in range(last_day(size), last_day(size) + days):
        clock.moment = Instant.of(BEGIN + timedelta(days=number + 1))
        list(memory.episodes.ingest(talk.day(number)))
        took.append(float(slept(memory)["seconds"]))
    return took


def _resident() -> float:
    """Megabytes that this process holds, without the pages of files that it has mapped; where the system does not tell
    them apart, its peak with them."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:"))) / 1e3
    except FileNotFoundError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _alone(step: Callable[[], Row]) -> Row:
    """In a process of its own: the memory of a process that built a file is not that of one that opens it."""
    context = get_context("spawn")
    heard, tell = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(step, tell))
    process.start()
    tell.close()
    try:
        found: Row = heard.recv()
    except EOFError:
        raise SystemExit("The process that measured has failed; its own words are above.") from None
    finally:
        process.join()
    return found


def _send(step: Callable[[], Row], tell: Connection) -> None:
    tell.send(step())


def _tell(words: str) -> None:
    """How far it has come, on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()


def table(found: dict[int, Row]) -> list[str]:
    """A column for each size."""
    names = dict.fromkeys(name for row in found.values() for name in row)
    lines = [f"{'turns':<16}" + "".join(f"{size:>12,}" for size in found)]
    for name in names:
        cells = (f"{row[name]:>12,.1f}" if name in row else f"{'':>12}" for row in found.values())
        lines.append(f"{name:<16}" + "".join(cells))
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Build what is not there, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--folder", type=Path, help="where the files go, and stay: the disk that is to be measured")
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=300, help="questions, and turns that are said live")
    options = parser.parse_args(arguments)
    found: dict[int, Row] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        for size in options.sizes:
            path = folder / f"million-{size}.db"
            found[size] = {} if path.exists() else _alone(partial(build, path, size))
            found[size] |= _alone(partial(measure, path, size, days=options.days, rounds=options.rounds))
            _tell("")
            sys.stdout.write("\n".join(table(found)) + "\n\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
