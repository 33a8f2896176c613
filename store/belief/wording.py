"""A fact's sentence says who, what and whether it is past; it never says more than the fact does."""

from __future__ import annotations

from store.belief.predicates import REGISTRY, find

_BE = {"are": "aren't", "is": "isn't", "was": "wasn't", "were": "weren't", "can": "can't", "could": "couldn't"}


_RELATION = "has the "
OF_THE_VALUE = frozenset(["ends", "expires", "comes", "due"])
"""Events whose value is what ends, comes or is due: "your passport expires"."""
TAKING = "taking_"
"""How somebody takes their coffee: a predicate that is worded by its own verb phrase."""


def sentence(subject: str, predicate: str, value: str, *, past: bool = False, negative: bool = False) -> str:
    """One sentence about "me" (said to the person as "you") or somebody by name."""
    known = find(predicate)
    mine = subject == "me"
    if known.name in OF_THE_VALUE:
        return f"{'Your' if mine else _possessive(subject)} {value} {known.past if past else known.third}."
    if known.name.startswith(TAKING):
        verb = known.past if past else known.first if mine else known.third
        return f"{'You' if mine else _capital(subject)} {verb} {value}."
    # "You have the dentist Dr. Davis" is how no one speaks: a relation is worded as what it is, "your dentist is".
    if known.name not in REGISTRY or known.third.startswith(_RELATION):
        noun = known.name.replace("_", " ")
        verb = ("was" if past else "is") + (" not" if negative else "")
        return f"{'Your' if mine else _possessive(subject)} {noun} {verb} {value}."
    phrase = known.past if past else known.first if mine else known.third
    if mine and phrase.partition(" ")[0] == "was":
        phrase = f"were{phrase[3:]}"
    if negative:
        phrase = _negated(phrase, known.first, past=past, mine=mine)
    who = "You" if mine else _capital(subject.replace("my ", "your ", 1) if subject.startswith("my ") else subject)
    return f"{who} {phrase} {value}."


def _negated(phrase: str, base: str, *, past: bool, mine: bool) -> str:
    first, _, rest = phrase.partition(" ")
    if first in _BE:
        return f"{_BE[first]} {rest}".strip()
    helper = "didn't" if past else "don't" if mine else "doesn't"
    return f"{helper} {base}"


def _possessive(subject: str) -> str:
    return "Your " + subject[3:] + "'s" if subject.startswith("my ") else _capital(subject) + "'s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
