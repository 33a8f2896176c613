"""A stamp names one state of what is believed: it changes with every row that a belief is read from, and never recurs.

It is drawn anew by triggers, so that no writer can forget it, in this process or in another; being random and no
counter, it stays true when a backup is brought back.
"""

from __future__ import annotations

import apsw

WATCHED = ("facts", "fact_sources", "supersessions", "entities", "aliases", "claims", "pins", "settings")
"""Tables whose rows make beliefs and their wording."""
_DEEDS = ("insert", "update", "delete")
_TABLE = """
create table if not exists stamps (name text primary key, value integer not null) strict;
insert or ignore into stamps values ('beliefs', random());
"""
_TRIGGER = """
create trigger if not exists stamp_{table}_{deed} after {deed} on {table}
begin update stamps set value = random() where name = 'beliefs'; end
"""
_THERE = "select count(*) from sqlite_schema where type = 'trigger' and name glob 'stamp_*'"


def create(connection: apsw.Connection) -> None:
    """Make the stamp and its triggers, in the caller's transaction; what is there stays."""
    for _ in connection.execute(_TABLE):
        pass
    for table in WATCHED:
        for deed in _DEEDS:
            connection.execute(_TRIGGER.format(table=table, deed=deed))
    connection.execute("update stamps set value = random()")


def complete(connection: apsw.Connection) -> bool:
    """Whether every trigger is there; dropping a table takes its own along."""
    return bool(connection.execute(_THERE).get == len(WATCHED) * len(_DEEDS))


def beliefs(connection: apsw.Connection) -> int | None:
    """The stamp of all beliefs; None where nothing stamps them."""
    if not complete(connection):
        return None
    return int(connection.execute("select value from stamps where name = 'beliefs'").get)
