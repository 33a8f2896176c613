"""Query text reaches FTS5 only as quoted strings, so no query is a syntax error and none is an operator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.recall.scope import Scope

if TYPE_CHECKING:
    import apsw

COMMON = 0.03
"""A term in more than this share of all turns finds nobody: it is weighed, but no candidates are drawn from it..."""
FEW = 1_500
"""...unless that is still few turns."""

_CANDIDATES = """
select f.rowid from episode_terms f cross join episodes e on e.row = f.rowid
where f.episode_terms match :match and {where} order by f.rank limit :limit
"""
_FREQUENCY = "select coalesce(max(doc), 0) from episode_vocab where term = ? and col in ('words', 'days')"


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many turns each term of a query occurs."""

    total: int
    """The highest row, which stands in for the number of turns."""
    counts: dict[str, int]

    def rarity(self, term: str) -> float:
        """BM25's idf, never negative."""
        count = self.counts[term]
        return math.log1p((max(self.total - count, 0) + 0.5) / (count + 0.5))


def frequencies(connection: apsw.Connection, terms: Sequence[str]) -> Frequencies:
    """Look the terms up in the vocabulary of words and days."""
    total = connection.execute("select coalesce(max(row), 0) from episodes").get
    return Frequencies(total, {term: connection.execute(_FREQUENCY, (term,)).get for term in terms})


def candidates(connection: apsw.Connection, known: Frequencies, scope: Scope, limit: int) -> list[int]:
    """Rows of the turns that match best by FTS5's own bm25 over words and days, best first."""
    found = {term: count for term, count in known.counts.items() if count}
    telling = [term for term, count in found.items() if count <= max(FEW, COMMON * known.total)]
    chosen = telling or sorted(found, key=lambda term: found[term])[:1]
    if not chosen:
        return []
    sql = _CANDIDATES.format(where=scope.where("e"))
    values: dict[str, str | int] = {"match": match_of(chosen), "limit": limit, **scope.bindings()}
    return [row for (row,) in connection.execute(sql, values)]


def match_of(terms: Sequence[str]) -> str:
    """An FTS5 expression that any of the terms satisfies, in words or days."""
    quoted = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
    return f"{{words days}} : ({quoted})"
