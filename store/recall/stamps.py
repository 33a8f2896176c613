"""A stamp names one state of some tables: it changes with every row of them, and never recurs.

It is drawn anew by triggers, so that no writer can forget it, in this process or in another; being random and no
counter, it stays true when a backup is brought back.
"""

from __future__ import annotations

import apsw

WATCHED = {
    "beliefs": ("facts", "fact_sources", "supersessions", "entities", "aliases", "claims", "pins", "settings"),
    "identities": ("claims", "withdrawals"),
}
"""By its name, the tables that a stamp watches: whose rows make beliefs and their wording, and who is who."""
_DEEDS = ("insert", "update", "delete")
_TABLE = "create table if not exists stamps (name text primary key, value integer not null) strict"
_TRIGGER = """
create trigger if not exists stamp_{name}_{table}_{deed} after {deed} on {table}
begin update stamps set value = random() where name = '{name}'; end
"""
_THERE = "select count(*) from sqlite_schema where type = 'trigger' and name glob 'stamp_*'"


def create(connection: apsw.Connection) -> None:
    """Make the stamps anew, and the triggers that are not there, in the caller's transaction."""
    connection.execute(_TABLE)
    for name, tables in WATCHED.items():
        connection.execute("insert or replace into stamps values (?, random())", (name,))
        for table in tables:
            for deed in _DEEDS:
                connection.execute(_TRIGGER.format(name=name, table=table, deed=deed))


def complete(connection: apsw.Connection) -> bool:
    """Whether every trigger is there; dropping a table takes its own along."""
    wanted = len(_DEEDS) * sum(map(len, WATCHED.values()))
    return bool(connection.execute(_THERE).get == wanted)


def beliefs(connection: apsw.Connection) -> int | None:
    """The stamp of all beliefs; None where nothing stamps them."""
    return _stamp(connection, "beliefs")


def identities(connection: apsw.Connection) -> int | None:
    """The stamp of all that says who is who; None where nothing stamps it."""
    return _stamp(connection, "identities")


def _stamp(connection: apsw.Connection, name: str) -> int | None:
    if not complete(connection):
        return None
    return int(connection.execute("select value from stamps where name = ?", (name,)).get)
