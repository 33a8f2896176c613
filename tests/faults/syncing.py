"""The syncs of SQLite's unix VFS, which calls fsync without a table in which it could be replaced.

A file that SQLite opens brings a table of its methods (`sqlite3_io_methods`). Where somebody watches, it gets a copy of
it with another `xSync`, which fails when the watcher says so. The layouts are those of sqlite3.h, which never change.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import apsw

_POINTER = ctypes.sizeof(ctypes.c_void_p)
_METHODS_SIZE = 19 * _POINTER
"""Version 3: its number and 18 methods."""
_X_SYNC = 5 * _POINTER
_X_OPEN = 5 * _POINTER
"""In sqlite3_vfs, after three numbers, padded, and pNext, zName, pAppData."""
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_OPEN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)
_fails: Callable[[], bool] | None = None


def watch(fails: Callable[[], bool] | None) -> None:
    """Ask before each sync of a file that is opened from now on whether it fails; None ends that."""
    global _fails
    _opened()
    _fails = fails


@cache
def _opened() -> object:
    """Put another xOpen into the VFS, for as long as the process lives; gives what must outlive it."""
    connection = apsw.Connection(":memory:")
    vfs = ctypes.c_void_p()
    connection.file_control("main", apsw.SQLITE_FCNTL_VFS_POINTER, ctypes.addressof(vfs))
    connection.close()
    field = ctypes.c_void_p.from_address((vfs.value or 0) + _X_OPEN)
    real = _OPEN(field.value or 0)

    def xopen(vfs: int, name: int, file: int, flags: int, given: object) -> int:
        code = int(real(vfs, name, file, flags, given))
        methods = ctypes.c_void_p.from_address(file)
        if code == apsw.SQLITE_OK and methods.value and _fails is not None:
            methods.value = ctypes.addressof(_replaced(methods.value)[0])
        return code

    ours = _OPEN(xopen)
    field.value = ctypes.cast(ours, ctypes.c_void_p).value
    return ours, real


@cache
def _replaced(methods: int) -> tuple[ctypes.Array[ctypes.c_char], object]:
    """A copy of a table of methods with another xSync, and what must live as long."""
    copied = ctypes.create_string_buffer(ctypes.string_at(methods, _METHODS_SIZE), _METHODS_SIZE)
    field = ctypes.c_void_p.from_buffer(copied, _X_SYNC)
    real = _SYNC(field.value or 0)

    def xsync(file: int, flags: int) -> int:
        if _fails is not None and _fails():
            return int(apsw.SQLITE_IOERR_FSYNC)
        return int(real(file, flags))

    ours = _SYNC(xsync)
    field.value = ctypes.cast(ours, ctypes.c_void_p).value
    return copied, ours
