"""Query text reaches FTS5 only as quoted strings, so no query is a syntax error and none is an operator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.recall.query import Query
from store.recall.scope import Scope

if TYPE_CHECKING:
    import apsw

COMMON = 0.05
"""A term in more than this share of all turns finds nobody: it is weighed, but no candidates are drawn from it..."""
FEW = 5_000
"""...unless that is still few turns."""

_CANDIDATES = """
select f.rowid from episode_terms f cross join episodes e on e.row = f.rowid
where f.episode_terms match :match and {where} order by f.rank limit :limit
"""
_FREQUENCY = "select coalesce(max(doc), 0) from episode_vocab where term = ? and col in ('words', 'days')"


def rarities(connection: apsw.Connection, terms: Sequence[str]) -> dict[str, float]:
    """How rare each term is among all turns (BM25's idf, never negative)."""
    total, counts = _frequencies(connection, terms)
    return {term: math.log1p((max(total - count, 0) + 0.5) / (count + 0.5)) for term, count in counts.items()}


def candidates(connection: apsw.Connection, query: Query, scope: Scope, limit: int) -> list[int]:
    """Rows of the turns that match best by FTS5's own bm25 over words and days, best first."""
    total, counts = _frequencies(connection, query.terms)
    found = {term: count for term, count in counts.items() if count}
    telling = [term for term, count in found.items() if count <= max(FEW, COMMON * total)]
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


def _frequencies(connection: apsw.Connection, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    """The highest row, which stands in for the number of turns, and in how many turns each term occurs."""
    total = connection.execute("select coalesce(max(row), 0) from episodes").get
    return total, {term: connection.execute(_FREQUENCY, (term,)).get for term in terms}
