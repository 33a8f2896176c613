"""An outline leaves out no rectangle, and tells of each only what stands in its own row.

The sentence, the sources and how sure it is of each of a hundred thousand facts take seconds to put together, and who
looks at them over time sees a few dozen at once: those can be asked for by their ids.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from store.beliefs.asof import COLUMNS, FactOutline
from store.database.rows import each, rows

_PERSON_FIRST = "n.name <> 'me', n.name"
_WITHIN = "f.predicate, f.slot, f.world_from, f.believed_from, f.id"


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
