"""A restore is shown before it is done, keeps what it replaces, and takes place in one transaction or not at all.

The backup is copied, brought to this version and checked first. Then the memory is held against everybody else: what is
in it is backed up, and what the copy holds takes its place as one commit of SQLite's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import apsw

from store.database import opening
from store.database.connections import Database, held, told
from store.database.rows import rows, scalar
from store.errors import BadInput, Busy, Damaged, NotAMemory, StoreError
from store.maintenance import backups, copies, upkeep
from store.records import Instant

_SIDE = """
select (select count(*) from {at}.episodes), (select count(*) from {at}.facts where believed_to is null),
    (select max(said_at) from {at}.episodes)
"""
_ONLY = """
select count(*), min(said_at), max(said_at) from {at}.episodes where id not in (select id from {other}.episodes)
"""
_BOTH = (("live", "main"), ("main", "live"))
_ERASED = "select count(*) from main.episodes where id in (select hash from live.tombstones)"


class Side(NamedTuple):
    """What one of the two files holds."""

    turns: int
    beliefs: int
    """That are believed now, about any time."""
    last: int | None
    """When its last turn was said; microseconds UTC."""


class Only(NamedTuple):
    """The turns that one of the two files holds, and the other does not."""

    turns: int = 0
    first: int | None = None
    """When the first of them was said, and the last; microseconds UTC."""
    last: int | None = None


NOTHING = Only()


@dataclass(frozen=True, slots=True)
class Preview:
    """What a restore would change."""

    backup: Side
    present: Side | None
    """None if there is no memory, or it cannot be read: then nobody knows what would be lost."""
    lost: Only = NOTHING
    gained: Only = NOTHING
    erased: int = 0
    """Of the turns that are gained, those that were erased."""
    damaged: bool = False
    """There is a memory, and it cannot be read."""


@contextmanager
def staged(path: Path, memory: Path, now: Instant) -> Iterator[Database]:
    """A copy of a backup as it would take the memory's place: of this version, and checked. Raises BadInput, Damaged,
    NotAMemory, TooNew; nothing was changed."""
    if not path.is_file():
        raise BadInput(f"{path} is not a file; name one that `erstwhile backup` wrote.")
    if memory.exists() and path.samefile(memory):
        raise BadInput(f"{path} is the memory itself; name a file that `erstwhile backup` wrote.")
    if opening.is_encrypted(path) and memory.exists() and memory.stat().st_size and not opening.is_encrypted(memory):
        raise BadInput(
            f"{path} is encrypted, and {memory} is not: encrypt the memory first with `erstwhile encrypt`, or decrypt "
            f"the backup with `erstwhile encrypt --off --db {path}`."
        )
    target = copies.backup_beside(memory, now.local(), "restoring")
    otherwise = "name a file that `erstwhile backup` wrote"
    with backups.private_copy(path, target, otherwise, like=memory) as database:
        upkeep.bring_current(database)
        bad = [finding.name for finding in upkeep.check(database) if not finding.ok]
        if bad:
            raise Damaged(f"{path} fails its checks ({bad[0]}); nothing was changed. Name an older backup.")
        yield database


def preview(backup: Database, memory: Path) -> Preview:
    """Compare a staged backup with the memory that it would replace. Raises Busy."""
    connection = backup.reader()
    side = Side(*rows(connection, _SIDE.format(at="main"))[0])
    everything = Only(*rows(connection, "select count(*), min(said_at), max(said_at) from main.episodes")[0])
    if not memory.is_file() or not memory.stat().st_size:
        return Preview(side, None, gained=everything)
    try:
        opening.attach(connection, memory, "live")
        present = Side(*rows(connection, _SIDE.format(at="live"))[0])
        lost, gained = (Only(*rows(connection, _ONLY.format(at=at, other=other))[0]) for at, other in _BOTH)
        return Preview(side, present, lost, gained, int(scalar(connection, _ERASED)))
    except (apsw.CorruptError, apsw.SQLError, apsw.NotADBError):
        return Preview(side, None, gained=everything, damaged=True)
    except apsw.BusyError as error:
        raise Busy(f"Another process holds {memory}; close it there, and repeat this.") from error
    finally:
        if "live" in {row[1] for row in rows(connection, "pragma database_list")}:
            connection.execute("detach live")


def restore(backup: Database, path: Path, memory: Path, now: Instant) -> Path | None:
    """Let a staged copy of the backup at `path` take the memory's place; gives the backup of what was there, if
    anything was. Raises Busy, NotAMemory, StoreError; nothing was changed then."""
    try:
        with told(memory), held(memory, like=backup.path) as connection:
            kept, made = None, list[Path]()
            if scalar(connection, "select count(*) from sqlite_schema"):
                kept = _kept(connection, memory, now)
                with suppress(apsw.CorruptError, apsw.SQLError, ValueError):  # what cannot be read is not known
                    made = copies.listed(connection)
            _prepare(backup, [*made, path, memory], None if kept is None else now)
            for _ in backups.pages(connection, backup.reader()):
                pass
    except apsw.NotADBError as error:
        raise NotAMemory(f"{memory} is no database; move it away, and repeat this.") from error
    except (apsw.Error, OSError) as error:
        raise StoreError(f"{memory} cannot be replaced ({error}); nothing was changed.") from error
    return kept


def _kept(connection: apsw.Connection, memory: Path, now: Instant) -> Path:
    """Back up what is about to be replaced; if its pages are damaged, under the name for that."""
    target = copies.backup_beside(memory, now.local(), "before-restore")
    with backups.part(target) as unfinished:
        backups.copy(connection, unfinished)
        if backups.faults(unfinished, derived=False):
            target = copies.backup_beside(memory, now.local(), copies.DAMAGED.removeprefix("."))
        backups.publish(unfinished, target)
    return target


def _prepare(backup: Database, known: list[Path], restored: Instant | None) -> None:
    """Write down in the staged copy what it has to know when it is the memory."""
    with backup.writing() as connection:
        copies.note(connection, known)
        if restored is not None:
            connection.execute("insert or replace into settings values (?, ?)", (backups.RESTORED, str(restored.us)))
