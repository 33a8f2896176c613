"""What a model's plans for units and its summaries come to is shown one by one, to be judged by whoever reads it.

    python -m tests.bench.words_by_model MODEL.gguf TURNS.jsonl [--units 20] [--sessions 3] [--me NAME] [--turns N]

Imports the first N turns, sleeps on them by the rules with units, then lets the model look at the newest units whether
it passed the test for that or not, and prints each question with the reply and what the checks made of it; then words
as many conversations in the model's words, and prints each sentence with its sources and every refusal. The turns are
in the JSONL form that `erstwhile import` reads.
"""

from __future__ import annotations

import argparse
import json
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
from store.sleep import planning
from tests.bench.memories import instant, json_lines


class Heard:
    """A model whose replies are kept; about claims it says nothing, for that is another bench."""

    plans = True

    def __init__(self, model: ModelProcess) -> None:
        self._model, self.name = model, model.path.stem
        self.kept: list[tuple[str, str, float]] = []

    def chat(
        self, messages: Sequence[Message], *, max_tokens: int = 512, stop: Event | None = None,
        temperature: float | None = None, schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:  # fmt: skip
        """As BoundModel says; the reply in one piece."""
        if schema is not None and "claims" in schema["properties"]:
            yield '{"claims": []}'
            return
        began = time.perf_counter()
        said = "".join(
            self._model.chat(messages, max_tokens=max_tokens, stop=stop, temperature=temperature, schema=schema)
        )
        self.kept.append((messages[-1].content, said, time.perf_counter() - began))
        yield said


def turns_of(path: Path, most: int) -> Iterator[Turn]:
    """The first turns of a file."""
    for line in json_lines(path)[:most]:
        yield Turn(
            line["text"], str(line["session"]), line.get("speaker", "me"), line.get("role", "user"),
            instant(line["said_at"]), external_id=line.get("id"),
        )  # fmt: skip


def planned(memory: Memory, model: Heard, units: int) -> None:
    """Have the model look at the newest units, and print what it said and what came of it."""
    planning.MOST = units
    for _ in memory.sleeping.run(tidy=True):
        pass
    print(f"{memory.file.check()[0].name}; edits by the rules: {_edits(memory)}")
    for _ in memory.sleeping.run(model=model, tidy=True):
        pass
    for asked, said, seconds in model.kept:
        print(f"\n{asked}\n=> {said}  ({seconds:.1f} s)")
    logged = [one for one in memory.log.operations(limit=10_000, phase="tidy") if "model" in one.detail]
    for one in reversed(logged):
        print(one.kind, one.reason, json.dumps(dict(one.detail)))
    print(f"\nasked {len(model.kept)}; proposals: {Counter(f'{one.kind} {one.reason}' for one in logged)}")
    print("checks:", [one.name for one in memory.file.check() if not one.ok] or "all pass")


def _edits(memory: Memory) -> dict[str, int]:
    found = Counter(one.kind for one in memory.log.operations(limit=10_000, phase="tidy") if one.reason == "APPLIED")
    return dict(found)


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
        print("   reply:", model.kept[-1][1] if model.kept else "none")
        for one in found.told:
            print(f"{'≈' if one.model else ' '} {one.sources[0].speaker}: {one.text}")
            for source in one.sources if one.model else ():
                print(f"      “{source.quote}”")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("turns_file", type=Path)
    parser.add_argument("--units", type=int, default=20)
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
            model = Heard(process)
            planned(memory, model, given.units)
            summed_up(memory, model, given.sessions)


if __name__ == "__main__":
    main()
