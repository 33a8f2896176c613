"""A first name hints at he or she only where it is nearly always one of them; any other name may be either."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from store.text.lists import wordset


def gender_of(name: str) -> str:
    """m or f for a first name that is nearly always one of them; else n."""
    first = name.lower().split()[0] if name.strip() else ""
    hers, his = _names()
    if first in hers:
        return "f"
    return "m" if first in his else "n"


@cache
def _names() -> tuple[frozenset[str], frozenset[str]]:
    """(hers, his), of given_names.txt."""
    _, hers, his = files("store.reading").joinpath("given_names.txt").read_text("utf-8").split("\n\n")
    return wordset(hers), wordset(his)
