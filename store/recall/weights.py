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
    "context_share": 0.752,
    "context_sum": 3.103,
    "own": -0.185,
    "own_share": -1.948,
    "own_terms": 0.666,
    "days": 6.993,
    "session": 0.515,
    "second_before": 1.206,
    "second_after": -0.086,
    "dense": 2.53,
    "dense_spread": 2.135,
    "dense_asked": -0.725,
    "dense_before": -1.074,
    "dense_after": 0.469,
    "both": -2.653,
    "session_terms": -1.179,
    "session_soft": 3.338,
    "session_dense": 1.62,
    "soft": 2.04,
    "by_named": 0.602,
    "by_other": -0.593,
    "by_named_context": -0.143,
    "by_user": 4.144,
    "when_days": 7.906,
    "in_time": 2.71,
    "soon_after": 1.205,
    "lately": 0.184,
    "asks": -0.381,
    "length": -1.102,
    "length_context": 1.063,
    "short": -0.466,
    "own_voice": 0.411,
    "opening": 0.249,
    "dated": 0.159,
    "named": 0.073,
    "when=dated": 2.077,
    "count=counted": 0.847,
    "shown=shown": 0.243,
    "where=placed": 1.902,
    "who=named": 0.494,
    "which=named": 0.644,
    "why=reasoned": 0.681,
    "past=past": 0.591,
    "opinion_not_past": 0.012,
}
