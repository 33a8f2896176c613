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
    "context": 0.979,
    "context_share": 3.799,
    "context_sum": 3.206,
    "own": -0.146,
    "own_share": -2.901,
    "own_terms": 1.427,
    "days": 6.464,
    "session": 0.399,
    "second_before": 0.8,
    "second_after": -0.207,
    "dense": 1.933,
    "dense_spread": 2.445,
    "dense_asked": -0.653,
    "dense_before": -1.14,
    "dense_after": 0.224,
    "both": -2.76,
    "session_terms": 1.609,
    "session_dense": 1.751,
    "by_named": 0.621,
    "by_other": -0.613,
    "by_named_context": -0.189,
    "by_user": 4.156,
    "when_days": 7.122,
    "in_time": 2.675,
    "soon_after": 1.153,
    "lately": 0.194,
    "asks": -0.407,
    "length": -0.966,
    "length_context": 1.059,
    "short": -0.445,
    "own_voice": 0.408,
    "opening": 0.238,
    "dated": 0.167,
    "named": 0.07,
    "when=dated": 2.086,
    "count=counted": 0.8,
    "shown=shown": 0.236,
    "where=placed": 2.021,
    "who=named": 0.465,
    "which=named": 0.636,
    "why=reasoned": 0.664,
    "past=past": 0.596,
    "opinion_not_past": 0.021,
}
