"""A backup counts when it is on the disk, was opened again, and passed its checks; until then it has a name of its own.

It is copied page by page on a connection of its own that sees one state of the file: nobody who writes waits for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from time import sleep

import apsw

from store.database import opening
from store.database.connections import Database, create_private, integrity_of, told
from store.database.migrations import SCHEMA_VERSION
from store.database.rows import first, scalar
from store.errors import Busy, Damaged, Locked, NoCiphers, NotAMemory, StoreError
from store.maintenance import copies, upkeep
from store.records import Instant

RECENT = timedelta(hours=2)
"""All automatic backups of so long stay."""
KEPT: tuple[tuple[int, Callable[[date], Hashable]], ...] = (
    (12, lambda day: day),
    (10, lambda day: day.isocalendar()[:2]),
    (9, lambda day: (day.year, day.month)),
)
"""So many days, weeks and months keep their newest, beside the day, week and month of the newest of all. They are those
that a backup's own clock showed: no change of the zone moves one into another."""
EVERY = timedelta(minutes=30)
"""Between two automatic backups."""
UNFINISHED = timedelta(days=1)
"""What was begun so long ago is not being made any more."""
REST = timedelta(days=1)
"""After a restore nothing is backed up or thinned of itself until so long after the first new turn."""
RESTORED = "restored"
"""The setting that holds when the memory was restored, in microseconds; gone when the rest is over."""
_PAGES = 256
"""In one step: 1 MB."""
_SYNCED = 8
"""Steps after which what was copied is synced, so that no commit waits for all of it."""
BREATH = 0.002
"""Seconds between two steps of a copy that nobody waits for."""
_LOOKED_AT = 10_000
"""Instructions of SQLite's after which a check that runs asks whether it is to stop."""
_COPY_IT = ": copy it to a folder that is yours, see that its disk has room, and name the copy."
_STATE = """
select (select json_group_array(name || value order by name) from stamps), (select max(row) from episodes),
    (select max(id) from operations), (select max(rowid) from accesses), (select max(rowid) from tombstones),
    (select json_group_array(key || title || pinned || options order by id) from sessions)
"""

Stopped = Callable[[], bool]


class GaveWay(Exception):
    """A backup was stopped; nothing of it is left."""


def never() -> bool:
    """A copy that somebody waits for is not stopped."""
    return False


def pages(target: apsw.Connection, source: apsw.Connection) -> Iterator[None]:
    """Copy a whole file into another, step by step; what is there is replaced when the last step is done, or not.
    Raises apsw.Error."""
    with target.backup("main", source, "main") as running:
        while not running.done:
            try:
                running.step(_PAGES)
            except apsw.Error as error:  # SQLite leaves words for it when the copy is over; until then, "not an error"
                given, names = vars(error), apsw.mapping_extended_result_codes
                error.args = (str(names.get(given["extendedresult"], apsw.mapping_result_codes[given["result"]])),)
                raise
            yield


def make(
    source: apsw.Connection, target: Path, *, derived: bool = True, stopped: Stopped = never, breath: float = 0.0
) -> None:
    """Copy what a connection sees to a new file, and check that. `derived`: with what is derived; else its pages only.

    Raises StoreError if `target` exists or cannot be written, Damaged, GaveWay; nothing is left there then.
    """
    if target.exists():
        raise StoreError(f"{target} exists already; name another file for the backup.")
    try:
        with told(target), part(target) as unfinished:
            copy(source, unfinished, stopped=stopped, breath=breath)
            if wrong := faults(unfinished, derived=derived, stopped=stopped):
                raise Damaged(
                    f"The backup {target} failed its check ({wrong[0]}) and was removed; `erstwhile check` says more."
                )
            publish(unfinished, target)
    except apsw.InterruptError:
        raise GaveWay from None
    except (apsw.Error, OSError) as error:
        raise StoreError(f"The backup to {target} failed: {error}. The memory itself is untouched.") from error


@contextmanager
def part(target: Path) -> Iterator[Path]:
    """The name of a copy until it counts; what is there by that name at the end goes."""
    unfinished = copies.part_of(target)
    try:
        yield unfinished
    finally:
        remove(unfinished)


def copy(source: apsw.Connection, target: Path, *, stopped: Stopped = never, breath: float = 0.0) -> None:
    """Copy one state of a file to a new one, encrypted with the same key if the file is; it is on the disk when this
    returns. Raises GaveWay, StoreError."""
    with told(target):
        remove(target)  # of a copy that was cut off
        create_private(target)
        with closing(opening.connect(target, like=Path(source.filename))) as connection:
            connection.pragma("synchronous", "off")  # it is synced here, in small parts
            for step, _ in enumerate(pages(connection, source), 1):
                if step % _SYNCED == 0:
                    _sync(target)
                if stopped():
                    raise GaveWay
                sleep(breath)
            connection.pragma("journal_mode", "delete")
        _sync(target)


def write_anew(source: apsw.Connection, target: Path, key: opening.Key | None) -> None:
    """As `copy`, but encrypted with this key, or with none; the pages are written once, and nothing of them is left
    elsewhere."""
    with told(target):
        remove(target)
        create_private(target)
        raw = "" if key is None else key.raw
        source.execute("vacuum into ?", (f"{target.absolute().as_uri()}?key={raw}",))
        _sync(target)


