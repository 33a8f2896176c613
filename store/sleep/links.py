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
from collections.abc import Iterable

import apsw

from store.database.rows import LISTED, Row, column, each, rows
from store.sleep.units import LinkKind, Unit, units_of

TEMPORAL_CAP, SEMANTIC_CAP, SIBLING_CAP = 1, 4, 4
"""Links of each kind that go out from one unit, at most. Version links have no cap: they are what keeps archived units
in reach (All-Mem, B.7)."""
CAPS: dict[LinkKind, int] = {"temporal": TEMPORAL_CAP, "semantic": SEMANTIC_CAP, "sibling": SIBLING_CAP}
NEAR = 0.5
"""The cosine from which on two units are linked."""
WINDOW = 16
"""How far back in the list of a keyword the links of a unit look."""


def after_arrival(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """The units whose links may change when these come, go, or become visible again: to be asked while they are
    there."""
    touched: set[int] = set()
    for unit in units_of(connection, ids).values():
        touched |= {unit.id} | _followers(connection, unit) | _next(connection, unit)
    return touched


def after_archiving(connection: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """The units whose links may change when these leave the surface: those that link to them, and the next in their
    session."""
    listed = json.dumps(sorted(ids))
    linking = f"select from_id from unit_links where kind = 'semantic' and to_id in {LISTED}"
    touched = set(column(connection, linking, (listed,)))
    for unit in units_of(connection, ids).values():
        touched |= {unit.id} | _next(connection, unit)
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
        links = [(key, "temporal", to, 1.0) for to in _before(connection, unit)]
        near = _candidates(connection, unit)
        if near:
            links += [
                (key, "semantic", to, weight) for to, weight in nearest(np.frombuffer(unit.vector, np.int8), near)
            ]
        connection.executemany("insert into unit_links values (?, ?, ?, ?)", links)


def nearest(vector: object, near: list[Row]) -> list[tuple[int, float]]:
    """The SEMANTIC_CAP nearest of (id, vector), with their cosines."""
    import numpy as np

    matrix = np.frombuffer(b"".join(row[1] for row in near), np.int8).reshape(len(near), -1).astype(np.float32)
    own = np.asarray(vector, np.float32)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(own)
    cosines = np.round(np.divide(matrix @ own, lengths, out=np.zeros(len(near), np.float32), where=lengths > 0), 4)
    ranked = sorted((-float(cosine), row[0]) for cosine, row in zip(cosines, near, strict=True) if cosine >= NEAR)
    return [(key, -cosine) for cosine, key in ranked[:SEMANTIC_CAP]]


def _candidates(connection: apsw.Connection, unit: Unit) -> list[Row]:
    """(id, vector) of the visible units that share a keyword and came shortly before."""
    found: dict[int, Row] = {}
    for (keyword,) in rows(connection, "select keyword from unit_keywords where unit_id = ?", (unit.id,)):
        for row in each(
            connection,
            "select u.id, u.vector from (select k.unit_id from unit_keywords k where k.keyword = ?1 and "
            "(k.said_at, k.unit_id) < (?2, ?3) order by k.said_at desc, k.unit_id desc limit ?4) near "
            "join units u on u.id = near.unit_id where u.visible = 1",
            (keyword, unit.place.said_at, unit.id, WINDOW),
        ):
            found[row[0]] = row
    return list(found.values())


def _followers(connection: apsw.Connection, unit: Unit) -> set[int]:
    """The visible units whose windows reach back to this one."""
    return {
        row[0]
        for (keyword,) in rows(connection, "select keyword from unit_keywords where unit_id = ?", (unit.id,))
        for row in each(
            connection,
            "select u.id from (select k.unit_id from unit_keywords k where k.keyword = ?1 and "
            "(k.said_at, k.unit_id) > (?2, ?3) order by k.said_at, k.unit_id limit ?4) near "
            "join units u on u.id = near.unit_id where u.visible = 1",
            (keyword, unit.place.said_at, unit.id, WINDOW),
        )
    }


_ORDER = "(u.said_at, u.position, u.start, u.id)"


def _key(unit: Unit) -> tuple[int, int, int, int]:
    return unit.place.said_at, unit.place.position, unit.place.start, unit.id


def _before(connection: apsw.Connection, unit: Unit) -> list[int]:
    """The visible unit before it in its session."""
    return column(
        connection,
        f"select u.id from units u where u.visible = 1 and u.session_id = ? and {_ORDER} < (?, ?, ?, ?) "
        "order by u.said_at desc, u.position desc, u.start desc, u.id desc limit 1",
        (unit.place.session_id, *_key(unit)),
    )


def _next(connection: apsw.Connection, unit: Unit) -> set[int]:
    """The visible unit after it in its session."""
    return set(
        column(
            connection,
            f"select u.id from units u where u.visible = 1 and u.session_id = ? and {_ORDER} > (?, ?, ?, ?) "
            "order by u.said_at, u.position, u.start, u.id limit 1",
            (unit.place.session_id, *_key(unit)),
        )
    )
