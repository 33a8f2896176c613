"""Each label of the reader is one predicate of the registry, or two: what holds, and what happened once.

A line is data: label, predicate where it holds, predicate where it happened once (none: it held for that time only).
"""

from __future__ import annotations

from typing import NamedTuple

from store.beliefs.predicates import REGISTRY


class Label(NamedTuple):
    """What a label of the reader is in the registry."""

    holds: str
    happened: str


_TABLE = """
name name
nickname nickname
age age
born_on born_on
born_in born_in
from from
nationality nationality
gender gender
religion religion
lives_in lives_in
lives_with lives_with
home home
job job
works_at works_at
field works_in
boss boss
colleague colleague
pay salary paid
studies studies
studies_at studies_at
school school
degree degree
partner partner
relationship relationship_status
child child
parent parent
sibling sibling
relative relative
friend friend
neighbour neighbour
flatmate roommate
ex ex
acquaintance acquaintance
pet pet
kind kind
looks looks
health has_condition had
allergic_to allergic_to
medicine takes
diet diet
likes likes
dislikes dislikes
favourite favourite
habit habit event
sport sport event
plays plays event
hobby hobby event
goes_to goes_to event
member_of member_of
owns owns
drives drives
uses uses
subscribes subscribes_to
speaks speaks
learning learning
reading reading
watching watching
goal goal
measure measure measured
price price cost
schedule schedule event
located location
contact contact
expires expires_on expires_on
reply_style response_style
feels_about thinks
event event event
died died died
born born born
other detail event
"""


def _read() -> dict[str, Label]:
    cells = (line.split() for line in _TABLE.strip().splitlines())
    return {name: Label(holds, once[0] if once else "") for name, holds, *once in cells}


LABELS = _read()


def _backwards() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, label in LABELS.items():
        finer = (one.name for one in REGISTRY.values() if one.broader == label.holds)
        for predicate in filter(None, (label.holds, label.happened, *finer, *_TRADED.get(name, ()))):
            found.setdefault(predicate, set()).add(name)
    return {predicate: frozenset(names) for predicate, names in found.items()}


_TRADED = {"owns": ("bought", "sold")}
"""Events that are claimed where the reader hears that somebody has something."""


OF_PREDICATE = _backwards()
"""By predicate, the labels that it may come from; one that is not here is named by the words around a value."""
