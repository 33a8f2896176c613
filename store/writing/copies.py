"""Every copy of the words that Erstwhile itself made is written down in the file, so that an erase can name it.

Backups lie beside the memory under one pattern of names, or wherever somebody said; exports lie anywhere. A copy stays
listed when it is not there: the disk that it is on may come back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import apsw

from store.records import Episode
from store.rows import scalar

KEY = "copies"
"""The setting that holds the list."""
_BESIDE = "*.backup*.db"
"""Those that earlier versions made are not listed."""
DAMAGED = ".damaged"
"""Ends the name, before its endings, of a file that a repair has replaced."""
_HELD = "select exists (select 1 from episodes where id in (select value from json_each(?)))"


def backup_beside(memory: Path, moment: datetime, why: str = "") -> Path:
    """A name for a backup beside a memory: memory-20260101-120000-000000.backup.db."""
    return memory.with_name(f"{memory.stem}-{moment:%Y%m%d-%H%M%S-%f}{why and '.' + why}.backup.db")


def beside(memory: Path) -> list[Path]:
    """The backups that lie beside a memory, by name."""
    return sorted(one for one in memory.parent.glob(_BESIDE) if one != memory)


def listed(connection: apsw.Connection) -> list[Path]:
    """The copies that were written down, the oldest first, also those that are not there."""
    found = json.loads(scalar(connection, "select value from settings where key = ?", (KEY,)) or "[]")
    return [Path(one) for one in found]


def note(connection: apsw.Connection, paths: Iterable[Path]) -> None:
    """Write copies down, in the caller's transaction."""
    every = dict.fromkeys(str(one.absolute()) for one in [*listed(connection), *paths])
    value = json.dumps(list(every), ensure_ascii=False)
    connection.execute("insert or replace into settings values (?, ?)", (KEY, value))


def holding(memory: Path, copies: Sequence[Path], gone: Sequence[Episode]) -> tuple[str, ...]:
    """Those of the copies, and of the backups beside the memory, that still hold one of these turns, or that cannot be
    looked into; what is not there is left out."""
    every = dict.fromkeys([*beside(memory), *copies])
    return tuple(str(one) for one in every if _may_hold(one, gone))


def _may_hold(path: Path, gone: Sequence[Episode]) -> bool:
    if DAMAGED in path.suffixes:  # its indexes may be wrong, and say so of nothing
        return path.exists()
    try:
        with path.open("rb") as file:
            is_memory = path.suffix == ".db" or file.read(16) == b"SQLite format 3\x00"
        return _backup_holds(path, gone) if is_memory else _export_holds(path, gone)
    except FileNotFoundError:
        return False
    except (apsw.Error, OSError):
        return True


def _backup_holds(path: Path, gone: Sequence[Episode]) -> bool:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return bool(scalar(connection, _HELD, (json.dumps([one.id for one in gone]),)))
    finally:
        connection.close()


def _export_holds(path: Path, gone: Sequence[Episode]) -> bool:
    """An export has a line for each turn, with its text as JSON."""
    wanted = [json.dumps(one.text, ensure_ascii=False) for one in gone]
    with path.open(encoding="utf-8", errors="replace") as file:
        return any(text in line for line in file for text in wanted)
