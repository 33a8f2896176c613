"""A document is somebody's words about something: it can be searched and quoted, and teaches nothing about the person.

Only a text that is named as the person's own words is read as theirs. A document is a conversation of its own, known by
its bytes, so that the same file comes in once and an edited one comes in beside it. It has no date of its own but that
on which it was taken in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from store.errors import BadInput
from store.formats.archive import opened
from store.formats.report import Options, Report
from store.records import DOCUMENT, DOCUMENT_SOURCE, Role, Turn

LARGEST = 8 << 20
"""Bytes."""
PART, SHORT = 300, 60
"""Characters: of a part at most, where its sentences allow, so that it can be quoted whole; and of what is too short to
be one, such as a heading."""
_SENTENCE = re.compile(r"\S.*?(?:[.!?…。？！؟](?=\s)|\n|\Z)\s*", re.DOTALL)


def read(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The parts of a document, which is nobody's. Raises BadInput where it is not a text."""
    return _read(path, report, DOCUMENT, "tool", path.name, DOCUMENT_SOURCE)


def read_own(path: Path, options: Options, report: Report) -> Iterator[Turn]:
    """The parts of what the person wrote, which is read as if they said it now. Raises BadInput where it is no text."""
    return _read(path, report, "own-words:", "user", "me", "import:own-words")


def _read(path: Path, report: Report, prefix: str, role: Role, speaker: str, source: str) -> Iterator[Turn]:
    with opened(path) as file:
        content = file.read(LARGEST + 1)
    text = decoded(content, path.name)
    session = prefix + blake2b(content, digest_size=8).hexdigest()
    for place, part in enumerate(parts(text)):
        yield report.take(Turn(part, session, speaker, role, None, str(place), source, title=path.name, place=place))


def decoded(content: bytes, name: str, largest: int = LARGEST) -> str:
    """The text of a file. Raises BadInput where it is too large, empty, or none."""
    if len(content) > largest:
        raise BadInput(f"{name} is larger than {largest >> 20} MiB; split it.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    elif b"\x00" in content or content.startswith(b"%PDF-"):
        raise BadInput(f"{name} is not a text; save it as text, and take that.")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")
    if not text.strip():
        raise BadInput(f"{name} holds no text.")
    return text


def parts(text: str) -> Iterator[str]:
    """A text in its paragraphs, the long ones in whole sentences; a heading stands with what follows it."""
    part = ""
    for paragraph in map(str.strip, re.split(r"\n\s*\n", text)):
        sentences = [paragraph] if len(paragraph) <= PART else _SENTENCE.findall(paragraph)
        for piece in (one[at : at + PART] for one in sentences for at in range(0, len(one), PART)):
            if part and len(part) + len(piece) > PART:
                yield part.strip()
                part = ""
            part += piece
        if len(part.strip()) > SHORT:
            yield part.strip()
            part = ""
        part += "\n" if part else ""
    if part.strip():
        yield part.strip()
