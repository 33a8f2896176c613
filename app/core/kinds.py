"""What is worked at, lived in or driven is no person: the memory takes whatever has a capital letter for one.

Only what is shown goes by this; who is whom in the memory does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from store.beliefs.predicates import find, with_trait
from store.records import Entity

if TYPE_CHECKING:
    from store.memory import Memory


def entities(memory: Memory) -> list[Entity]:
    """Everybody and everything, with a kind that fits what was ever said of others; a relation says more than that."""
    held = {
        one.object.casefold(): kind
        for predicate in with_trait("proper")
        if (kind := _of_value(predicate))
        for one in memory.beliefs.facts(predicate=predicate, everything=True)
    }
    return [
        one
        if one.kind != "person" or one.relation or one.id == "me"
        else replace(one, kind=held.get(one.name.casefold(), one.kind))
        for one in memory.people.entities()
    ]


def _of_value(predicate: str) -> str:
    known = find(predicate)
    if "where" in known.asks:
        return {"work": "organisation", "home": "place"}.get(known.group, "")
    return "thing" if "owned" in known.traits else ""
