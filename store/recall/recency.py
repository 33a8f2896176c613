"""The newest turns are found by their time alone, whatever they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.recall.scope import Scope

if TYPE_CHECKING:
    import apsw

_NEWEST = "select e.row from episodes e where {where} order by e.said_at desc, e.position desc, e.id desc limit :limit"


def candidates(connection: apsw.Connection, scope: Scope, limit: int) -> list[int]:
    """Rows of the turns said last, newest first."""
    sql = _NEWEST.format(where=scope.where("e"))
    return [row for (row,) in connection.execute(sql, {"limit": limit, **scope.bindings()})]
