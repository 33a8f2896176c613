"""Two memories of the same years are merged, with what the other's sleep made and without it, and slept on.

    python -m tests.bench.merge_reuse [--turns 5000] [--units] [--apart] [--folder DIR]

Printed as JSON: CPU seconds of the merge and, by phase, of the sleep after it; both ways in one run, and whether both
come to the same beliefs, leaves and exchanges. `--units`: both keep units. `--apart`: the second memory is of the years
after those of the first. The memories are left in DIR, if one is given.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

from store.beliefs import hand
from store.maintenance import takeover
from store.memory import Memory
from store.records import Instant, Turn
from store.sleep.undoing import digest
from tests.bench.slots import StillClock
from tests.bench.years import BEGIN, turns

YEARS = 5
_LEAVES = (
    "select t.family, coalesce(s.key, t.scope), n.at, n.place, coalesce(e.id, n.item) from forest_nodes n "
    "join forest_trees t on t.id = n.tree left join sessions s on t.family = 'session' and s.id = t.scope "
    "left join episodes e on e.row = n.item where n.level = 0 order by 1, 2, 3, 4, 5"
)
_EXCHANGES = "select id, said_at, hex(vector) from units where origin = 'exchange' order by 1"


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=StillClock(Instant.of(BEGIN + timedelta(days=365 * 2 * YEARS))), zone=UTC)


def said(name: str, seed: int, count: int, later: timedelta) -> Iterator[Turn]:
    """The turns of one of the two, in conversations of its own."""
    for turn in turns(count, YEARS, seed):
        assert turn.said_at is not None
        moment = Instant(turn.said_at.us + later // timedelta(microseconds=1), turn.said_at.offset)
        yield replace(turn, session=f"{name}{turn.session}", external_id=f"{name}{turn.external_id}", said_at=moment)


def make(path: Path, given: Iterator[Turn], *, tidy: bool) -> None:
    with opened(path) as memory:
        list(memory.episodes.ingest(given))
        list(memory.sleeping.run(tidy=tidy))


def measured(first: Path, second: Path, target: Path, *, tidy: bool) -> tuple[dict[str, Any], str]:
    """CPU seconds of a merge and of the sleep after it, and a hash over what it came to."""
    shutil.copy(first, target)
    phases: dict[str, float] = defaultdict(float)
    with opened(target) as memory:
        began = time.process_time()
        memory.file.merge(second)
        merged = at = time.process_time()
        for step in memory.sleeping.run(tidy=tidy):
            phases[step.phase] += time.process_time() - at
            at = time.process_time()
        slept = time.process_time()
        assert [one for one in memory.file.check() if not one.ok] == []
        reader = memory._database.reader()
        came_to = hand.state_hash(reader) + digest(reader, (_LEAVES, _EXCHANGES))
    found = {"merge": merged - began, "sleep": slept - merged, "total": slept - began, **phases}
    return {name: round(seconds, 2) for name, seconds in found.items()}, came_to


@contextmanager
def without_reuse() -> Iterator[None]:
    """Within, nothing fits."""
    fits = takeover.fits
    takeover.fits = lambda mine, theirs, embedder: False
    try:
        yield
    finally:
        takeover.fits = fits


def warm_up(folder: Path, *, tidy: bool) -> None:
    """Merge two small memories both ways: what is loaded and remembered once is not counted."""
    first, second = folder / "small-first.db", folder / "small-second.db"
    make(first, said("a", 7, 200, timedelta(0)), tidy=tidy)
    make(second, said("b", 8, 200, timedelta(0)), tidy=tidy)
    measured(first, second, folder / "small-reused.db", tidy=tidy)
    with without_reuse():
        measured(first, second, folder / "small-anew.db", tidy=tidy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5_000)
    parser.add_argument("--units", action="store_true")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as spare:
        folder = given.folder or Path(spare)
        first, second = folder / "first.db", folder / "second.db"
        later = timedelta(days=365 * YEARS if given.apart else 0)
        warm_up(folder, tidy=given.units)
        make(first, said("a", 7, given.turns, timedelta(0)), tidy=given.units)
        make(second, said("b", 8, given.turns, later), tidy=given.units)
        reused, came_to = measured(first, second, folder / "reused.db", tidy=given.units)
        with without_reuse():
            anew, expected = measured(first, second, folder / "anew.db", tidy=given.units)
    document = {
        "turns": given.turns, "units": given.units, "apart": given.apart, "reused": reused, "anew": anew,
        "anew / reused": round(anew["total"] / reused["total"], 2), "same": came_to == expected,
    }  # fmt: skip
    print(json.dumps(document))


if __name__ == "__main__":
    main()
