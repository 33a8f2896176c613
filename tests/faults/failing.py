"""A disk that is full, or that fails: SQLite's own system calls say so, so all that SQLite makes of it is real.

An error that is raised in a VFS written in Python reaches the caller even where SQLite passes over it (a checkpoint at
close that finds no room). So the unix VFS stays, with its memory map and shared memory, and `write` and `ftruncate`
below it answer as the kernel would. In this process, for all of its connections, as long as the context lasts.
"""

from __future__ import annotations

import ctypes
import errno
import os
from types import TracebackType
from typing import Literal

import apsw

Mode = Literal["full", "broken"]
"""full: from that write on, none that makes a file longer finds room; broken: that write fails, and no other."""
SECTOR = 512
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.pwrite64.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64)
_LIBC.pwrite64.restype = ctypes.c_ssize_t
_LIBC.ftruncate64.argtypes = (ctypes.c_int, ctypes.c_int64)
_WRITE = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, use_errno=True
)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, use_errno=True)


class FailingDisk:
    """Counts the writes that can fail in this mode; the one with the number `at`, from 1, does; none if 0."""

    def __init__(self, mode: Mode, at: int) -> None:
        self.writes = 0
        """That could fail."""
        self.failed = 0
        self._mode, self._at = mode, at
        self._unix = apsw.VFS("failing", "unix")
        self._calls = {"pwrite64": _WRITE(self._write), "ftruncate": _TRUNCATE(self._truncate)}

    def __enter__(self) -> FailingDisk:
        for name, call in self._calls.items():
            self._unix.xSetSystemCall(name, ctypes.cast(call, ctypes.c_void_p).value or 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in self._calls:
            self._unix.xSetSystemCall(name, 0)
        self._unix.unregister()

    def _fails(self, *, grows: bool) -> bool:
        if self._mode == "full" and not grows:
            return False
        self.writes += 1
        here = self.writes == self._at if self._mode == "broken" else 0 < self._at <= self.writes
        self.failed += here
        return here

    def _write(self, descriptor: int, data: int, size: int, at: int) -> int:
        if not self._fails(grows=at + size > os.fstat(descriptor).st_size):
            return int(_LIBC.pwrite64(descriptor, data, size, at))
        if self._mode == "full" and self.failed == 1 and size > SECTOR:  # what there is room for is written
            return int(_LIBC.pwrite64(descriptor, data, SECTOR, at))
        ctypes.set_errno(errno.ENOSPC if self._mode == "full" else errno.EIO)
        return -1

    def _truncate(self, descriptor: int, size: int) -> int:
        if self._fails(grows=size > os.fstat(descriptor).st_size):
            ctypes.set_errno(errno.ENOSPC if self._mode == "full" else errno.EIO)
            return -1
        return int(_LIBC.ftruncate64(descriptor, size))
