"""A question asks for a predicate by words that the registry lists for it, and by no others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from store.beliefs import predicates
from store.beliefs.predicates import REGISTRY
from store.recall.answer_words import keys


@dataclass(frozen=True, slots=True)
class Sense:
    """What a predicate's words explain."""

    exact: frozenset[str]
    """Keys of its own words."""
    opposite: frozenset[str]
    """Keys of the predicate that shares its slot and denies it."""
    needed: frozenset[str]
    """Of a predicate with a name of its own: the keys that a question must hold to ask for it ("door", "code")."""


@lru_cache(maxsize=8192)
def sense(predicate: str) -> Sense:
    """The words by which a question may ask for a predicate."""
    known = predicates.find(predicate)
    exact = keys(" ".join([known.name, *known.nouns, *known.verbs, *known.aliases, *known.words]))
    if known.name not in REGISTRY:
        return Sense(exact, frozenset(), keys(known.name.removeprefix("number_of_").removeprefix("num_")))
    others = [
        one for one in REGISTRY.values() if known.family and one.family == known.family and one.name != known.name
    ]
    opposite = frozenset().union(*(keys(" ".join([one.name, *one.verbs])) for one in others)) - exact
    return Sense(exact, opposite, frozenset())
