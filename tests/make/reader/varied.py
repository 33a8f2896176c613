"""A message trained on twice need not name the same people and places twice; what it states stays the same.

Only names that were marked change, each for a name that was marked alike in another message, everywhere in the text. So
the network can't know a message by its names, and learns from the words around them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from typing import Any

Message = dict[str, Any]

SORTS = {
    "person": (
        "partner", "child", "sibling", "friend", "flatmate", "colleague", "boss", "neighbour", "parent", "relative",
        "ex", "acquaintance",
    ),
    "place": ("lives_in", "from", "born_in"),
    "organisation": ("works_at", "studies_at", "school"),
    "pet": ("pet",),
}  # fmt: skip
SORT_OF = {predicate: sort for sort, predicates in SORTS.items() for predicate in predicates}
_NAME = {
    "person": re.compile(r"[A-Z]\w{2,}"),
    "place": re.compile(r"[A-Z]\w{2,}(?: [A-Z]\w+)?"),
    "organisation": re.compile(r"[A-Z]\w{2,}(?: [A-Z]\w+)*"),
    "pet": re.compile(r"[A-Z]\w{2,}"),
}
OTHERWISE = 0.4
"""The chance that a name changes."""


def names_of(message: Message) -> dict[str, str]:
    """The names that a message marks as the value of a claim, with their sort."""
    found = {claim["o"]: SORT_OF[claim["p"]] for claim in message["claims"] if claim["p"] in SORT_OF}
    return {name: sort for name, sort in found.items() if _NAME[sort].fullmatch(name)}


def pools(messages: Iterable[Message]) -> dict[str, list[str]]:
    """All names by their sort."""
    found: dict[str, set[str]] = {sort: set() for sort in SORTS}
    for message in messages:
        for name, sort in names_of(message).items():
            found[sort].add(name)
    return {sort: sorted(names) for sort, names in found.items()}


def varied(message: Message, names: dict[str, list[str]], chance: random.Random) -> Message:
    """The message with some of its names changed."""
    changed = {
        name: chance.choice(names[sort]) for name, sort in names_of(message).items() if chance.random() < OTHERWISE
    }
    if not changed or set(changed.values()) & set(re.findall(r"\w+", message["text"])):
        return message
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(changed, key=len, reverse=True)))})\b")

    def renamed(text: str) -> str:
        return pattern.sub(lambda match: changed[match[0]], text)

    claims = [
        claim | {part: renamed(claim[part]) for part in ("s", "o", "w") if claim[part]} for claim in message["claims"]
    ]
    return message | {"text": renamed(message["text"]), "claims": claims}


def all_varied(messages: Sequence[Message], names: dict[str, list[str]], chance: random.Random) -> list[Message]:
    """Every message, varied anew, in the same order."""
    return [varied(message, names, chance) for message in messages]
