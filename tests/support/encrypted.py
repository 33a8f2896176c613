"""What tests of encryption share. Those that encrypt want apsw-sqlite3mc: `make test-encryption` runs them with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.database import opening
from store.database.opening import Passphrase
from store.maintenance.rekeying import rekey
from store.memory import Memory
from store.records import Instant, Turn
from tests.conftest import NOW, ZONE

needs_ciphers = pytest.mark.skipif(
    opening.ciphers() is None, reason="apsw-sqlite3mc is not installed: `make test-encryption` runs this"
)
WORDS = "correct horse"
PORTO = "I live in Porto."
MAGIC = b"SQLite format 3"


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def tell(path: Path, *texts: str, session: str = "s") -> None:
    """Say something in the memory of this file."""
    with opened(path) as memory:
        for text in texts:
            memory.reading.learn(memory.episodes.remember(Turn(text, session, external_id=text)).id)


def encrypted(path: Path, words: str = WORDS, text: str = PORTO) -> Path:
    """A memory with a turn, encrypted with these words, which this process has forgotten again."""
    tell(path, text)
    rekey(path, Passphrase(words).new_key(), NOW)
    opening.forget()
    return path


def looks_encrypted(path: Path) -> Path:
    """A file as an encrypted memory is to whoever has no key to it: noise, but for eight bytes."""
    noise = bytearray(os.urandom(8192))
    noise[16:24] = b"\x10\x00\x02\x02\x20\x40\x20\x20"
    path.write_bytes(noise)
    return path


def at(seconds: int) -> Instant:
    """A moment after NOW, so that what is made then has a name of its own."""
    return Instant(NOW.us + seconds * 1_000_000, NOW.offset)
