"""No hit was said after `believed`, and none is out of scope: what may not be seen is gone before anything is ranked.

Candidates come from two channels: full text (lexical) and vectors (dense). Their neighbours join them, for an answer
stands beside its question. All are then judged by the same features, and the weighted sum decides
(`store/recall/weights.py`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from store.episodes.marks import ASKS
from store.recall import dense, fusion, lexical, soft
from store.recall.features import QueryCase, context_scores, features
from store.recall.query import Query, read
from store.recall.scope import Scope, scope_of
from store.recall.surroundings import look_around
from store.recall.weights import LINEAR
from store.records import EPOCH, Hit, Instant, Judged, JudgedHit, Recollection, Stretch

if TYPE_CHECKING:
    import apsw
    import numpy as np
    import numpy.typing as npt

    from store.protocols import Embedder

    Floats = npt.NDArray[np.float32]

CHANNELS = ("lexical", "dense")
DRAWN: Mapping[str, int] = {"lexical": 26, "dense": 12}
"""How many candidates each channel proposes, before their neighbours join. Measured on LoCoMo: half as many again find
nothing more among the first five."""

READ_CLOSELY = 64
"""How many candidates are compared word by word, by near words too."""

_SPEAKERS = """
with recursive names(name) as (
    select min(speaker) from episodes
    union all
    select (select min(speaker) from episodes where speaker > names.name) from names
    where names.name is not null limit 200
)
select name from names where exists (select 1 from episodes where speaker = names.name and said_at <= :believed)
"""
_HITS = """
select e.row, e.id, e.external_id, s.key, e.speaker, e.text, e.said_at, e.said_offset
from carray(:rows) c cross join episodes e on e.row = c.value join sessions s on s.id = e.session_id
"""
_REMOVED = """
select e.id, case when e.said_at > :believed then 'said later'
    when :session_id >= 0 and e.session_id <> :session_id then 'another session'
    when :speaker <> '' and e.speaker <> :speaker then 'another speaker'
    when :source <> '' and e.source <> :source then 'another source' else 'hidden' end
