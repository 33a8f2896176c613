"""While the vectors of a large memory are made anew, every question finds vectors, and a kill costs at most one step.

    python -m tests.bench.reembed_scale [--episodes 100000] [--folder DIR]

Makes a memory, chooses another embedder (the shipped one with half of its dimensions), starts the change in a child
process and kills it there with SIGKILL half way, then goes on in this one, asking between any two steps.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from app.core.clock import FrozenClock
from store.episodes import index
from store.episodes.embedding import StaticEmbedder, default_path
from store.memory import Memory
from store.records import Instant, Turn

NOW = Instant.of(datetime(2026, 1, 1, tzinfo=UTC))
_CHILD = (
    "import sys; from pathlib import Path; from tests.bench.reembed_scale import opened\n"
    "memory = opened(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    "for step in memory.sleeping.reembed(): print(step.done, flush=True)"
)
_THINGS = [
    "boat", "barn", "oak", "river", "lamp", "clock", "cello", "bread", "market", "garden", "train", "letter", "winter",
    "cousin", "harbour", "bicycle",
]  # fmt: skip
_DOINGS = ["painted", "sold", "found", "lost", "mended", "borrowed", "heard", "remembered", "photographed", "forgot"]


def turns(count: int) -> Iterator[Turn]:
    """Made-up sentences, the same each time."""
    chance = random.Random(8)
    for number in range(count):
        things = chance.sample(_THINGS, 3)
        did = chance.choice(_DOINGS)
        yield Turn(f"I {did} the {things[0]} near the {things[1]}, and a {things[2]}: {number}.", f"s{number // 200}")


def other_embedder(folder: Path) -> Path:
    """Half of the shipped embedder's dimensions, as a model of its own."""
    folder.mkdir(exist_ok=True)
    tensors = load_file(default_path() / "model.safetensors")
    tensors["embeddings"] = np.ascontiguousarray(tensors["embeddings"][:, :128])
    save_file(tensors, folder / "model.safetensors")
    for name in ("tokenizer.json", "config.json"):
        (folder / name).write_bytes((default_path() / name).read_bytes())
    return folder


def opened(path: Path, embedder: Path | None = None) -> Memory:
    """The memory, with the chosen embedder."""
    return Memory.open(path, clock=FrozenClock(NOW), zone=UTC, embedder=StaticEmbedder.load(embedder))


def killed_half_way(path: Path, embedder: Path, episodes: int) -> int:
    """Start the change in a child and kill it; gives how many it had said were done."""
    child = subprocess.Popen(
        (sys.executable, "-c", _CHILD, str(path), str(embedder)), stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert child.stdout is not None
    done = 0
    for line in child.stdout:
        done = int(line)
        if done >= episodes // 2:
            os.kill(child.pid, signal.SIGKILL)
            break
    child.wait()
    child.stdout.close()
    return done


def main() -> None:
    """Parse the arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    path, embedder = folder / "memory.db", other_embedder(folder / "embedder")
    began = time.perf_counter()
    if not path.exists():
        with opened(path) as memory:
            for _ in memory.episodes.ingest(turns(given.episodes)):
                pass
    print(f"{given.episodes} episodes imported in {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    done = killed_half_way(path, embedder, given.episodes)
    print(f"killed after {done}, {done / (time.perf_counter() - began):.0f} episodes a second with the start")
    with opened(path, embedder) as memory:
        kept = memory._database.reader().execute("select count(*) from next_vectors").get
        print(f"kept {kept}, lost {max(0, done - kept)}")
        resume(memory, kept)
        bad = [one.name for one in memory.file.check() if not one.ok and "fact" not in one.name]
        print(
            f"vectors of {index.dimension(memory._database.reader())} dimensions; checks that failed: {bad or 'none'}"
        )


def resume(memory: Memory, done: int) -> None:
    """Go on to the end, asking between the steps."""
    busy, longest, asked, dense = 0.0, 0.0, 0, 0
    steps = memory.sleeping.reembed()
    while True:
        began = time.perf_counter()
        step = next(steps, None)
        took = time.perf_counter() - began
        if step is None:
            break
        busy, last = busy + took, took
        longest = max(longest, took)
        first = memory.recall.search("the cello near the harbour", k=1).hits[0]
        asked, dense = asked + 1, dense + ("dense" in dict(first.channels))
        made = step.done - done
    print(
        f"resumed: {made / busy:.0f} episodes a second; longest step {longest * 1e3:.0f} ms, the swap {last * 1e3:.0f}"
    )
    print(f"asked {asked} times meanwhile, {dense} answers with vectors")


if __name__ == "__main__":
    main()
