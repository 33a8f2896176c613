"""What a model's summaries come to is shown one by one, to be judged by whoever reads it.

    python -m tests.bench.words_by_model MODEL.gguf TURNS.jsonl [--sessions 3] [--me NAME] [--turns N]

Imports the first N turns, sleeps on them, then words some conversations in the model's words whether it passed the test
for that or not, and prints each sentence with its sources and every refusal. The turns are in the JSONL form that
`erstwhile import` reads.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

from app.core.clock import SystemClock, machine_zone
from app.llm.process import ModelProcess
from store.memory import Memory
from store.protocols import Message
from store.records import Turn
from tests.bench.memories import instant, json_lines


class Heard:
    """A model whose last reply is kept."""

    def __init__(self, model: ModelProcess) -> None:
        self._model, self.name = model, model.path.stem
        self.last = "none"

    def chat(
        self, messages: Sequence[Message], *, max_tokens: int = 512, stop: Event | None = None,
        temperature: float | None = None, schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:  # fmt: skip
        """As BoundModel says; the reply in one piece."""
        self.last = "".join(
            self._model.chat(messages, max_tokens=max_tokens, stop=stop, temperature=temperature, schema=schema)
        )
        yield self.last


def turns_of(path: Path, most: int) -> Iterator[Turn]:
    """The first turns of a file."""
    for line in json_lines(path)[:most]:
        yield Turn(
            line["text"], str(line["session"]), line.get("speaker", "me"), line.get("role", "user"),
            instant(line["said_at"]), external_id=line.get("id"),
        )  # fmt: skip


def summed_up(memory: Memory, model: Heard, sessions: int) -> None:
    """Word some conversations, and print each sentence with what it rests on."""
    for session in memory.sessions.all()[:sessions]:
        summary = memory.overview.summary("session", session=session.key)
        began = time.perf_counter()
        found = memory.overview.worded(summary, model)
        own = [one for one in found.told if one.model]
        wrote = len(own) + len(found.refused)
        print(f"\n{session.key}: of {len(summary.sentences)} sentences; {len(own)} of {wrote} let in, refused "
              f"{dict(Counter(found.refused))} ({time.perf_counter() - began:.1f} s)")  # fmt: skip
        print("   reply:", model.last)
        for one in found.told:
            print(f"{'≈' if one.model else ' '} {one.sources[0].speaker}: {one.text}")
            for source in one.sources if one.model else ():
                print(f"      “{source.quote}”")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("turns_file", type=Path)
    parser.add_argument("--sessions", type=int, default=3)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--me", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        zone, path = machine_zone(), Path(folder) / "m.db"
        with (
            Memory.open(path, clock=SystemClock(zone), zone=zone, person=[given.me] if given.me else ()) as memory,
            ModelProcess(given.model, crashes=Path(folder) / "machine.json") as process,
        ):
            list(memory.episodes.ingest(turns_of(given.turns_file, given.turns)))
            for _ in memory.sleeping.run():
                pass
            summed_up(memory, Heard(process), given.sessions)


if __name__ == "__main__":
    main()
