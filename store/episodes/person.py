"""Who the person is: the speakers that were named so are in the settings; "me" and "user" always are."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from store.database.rows import scalar


def named(connection: apsw.Connection) -> list[str]:
    """The names that were given, as they were written."""
    return list(json.loads(scalar(connection, "select value from settings where key = 'person'") or "[]"))


def speakers(connection: apsw.Connection) -> frozenset[str]:
    """Which speakers are the person, in lower case."""
    return frozenset({"me", "user", *(name.casefold() for name in named(connection))})


def name(connection: apsw.Connection, names: Iterable[str], instead_of: Iterable[str] = ()) -> frozenset[str]:
    """These speakers are the person from now on, and those of `instead_of` are not; in the caller's transaction. Gives
    those of whom this was not so before, in lower case."""
    before, gone = speakers(connection), {one.casefold() for one in instead_of}
    kept = (one for one in named(connection) if one.casefold() not in gone)
    value = json.dumps(sorted({*kept, *names}), ensure_ascii=False)
    connection.execute("insert or replace into settings values ('person', ?)", (value,))
    return before ^ speakers(connection)
