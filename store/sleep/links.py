"""Links follow from the units that are there and visible: whatever the order of events was, the links are the same.

temporal  to the unit before it in its session, one.
semantic  to the nearest in meaning among the units that share a keyword and came shortly before, at most
          SEMANTIC_CAP, nearest first, the lower id first among equals (All-Mem, appendix B.1: total order, then trim).
version   from what stands for a unit to the unit, sibling between the parts of a split: made by edits, and stored.

All-Mem (B.3.2) stores them all, and redirects those to an archived unit. Here the first two are found when they are
asked for, among what is visible then, which comes to the same and does not depend on the past.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import apsw

from store.database.rows import column, each, rows
from store.sleep.units import Unit, keywords_of

LinkKind = Literal["temporal", "semantic", "version", "sibling"]
SEMANTIC_CAP = 4
"""Semantic links that go out from one unit, at most."""
NEAR = 0.5
"""The cosine from which on two units are linked."""
WINDOW = 16
"""How far back in the list of a keyword the links of a unit look."""


class Link(NamedTuple):
    """Where a link of a unit leads."""

    kind: LinkKind
    to: int
    weight: float


def links_of(connection: apsw.Connection, unit: Unit) -> list[Link]:
    """The links that go out from a unit; from one that is archived, those that edits made only."""
    found = [Link(*row) for row in each(
        connection, "select kind, to_id, weight from unit_links where from_id = ? and kind in ('version', 'sibling')",
        (unit.id,),
    )]  # fmt: skip
    if unit.visible:
        before = column(
            connection,
            "select id from units where visible = 1 and session_id = ? "
            "and (said_at, position, start, id) < (?, ?, ?, ?) "
            "order by said_at desc, position desc, start desc, id desc limit 1",
            (unit.session_id, *unit.when),
        )
        found += [Link("temporal", to, 1.0) for to in before] + _semantic(connection, unit)
    return found


def _semantic(connection: apsw.Connection, unit: Unit) -> list[Link]:
    near: dict[int, bytes] = {}
    for keyword in keywords_of(connection, unit.id):
        near |= dict(rows(
            connection,
            "select u.id, u.vector from (select unit_id from unit_keywords where keyword = ?1 and "
            "(said_at, unit_id) < (?2, ?3) order by said_at desc, unit_id desc limit ?4) k "
            "join units u on u.id = k.unit_id where u.visible = 1",
            (keyword, unit.said_at, unit.id, WINDOW),
        ))  # fmt: skip
    found = [Link("semantic", to, cosine(unit.vector, vector)) for to, vector in near.items()]
    ranked = sorted((link for link in found if link.weight >= NEAR), key=lambda link: (-link.weight, link.to))
    return ranked[:SEMANTIC_CAP]


def cosine(one: bytes, other: bytes) -> float:
    """Of two stored vectors; 0 where one is empty."""
    import numpy as np

    a, b = (np.frombuffer(vector, np.int8).astype(np.float32) for vector in (one, other))
    lengths = float((a @ a) * (b @ b)) ** 0.5
    return round(float(a @ b) / lengths, 4) if lengths else 0.0
