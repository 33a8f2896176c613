"""Every change that the product makes to the files of one folder is known to a Disk, whichever way it is made.

SQLite's come through an apsw VFS, which is made the default one: the product opens its connections as always. What the
product does by itself to its files (it makes them private, renames and syncs backups) comes through `os`. For a child
process only: neither is taken back. Memory-mapped reading is off, since apsw does not hand it on; SQLite writes in the
same way with and without it. The shared memory of a WAL is the real file's.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from tests.faults import files
from tests.faults.disk import Disk, Truncation, Write

_UNIX = "unix"


class Recorder(apsw.VFS):
    """SQLite's files in a Disk's folder; others as always."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__("recorder", _UNIX, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if name is None or path is None or not self._disk.holds(path):
            return apsw.VFSFile(_UNIX, name, flags)
        return RecordedFile(self._disk, path, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        if self._disk.holds(filename):
            self._disk.removed(filename)
            if syncdir:
                self._disk.sync_names()


class RecordedFile(apsw.VFSFile):
    """A file of SQLite's in a Disk's folder."""

    def __init__(self, disk: Disk, path: str, name: str | apsw.URIFilename, flags: list[int]) -> None:
        super().__init__(_UNIX, name, flags)
        self._disk, self._file = disk, disk.opened(path)
        made = flags[0] & apsw.SQLITE_OPEN_CREATE
        # os_unix.c: the first sync of a journal that may have been made syncs the folder, too.
        self._syncs_names = bool(made and flags[0] & (apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL))

    def xWrite(self, data: Any, offset: int) -> None:
        super().xWrite(data, offset)
        self._disk.change(self._file, Write(offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._disk.change(self._file, Truncation(newsize))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._disk.sync(self._file)
        if self._syncs_names:
            self._disk.sync_names()
            self._syncs_names = False


def record(disk: Disk) -> Recorder:
    """Let this process tell the disk of every change. The recorder lasts as long as somebody holds it."""
    vars(os).update(
        open=_open(disk), unlink=_unlink(disk), rename=_rename(disk, os.rename),
        replace=_rename(disk, os.replace), fsync=_fsync(disk), fdopen=files.fdopen(os.fdopen, _written(disk)),
    )  # fmt: skip
    apsw.connection_hooks.append(_without_last_checkpoint)
    return Recorder(disk)


def _without_last_checkpoint(connection: apsw.Connection) -> None:
    """SQLite tries one when a read-only connection closes, gets no lock for it, and goes on; through a VFS in Python
    the attempt alone would be an error."""
    if connection.open_flags & apsw.SQLITE_OPEN_READONLY:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def _open(disk: Disk) -> Callable[..., int]:
    real = os.open

    def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        descriptor = real(path, flags, *more, **named)
        if flags & os.O_CREAT and disk.holds(path):
            disk.opened(path)
        return descriptor

    return opened


def _unlink(disk: Disk) -> Callable[..., None]:
    real = os.unlink

    def unlinked(path: Any, **named: Any) -> None:
        real(path, **named)
        if disk.holds(path):
            disk.removed(path)

    return unlinked


def _rename(disk: Disk, real: Callable[..., None]) -> Callable[..., None]:
    def renamed(old: Any, new: Any, **named: Any) -> None:
        real(old, new, **named)
        if disk.holds(old):
            disk.renamed(old, new)

    return renamed


def _written(disk: Disk) -> files.Seen:
    def written(descriptor: int, at: int, data: bytes) -> None:
        path = _path_of(descriptor)
        if disk.holds(path):
            disk.change(disk.opened(path), Write(at, data))

    return written


def _fsync(disk: Disk) -> Callable[[int], None]:
    real = os.fsync

    def synced(descriptor: int) -> None:
        real(descriptor)
        path = _path_of(descriptor)
        if path == disk.folder:
            disk.sync_names()
        elif disk.holds(path):
            disk.sync(disk.opened(path))

    return synced


def _path_of(descriptor: int) -> Path:
    return Path(f"/proc/self/fd/{descriptor}").readlink()
