"""Query text reaches FTS5 only as quoted strings, so no query is a syntax error and none is an operator."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from store.recall.scope import Scope

if TYPE_CHECKING:
    import apsw

COMMON = 0.03
"""A term in more than this share of all turns finds nobody: it is weighed, but no candidates are drawn from it..."""
FEW = 1_500
"""...unless that is still few turns..."""
MANY = 8_000
"""...and in more turns than this it finds nobody in any memory: FTS5 scores about a thousand turns a millisecond."""
COUNTED = 1_000
"""How many turns with a term are counted one by one."""
RANKED = 2_500
"""How many turns FTS5 may have to score: the rarest terms up to there draw the candidates, and always the rarest."""
TOGETHER = 3
"""How many common terms must be held together, if there are no others."""

_CANDIDATES = """
select f.rowid from episode_terms f cross join episodes e on e.row = f.rowid
where f.episode_terms match :match and {where} order by {order} limit :limit
"""
_FREQUENCY = """
select count(*), max(rowid) from (select rowid from episode_terms where episode_terms match :match limit :limit)
"""
_FREQUENCY_THEN = """
select count(*), max(rowid) from (
    select f.rowid from episode_terms f cross join episodes e on e.row = f.rowid
    where f.episode_terms match :match and e.said_at <= :believed limit :limit
)
"""
_TOLD = "select count(*) from episodes where said_at <= :believed"


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many turns each term of a query occurs."""

    total: int
    """The number of turns, or the highest row, which stands in for it."""
    counts: dict[str, int]

    def among(self, terms: Collection[str]) -> Frequencies:
        """Of these terms only; of all if no turn holds any of them."""
        chosen = {term: count for term, count in self.counts.items() if term in terms and count}
        return Frequencies(self.total, chosen) if chosen else self

    def rarity(self, term: str) -> float:
        """BM25's idf, never negative."""
        count = self.counts[term]
        return math.log1p((max(self.total - count, 0) + 0.5) / (count + 0.5))


def frequencies(connection: apsw.Connection, terms: Sequence[str], believed: int | None = None) -> Frequencies:
    """Count the turns that hold each term, of those said until `believed`: what was said later makes no word common.

    A term in very many turns is counted in the first of them, and the rest is guessed.
    """
    if believed is None:
        total = connection.execute("select coalesce(max(row), 0) from episodes").get
    else:
        total = connection.execute(_TOLD, {"believed": believed}).get
    return Frequencies(total, {term: _frequency(connection, term, total, believed) for term in terms})


def _frequency(connection: apsw.Connection, term: str, total: int, believed: int | None) -> int:
    values: dict[str, str | int] = {"match": match_of((term,)), "limit": COUNTED}
    if believed is None:
        count, highest = connection.execute(_FREQUENCY, values).get
    else:
        count, highest = connection.execute(_FREQUENCY_THEN, values | {"believed": believed}).get
    return int(count) if count < COUNTED else max(COUNTED * total // highest, COUNTED)


def candidates(connection: apsw.Connection, known: Frequencies, scope: Scope, limit: int) -> list[int]:
    """Rows of the turns that match best by FTS5's own bm25 over words and days, best first.

    Where every term is common, ranking all that hold one would take longer than the whole answer may: then the newest
    that hold the rarest of them together, and the newest that hold the rarest.
    """
    found = sorted((term for term, count in known.counts.items() if count), key=lambda term: known.counts[term])
    telling = [term for term in found if known.counts[term] <= max(FEW, min(COMMON * known.total, MANY))]
    if telling:
        cost = list(accumulate(known.counts[term] for term in telling))
        affordable = [term for term, total in zip(telling, cost, strict=True) if total <= RANKED]
        return _matching(connection, match_of(affordable or telling[:1]), scope, "f.rank", limit)
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
