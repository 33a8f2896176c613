"""What has come of a model lies beside its place under another name, and is only added to, by one program at a time.

A note beside it says where it comes from and what the server said of the whole, so that it is gone on with only where
the server still gives the same file. Nothing here opens a connection.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from email.message import Message
from pathlib import Path
from typing import IO

from app.llm.catalogue import FileToFetch
from app.paths import read_note, replace_file
from store.errors import ModelUnavailable

_DIGEST = re.compile(r'(?:W/)?"?([0-9a-fA-F]{64})"?')


class Changed(Exception):
    """What is here is of another file than the server gives now."""


@dataclass(frozen=True, slots=True)
class Half:
    """What has come of a file that is not whole yet."""

    wanted: FileToFetch
    done: int  # bytes
    size: int | None  # bytes of the whole; None where the server did not say


@dataclass
class ResponseHeaders:
    """What the servers on the way said of the file."""

    etag: str | None = None
    sha256: str | None = None
    size: int | None = None

    def hear(self, headers: Message) -> None:
        """The first server that names the file's digest knows best: what it redirects to may name it otherwise."""
        etag = headers.get("X-Linked-ETag") or headers.get("ETag")
        if self.sha256 is None and etag:
            digest = _DIGEST.fullmatch(etag)
            self.etag, self.sha256 = etag, digest[1].lower() if digest else None
        linked = headers.get("X-Linked-Size", "")
        self.size = int(linked) if self.size is None and linked.isdigit() else self.size


class PartialFile:
    """A file that is not whole yet, with a note of where it comes from beside it."""

    def __init__(self, wanted: FileToFetch, folder: Path) -> None:
        self.wanted, self.folder = wanted, folder
        self.path = folder / f".{wanted.file}.part"
        self.note = folder / f".{wanted.file}.part.json"

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def share(self) -> float | None:
        """How much of it is here; None where nobody said how much it is."""
        whole = read_note(self.note, {}).get("size") or self.wanted.size
        return min(1.0, self.size / whole) if whole else None if self.size else 0.0

    @contextmanager
    def held(self) -> Iterator[IO[bytes]]:
        """The open file, for one program at a time. Raises ModelUnavailable."""
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "ab", buffering=0) as file:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ModelUnavailable(f"{self.wanted.file} is being fetched already, by another program.") from None
            try:
                yield file
            finally:
                if self.size == 0:
                    self.drop()

    def fits(self, told: ResponseHeaders) -> bool:
        """What is here is the beginning of what the server gives."""
        known = read_note(self.note, {})
        return (known.get("etag"), known.get("size")) == (told.etag, told.size) and told.etag is not None

    def whole(self, told: ResponseHeaders) -> None:
        """The server has nothing beyond what is here: then it is all of it. Raises Changed."""
        known = read_note(self.note, {})
        if known.get("size") != self.size or told.etag not in (None, known.get("etag")):
            raise Changed
        told.sha256 = told.sha256 or known.get("sha256")

    def remember(self, told: ResponseHeaders) -> None:
        replace_file(self.note, json.dumps({"wanted": asdict(self.wanted), **asdict(told)}))

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def halves(models: Path) -> list[Half]:
    """What was begun in this folder and is not whole."""
    found = []
    for note in sorted(models.glob(".*.part.json")):
        known, part = read_note(note, {}), note.with_suffix("")
        try:
            found.append(Half(FileToFetch(**known["wanted"]), part.stat().st_size, known["size"]))
        except (KeyError, TypeError, FileNotFoundError):  # of another version, or dropped meanwhile: fetched anew
            continue
    return found


def drop(wanted: FileToFetch, models: Path) -> None:
    """Throw away what has come of it."""
    PartialFile(wanted, models).drop()
