"""Weights are data: LINEAR was not chosen by hand, and the command that made it can be run again.

    python -m tests.bench.locomo_recall data/locomo-dev --fit --with data/longmemeval-dev/s_haystacks.jsonl.gz

fits it to the five conversations of LoCoMo's dev half and, four times over, to 18 haystacks of LongMemEval's (listwise
softmax loss, ridge 0.001), and prints what such weights score on conversations that they were not fitted to. BM25 is
the recipe that was measured before the first line was written, on all ten conversations of LoCoMo.
"""

from __future__ import annotations

from typing import Final

BM25: Final[dict[str, float]] = {
    "k1": 0.5,
    "b": 0.15,
    "usual_length": 24.0,
    "asked": 1.0,
    "before": 0.1,
    "after": 0.15,
    "second_before": 0.25,
    "second_after": 0.1,
    "days": 0.3,
}

LINEAR: Final[dict[str, float]] = {
    "context": 0.955,
    "context_share": 1.949,
    "context_sum": 3.227,
    "own": -0.163,
    "own_share": -2.306,
    "own_terms": 0.972,
    "days": 6.711,
    "session": 0.333,
    "second_before": 1.005,
    "second_after": -0.151,
    "dense": 2.045,
    "dense_spread": 2.216,
    "dense_asked": -0.713,
    "dense_before": -1.135,
    "dense_after": 0.322,
    "both": -2.598,
    "session_terms": 0.662,
    "session_soft": 1.282,
    "session_dense": 1.689,
    "soft": 1.09,
    "by_named": 0.61,
    "by_other": -0.602,
    "by_named_context": -0.163,
    "by_user": 4.14,
    "when_days": 8.122,
    "in_time": 2.691,
    "soon_after": 1.154,
    "lately": 0.201,
    "asks": -0.389,
    "length": -1.025,
    "length_context": 1.038,
    "short": -0.479,
    "own_voice": 0.411,
    "opening": 0.234,
    "dated": 0.16,
    "named": 0.068,
    "when=dated": 2.084,
    "count=counted": 0.838,
    "shown=shown": 0.246,
    "where=placed": 1.961,
    "who=named": 0.476,
    "which=named": 0.632,
    "why=reasoned": 0.667,
    "past=past": 0.6,
    "opinion_not_past": 0.044,
}
