"""Every connection to a memory file is made here, and an encrypted file is given its key before anything is read of it.

A file is encrypted as a whole, and its WAL with it, by SQLite3 Multiple Ciphers (ChaCha20-Poly1305), which comes with
the package apsw-sqlite3mc in the place of apsw. Its first 16 bytes are a salt. The key is derived from the passphrase
and that salt as the library does it, so that every tool which uses the library opens the file with the passphrase, but
once for each salt: deriving takes ten times as long as opening, and each thread has a connection. A copy keeps the salt
of what it was copied from, and so opens with the same key. Keys are in the memory of the process, and nowhere else.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import apsw

from store.errors import BadInput, Locked, NoCiphers

READ_ONLY = apsw.SQLITE_OPEN_READONLY
_SALT = 16
_SIZE = 24
"""Bytes of a file that tell whether it is encrypted."""
_PLAIN = b"SQLite format 3\x00"
_FRACTIONS = b"\x40\x20\x20"
"""Bytes 21 to 23 of every database (file format, 1.3), also of an encrypted one: bytes 16 to 23 stay as they are."""
_ROUNDS = 64_007
"""Of PBKDF2, as SQLite3 Multiple Ciphers has it for this cipher."""

_LOCKED = (
    "{} is encrypted: give its passphrase at a terminal, in a file with --passphrase-file, or in ERSTWHILE_PASSPHRASE."
)
_NO_CIPHERS = (
    "{}, and this installation has no encryption: run `make encryption` in a checkout, else install the package "
    "apsw-sqlite3mc where Erstwhile is installed."
)


@dataclass(frozen=True, slots=True, repr=False)
class Key:
    """What opens the files with one salt; its repr does not show it."""

    salt: bytes
    raw: str
    """As the library takes it: the key and the salt in hexadecimal digits."""


class Passphrase:
    """What a person has to know; its repr does not show it."""

    __slots__ = ("_words",)

    def __init__(self, words: str) -> None:
        """Raises BadInput for an empty one."""
        if not words:
            raise BadInput("An empty passphrase protects nothing; give a longer one.")
        self._words = unicodedata.normalize("NFC", words).encode("utf-8", "surrogatepass")

    def is_same(self, other: Passphrase) -> bool:
        return self._words == other._words

    def key(self, salt: bytes) -> Key:
        """Derive the key for a salt, which is made to take long (some tens of milliseconds)."""
        digest = hashlib.pbkdf2_hmac("sha256", self._words, salt, _ROUNDS)
        return Key(salt, f"raw:{digest.hex()}{salt.hex()}")

    def new_key(self) -> Key:
        """A key with a salt of its own."""
        return self.key(os.urandom(_SALT))


_known: dict[bytes, Key] = {}
"""The keys that were given to this process, by the salts of the files that they open."""


def ciphers() -> str | None:
    """The library that encrypts, with its version; None where it is not installed."""
    found = getattr(apsw, "mc_version", None)
    return found if isinstance(found, str) else None


def need_ciphers(why: str) -> None:
    """Raise NoCiphers, whose sentence begins with the reason, where nothing can be encrypted or decrypted."""
    if ciphers() is None:
        raise NoCiphers(_NO_CIPHERS.format(why))


def salt_of(path: Path) -> bytes | None:
    """The salt of an encrypted file; None for any other, and where there is none."""
    head = _head(path)
    shaped = len(head) == _SIZE and head[21:] == _FRACTIONS and head[18] in (1, 2) and head[20] > 0
    return head[:_SALT] if shaped and not head.startswith(_PLAIN) else None


def is_encrypted(path: Path) -> bool:
    """Whether a file is an encrypted database, as its first bytes tell."""
    return salt_of(path) is not None


def is_locked(path: Path) -> bool:
    """Whether a file wants a passphrase that was not given yet. Raises NoCiphers where none would help."""
    salt = salt_of(path)
    if salt is None or salt in _known:
        return False
    need_ciphers(f"{path} is encrypted")
    return True


def _head(path: Path) -> bytes:
    """The first bytes of a file. They are read through SQLite: to open and close the file in another way would drop
    this process's locks on it."""
    if not path.is_file():
        return b""
    try:
        file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | READ_ONLY, 0])
    except apsw.Error:  # whoever opens it for good is told why it cannot be read
        return b""
    try:
        return bytes(file.xRead(_SIZE, 0)) if file.xFileSize() >= _SIZE else b""
    finally:
        file.xClose()


def offer(path: Path, passphrase: Passphrase) -> bool:
    """Whether a passphrase opens an encrypted file; then it does so from now on, also for its copies. Raises
    NoCiphers, apsw.Error."""
    salt = salt_of(path)
    if salt is None or not is_locked(path):
        return True
    key = passphrase.key(salt)
    # Immutable: it waits for nobody, writes nothing beside the file, and reads no more than the first page.
    uri = f"{path.absolute().as_uri()}?immutable=1"
    connection = apsw.Connection(uri, flags=READ_ONLY | apsw.SQLITE_OPEN_URI)
    try:
        connection.pragma("key", key.raw)
        connection.pragma("application_id")
    except apsw.NotADBError:
        return False
    finally:
        connection.close()
    keep(key)
    return True


def keep(key: Key) -> None:
    """Let a key open the files with its salt from now on."""
    _known[key.salt] = key


def forget() -> None:
    """Every key: what is opened next asks again."""
    _known.clear()


def key_of(path: Path) -> Key | None:
    """What opens a file; None where it is not encrypted. Raises Locked where it was not given, NoCiphers."""
    salt = salt_of(path)  # read once: another process may just put a file with another salt in its place
    key = None if salt is None else _known.get(salt)
    if salt is not None and key is None:
        need_ciphers(f"{path} is encrypted")
        raise Locked(_LOCKED.format(path), path)
    return key


def connect(
    path: Path, *, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, like: Path | None = None,
    how: str = "",
) -> apsw.Connection:  # fmt: skip
    """Open a database file; a new or empty one is encrypted if the file `like` is, with the same key. `how`: a
    parameter of SQLite's file names, `mode=ro`, or `immutable=1` for a file that nobody writes to, of which nothing is
    left beside it. Raises Locked where the key of an encrypted one was not given, NoCiphers, apsw.Error."""
    key = key_of(path)
    if key is None and like is not None and not _head(path):
        key = key_of(like)
    # `vacuum into` takes a URI where the connection does; an absolute path is never read as one.
    name = f"{path.absolute().as_uri()}?{how}" if how else str(path.absolute())
    connection = apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_URI)
    if key is not None:
        connection.pragma("key", key.raw)
    return connection


def attach(connection: apsw.Connection, path: Path, name: str) -> None:
    """Attach a database file under a name. Raises Locked, NoCiphers, apsw.Error."""
    key = key_of(path)
    connection.execute(f"attach ? as {name} key ?", (str(path.absolute()), "" if key is None else key.raw))
