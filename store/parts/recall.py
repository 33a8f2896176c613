"""Evidence is found in one state of the file and ranked; no language model takes part, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from time import perf_counter
from typing import TYPE_CHECKING, Unpack

from apsw import Connection

from store.database.connections import Database
from store.episodes import person
from store.protocols import Embedder
from store.records import Hit, Judged, Recollection
from store.text.cleaning import whole

if TYPE_CHECKING:
    from store.recall.evidence import Evidence
    from store.recall.search import Within


WARMING = ("When did we meet last Friday?", "What about the 3rd of March 2021?", "How many weeks ago was that?")
"""Asked for the way to the answer alone: the answer is thrown away."""


class Recall:
    """Search what was said, and say why it was found."""

    def __init__(self, database: Database, zone: tzinfo, embedder: Embedder, latest: Callable[[], int]) -> None:
        self._database, self._zone, self._embedder, self._latest = database, zone, embedder, latest

    def search(self, query: str, *, k: int = 10, fast: bool = False, **within: Unpack[Within]) -> Recollection:
        """The evidence for a query, ranked; never calls a language model. `fast` leaves out the reading of the first
        ones beside the query."""
        from store.recall import rerank, search

        query, fast = whole(query), fast or k <= 0
        with self._database.reader() as reader:  # sees one state of the file, for as long as it is held
            found = search.recall(
                reader, query, k=k if fast else max(k, rerank.READ), embedder=self._embedder,
                now=self._latest(), zone=self._zone, **within,
            )  # fmt: skip
            if fast:
                return found
            began = perf_counter()
            hits = rerank.reranked(found.hits, _gained(reader, query, found.hits, within.get("believed")))[:k]
        return replace(found, hits=hits, elapsed_ms=found.elapsed_ms + (perf_counter() - began) * 1000)

    def explain(self, query: str, *, k: int = 10, fast: bool = False, **within: Unpack[Within]) -> Judged:
        """What `search` finds, with each channel's rank and score, and what the filters left out."""
        from store.recall import rerank, search

        query, fast = whole(query), fast or k <= 0
        with self._database.reader() as reader:
            judged = search.explain(
                reader, query, k=k if fast else max(k, rerank.READ), embedder=self._embedder,
                now=self._latest(), zone=self._zone, **within,
            )  # fmt: skip
            if fast:
                return judged
            gained = _gained(reader, query, [hit.hit for hit in judged.hits], within.get("believed"))
        judged = rerank.rejudged(judged, gained)
        return replace(judged, hits=judged.hits[:k])

    def evidence(self, question: str, k: int, believed: int | None, source: str | None = None) -> tuple[Evidence, ...]:
        """The turns that bear most on a question, best first; `source` leaves out all others."""
        from store.recall import evidence

        reader = self._database.reader()
        return evidence.gather(
            reader, whole(question), k, believed=believed, embedder=self._embedder, now=self._latest(),
            zone=self._zone, person=person.speakers(reader), source=source,
        )  # fmt: skip

    def warm(self) -> None:
        """Load and compile what the first turns and questions of a process would wait for; changes no answer."""
        from store.reading.asking.encoder import shipped as asker
        from store.reading.encoder import Before, shipped

        shipped().read([("Hello.", Before())])
        asker().intent("Where do I live?")
        for question in WARMING:
            self.search(question, fast=True)


def _gained(reader: Connection, query: str, hits: Sequence[Hit], believed: int | None) -> dict[str, float]:
    """What being read beside the query adds to the score of each turn."""
    from store.reading.asking.encoder import shipped
    from store.recall import evidence, rerank

    speakers = person.speakers(reader)
    found = evidence.of_hits(reader, hits[: rerank.READ], believed=believed, person=speakers, quotable=False)
    return rerank.points(query, found, shipped())
