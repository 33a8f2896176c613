"""Weights are data: none was chosen by hand, and the command that made them can be run again.

    python -m tests.bench.gate_curve data/locomo-dev data/longmemeval-dev/s_haystacks.jsonl.gz --fit

fits them to the five conversations of LoCoMo's dev half and to 21 haystacks of LongMemEval's (logistic, ridge 0.01),
and prints what such weights are worth on conversations that they were not fitted to; the haystacks count as one. QUOTED
and NEVER are the lowest points at which nine in ten were right there.
"""

from __future__ import annotations

from typing import Final

CLOSE: Final = 0.2
"""The likeliest turn is pointed at as the nearest thing that was said where `gate.answers` is at least this."""

ANSWERS: Final[dict[str, float]] = {
    "when": 0.902,
    "where": -0.095,
    "who": 0.185,
    "why": 0.105,
    "how": -0.522,
    "how many": -1.026,
    "how long": 0.317,
    "polar": 0.038,
    "one": -3.53,
    "opinion": 0.349,
    "list": -0.41,
    "mine": 0.744,
    "timed": -0.072,
    "negated": -0.076,
    "by": -0.079,
    "other": -0.129,
    "several": 0.398,
    "first": -0.073,
    "by_first": 0.536,
    "asks": -0.043,
    "short": 0.127,
    "length": -0.428,
    "held": -0.151,
    "own": -0.033,
    "exact": -0.463,
    "least": 0.446,
    "whole": -0.078,
    "missing": -0.36,
    "matter": 0.455,
    "count": 0.561,
    "near": -0.184,
    "asked": -0.161,
    "fitting": 0.405,
    "score": 1.816,
    "margin": 0.458,
    "apart": 0.702,
    "first_found": 0.466,
    "lexical": 0.627,
    "dense": 0.125,
    "in_time": -0.101,
    "soon": 0.221,
    "late": 0.0,
    "by_held": 0.251,
    "by_margin": 0.976,
    "by_score": 0.731,
    "by_whole": -0.311,
    "by_own": -0.167,
    "by_least": 0.631,
    "when_fitting": -0.038,
    "list_margin": -0.289,
}

UNTOLD: Final[dict[str, float]] = {
    "one": -3.06,
    "best": -2.263,
    "others": 0.853,
    "by_score": -0.317,
    "other_score": 0.055,
    "by_ahead_score": -0.408,
    "by_held": 0.032,
    "other_held": 0.314,
    "by_ahead_held": -0.236,
    "by_own": -0.571,
    "other_own": 0.367,
    "by_ahead_own": -0.613,
    "by_near": 3.143,
    "other_near": 0.981,
    "by_ahead_near": 1.517,
    "top_by": -0.811,
    "top_other": 0.395,
    "top_several": 1.042,
    "top_margin": 0.931,
    "top_held": -0.307,
    "top_own": -0.079,
    "top_least": 0.174,
    "top_when": -1.656,
    "top_where": 0.889,
    "top_how many": -0.52,
    "top_opinion": -1.636,
    "top_list": -0.287,
    "top_why": 0.225,
    "top_count": 0.449,
    "top_late": 0.142,
    "top_timed": 0.185,
    "top_first": -0.272,
    "other_margin": 1.334,
    "other_whole": 0.068,
    "other_first": 0.545,
}

QUOTED: Final = 0.710
NEVER: Final = 0.809