from carray(:rows) c cross join episodes e on e.row = c.value where not ({where}) order by e.row
"""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCandidates:
    """The candidates of one query with everything that was found out about them."""

    query: Query
    vector: Floats
    """Of the query without names."""
    known: lexical.Frequencies
    rows: npt.NDArray[np.int64]
    features: dict[str, Floats]
    channels: dict[str, dict[int, int]]
    """channel -> row -> rank."""
    scores: dict[str, Floats]
    """channel -> the score of each candidate."""


class Within(TypedDict, total=False):
    """The times and the turns that a query is asked of; `session`, `speaker` and `source` leave out all other turns
    before anything is ranked."""

    as_of: Stretch | None
    """A world time. Turns are evidence whenever they were said, so it hides none, but those said in it or soon after
    come first."""
    believed: int | None
    """Microseconds UTC: the memory as it stood then; None for as it is."""
    session: str | None
    speaker: str | None
    source: str | None


class QueryContext(Within):
    """What a query is asked with, beside its words."""

    embedder: Embedder
    now: int
    """Microseconds UTC: "last week" is counted from here, and recency counted back."""
    zone: tzinfo


def recall(connection: apsw.Connection, query: str, *, k: int = 10, **asked: Unpack[QueryContext]) -> Recollection:
    """The `k` turns that bear most on a query, best first."""
    started = time.perf_counter()
    _, judged = _judged(connection, query, k, asked)
    hits = tuple(hit for _, hit in _best(connection, judged, k)) if judged else ()
    spent = (time.perf_counter() - started) * 1_000
    return Recollection(query, hits, spent, asked.get("as_of"), asked.get("believed"))


def explain(connection: apsw.Connection, query: str, *, k: int = 10, **asked: Unpack[QueryContext]) -> Judged:
    """Why `recall`, asked the same, gives what it gives: the same hits in the same order, with what decided."""
    scope, judged = _judged(connection, query, k, asked)
    as_of, believed = asked.get("as_of"), asked.get("believed")
    if scope is None or judged is None:
        return Judged(query, (), 0, (), (), as_of, believed)
    terms = tuple(
        (term, judged.known.counts[term], judged.known.rarity(term) * weight)
        for term, weight in zip(judged.query.terms, judged.query.emphasis, strict=True)
    )
    hits = tuple(_why(judged, row, hit, rank) for rank, (row, hit) in enumerate(_best(connection, judged, k), start=1))
    return Judged(query, terms, len(judged.rows), hits, _removed(connection, judged, scope), as_of, believed)


def _judged(
    connection: apsw.Connection, query: str, k: int, asked: QueryContext
) -> tuple[Scope | None, JudgedCandidates | None]:
    """What may be seen, and what is found out about the candidates in it; None where there is nothing."""
    believed, now = asked.get("believed"), asked["now"]
    scope = scope_of(
        connection, believed=believed, session=asked.get("session"), speaker=asked.get("speaker"),
        source=asked.get("source"),
    )  # fmt: skip
    if scope is None or k <= 0:
        return scope, None
    judged = judge(
        connection, query, scope, embedder=asked["embedder"], now=now if believed is None else min(now, believed),
        zone=asked["zone"], as_of=asked.get("as_of"),
    )  # fmt: skip
    return scope, judged


def _why(judged: JudgedCandidates, row: int, hit: Hit, rank: int) -> JudgedHit:
    place = int(judged.rows.searchsorted(row))
    channels = tuple((name, at, float(judged.scores[name][place])) for name, at in hit.channels)
    points = {
        name: weight * float(judged.features[name][place] - judged.features[name].mean())
        for name, weight in LINEAR.items()
    }
    told = sorted(points.items(), key=lambda item: -abs(item[1]))
    return JudgedHit(hit, rank, channels, tuple((name, value) for name, value in told if value))


def _removed(connection: apsw.Connection, judged: JudgedCandidates, scope: Scope) -> tuple[tuple[str, str], ...]:
    """What the channels would have drawn without filters, and which filter left it out."""
    import apsw
    import numpy as np

    known = judged.known.among(judged.query.matter())
    everything = Scope(include_inactive=True)
    drawn = _draw(connection, judged.query, known, judged.vector, dense.matrix(connection), everything, CHANNELS)
    rows = np.array(sorted({row for found in drawn.values() for row in found}), dtype=np.int64)
    values = {"rows": apsw.carray(rows, flags=apsw.SQLITE_CARRAY_INT64), **scope.bindings()}
    sql = _REMOVED.format(where=scope.where("e"))
    return tuple((str(id_), str(reason)) for id_, reason in connection.execute(sql, values)) if len(rows) else ()


def judge(
    connection: apsw.Connection,
    text: str,
    scope: Scope,
    *,
    embedder: Embedder,
    now: int,
    zone: tzinfo,
    as_of: Stretch | None = None,
    channels: Sequence[str] = CHANNELS,
) -> JudgedCandidates | None:
    """Draw candidates from the channels and find out everything about them; None if there are none.

    A query without a single word, sign or emoji draws nobody.
    """
    anchor = (EPOCH + timedelta(microseconds=now)).astimezone(zone)
    query = _read(connection, text, anchor, as_of, scope)
    if not query.terms:
        return None
    vector = embedder.embed([query.bare])[0]
    matrix = dense.matrix(connection) if "dense" in channels else None
    known = lexical.frequencies(connection, query.terms, scope.believed)
    drawn = _draw(connection, query, known.among(query.matter()), vector, matrix, scope, channels)
    seeds = list(dict.fromkeys(row for rows in drawn.values() for row in rows))
    seen = look_around(connection, seeds, query.terms, scope)
    if seen is None:
        return None
    import numpy as np

    cosine = np.zeros(len(seen.rows), np.float32) if matrix is None else dense.similarities(matrix, vector, seen.rows)
    rarity = np.array([known.rarity(term) for term in query.terms], np.float32)
    rarity *= np.array(query.emphasis, np.float32)
    rows = seen.rows[seen.candidates]
    unread, unweighed = np.zeros_like(seen.words), np.zeros(len(rows), np.float32)
    centre, width = float(cosine.mean()), float(cosine.std())
    case = QueryCase(query, seen, rarity, cosine, unread, unweighed, centre, width, now)
    case = replace(case, context=context_scores(case))
    case = replace(case, soft=soft.held(query.terms, _closely(case), embedder))
    scores = {"lexical": case.context, "dense": case.here(cosine)}
    ranks = {name: fusion.ranks_of(scores[name], rows) for name in CHANNELS}
    return JudgedCandidates(query, vector, known, rows, features(case), ranks, scores)


def _read(connection: apsw.Connection, text: str, anchor: datetime, as_of: Stretch | None, scope: Scope) -> Query:
    speakers = [name for (name,) in connection.execute(_SPEAKERS, scope.bindings())]
    query = read(text, speakers, anchor)
    return query if as_of is None else replace(query, stretch=as_of)


def _closely(case: QueryCase) -> list[str]:
    """The words of the turns that are read word by word: the most promising and the questions before them, for reading
    all of them would take as long as the rest. Of the others, nothing."""
    import numpy as np

    seen, words, cosine = case.seen, case.context, case.here(case.cosine)
    promise = words / (float(words.max()) + 1e-9) + case.spread(cosine)
    best = np.argsort(-promise, kind="stable")[:READ_CLOSELY]
    before = seen.around[-1][best]
    questions = before[(before >= 0) & (seen.signs[ASKS][before] > 0)]
    told = [""] * len(seen.text)
    for place in {*seen.candidates[best].tolist(), *questions.tolist()}:
        told[place] = seen.text[place]
    return told


def _draw(
    connection: apsw.Connection,
    query: Query,
    known: lexical.Frequencies,
    vector: Floats,
    matrix: dense.Matrix | None,
    scope: Scope,
    channels: Sequence[str],
) -> dict[str, list[int]]:
    """Each channel's candidates, best first."""
    drawn: dict[str, list[int]] = {}
    if "lexical" in channels:
        drawn["lexical"] = lexical.candidates(connection, known, scope, DRAWN["lexical"])
    if matrix is not None:
        drawn["dense"] = dense.candidates(connection, matrix, vector, scope, DRAWN["dense"])
    return drawn


