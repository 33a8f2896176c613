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
COUNTED = 2_000
"""How many turns with a term are counted one by one."""
TOGETHER = 3
"""How many common terms must be held together, if there are no others."""

_CANDIDATES = """
select f.rowid from episode_terms f cross join episodes e on e.row = f.rowid
where f.episode_terms match :match and {where} order by {order} limit :limit
"""
_FREQUENCY = """
select count(*), max(rowid) from (select rowid from episode_terms where episode_terms match ? limit ?)
"""


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
    """Count the turns that hold each term; one in very many is counted in the oldest of them, the rest guessed."""
    total = connection.execute("select coalesce(max(row), 0) from episodes").get
    return Frequencies(total, {term: _frequency(connection, term, total) for term in terms})


def _frequency(connection: apsw.Connection, term: str, total: int) -> int:
    count, highest = connection.execute(_FREQUENCY, (match_of((term,)), COUNTED)).get
    return int(count) if count < COUNTED else max(COUNTED * total // highest, COUNTED)


def candidates(connection: apsw.Connection, known: Frequencies, scope: Scope, limit: int) -> list[int]:
    """Rows of the turns that match best by FTS5's own bm25 over words and days, best first.

    Where every term is common, ranking all that hold one would take longer than the whole answer may: then the newest
    that hold the rarest of them together, and the newest that hold the rarest.
    """
    found = sorted((term for term, count in known.counts.items() if count), key=lambda term: known.counts[term])
    telling = [term for term in found if known.counts[term] <= max(FEW, COMMON * known.total)]
    if telling:
        return _matching(connection, match_of(telling), scope, "f.rank", limit)
    if not found:
        return []
    together = _matching(connection, match_of(found[:TOGETHER], " AND "), scope, "f.rowid desc", limit)
    newest = _matching(connection, match_of(found[:1]), scope, "f.rowid desc", limit)
    return list(dict.fromkeys([*together, *newest]))[:limit]


def _matching(connection: apsw.Connection, match: str, scope: Scope, order: str, limit: int) -> list[int]:
    sql = _CANDIDATES.format(where=scope.where("e"), order=order)
    values: dict[str, str | int] = {"match": match, "limit": limit, **scope.bindings()}
    return [row for (row,) in connection.execute(sql, values)]


def match_of(terms: Sequence[str], joined: str = " OR ") -> str:
    """An FTS5 expression over words and days that any of the terms satisfies (or all, if joined by AND)."""
    quoted = joined.join('"' + term.replace('"', '""') + '"' for term in terms)
    return f"{{words days}} : ({quoted})"
