"""An outline leaves out no rectangle, and tells of each only what stands in its own row.

The sentence, the sources and how sure it is of each of a hundred thousand facts take seconds to put together, and who
looks at them over time sees a few dozen at once: those can be asked for by their ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import apsw

from store.beliefs.asof import COLUMNS, fact_of
from store.database.rows import each, rows
from store.records import ChangeKind, Fact

_PERSON_FIRST = "n.name <> 'me', n.name"
_WITHIN = "f.predicate, f.slot, f.world_from, f.believed_from, f.id"


class FactOutline(NamedTuple):
    """What stands in the row of a fact; instants in microseconds UTC, and the offset in which each was said."""

    id: str
    slot: str
    subject: str
    predicate: str
    object: str
    valid_from: int | None
    valid_to: int | None
    valid_from_after: int | None
    valid_to_after: int | None
    precision: str
    precision_to: str
    valid_offset: int
    believed_from: int
    believed_from_offset: int
    believed_to: int | None
    believed_to_offset: int | None
    change: ChangeKind
    ended: ChangeKind | None
    disputed: int
    negative: int
    qualifiers: str
    world_to: int
    entity: str

    def fact(self, now: int) -> Fact:
        """The fact without its sources, how sure it is, and what it replaced."""
        return fact_of(self, (), 0.0, (), False, None, now, 0.0)


def outline(connection: apsw.Connection) -> list[FactOutline]:
    """Every rectangle that was ever believed: by subject, the person first, then by predicate, slot and world time."""
    found = each(
        connection,
        f"select {COLUMNS} from facts f cross join entities n on n.id = f.subject order by {_PERSON_FIRST}, {_WITHIN}",
    )
    return list(map(FactOutline._make, found))


def outlined(connection: apsw.Connection) -> Iterator[FactOutline]:
    """The same, one at a time: subject by subject, so that the first come at once however many there are."""
    names = rows(
        connection, f"select n.name, json_group_array(n.id) from entities n group by n.name order by {_PERSON_FIRST}"
    )
    for _name, keys in names:
        found = each(
            connection,
            f"select {COLUMNS} from json_each(?) k cross join facts f on f.subject = k.value "
            f"cross join entities n on n.id = f.subject order by {_WITHIN}",
            (keys,),
        )
        yield from map(FactOutline._make, found)
