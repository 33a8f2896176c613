"""One question sees one state of the memory: what it reads twice is read once, and dropped with the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from store.beliefs import asof
from store.beliefs.unsure import unsure
from store.database.rows import scalar
from store.episodes import person
from store.records import DOCUMENT, DOCUMENT_SOURCE, Answer, Entity, Fact, Hit

if TYPE_CHECKING:
    from apsw import Connection

    from store.recall.evidence import Evidence

DAY = 86_400_000_000
_HAS_DOCUMENTS = "select exists(select 1 from sessions where key > ? and key < ?)"


class Gather(Protocol):
    """Gives the turns that bear most on a question, best first; `source` leaves out all others."""

    def __call__(
        self, question: str, k: int, believed: int | None, source: str | None = None
    ) -> Sequence[Evidence]: ...


class Beliefs:
    """What the answers of tier 2 read, for the length of one question."""

    def __init__(self, connection: Connection, now: int, gather: Gather) -> None:
        self._connection, self._now, self._gather = connection, now, gather
        self.read_turns = False
        """Whether any turn was looked at, beside the beliefs."""
        self._facts: dict[tuple[str | None, tuple[str, ...] | None, int | None], list[Fact]] = {}

    @cached_property
    def _entities(self) -> list[Entity]:
        return asof.entities(self._connection)

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

    def history(self, subject: str, predicate: str | None) -> list[Fact]:
        """Every rectangle that was ever believed, of one predicate or of all."""
        connection = self._connection
        key = asof.entity_key(connection, subject) or subject
        return asof.facts_where(
            connection,
            subject=key,
            predicates=None if predicate is None else (predicate,),
            everything=True,
            now=self._now,
        )

    def unsure(self, subject: str, believed: int | None, predicate: str) -> list[Fact]:
        """What the reader was unsure of, the latest first, of one predicate, said no later than `believed`; a
        source's speaker is "me" where the person said it."""
        self.read_turns = True
        key = asof.entity_key(self._connection, subject) or subject
        mine = person.speakers(self._connection)
        return [
            replace(one, sources=(replace(one.sources[0], speaker="me"),))
            if one.sources[0].speaker.casefold() in mine
            else one
            for one in unsure(self._connection, subject=key, predicate=predicate)
            if believed is None or one.believed_from.us <= believed
        ]

    def resting_on(self, episodes: Sequence[str]) -> list[Fact]:
        """Every rectangle that was ever believed on account of some turns."""
        return asof.facts_resting_on(self._connection, episodes, self._now)

    def texts(self, episodes: Sequence[str]) -> dict[str, str]:
        """The words of some turns, by episode id."""
        wanted = ",".join("?" * len(episodes))
        rows = self._connection.execute(f"select id, text from episodes where id in ({wanted})", tuple(episodes))
        return {str(key): str(text) for key, text in rows}

    def evidence(self, question: str, k: int, believed: int | None) -> Sequence[Evidence]:
        """The turns that bear most on a question, measured beside the questions that they answered."""
        self.read_turns = True
        return self._gather(question, k, believed)

    def documents(self, question: str, k: int, believed: int | None) -> Sequence[Evidence]:
        """Of these turns, the parts of documents."""
        self.read_turns = True
        if not scalar(self._connection, _HAS_DOCUMENTS, (DOCUMENT, f"{DOCUMENT}\U0010ffff")):
            return ()
        return self._gather(question, k, believed, DOCUMENT_SOURCE)

    def said_next(self, after: Hit, k: int, believed: int | None) -> Sequence[Hit]:
        """The next turns by whoever said one, none said after `believed`."""
        from store.recall.evidence import said_next

        return said_next(self._connection, after, k, believed=believed)

    def holds_until(self, now: int, midnight: int, answer: Answer) -> int:
        """The first moment after `now` at which time alone could change an answer: midnight, where anything that was
        read begins or ends, or whole days after something in the answer. Microseconds."""
        edges = (
            edge.us
            for facts in self._facts.values()
            for fact in facts
            for edge in (fact.valid_from, fact.valid_to)
            if edge is not None and edge.us > now
        )
        told = [edge for one in answer.facts for edge in (one.valid_from, one.valid_to, one.believed_from) if edge]
        told += [source.said_at for source in answer.sources]
        return min(midnight, min(edges, default=midnight), *(now + DAY - (now - edge.us) % DAY for edge in told))
