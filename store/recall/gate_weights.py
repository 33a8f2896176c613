"""Weights are data: none was chosen by hand, and the command that made them can be run again.

    python -m tests.bench.gate_curve data/locomo-dev --fit

fits them to the five conversations of LoCoMo's dev half (logistic, ridge 0.01), and prints what such weights are worth
on conversations that they were not fitted to. QUOTED and NEVER are the lowest points at which nine in ten were right
there.
"""

from __future__ import annotations

from typing import Final

CLOSE: Final = 0.2
"""The likeliest turn is pointed at as the nearest thing that was said where `gate.answers` is at least this."""

ANSWERS: Final[dict[str, float]] = {
    "when": 0.752,
    "where": -0.085,
    "who": 0.236,
    "why": 0.183,
    "how": -0.486,
    "how many": -1.104,
    "how long": 0.418,
    "polar": 0.12,
    "one": -3.79,
    "opinion": 0.284,
    "list": -0.461,
    "mine": 0.0,
    "timed": -0.036,
    "negated": 0.375,
    "by": -0.086,
    "other": -0.149,
    "several": 0.444,
    "first": -0.125,
    "by_first": 0.535,
    "asks": -0.083,
    "short": -0.143,
    "length": -0.35,
    "held": -0.125,
    "own": -0.053,
    "exact": -0.554,
    "least": 0.421,
    "whole": -0.094,
    "missing": -0.462,
    "matter": 0.488,
    "count": 0.503,
    "near": 0.053,
    "asked": -0.117,
    "fitting": 0.446,
    "score": 1.75,
    "margin": 0.404,
    "apart": 0.775,
    "first_found": 0.465,
    "lexical": 0.695,
    "dense": 0.195,
    "in_time": -0.064,
    "soon": 0.23,
    "late": 0.0,
    "by_held": 0.271,
    "by_margin": 0.913,
    "by_score": 0.621,
    "by_whole": -0.293,
    "by_own": -0.119,
    "by_least": 0.628,
    "when_fitting": 0.159,
    "list_margin": -0.201,
}

UNTOLD: Final[dict[str, float]] = {
    "one": -2.697,
    "best": -2.276,
    "others": 1.485,
    "by_score": -0.184,
    "other_score": 0.306,
    "by_ahead_score": -0.542,
    "by_held": 0.192,
    "other_held": 0.36,
    "by_ahead_held": -0.148,
    "by_own": -0.609,
    "other_own": 0.21,
    "by_ahead_own": -0.521,
    "by_near": 3.205,
    "other_near": 1.01,
    "by_ahead_near": 1.612,
    "top_by": -0.879,
    "top_other": 0.286,
    "top_several": 1.309,
    "top_margin": 1.03,
    "top_held": -0.975,
    "top_own": -0.032,
    "top_least": 0.398,
    "top_when": -1.841,
    "top_where": 0.926,
    "top_how many": -1.572,
    "top_opinion": -1.703,
    "top_list": -0.291,
    "top_why": 0.302,
    "top_count": 0.261,
    "top_late": 0.099,
    "top_timed": 0.14,
    "top_first": -0.584,
    "other_margin": 1.266,
    "other_whole": 0.474,
    "other_first": 0.489,
}

QUOTED: Final = 0.691
NEVER: Final = 0.794