def _best(connection: apsw.Connection, judged: JudgedCandidates, k: int) -> list[tuple[int, Hit]]:
    """The best `k` candidates that any channel ranks, the newer first where scores are equal; each with its row."""
    import apsw
    import numpy as np

    scores = fusion.weighted(judged.features, LINEAR)
    order = np.lexsort((-judged.rows, -scores))
    told = (place for place in order if _ranked(judged, int(judged.rows[place])))
    score = {int(judged.rows[place]): float(scores[place]) for place in islice(told, k)}
    rows = apsw.carray(np.array(list(score), dtype=np.int64), flags=apsw.SQLITE_CARRAY_INT64)
    found = {turn[0]: turn for turn in connection.execute(_HITS, {"rows": rows})} if score else {}
    return [(row, _hit(found[row], score[row], _ranked(judged, row))) for row in score]


def _ranked(judged: JudgedCandidates, row: int) -> tuple[tuple[str, int], ...]:
    return tuple((name, ranks[row]) for name, ranks in judged.channels.items() if row in ranks)


def _hit(turn: tuple[Any, ...], score: float, channels: tuple[tuple[str, int], ...]) -> Hit:
    _, id_, external_id, session, speaker, text, said_at, said_offset = turn
    said = Instant(said_at, said_offset)
    return Hit("episode", id_, external_id, session, speaker, text, said, score, channels)
