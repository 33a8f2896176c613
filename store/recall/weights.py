"""Weights are data: LINEAR was not chosen by hand, and the command that made it can be run again.

    python -m tests.bench.locomo_recall data/locomo-dev --fit --with data/longmemeval-dev/s_haystacks.jsonl.gz

fits it to the five conversations of LoCoMo's dev half and, four times over, to 18 haystacks of LongMemEval's (listwise
softmax loss, ridge 0.001), and prints what such weights score on conversations that they were not fitted to. BM25 is the
recipe that was measured before the first line was written, on all ten conversations of LoCoMo.
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
    "context": 0.009,
    "context_share": 4.448,
    "context_sum": 3.474,
    "own": -0.153,
    "own_share": -4.129,
    "own_terms": 2.046,
    "days": 5.762,
    "session": 2.151,
    "second_before": 0.987,
    "second_after": -0.08,
    "dense": 1.673,
    "dense_spread": 2.521,
    "dense_asked": -0.136,
    "dense_before": -0.583,
    "dense_after": 0.96,
    "both": -2.14,
    "by_named": 0.638,
    "by_other": -0.633,
    "by_named_context": -0.217,
    "by_user": 0.0,
    "when_days": 3.8,
    "in_time": 2.87,
    "soon_after": 1.909,
    "lately": 0.597,
    "asks": -0.585,
    "length": -1.225,
    "length_context": 1.013,
    "short": -0.315,
    "own_voice": 0.43,
    "opening": 0.195,
    "dated": 0.14,
    "named": 0.108,
    "when=dated": 2.146,
    "count=counted": 0.952,
    "shown=shown": 0.185,
    "where=placed": 2.068,
    "who=named": 0.937,
    "which=named": 0.61,
    "why=reasoned": 0.352,
    "past=past": 0.644,
    "opinion_not_past": -0.005,
}
