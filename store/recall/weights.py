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
    "context": 0.936,
    "context_share": 1.126,
    "context_sum": 3.156,
    "own": -0.181,
    "own_share": -2.067,
    "own_terms": 0.764,
    "days": 6.809,
    "session": 0.385,
    "second_before": 1.131,
    "second_after": -0.107,
    "dense": 2.363,
    "dense_spread": 2.133,
    "dense_asked": -0.734,
    "dense_before": -1.114,
    "dense_after": 0.401,
    "both": -2.597,
    "session_terms": -0.524,
    "session_soft": 2.662,
    "session_dense": 1.642,
    "soft": 1.715,
    "by_named": 0.604,
    "by_other": -0.595,
    "by_named_context": -0.146,
    "by_user": 4.14,
    "when_days": 7.614,
    "in_time": 2.724,
    "soon_after": 1.174,
    "lately": 0.179,
    "asks": -0.38,
    "length": -1.078,
    "length_context": 1.055,
    "short": -0.448,
    "own_voice": 0.41,
    "opening": 0.238,
    "dated": 0.155,
    "named": 0.068,
    "when=dated": 2.079,
    "count=counted": 0.837,
    "shown=shown": 0.247,
    "where=placed": 1.913,
    "who=named": 0.484,
    "which=named": 0.639,
    "why=reasoned": 0.673,
    "past=past": 0.602,
    "opinion_not_past": 0.033,
}
