"""A reply that speaks against a belief which the model was given is shown with that belief; it is never put right.

Only the words are compared (app/llm/checking.py), with the values that the belief's slot held at other times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.ports import MemoryPort
from app.llm.checking import SlotValues, contradictions
from store.errors import NotFound
from store.records import Fact, Hit


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence of a reply, and the belief against which it speaks."""

    sentence: str
    fact: Fact


def doubts(memory: MemoryPort, reply: str, given: Sequence[Hit]) -> tuple[Doubt, ...]:
    """What speaks against the beliefs among what the model was given."""
    facts = {held: fact for fact in _beliefs(memory, given) if (held := _held(memory, fact)) is not None}
    return tuple(
        Doubt(contradiction.sentence, facts[contradiction.held]) for contradiction in contradictions(reply, list(facts))
    )


def _beliefs(memory: MemoryPort, given: Sequence[Hit]) -> list[Fact]:
    found = []
    for hit in given:
        if hit.kind == "fact":
            try:
                found.append(memory.beliefs.fact(hit.id))
            except NotFound:  # a sleep has folded its slot anew since
                continue
    return found


def _held(memory: MemoryPort, fact: Fact) -> SlotValues | None:
    """The belief's value and what its slot held at other times; None for what somebody is not, or does not do."""
    if fact.negative:
        return None
    links = [link.fact for link in memory.beliefs.chain(fact.subject, fact.predicate)]
    holding = {one.object for one in links if one.valid_to is None and one.believed_to is None and not one.negative}
    if fact.valid_to is not None:
        holding = {fact.object}
    others = dict.fromkeys(one.object for one in links if one.object not in holding)
    return SlotValues(fact.object, tuple(others))
