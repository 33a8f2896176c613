"""Nothing is ever unpacked: the parts of an export are read in memory, by names that are on a list, and up to a size.

A part is a file of a folder, a member of a ZIP, or the file itself. No name from inside an archive is used as a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

from store.errors import BadInput
from store.formats.report import Report

LARGEST_MEMBER = 2 << 30
MOST_MEMBERS = 200_000
STEEPEST = 200
"""Bytes for each compressed byte; the JSON of chats is packed 5 to 30 times."""
SMALL = 16 << 20
"""Up to this size a member may be packed as it likes."""


def parts(path: Path, wanted: re.Pattern[str], report: Report) -> Iterator[tuple[str, IO[bytes]]]:
    """(name, open file) of each part that is wanted, in order of name. Raises BadInput if it cannot be opened."""
    if path.is_dir():
        yield from _of_folder(path, wanted)
    elif is_zipfile(path):
        yield from _of_zip(path, wanted, report)
    else:
        with opened(path) as file:
            yield path.name, file


def names(path: Path) -> list[str]:
    """The names inside a folder (two levels) or a ZIP, in order. Raises BadInput."""
    if path.is_dir():
        return sorted(file.relative_to(path).as_posix() for file in _files(path))
    with _zip(path) as archive:
        return sorted(one.filename for one in archive.infolist() if not one.is_dir())


def opened(path: Path) -> IO[bytes]:
    """The file, open. Raises BadInput."""
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error


def matches(wanted: re.Pattern[str], name: str) -> bool:
    """Whether a part is wanted: its own name is, or its name with the folder that it lies in."""
    pieces = PurePosixPath(name.replace("\\", "/")).parts
    return any(wanted.fullmatch("/".join(pieces[-count:])) for count in (1, 2) if len(pieces) >= count)


def _of_folder(path: Path, wanted: re.Pattern[str]) -> Iterator[tuple[str, IO[bytes]]]:
    for one in sorted(_files(path)):
        name = one.relative_to(path).as_posix()
        if matches(wanted, name):
            with opened(one) as file:
                yield name, file


def _files(path: Path) -> Iterator[Path]:
    for pattern in ("*", "*/*"):
        for one in path.glob(pattern):
            if one.is_file() and not one.is_symlink() and not one.name.startswith("."):
                yield one


_UNREADABLE = (BadZipFile, EOFError, OSError, RuntimeError, ValueError)
"""What zipfile raises for a file that it cannot read; RuntimeError for a version or a way of packing that it does not
know."""


def _of_zip(path: Path, wanted: re.Pattern[str], report: Report) -> Iterator[tuple[str, IO[bytes]]]:
    with _zip(path) as archive:
        for member in sorted(archive.infolist(), key=lambda one: one.filename):
            if member.is_dir() or not matches(wanted, member.filename):
                continue
            if reason := _refusal(member):
                report.skip(f"{path.name}, {member.filename}", reason)
                continue
            try:
                with archive.open(member) as file:
                    yield member.filename, file
            except _UNREADABLE as error:
                raise BadInput(f"{path.name} is damaged at {member.filename} ({error}); download it again.") from error


def _refusal(member: ZipInfo) -> str | None:
    if member.flag_bits & 0x1:
        return "it is encrypted; unpack it first."
    if member.file_size > LARGEST_MEMBER:
        return "it is larger than 2 GiB."
    if member.file_size > SMALL and member.file_size > STEEPEST * max(1, member.compress_size):
        return f"it unpacks to more than {STEEPEST} times its size, as no export does."
    return None


def _zip(path: Path) -> ZipFile:
    try:
        archive = ZipFile(path)
    except _UNREADABLE as error:
        raise BadInput(f"{path.name} is not a ZIP that can be read ({error}); download it again.") from error
    if len(archive.infolist()) > MOST_MEMBERS:
        archive.close()
        raise BadInput(f"{path.name} holds more than {MOST_MEMBERS} files; that is no export of chats.")
    return archive
