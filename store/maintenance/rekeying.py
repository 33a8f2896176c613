"""A memory is encrypted, given another passphrase, or decrypted as a copy that is checked and then takes its place.

The memory is held against everybody else until then. The copy takes its place by a rename, so that there is a whole
memory at every moment. A process that had opened the old file, and waits for it, finds nothing in it that it can read,
and opens the new one instead (`Database`).
"""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from store.database import beside, opening
from store.database.connections import held, told
from store.database.opening import Key
from store.database.rows import scalar
from store.errors import Damaged, StoreError
from store.maintenance import backups, copies
from store.records import Instant

_AT_ONCE = 1 << 20
"""Bytes that are overwritten in one write."""


def rekey(memory: Path, key: Key | None, now: Instant) -> list[Path]:
    """Let a memory be encrypted with this key from now on, or with none; gives the copies of it that Erstwhile made,
    that are there, and that this key does not open. Raises Busy, Damaged, Locked, NoCiphers, NotAMemory, StoreError."""
    opening.need_ciphers("Nothing was encrypted or decrypted")
    if key is not None:
        opening.keep(key)
    target = copies.backup_beside(memory, now.local(), "rekeying")
    try:
        with told(memory), held(memory) as connection, backups.part(target) as fresh:
            if not scalar(connection, "select count(*) from sqlite_schema"):
                raise StoreError(f"There is nothing in {memory} yet; say or import something first.")
            made = copies.listed(connection)
            connection.pragma("journal_mode", "delete")  # the WAL is folded into the file, and goes
            backups.write_anew(connection, fresh, key)
            if wrong := backups.faults(fresh):
                raise Damaged(f"{memory} fails its checks ({wrong[0]}) and stays as it was; see `erstwhile check`.")
            _put_in_place(fresh, memory)
    except (apsw.Error, OSError) as error:
        raise StoreError(f"{memory} cannot be written anew ({error}); no turn of it is lost.") from error
    beside.drop(memory)
    salt = None if key is None else key.salt
    return [path for path in copies.every(memory, made) if path.is_file() and opening.salt_of(path) != salt]


def _put_in_place(fresh: Path, memory: Path) -> None:
    """Rename a whole file to the memory's name, and overwrite the old one, when no power cut can bring that back. To
    be called with the old one held: closing it here lets it go. Raises OSError."""
    with memory.open("rb+", buffering=0) as old:
        fresh.replace(memory)
        backups.sync_folder(memory.parent)
        status = os.fstat(old.fileno())
        if status.st_nlink:  # it has another name, which somebody else gave it
            return
        for start in range(0, status.st_size, _AT_ONCE):
            old.write(bytes(min(_AT_ONCE, status.st_size - start)))
        os.fsync(old.fileno())
