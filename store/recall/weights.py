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
    "context": 0.337,
    "context_share": 0.746,
    "context_sum": 3.142,
    "own": -0.045,
    "own_share": -3.217,
    "own_terms": -0.507,
    "days": 6.961,
    "session": 0.317,
    "second_before": 0.727,
    "second_after": -0.189,
    "dense": 1.73,
    "dense_spread": 2.152,
    "dense_vague": 1.257,
    "dense_asked": -0.449,
    "dense_before": -1.218,
    "dense_after": 0.41,
    "both": -2.579,
    "session_terms": 0.143,
    "session_soft": 1.57,
    "session_dense": 1.538,
    "session_dense_vague": 3.685,
    "soft": 0.55,
    "soft_own": 2.377,
    "soft_since": 1.417,
    "soft_around": 0.213,
    "by_named": 0.58,
    "by_other": -0.561,
    "by_named_context": -0.211,
    "by_user": 4.189,
    "when_days": 7.279,
    "in_time": 2.703,
    "soon_after": 1.021,
    "lately": 0.065,
    "asks": -0.407,
    "length": -1.448,
    "length_context": 1.393,
    "short": -0.489,
    "own_voice": 0.428,
    "opening": 0.229,
    "dated": 0.126,
    "named": 0.07,
    "when=dated": 2.008,
    "count=counted": 0.718,
    "shown=shown": 0.383,
    "where=placed": 1.869,
    "who=named": 0.479,
    "which=named": 0.594,
    "why=reasoned": 0.639,
    "past=past": 0.494,
    "opinion_not_past": 0.09,
}
