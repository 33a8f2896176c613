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
    "when": 0.915,
    "where": -0.105,
    "who": 0.207,
    "why": 0.122,
    "how": -0.5,
    "how many": -0.984,
    "how long": 0.33,
    "polar": 0.057,
    "one": -3.606,
    "opinion": 0.361,
    "list": -0.395,
    "mine": 0.638,
    "timed": -0.036,
    "negated": -0.111,
    "by": -0.109,
    "other": -0.104,
    "several": 0.421,
    "first": -0.047,
    "by_first": 0.501,
    "asks": -0.02,
    "short": 0.06,
    "length": -0.404,
    "held": -0.164,
    "own": -0.098,
    "exact": -0.343,
    "least": 0.429,
    "whole": -0.06,
    "missing": -0.31,
    "matter": 0.396,
    "count": 0.644,
    "near": -0.233,
    "asked": -0.194,
    "fitting": 0.407,
    "score": 1.753,
    "margin": 0.444,
    "apart": 0.69,
    "first_found": 0.437,
    "lexical": 0.686,
    "dense": 0.146,
    "in_time": -0.062,
    "soon": 0.216,
    "late": 0.0,
    "by_held": 0.346,
    "by_margin": 1.02,
    "by_score": 0.703,
    "by_whole": -0.287,
    "by_own": -0.148,
    "by_least": 0.603,
    "when_fitting": -0.05,
    "list_margin": -0.301,
}

UNTOLD: Final[dict[str, float]] = {
    "one": -3.087,
    "best": -2.17,
    "others": 0.78,
    "by_score": -0.318,
    "other_score": 0.013,
    "by_ahead_score": -0.369,
    "by_held": 0.033,
    "other_held": 0.266,
    "by_ahead_held": -0.194,
    "by_own": -0.603,
    "other_own": 0.348,
    "by_ahead_own": -0.615,
    "by_near": 3.182,
    "other_near": 1.072,
    "by_ahead_near": 1.397,
    "top_by": -0.842,
    "top_other": 0.453,
    "top_several": 1.025,
    "top_margin": 0.92,
    "top_held": -0.348,
    "top_own": -0.111,
    "top_least": 0.249,
    "top_when": -1.685,
    "top_where": 0.85,
    "top_how many": -0.512,
    "top_opinion": -1.628,
    "top_list": -0.267,
    "top_why": 0.231,
    "top_count": 0.369,
    "top_late": 0.151,
    "top_timed": 0.191,
    "top_first": -0.179,
    "other_margin": 1.441,
    "other_whole": 0.031,
    "other_first": 0.536,
}

QUOTED: Final = 0.705
NEVER: Final = 0.838
