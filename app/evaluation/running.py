"""Each history is told to a memory of its own, slept over, and asked: nothing of one can answer another's questions.

The memories are scratch files that go when the run ends; the clock stands at the moment of asking.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from app.core.clock import FrozenClock
from app.evaluation.cases import Case, History
from store.records import Answer, Hit, Recollection

if TYPE_CHECKING:
    from store.memory import Memory

DEPTH = 50
"""Hits that are asked for: enough that five sessions are among them."""

NOTED = 8
"""Turns that a model is given."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One question, and what the memory gave."""

    history: str
    case: Case
    answer: Answer
    recollection: Recollection
    context: tuple[Hit, ...]
    """What a model is given: beliefs, turns and a summary, best first."""

    @property
    def ranked(self) -> list[str]:
        """What evidence is named by, best first, each once: turns, or sessions by their best turn."""
        return named(self.case, self.recollection.hits)


def named(case: Case, hits: tuple[Hit, ...]) -> list[str]:
    """Hits as the case names its evidence, each once."""
    by_session = not case.evidence or any(one.startswith("longmemeval:") for one in case.evidence)
    keys = (hit.session if by_session else hit.external_id or "" for hit in hits if hit.kind == "episode")
    return list(dict.fromkeys(keys))


@contextmanager
def told(history: History, zone: tzinfo, *, sleep: bool = True) -> Iterator[Memory]:
    """A scratch memory that heard a history."""
    from store.memory import Memory

    clock = FrozenClock(max(case.asked_at for case in history.cases))
    with (
        TemporaryDirectory(prefix="erstwhile-eval-") as folder,
        Memory.open(Path(folder) / "memory.db", clock=clock, zone=zone) as memory,
    ):
        for _ in memory.episodes.ingest(history.turns):
            pass
        if sleep:
            for _ in memory.sleeping.run():
                pass
        yield memory


def asked(memory: Memory, history: History, *, for_model: bool = False) -> Iterator[Trial]:
    """Every question of a history, answered and recalled for; `for_model` also gathers what a model is given."""
    for case in history.cases:
        answer = memory.answering.ask(case.question)
        found = memory.recall.search(case.question, k=DEPTH)
        context = memory.answering.context(case.question, found.hits[:NOTED]) if for_model else ()
        yield Trial(history.name, case, answer, found, context)
