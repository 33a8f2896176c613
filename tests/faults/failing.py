"""A disk that is full, or that fails: SQLite's own system calls say so, so all that SQLite makes of it is real.

An error that is raised in a VFS written in Python reaches the caller even where SQLite passes over it (a checkpoint at
close that finds no room). So the unix VFS stays, with its memory map and shared memory, and what it calls answers as
the kernel would: `pwrite`, `ftruncate`, an `open` that makes a file, and the sync of a file. What the product writes
and syncs by itself comes through `os`. In this process, for all files that are opened while the context lasts.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Literal
from unittest import mock

import apsw

from tests.faults import files, syncing

Mode = Literal["full", "broken"]
"""full: from that write on, none that makes a file, or makes one longer, finds room; broken: that write or sync fails,
and no other."""
SECTOR = 512
_ERRNO = {"full": errno.ENOSPC, "broken": errno.EIO}
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.pwrite64.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64)
_LIBC.pwrite64.restype = ctypes.c_ssize_t
_LIBC.ftruncate64.argtypes = (ctypes.c_int, ctypes.c_int64)
_LIBC.open.argtypes = (ctypes.c_char_p, ctypes.c_int)
_WRITE = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, use_errno=True
)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, use_errno=True)
_OPEN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, use_errno=True)


class FailingDisk:
    """Counts the writes that can fail in this mode; the one with the number `at`, from 1, does; none if 0."""

    def __init__(self, mode: Mode, at: int) -> None:
        self.at = at
        """0 lets the disk be well again."""
        self.writes = 0
        """That could fail."""
        self.failed = 0
        self._mode = mode
        self._unix = apsw.VFS("failing", "unix")
        self._calls = {
            "pwrite64": _WRITE(self._write), "ftruncate": _TRUNCATE(self._truncate), "open": _OPEN(self._open)
        }  # fmt: skip
        self._os = mock.patch.multiple(
            os,
            open=self._os_open(os.open),
            fsync=self._os_fsync(os.fsync),
            fdopen=files.fdopen(os.fdopen, self._before_write),
        )

    def __enter__(self) -> FailingDisk:
        for name, call in self._calls.items():
            self._unix.xSetSystemCall(name, ctypes.cast(call, ctypes.c_void_p).value or 0)
        self._os.start()
        syncing.watch(self._sync_fails)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        syncing.watch(None)
        self._os.stop()
        for name in self._calls:
            self._unix.xSetSystemCall(name, 0)
        self._unix.unregister()

    def _fails(self, *, grows: bool) -> bool:
        if self._mode == "full" and not grows:
            return False
        self.writes += 1
        here = self.writes == self.at if self._mode == "broken" else 0 < self.at <= self.writes
        self.failed += here
        return here

    def _error(self, path: str | None = None) -> OSError:
        number = _ERRNO[self._mode]
        return OSError(number, os.strerror(number), path)

    # SQLite's calls

    def _write(self, descriptor: int, data: int, size: int, at: int) -> int:
        if not self._fails(grows=at + size > os.fstat(descriptor).st_size):
            return int(_LIBC.pwrite64(descriptor, data, size, at))
        if self._mode == "full" and self.failed == 1 and size > SECTOR:  # what there is room for is written
            return int(_LIBC.pwrite64(descriptor, data, SECTOR, at))
        ctypes.set_errno(_ERRNO[self._mode])
        return -1

    def _truncate(self, descriptor: int, size: int) -> int:
        if not self._fails(grows=size > os.fstat(descriptor).st_size):
            return int(_LIBC.ftruncate64(descriptor, size))
        ctypes.set_errno(_ERRNO[self._mode])
        return -1

    def _open(self, path: bytes, flags: int, mode: int) -> int:
        if flags & os.O_CREAT and not Path(os.fsdecode(path)).exists() and self._fails(grows=True):
            ctypes.set_errno(_ERRNO[self._mode])
            return -1
        return int(_LIBC.open(path, flags, ctypes.c_uint(mode)))

    def _sync_fails(self) -> bool:
        return self._fails(grows=False)

    # The product's own

    def _os_open(self, real: Callable[..., int]) -> Callable[..., int]:
        def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
            if flags & os.O_CREAT and not Path(path).exists() and self._fails(grows=True):
                raise self._error(str(path))
            return real(path, flags, *more, **named)

        return opened

    def _os_fsync(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def synced(descriptor: int) -> None:
            if self._fails(grows=False):
                raise self._error()
            real(descriptor)

        return synced

    def _before_write(self, _descriptor: int, _at: int, _data: bytes) -> None:
        if self._fails(grows=True):
            raise self._error()
