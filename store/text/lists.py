"""A list of words is written as prose, and read once where it is named."""

from __future__ import annotations


def wordset(text: str) -> frozenset[str]:
    """The words of a text, split at spaces."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The phrases of a text, split at commas."""
    return frozenset(part.strip() for part in text.split(",") if part.strip())
