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
    "context": 0.716,
    "context_share": 0.391,
    "context_sum": 2.998,
    "own": -0.119,
    "own_share": -2.376,
    "own_terms": -0.872,
    "days": 6.966,
    "session": 0.495,
    "second_before": 0.745,
    "second_after": -0.152,
    "dense": 2.651,
    "dense_spread": 2.032,
    "dense_asked": -0.45,
    "dense_before": -1.188,
    "dense_after": 0.479,
    "both": -2.592,
    "session_terms": -0.02,
    "session_soft": 1.538,
    "session_dense": 1.766,
    "soft": 0.649,
    "soft_own": 2.281,
    "soft_since": 1.496,
    "soft_around": 0.258,
    "linked": 0.439,
    "slot": 0.308,
    "by_named": 0.599,
    "by_other": -0.585,
    "by_named_context": -0.269,
    "by_user": 4.175,
    "when_days": 7.742,
    "in_time": 2.773,
    "soon_after": 1.033,
    "lately": 0.136,
    "asks": -0.406,
    "length": -1.299,
    "length_context": 1.22,
    "short": -0.458,
    "own_voice": 0.419,
    "opening": 0.225,
    "dated": 0.123,
    "named": 0.066,
    "when=dated": 2.006,
    "count=counted": 0.749,
    "shown=shown": 0.364,
    "where=placed": 1.817,
    "who=named": 0.542,
    "which=named": 0.6,
    "why=reasoned": 0.651,
    "past=past": 0.495,
    "opinion_not_past": 0.075,
}
