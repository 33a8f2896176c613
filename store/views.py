"""One question sees one state of the memory: what it reads twice is read once, and dropped with the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from store.belief import asof
from store.records import Entity, Fact, Hit

if TYPE_CHECKING:
    from apsw import Connection

    from store.memory import Memory


class Beliefs:
    """What the answers of tier 2 read, for the length of one question."""

    def __init__(self, memory: Memory, connection: Connection) -> None:
        self._memory, self._connection = memory, connection
        self._facts: dict[tuple[str | None, tuple[str, ...] | None, int | None], list[Fact]] = {}

    @cached_property
    def _entities(self) -> list[Entity]:
        return self._memory.entities()

    @cached_property
    def _now(self) -> int:
        return self._memory.latest()

    def subjects(self) -> Sequence[Entity]:
        """Everybody and everything known."""
        return self._entities

    def facts(self, subject: str | None, predicates: Sequence[str] | None, *, believed: int | None) -> list[Fact]:
        """Every rectangle believed at `believed` (None: now), over all of world time."""
        asked = (subject, None if predicates is None else tuple(predicates), believed)
        if asked not in self._facts:
            self._facts[asked] = self._read(*asked)
        return self._facts[asked]

    def _read(self, subject: str | None, predicates: tuple[str, ...] | None, believed: int | None) -> list[Fact]:
        connection = self._connection
        key = None if subject is None else asof.entity_key(connection, subject)
        if subject is not None and key is None:
            return []
        return asof.facts_where(connection, subject=key, predicates=predicates, believed=believed, now=self._now)

    def history(self, subject: str, predicate: str) -> list[Fact]:
        """Every rectangle that was ever believed."""
        connection = self._connection
        key = asof.entity_key(connection, subject) or subject
        return asof.facts_where(connection, subject=key, predicates=(predicate,), everything=True, now=self._now)

    def turns(self, query: str, k: int, believed: int | None) -> Sequence[Hit]:
        """Turns that may answer, said no later than `believed`."""
        return self._memory.recall(query, k=k, believed=believed).hits
