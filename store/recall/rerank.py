"""What recall finds first is read beside the query once more, and what reads as an answer to it moves up.

Cross-encoder reranking (Nogueira and Cho 2019, arXiv:1901.04085) of the first READ turns; the others keep their order.
The judgement is added to the learned score with one weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from store.reading.asking.encoder import Asker
from store.recall.evidence import Evidence
from store.recall.turns import LEAST, log_odds
from store.records import Hit, Judged, JudgedHit

READ = 12
"""Turns that are read beside the query: 8 ms each on one thread."""
WEIGHT = 0.5
"""Points of score for one of log odds. From 0.2 on LoCoMo says the same within half a point."""


def points(query: str, evidence: Sequence[Evidence], asker: Asker) -> dict[str, float]:
    """By the turn's id, what its reading beside the query adds to its score; 0 for those that are not read."""
    read = [one for one in evidence if one.hit.kind == "episode"][:READ]
    judged = asker.judge(query, [one.passage() for one in read])
    return {one.hit.id: WEIGHT * (log_odds(found.sure) - LEAST) for one, found in zip(read, judged, strict=True)}


def reranked(hits: Sequence[Hit], gained: dict[str, float]) -> tuple[Hit, ...]:
    """The hits with what they gained, best first; equal ones stay in their order."""
    scored = [replace(hit, score=hit.score + gained.get(hit.id, 0.0)) for hit in hits]
    return tuple(sorted(scored, key=lambda one: -one.score))


def rejudged(judged: Judged, gained: dict[str, float]) -> Judged:
    """The same for what explains a ranking: each hit names what its reading added."""
    mean = sum(gained.values()) / max(1, len(gained))
    order = {one.id: rank for rank, one in enumerate(reranked([one.hit for one in judged.hits], gained), start=1)}

    def told(one: JudgedHit) -> JudgedHit:
        gain = gained.get(one.hit.id, 0.0)
        reasons = (("reads as an answer", gain - mean), *one.reasons) if one.hit.id in gained else one.reasons
        ordered = tuple(sorted(reasons, key=lambda reason: -abs(reason[1])))
        return replace(one, hit=replace(one.hit, score=one.hit.score + gain), rank=order[one.hit.id], reasons=ordered)

    return replace(judged, hits=tuple(sorted((told(one) for one in judged.hits), key=lambda one: one.rank)))
