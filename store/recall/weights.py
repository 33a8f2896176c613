"""Weights are data: LINEAR was not chosen by hand, and the command that made it can be run again.

    python -m tests.bench.locomo_recall DIR --fit

fits it to the five conversations of LoCoMo's dev half (listwise softmax loss, ridge 0.001); the same command prints what such
weights score on conversations that they were not fitted to. BM25 is the recipe that was measured before the first line was
written, on all ten conversations.
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
    "context": 0.26,
    "context_share": 5.025,
    "context_sum": 3.342,
    "own": 0.093,
    "own_share": -3.633,
    "own_terms": 1.564,
    "days": 5.537,
    "session": 2.331,
    "second_before": 0.867,
    "second_after": 0.08,
    "dense": 5.184,
    "dense_spread": 2.213,
    "dense_asked": -0.617,
    "dense_before": -0.88,
    "dense_after": 0.459,
    "both": -2.587,
    "by_named": 0.708,
    "by_other": -0.702,
    "by_named_context": -0.396,
    "by_user": 0.0,
    "when_days": 1.116,
    "in_time": 2.977,
    "soon_after": 1.887,
    "lately": 0.688,
    "asks": -0.541,
    "length": -1.631,
    "length_context": 1.11,
    "short": -0.046,
    "own_voice": 0.388,
    "opening": 0.071,
    "dated": 0.13,
    "named": 0.103,
    "when=dated": 2.163,
    "count=counted": 0.929,
    "shown=shown": 0.193,
    "where=placed": 2.064,
    "who=named": 0.639,
    "which=named": 0.541,
    "why=reasoned": 0.345,
    "past=past": 0.674,
    "opinion_not_past": 0.032,
}
