"""The interface asks the memory for these things and nothing else, so that a test can script what it says.

`store.memory.Memory` satisfies it. Calls may come from several threads; each may take a while, so none is made on the
interface's own thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from store.protocols import LanguageModel
from store.records import (
    Answer,
    Change,
    Episode,
    Fact,
    Link,
    Operation,
    Progress,
    Receipt,
    Recollection,
    Session,
    SleepReport,
    Stretch,
    Turn,
)

if TYPE_CHECKING:
    from store.writing.erase import Selection


class MemoryPort(Protocol):
    """The part of the one door that the interface walks through."""

    def remember(self, turn: Turn) -> Episode: ...
    def learn(self, episode_id: str) -> tuple[Change, ...]: ...
    def recall(
        self,
        query: str,
        *,
        k: int = 10,
        as_of: Stretch | None = None,
        believed: int | None = None,
        session: str | None = None,
    ) -> Recollection: ...
    def ask(self, question: str, *, as_of: Stretch | None = None, believed: int | None = None) -> Answer: ...
    def facts(
        self,
        *,
        about: str | None = None,
        predicate: str | None = None,
        as_of: Stretch | None = None,
        believed: int | None = None,
        everything: bool = False,
    ) -> list[Fact]: ...
    def chain(self, subject: str, predicate: str) -> list[Link]: ...
    def changes(self, since: int, until: int | None = None) -> list[Change]: ...
    def timeline(self, about: str | None = None) -> list[Fact]: ...
    def sessions(self) -> list[Session]: ...
    def episodes(self, session: str) -> list[Episode]: ...
    def episode(self, id_or_external: str) -> Episode: ...
    def sleep(self, stop: threading.Event | None = None, budget: float | None = None) -> Iterator[Progress]: ...
    def pending(self) -> int: ...
    def last_sleep(self) -> Operation | None: ...
    def correct(
        self, subject: str, predicate: str, value: str, *, since: Stretch | None = None, instead_of: str | None = None
    ) -> Fact: ...
    def retract(self, fact_id: str) -> Fact: ...
    def restore(self, fact_id: str) -> Fact: ...
    def resolve(self, fact_id: str) -> Fact: ...
    def pin(self, fact_id: str, *, off: bool = False) -> Fact: ...
    def undo(self, operation: int) -> int: ...
    def operations(self, run: int | None = None, limit: int = 50) -> list[Operation]: ...
    def selection(self, *, fact: str | None = None, about: str | None = None) -> Selection: ...
    def selected(self, selection: Selection, limit: int = 20) -> list[Episode]: ...
    def erase(self, selection: Selection) -> Receipt: ...
    def close(self) -> None: ...


MemorySource = MemoryPort | Callable[[], MemoryPort]
"""The memory, or what opens it; the latter is called in the background, after the first frame."""
ModelSource = LanguageModel | Callable[[], LanguageModel | None] | None
"""The model, what loads it in the background, or None for a memory that goes without."""
Report = SleepReport
