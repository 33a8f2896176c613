"""Every copy of the words that Erstwhile itself made can be named by an erase: by the list in the file, or by its name.

Backups lie beside the memory under one pattern of names, or wherever somebody said; exports lie anywhere. A copy stays
listed when it is not there: the disk that it is on may come back. The automatic backups come and go; listed is in their
stead the place of the memory beside which they lie, once, so that they are found after the memory has moved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from glob import escape
from pathlib import Path

import apsw

from store.database.opening import READ_ONLY, connect, is_encrypted
from store.database.rows import scalar
from store.errors import Locked, NoCiphers
from store.records import Episode

KEY = "copies"
"""The setting that holds the list."""
_BESIDE = "*.backup*.db"
"""The backups beside a memory, by name; also parts, and those of earlier versions, which are not listed."""
DAMAGED = ".damaged"
"""Ends the name, before its endings, of a file that a repair or a restore has replaced."""
AUTO = "auto"
AUTOMATIC = {AUTO, "before-migration", "before-merge", "before-rebuild", "before-restore"}
"""Why a backup was made that nobody asked for."""
_NAME = re.compile(
    r"-(?P<time>\d{8}-\d{6}-\d{6})(?P<offset>[+-]\d{4}(?:\d\d)?)?(?:\.(?P<why>[a-z-]+))?\.backup(?P<part>\.part)?\.db"
)
_HELD = "select exists (select 1 from episodes where id in (select value from json_each(?)))"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup beside a memory, as its name tells."""

    path: Path
    at: datetime
    """When it was made, aware; the names of earlier versions do not tell the offset, and are read as UTC."""
    why: str = ""
    """Empty: the person asked for it."""
    is_part: bool = False
    """It is being made, or its making was cut off."""

    @property
    def automatic(self) -> bool:
        return self.why in AUTOMATIC


def backup_beside(memory: Path, moment: datetime, why: str = "") -> Path:
    """A name for a backup beside a memory: memory-20260101-120000-000000+0100.backup.db. `moment` is aware."""
    return memory.with_name(f"{memory.stem}-{moment:%Y%m%d-%H%M%S-%f%z}{why and '.' + why}.backup.db")


def part_of(target: Path) -> Path:
    """The name of a copy until it counts: then.part.db for then.db."""
    return target.with_name(f"{target.stem}.part{target.suffix}")


def backups(memory: Path, *, parts: bool = False) -> list[Backup]:
    """The backups of this memory that lie beside it, the oldest first; or, with `parts`, what was not finished."""
    named = (_backup(memory, path) for path in memory.parent.glob(f"{escape(memory.stem)}-*.db"))
    return sorted((backup for backup in named if backup and backup.is_part == parts), key=lambda backup: backup.at)


def _backup(memory: Path, path: Path) -> Backup | None:
    found = _NAME.fullmatch(path.name.removeprefix(memory.stem))
    if found is None:
        return None
    try:
        at = datetime.strptime(found["time"] + (found["offset"] or "+0000"), "%Y%m%d-%H%M%S-%f%z")
    except ValueError:  # digits that are no time
        return None
    return Backup(path, at, found["why"] or "", bool(found["part"]))


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
    return tuple(str(path) for path in every(memory, copies) if _may_hold(path, gone))


def every(memory: Path, copies: Sequence[Path]) -> list[Path]:
    """All copies of a memory that may be there: those that were written down, and those whose names tell."""
    found = dict.fromkeys(sorted(path for path in memory.parent.glob(_BESIDE) if path != memory))
    for copy in copies:  # it may be a place where the memory was
        beside = (backup.path for parts in (False, True) for backup in backups(copy, parts=parts))
        found |= dict.fromkeys([copy, part_of(copy), *beside])
    # Not the memory itself: to open and close that would drop this process's locks on it.
    return [path for path in found if not (path.exists() and memory.exists() and path.samefile(memory))]


def _may_hold(path: Path, gone: Sequence[Episode]) -> bool:
    if DAMAGED in path.suffixes:  # its indexes may be wrong, and say so of nothing
        return path.exists()
    try:
        with path.open("rb") as file:
            is_memory = path.suffix == ".db" or file.read(16) == b"SQLite format 3\x00" or is_encrypted(path)
        if not is_memory:
            return _export_holds(path, gone)
        with closing(connect(path, flags=READ_ONLY)) as connection:
            return bool(scalar(connection, _HELD, (json.dumps([one.id for one in gone]),)))
    except FileNotFoundError:
        return False
    except (apsw.Error, OSError, Locked, NoCiphers):
        return True


def _export_holds(path: Path, gone: Sequence[Episode]) -> bool:
    """A complete export has a line for each turn, with its text as JSON; a conversation in Markdown, its id."""
    wanted = [words for one in gone for words in (json.dumps(one.text, ensure_ascii=False), f"<!-- {one.id} -->")]
    with path.open(encoding="utf-8", errors="replace") as file:
        return any(text in line for line in file for text in wanted)
