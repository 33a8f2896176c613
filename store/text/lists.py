"""A list of words is written as prose and read once: the same text gives the same frozen set."""

from __future__ import annotations

from functools import cache


@cache
def wordset(text: str) -> frozenset[str]:
    """The words of a text, split at spaces."""
    return frozenset(text.split())


@cache
def phrases(text: str) -> frozenset[str]:
    """The phrases of a text, split at commas."""
    return frozenset(part.strip() for part in text.split(",") if part.strip())
