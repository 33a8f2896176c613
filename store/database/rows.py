"""What SQLite's strict tables guarantee is typed once, here: a row is a tuple whose columns the query names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import apsw

Row = tuple[Any, ...]
"""Its types are those of the strict tables' columns, in the order of the query."""
LISTED = "(select value from json_each(?))"
"""SQL for the values of a JSON list, which is given for the question mark."""
_MADE = re.compile(r"^create (?:virtual )?(table|trigger) (?:if not exists )?(\w+)", re.MULTILINE)


def rows(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Row]:
    """Every row of a query."""
    return list(connection.execute(sql, values))


def each(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
    """The rows of a query, one at a time."""
    yield from connection.execute(sql, values)


def column(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """The first column of every row."""
    return [row[0] for row in connection.execute(sql, values)]


def first(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Row | None:
    """The first row of a query, or None."""
    return connection.execute(sql, values).fetchone()


def scalar(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Any:
    """The first column of the first row, or None."""
    row = first(connection, sql, values)
    return None if row is None else row[0]


def unmake(connection: apsw.Connection, script: str) -> None:
    """Drop the tables and the triggers that a script makes, the last one first."""
    for kind, name in reversed(_MADE.findall(script)):
        connection.execute(f"drop {kind} if exists {name}")
