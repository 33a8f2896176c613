"""Links follow from the units that are there and visible: whatever the order of events was, the links are the same.

temporal  to the unit before it in its session, one.
semantic  to the nearest in meaning among the units that share a keyword and came shortly before, at most
          SEMANTIC_CAP, nearest first, the lower id first among equals (All-Mem, appendix B.1: total order, then trim).
version   from what stands for a unit to the unit, sibling between the parts of a split: made by edits alone.

All-Mem (B.3.2) redirects links to an archived unit to its representative; here the links of every unit around it are
found anew among those that are visible, which comes to that and does not depend on the past. What may change is
bounded: a unit's links look back at most WINDOW places in the list of each of its keywords.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw

from store.database.rows import LISTED, column, rows
from store.sleep.units import LinkKind, Unit, keywords_of, units_of

TEMPORAL_CAP, SEMANTIC_CAP, SIBLING_CAP = 1, 4, 4
"""Links of each kind that go out from one unit, at most. Version links have no cap: they are what keeps archived units
in reach (All-Mem, B.7)."""
CAPS: dict[LinkKind, int] = {"temporal": TEMPORAL_CAP, "semantic": SEMANTIC_CAP, "sibling": SIBLING_CAP}
NEAR = 0.5
"""The cosine from which on two units are linked."""
WINDOW = 16
"""How far back in the list of a keyword the links of a unit look."""
Way = tuple[str, str]
BEFORE, AFTER = ("<", "desc"), (">", "asc")
"""How SQL compares and sorts what came before something, and what came after it: the nearest first."""


def after_arrival(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """The units whose links may change when these come, go, or become visible again: to be asked while they are
    there."""
    touched: set[int] = set()
    for unit in units_of(connection, ids).values():
        touched |= {unit.id, *_sharing(connection, unit, AFTER), *_beside(connection, unit, AFTER)}
    return touched


def after_archiving(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """The units whose links may change when these leave the surface: those that link to them, and the next in their
    session."""
    listed = json.dumps(sorted(ids))
    linking = f"select from_id from unit_links where kind = 'semantic' and to_id in {LISTED}"
    touched = set(column(connection, linking, (listed,)))
    for unit in units_of(connection, ids).values():
        touched |= {unit.id, *_beside(connection, unit, AFTER)}
    return touched


def relink(connection: apsw.Connection, ids: Iterable[int]) -> None:
    """Find the temporal and semantic links of units anew; those that are gone or archived have none."""
    import numpy as np

    units = units_of(connection, ids)
    for key in sorted(units):
        connection.execute("delete from unit_links where from_id = ? and kind in ('temporal', 'semantic')", (key,))
        unit = units[key]
        if not unit.visible:
            continue
        links = [(key, "temporal", to, 1.0) for to in _beside(connection, unit, BEFORE)]
        near = list(_sharing(connection, unit, BEFORE).items())
        if near:
            links += [
                (key, "semantic", to, weight) for to, weight in nearest(np.frombuffer(unit.vector, np.int8), near)
            ]
        connection.executemany("insert into unit_links values (?, ?, ?, ?)", links)


def nearest(vector: object, near: Sequence[tuple[int, bytes]]) -> list[tuple[int, float]]:
    """The SEMANTIC_CAP nearest of (id, vector), with their cosines."""
    import numpy as np

    matrix = np.frombuffer(b"".join(row[1] for row in near), np.int8).reshape(len(near), -1).astype(np.float32)
    own = np.asarray(vector, np.float32)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(own)
    cosines = np.round(np.divide(matrix @ own, lengths, out=np.zeros(len(near), np.float32), where=lengths > 0), 4)
    ranked = sorted((-float(cosine), row[0]) for cosine, row in zip(cosines, near, strict=True) if cosine >= NEAR)
    return [(key, -cosine) for cosine, key in ranked[:SEMANTIC_CAP]]


def _sharing(connection: apsw.Connection, unit: Unit, way: Way) -> dict[int, bytes]:
    """The visible units that share a keyword and came shortly before or after, with their vectors."""
    found: dict[int, bytes] = {}
    sign, order = way
    for keyword in keywords_of(connection, unit.id):
        found |= dict(rows(
            connection,
            "select u.id, u.vector from (select k.unit_id from unit_keywords k where k.keyword = ?1 and "
            f"(k.said_at, k.unit_id) {sign} (?2, ?3) order by k.said_at {order}, k.unit_id {order} limit ?4) near "
            "join units u on u.id = near.unit_id where u.visible = 1",
            (keyword, unit.place.said_at, unit.id, WINDOW),
        ))  # fmt: skip
    return found


def _beside(connection: apsw.Connection, unit: Unit, way: Way) -> list[int]:
    """The visible unit right before or after it in its session."""
    sign, order = way
    place = unit.place
    return column(
        connection,
        "select u.id from units u where u.visible = 1 and u.session_id = ? "
        f"and (u.said_at, u.position, u.start, u.id) {sign} (?, ?, ?, ?) "
        f"order by u.said_at {order}, u.position {order}, u.start {order}, u.id {order} limit 1",
        (place.session_id, place.said_at, place.position, place.start, unit.id),
    )
