"""Nothing is ever unpacked: the parts of an export are read in memory, by names that are on a list, and up to a size.

A part is a file of a folder, a member of a ZIP, or the file itself. No name from inside an archive is used as a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

from store.errors import BadInput
from store.formats.report import Report, mapped
from store.formats.stream import items

LARGEST_MEMBER = 2 << 30
MOST_MEMBERS = 200_000
STEEPEST = 200
"""Bytes for each compressed byte; the JSON of chats is packed 5 to 30 times."""
SMALL = 16 << 20
"""Up to this size a member may be packed as it likes."""
_UNREADABLE = (BadZipFile, EOFError, OSError, RuntimeError, ValueError)
"""What zipfile raises for a file that it cannot read; RuntimeError for a version or a way of packing that it does not
know."""


def items_of(path: Path, wanted: re.Pattern[str], report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    """(where, object) of each conversation in the parts that are wanted, also where a list or `conversations` wraps
    them; what is no object reads as an empty one. A broken part goes to the report, and loses no other. Raises BadInput
    if the export cannot be opened."""
    for name, file in parts(path, wanted, report):
        try:
            for number, item in enumerate(items(file), 1):
                inner = mapped(item).get("conversations", item)
                for one in inner if isinstance(inner, list) else [item]:
                    yield f"{name}, item {number}", mapped(one)
        except BadInput as error:
            report.skip(name, str(error))


def parts(path: Path, wanted: re.Pattern[str], report: Report) -> Iterator[tuple[str, IO[bytes]]]:
    """(name, open file) of each part that is wanted, in order of name. Raises BadInput if it cannot be opened."""
    if path.is_dir():
        for name in names(path):
            if _matches(wanted, name):
                with opened(path / name) as file:
                    yield name, file
    elif is_zipfile(path):
        yield from _of_zip(path, wanted, report)
    else:
        with opened(path) as file:
            yield path.name, file


def names(folder: Path) -> list[str]:
    """The names of the files in a folder and in those directly below it, in order."""
    files = (one for pattern in ("*", "*/*") for one in folder.glob(pattern) if one.is_file() and not one.is_symlink())
    return sorted(one.relative_to(folder).as_posix() for one in files if not one.name.startswith("."))


def opened(path: Path) -> IO[bytes]:
    """The file, open. Raises BadInput."""
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error


def _matches(wanted: re.Pattern[str], name: str) -> bool:
    """Whether a part is wanted: its own name is, or its name with the folder that it lies in."""
    pieces = PurePosixPath(name.replace("\\", "/")).parts
    return any(wanted.fullmatch("/".join(pieces[-count:])) for count in (1, 2) if len(pieces) >= count)


def _of_zip(path: Path, wanted: re.Pattern[str], report: Report) -> Iterator[tuple[str, IO[bytes]]]:
    at = ""
    try:
        with ZipFile(path) as archive:
            if len(archive.infolist()) > MOST_MEMBERS:
                raise BadInput(f"{path.name} holds more than {MOST_MEMBERS} files; that is no export of chats.")
            for member in sorted(archive.infolist(), key=lambda one: one.filename):
                if member.is_dir() or not _matches(wanted, member.filename):
                    continue
                if reason := _refusal(member):
                    report.skip(f"{path.name}, {member.filename}", reason)
                    continue
                at = f" at {member.filename}"
                with archive.open(member) as file:
                    yield member.filename, file
    except _UNREADABLE as error:
        raise BadInput(f"{path.name} is a damaged ZIP{at} ({error}); download it again.") from error


def _refusal(member: ZipInfo) -> str | None:
    if member.flag_bits & 0x1:
        return "it is encrypted; unpack it first."
    if member.file_size > LARGEST_MEMBER:
        return "it is larger than 2 GiB."
    if member.file_size > SMALL and member.file_size > STEEPEST * max(1, member.compress_size):
        return f"it unpacks to more than {STEEPEST} times its size, as no export does."
    return None
