"""A model that plans says what a test wrote down, whatever it is asked; the rest here makes and reads its memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from threading import Event
from typing import Any

from store.memory import Memory
from store.protocols import Message
from store.records import Instant, Operation, SleepReport, Turn
from store.sleep.units import spans_of, texts_of, units_where
from tests.conftest import ZONE

MIXED = "My oboe needs a new reed before the concert in Graz. The cellar wall is wet behind the shelves again."
"""Two matters, which the rules leave together."""
PLAN = {"kind": "split", "targets": [], "begins": [2], "confidence": 0.95, "reason": "different matters"}


class Scripted:
    """Chooses what it was given for a note that holds a word; else that nothing is to be done."""

    name = "scripted"

    def __init__(self, *said: tuple[str, str | dict[str, Any]], plans: bool = True) -> None:
        self.said, self.plans = [(word, one if isinstance(one, str) else json.dumps(one)) for word, one in said], plans
        self.asked, self.schemas, self.tokens = list[str](), list[Any](), set[int]()

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
        schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:
        last = messages[-1].content
        if not last.startswith("Note of"):
            notes = last.rpartition("Notes:\n")[2].partition("\n(")[0].splitlines()
            yield json.dumps({"verdicts": ["unclear"] * len(notes)})
            return
        assert temperature == 0.0
        self.asked.append(last)
        self.schemas.append(schema)
        self.tokens.add(max_tokens)
        note = last.partition("Older notes:")[0]
        yield next((reply for word, reply in self.said if word in note), plan(kind="none"))


def plan(**changed: object) -> str:
    return json.dumps({**PLAN, **changed})


def tell(memory: Memory, day: str, *texts: str) -> None:
    at = datetime.fromisoformat(day).replace(tzinfo=ZONE)
    list(memory.episodes.ingest(
        Turn(text, day, *(("me", "user") if n % 2 == 0 else ("assistant", "assistant")),
             said_at=Instant.of(at + timedelta(minutes=n)))
        for n, text in enumerate(texts)
    ))  # fmt: skip


def sleep(memory: Memory, model: Any = None, stop: Event | None = None, *, again: bool = False) -> SleepReport:
    run = memory.sleeping.run(stop, model=model, again=again, tidy=True)
    while True:
        try:
            next(run)
        except StopIteration as end:
            report: SleepReport = end.value
            return report


def surface(memory: Memory) -> list[str]:
    units = sorted(
        units_where(memory._database.reader(), "where visible = 1"),
        key=lambda one: (one.place.said_at, one.place.start),
    )
    return [
        " | ".join(texts_of(memory._database.reader(), spans_of(memory._database.reader(), one.id))) for one in units
    ]


def plans(memory: Memory) -> list[Operation]:
    """What the log says of the model's part, the oldest first."""
    return [one for one in reversed(memory.log.operations(limit=500, phase="tidy")) if "model" in one.detail]


def reasons(memory: Memory) -> list[str]:
    return [one.reason for one in plans(memory)]
