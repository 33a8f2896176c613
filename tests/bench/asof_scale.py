"""As-of queries over many facts: one slot at two times, and everything that was true on a day, page by page.

    python tests/bench/asof_scale.py [--facts 10000 100000 1000000]

Facts are rows that a fold could have made: slots of ten rectangles each, three in ten of them believed no more, one in
five an event of a day. Each figure is the p95 (and the median) of 200 queries at random times. `page` is 50 facts of
everything true on a day; `early` is a day before nearly all of it; `far` is the page at offset 1,000.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

import apsw

from store.memory import Memory
from store.records import Instant, Stretch
from tests.bench.slots import StillClock, WordlessEmbedder

DAY = 86_400_000_000
START = 1_300_000_000_000_000
YEARS = 12
SPAN = YEARS * 365
PEOPLE = 400
STATES = ("lives_in", "works_at", "job", "diet", "editor", "laptop", "drives", "reading")

_EPISODE = (
    "insert into episodes (row, id, session_id, position, speaker, role, text, said_at, said_offset, recorded_at, "
    "recorded_offset, source) values (?, ?, 1, ?, 'me', 'user', 'It was said so.', ?, 0, ?, 0, 'bench')"
)
_CLAIM = (
    "insert into claims (row, id, episode_row, start, end, subject, predicate, object, precision, valid_offset, "
    "holds_now, cue, functional, negative, asserted_by, standing, modality, confidence, extractor, recorded_at) "
    "values (?, ?, ?, 0, 15, ?, ?, ?, 'day', 0, 1, 'state', 0, 0, 'me', 4, 'fact', 0.9, 'bench', 0)"
)


def fill(connection: apsw.Connection, count: int) -> None:
    """Write so many facts, each with a claim and a turn of its own."""
    source = random.Random(3)
    columns = [row[1] for row in connection.execute("pragma table_info(facts)")]
    insert = f"insert into facts ({','.join(columns)}) values ({','.join(':' + name for name in columns)})"
    connection.execute("insert into sessions (id, key, source) values (1, 'bench', 'bench')")
    people = [f"person {place}" for place in range(PEOPLE)]
    connection.executemany("insert into entities values (?, ?, 'person', 'bench')", [(one, one) for one in people])
    connection.executemany("insert into aliases values (?, ?, 'bench', null)", [(one, one) for one in people])
    row = 0
    for slot in range(count // 10):
        for fact in _slot(source, slot):
            row += 1
            said = fact["believed_from"]
            fact["because"] = row
            connection.execute(_EPISODE, (row, f"e{row}", row, said, said))
            claim = (row, f"c{row}", row, fact["subject"], fact["predicate"], fact["object"])
            connection.execute(_CLAIM, claim)
            connection.execute(insert, {name: fact.get(name) for name in columns})
            connection.execute("insert into fact_sources values (?, ?, ?)", (fact["id"], row, said))


def _slot(source: random.Random, number: int) -> Iterator[dict[str, object]]:
    """Ten rectangles of one slot."""
    subject, family = f"person {number % PEOPLE}", STATES[number // PEOPLE % len(STATES)]
    many = number >= PEOPLE * len(STATES)
    family = f"topic_{number // PEOPLE}" if many else family
    slot = f"{subject}|{family}" + (f"|thing {number}" if many else "")
    said = START + source.randint(0, SPAN) * DAY
    for place in range(10):
        begins = START + source.randint(0, SPAN) * DAY
        ends = begins + (DAY if place % 5 == 0 else source.randint(30, 700) * DAY)
        said += source.randint(1, 60) * DAY
        closed = said + 90 * DAY if place % 10 < 3 else None
        yield {
            "id": f"f{number}-{place}", "slot": slot, "subject": subject, "family": family, "predicate": family,
            "object": f"thing {place}", "valid_from": begins, "valid_to": ends, "world_from": begins, "world_to": ends,
            "precision": "day", "precision_to": "day", "valid_offset": 0, "believed_from": said, "standing": 4,
            "believed_from_offset": 0, "believed_to": closed, "believed_to_offset": None if closed is None else 0,
            "change": "new", "ended": None if closed is None else "update", "disputed": 0, "negative": 0,
            "qualifiers": "[]", "live": int(closed is None), "single": int(not many),
        }  # fmt: skip


def timed(ask: Callable[[random.Random], object]) -> str:
    """p95 (p50) in milliseconds."""
    source = random.Random(11)
    took: list[float] = []
    for _ in range(200):
        began = perf_counter()
        ask(source)
        took.append((perf_counter() - began) * 1000)
    took.sort()
    return f"{took[189]:7.2f} ({took[99]:.2f})"


def day(source: random.Random) -> Stretch:
    start = START + source.randint(200, SPAN - 200) * DAY
    return Stretch(start, start + DAY)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, nargs="+", default=[10_000, 100_000])
    print("p95 (p50), ms      one slot           page            believed         early              far")
    for count in parser.parse_args().facts:
        clock = StillClock(Instant(START + (SPAN + 700) * DAY))
        with (
            tempfile.TemporaryDirectory() as folder,
            Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC, embedder=WordlessEmbedder()) as memory,
        ):
            with memory._database.writing() as connection:
                fill(connection, count)
            print(f"{count:9,}", *(timed(ask) for ask in _queries(memory)), flush=True)
    return 0


def _queries(memory: Memory) -> Iterator[Callable[[random.Random], object]]:
    def slot(source: random.Random) -> object:
        about, predicate = f"person {source.randrange(PEOPLE)}", source.choice(STATES)
        moment = day(source)
        return memory.beliefs.facts(about=about, predicate=predicate, as_of=moment, believed=moment.start)

    yield slot
    yield lambda source: memory.beliefs.facts(as_of=day(source), limit=50)
    yield lambda source: memory.beliefs.facts(as_of=day(source), believed=day(source).start, limit=50)
    yield lambda source: memory.beliefs.facts(as_of=Stretch(START - 9 * DAY, START - 8 * DAY), limit=50)
    yield lambda source: memory.beliefs.facts(as_of=day(source), limit=50, offset=1_000)


if __name__ == "__main__":
    sys.exit(main())
