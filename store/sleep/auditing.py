"""What a sleep made is held against what it should be: nothing out of reach, no cap passed, nothing unaccounted for.

Looks at everything, changes nothing.
"""

from __future__ import annotations

from collections import Counter

import apsw

from store.database.rows import each, rows, scalar
from store.records import Finding
from store.sleep import links, topology
from store.sleep.edits import fold
from store.sleep.grouping import GROUPED
from store.sleep.units import units_where

_PLACED = (
    f"select count(*) from episodes e where {GROUPED} and e.row not in (select episode_row from loose) "
    "and e.row not in (select s.episode_row from unit_spans s join units u on u.id = s.unit_id "
    "where u.origin = 'exchange')"
)
_OUTSIDE = (
    "select count(*) from unit_spans s left join episodes e on e.row = s.episode_row "
    "where e.row is null or s.start < 0 or s.end > length(e.text) or s.start >= s.end and length(e.text) > 0"
)
_HIDDEN = (
    "select count(*) from unit_links l join units u on u.id in (l.from_id, l.to_id) "
    "where l.kind in ('temporal', 'semantic') and u.visible = 0"
)


def check(connection: apsw.Connection) -> list[Finding]:
    """The findings about units, their links and the edits in the log."""
    return [
        _none("turns are in an exchange", int(scalar(connection, _PLACED))),
        _none("units are words of turns", int(scalar(connection, _OUTSIDE))),
        _none("links end on the surface", int(scalar(connection, _HIDDEN))),
        _none("links keep their caps", _over_cap(connection)),
        *_as_folded(connection),
    ]


def _none(name: str, count: int) -> Finding:
    return Finding(name, not count, f"{count} do not" if count else "")


def _over_cap(connection: apsw.Connection) -> int:
    counted = each(connection, "select kind, count(*) from unit_links group by from_id, kind")
    return sum(count > links.CAPS.get(kind, count) for kind, count in counted)


def _as_folded(connection: apsw.Connection) -> list[Finding]:
    """Fold every edit that stands anew, and compare: what is visible, how far all else is, and by which links."""
    stored = {unit.id: unit for unit in units_where(connection, "")}
    exchanges = [key for key, unit in stored.items() if unit.origin == "exchange"]
    wanted = fold(exchanges, topology.edits_of(connection), links.SIBLING_CAP)
    depth = wanted.hops()
    differ = stored.keys() ^ wanted.there
    differ |= {key for key, unit in stored.items() if unit.visible != (key in wanted.visible)}
    wrong_depth = sum(unit.hops != depth.get(key, -1) for key, unit in stored.items())
    made = Counter[tuple[str, int, int]](
        [("version", *pair) for pair in wanted.version] + [("sibling", *pair) for pair in wanted.sibling]
    )
    kept = Counter[tuple[str, int, int]](
        (kind, one, other)
        for kind, one, other in rows(
            connection, "select kind, from_id, to_id from unit_links where kind in ('version', 'sibling')"
        )
    )
    return [
        _none("units are what the log makes of exchanges", len(differ) + len(made.keys() ^ kept.keys())),
        _none("archived units are in reach", wrong_depth),
    ]
