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
    "context": 0.028,
    "context_share": 4.976,
    "context_sum": 3.362,
    "own": -0.024,
    "own_share": -3.582,
    "own_terms": 1.371,
    "days": 5.617,
    "session": 2.121,
    "second_before": 0.87,
    "second_after": -0.121,
    "dense": 1.656,
    "dense_spread": 2.605,
    "dense_asked": -0.509,
    "dense_before": -0.934,
    "dense_after": 0.588,
    "both": -2.234,
    "by_named": 0.504,
    "by_other": -0.498,
    "by_named_context": 0.141,
    "by_user": 3.951,
    "when_days": 3.774,
    "in_time": 2.947,
    "soon_after": 1.88,
    "lately": 0.351,
    "asks": -0.545,
    "length": -1.098,
    "length_context": 0.741,
    "short": -0.378,
    "own_voice": 0.436,
    "opening": 0.36,
    "dated": 0.1,
    "named": 0.026,
    "when=dated": 2.097,
    "count=counted": 0.818,
    "shown=shown": 0.193,
    "where=placed": 2.086,
    "who=named": 0.381,
    "which=named": 0.689,
    "why=reasoned": 0.636,
    "past=past": 0.622,
    "opinion_not_past": -0.088,
}
