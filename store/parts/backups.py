"""A backup that was not asked for comes and goes by rules, and never stands in the way of an erase.

Each is written down before it is made, so that an erase can name it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING

import apsw

from store.database.connections import Database
from store.database.rows import scalar
from store.errors import Busy, StoreError
from store.maintenance import backups, copies
from store.maintenance.backups import never
from store.protocols import Clock
from store.records import Instant

if TYPE_CHECKING:
    from store.maintenance.backups import Stopped


class Backups:
    """Backups by hand and by themselves, and what is written down of all copies."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock
        self._one_backup = Lock()
        self._erasing = Event()
        self._tried: Instant | None = None
        """When an automatic backup was begun last; one that failed is not begun again at once."""
        self._made: Path | None = None
        """And the name that it has, if it did not fail."""

    def make(self, path: Path | None = None, *, why: str = "") -> Path:
        """Copy the live file, and check the copy; without a path, beside it. `why` is one of `copies.AUTOMATIC` if
        nobody asked for it. Raises StoreError, Damaged; then there is none."""
        target = path or copies.backup_beside(self._database.path, self._clock.now().local(), why)
        with self._one_backup:
            self._copy(target, why, never, breath=0.0)
        if why:
            self.keep_few()
        return target

    def make_when_due(self, stop: Event) -> Path | None:
        """Make an automatic backup if the last one is half an hour old, and something has changed since, and nothing
        speaks against it: a restore that may yet be taken back, an erase that waits, another backup. Takes its time,
        so that nobody else has to; `stop` ends it. Raises StoreError, Damaged; Busy, and may then be tried anew."""
        if not self._one_backup.acquire(blocking=False):
            return None
        try:
            if not self._is_due():
                return None
            before, self._tried = self._tried, self._clock.now()
            target = copies.backup_beside(self._database.path, self._tried.local(), copies.AUTO)
            self._made = target
            self._copy(target, copies.AUTO, lambda: stop.is_set() or self._erasing.is_set(), breath=backups.BREATH)
        except backups.GaveWay:
            self._tried = before
            return None
        except Busy:
            self._tried = before
            raise
        except apsw.Error as error:
            raise StoreError(f"No backup could be made ({error}); `erstwhile check` may say why.") from error
        finally:
            self._one_backup.release()
        self.keep_few()
        return target

    def _copy(self, target: Path, why: str, stopped: Stopped, *, breath: float) -> None:
        self.note(self._database.path if why else target)  # first: a copy that nobody knows of would outlive an erase
        with self._database.snapshot() as connection:
            backups.make(connection, target, derived=why != "before-rebuild", stopped=stopped, breath=breath)

    def _is_due(self) -> bool:
        now = self._clock.now().local()
        if self._tried is not None and timedelta(0) <= now - self._tried.local() < backups.EVERY:
            return False
        every = copies.backups(self._database.path)
        made = [one for one in every if one.at <= now]
        is_set_back = len(made) < len(every)  # then the times of the others do not tell how long ago they were made
        if made and not is_set_back and now - made[-1].at < backups.EVERY:
            return False
        if (
            not scalar(self._database.reader(), "select exists (select 1 from episodes)")
            or self.resting_since() is not None
        ):
            return False
        last = {one.path for one in (*every[-1:], *made[-1:])} | ({self._made} if self._made else set())
        return all(backups.changed_since(self._database.reader(), path) for path in last)

    def keep_few(self) -> None:
        """Thin the automatic backups, unless a restore may yet be taken back. Raises StoreError."""
        if self.resting_since() is None:
            backups.thin(self._database.path, self._clock.now())

    def resting_since(self) -> Instant | None:
        """When the memory was restored, as long as automatic backups and their thinning rest because of that."""
        return backups.resting_since(self._database.reader(), self._clock.now())

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """No backup is made while this is held; an automatic one that is being made gives way to an erase."""
        self._erasing.set()
        try:
            with self._one_backup:
                yield
        finally:
            self._erasing.clear()

    def note(self, path: Path) -> None:
        """Write down that a copy is about to be made there."""
        if path.absolute() not in copies.listed(self._database.reader()):
            with self._database.writing() as connection:
                copies.note(connection, [path])
