"""What was made from a memory's words and lies outside of its file lies in one folder beside it, and an erase drops it.

Caches only: whoever puts something there can do without it, and must not put anything there that was read before the
folder was dropped last. The folder's mark tells: it is another one after each drop.
"""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from store.errors import StoreError

_MARK = "mark"


def folder(memory: Path) -> Path:
    """Where it would be; it need not exist."""
    return memory.with_name(f"{memory.name}.cache")


def mark(memory: Path, *, make: bool = False) -> str | None:
    """The folder's mark; None where there is no folder, unless it may be made (readable by its owner only)."""
    here = folder(memory)
    try:
        return (here / _MARK).read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        if not make:
            return None
    here.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = secrets.token_hex(8)
    (here / _MARK).write_text(new, encoding="ascii")
    return new


def drop(memory: Path) -> None:
    """Remove the folder and all that is in it. Raises StoreError where that cannot be done."""
    try:
        shutil.rmtree(folder(memory))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(
            f"{folder(memory)} may hold the words and cannot be removed ({error.strerror}): remove it by hand."
        ) from error
