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


def name(connection: apsw.Connection, names: Iterable[str]) -> None:
    """These speakers are the person, from now on; in the caller's transaction."""
    value = json.dumps(sorted({*named(connection), *names}), ensure_ascii=False)
    connection.execute("insert or replace into settings values ('person', ?)", (value,))