def faults(path: Path, *, derived: bool = True, stopped: Stopped = never) -> list[str]:
    """What is wrong with a copy that was closed: with its pages, and (`derived`) with what is derived, as far as
    counting tells. Empty if nothing is."""
    try:
        with closing(opening.connect(path, flags=opening.READ_ONLY)) as connection:
            connection.set_progress_handler(stopped, _LOOKED_AT)
            if wrong := integrity_of(connection):
                return wrong
            if not derived or connection.pragma("user_version") != SCHEMA_VERSION or not upkeep.is_current(connection):
                return []
            return [f"{one.name}: {one.detail}" for one in upkeep.counted(connection) if not one.ok]
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return [str(error)]


def publish(unfinished: Path, target: Path) -> None:
    """Give a copy that passed its checks its name; it does not have it where that cannot be made sure. Raises
    OSError."""
    unfinished.rename(target)
    try:
        sync_folder(target.parent)
    except OSError:
        remove(target)
        raise


def sync_folder(folder: Path) -> None:
    """What was given a name in a folder, or lost one, did so for good when this returns. Raises OSError."""
    if os.name == "posix":  # elsewhere a folder cannot be opened
        _sync(folder)


def remove(path: Path) -> None:
    """Remove a database file with what belongs to it, as far as it is there."""
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


@contextmanager
def private_copy(path: Path, target: Path, otherwise: str, *, like: Path | None = None) -> Iterator[Database]:
    """A copy of another memory, whole with its WAL, that may be opened like our own; the original is not written to.
    `target` is a name for it that goes with it; `otherwise` says what to do if it is no memory. One that is not
    encrypted is, as a copy, if the file `like` is. Raises StoreError, NotAMemory, TooNew, Locked."""
    with part(target) as unfinished:
        key = None if like is None or opening.is_encrypted(path) else opening.key_of(like)
        try:
            with closing(opening.connect(path, flags=opening.READ_ONLY)) as source:
                source.execute("select count(*) from sqlite_schema").fetchall()  # what is wrong with it is told of it
                if key is None:
                    copy(source, unfinished)
                else:
                    write_anew(source, unfinished, key)
        except apsw.BusyError as error:
            raise Busy(f"Another process holds {path}; close it there, and repeat this.") from error
        except (apsw.Error, OSError) as error:
            # In order to read a WAL, SQLite writes beside it.
            hint = _COPY_IT if isinstance(error, apsw.CantOpenError | apsw.ReadOnlyError) else "."
            raise StoreError(f"{path} cannot be read as a memory ({error}){hint}") from error
        try:
            database = Database(unfinished)
        except NotAMemory:
            raise NotAMemory(f"{path} is not an Erstwhile memory; {otherwise}.") from None
        with closing(database):
            yield database


def changed_since(connection: apsw.Connection, backup: Path) -> bool:
    """Whether the file holds anything else than a backup of it, as far as rows that come, go or are stamped tell."""
    try:
        with closing(opening.connect(backup, flags=opening.READ_ONLY)) as other:
            return first(connection, _STATE) != first(other, _STATE)
    except (apsw.Error, Locked, NoCiphers):  # it is of an older version or passphrase, or gone, or damaged
        return True


def resting_since(connection: apsw.Connection, now: Instant) -> Instant | None:
    """When the memory was restored, while it rests from that: nothing is backed up or thinned of itself. A restore that
    lies ahead was made by a clock that was wrong: nobody waits for it to come."""
    restored = scalar(connection, "select value from settings where key = ?", (RESTORED,))
    if restored is None:
        return None
    new = scalar(connection, "select min(recorded_at) from episodes where recorded_at > ?", (int(restored),))
    rest = REST // timedelta(microseconds=1)
    over = int(restored) > now.us + rest or (new is not None and now.us >= new + rest)
    return None if over else Instant(int(restored), now.offset)


def to_remove(times: Iterable[datetime], now: datetime) -> set[datetime]:
    """Those of the (aware) times of automatic backups that go: a pure function of these and of now, as Anki thins its
    own. The newest never goes; removing them and asking again gives none. Periods without a backup are not counted.
    Those later than now, of a clock that was wrong or is, stay, and take the place of no others."""
    every = set(times)
    past = sorted((time for time in every if time <= now), reverse=True)
    kept = {time for time in every if now - time < RECENT}
    for periods, period_of in KEPT:
        newest: dict[Hashable, datetime] = {}
        for time in past:
            newest.setdefault(period_of(time.date()), time)
        kept.update(list(newest.values())[: periods + 1])
    return every - kept


def thin(memory: Path, now: Instant) -> None:
    """Remove the automatic backups that are one too many, and what was left of copies that were cut off."""
    moment = now.local()
    automatic = {backup.at: backup.path for backup in copies.backups(memory) if backup.automatic}
    gone = [automatic[at] for at in to_remove(automatic, moment)]
    gone += [left.path for left in copies.backups(memory, parts=True) if abs(moment - left.at) > UNFINISHED]
    for path in gone:
        try:
            remove(path)
        except OSError as error:
            raise StoreError(
                f"The old backup {path} cannot be removed ({error.strerror}); remove it by hand."
            ) from error
