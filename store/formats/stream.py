"""A file of any length is read in a window as large as its largest conversation, and never as a whole.

The standard library decodes a JSON document all at once; a window over the text, handed to its decoder one value at a
time, keeps an export of hundreds of megabytes in the memory that one conversation needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import TextIOWrapper
from lzma import LZMAError
from typing import IO, Any
from zipfile import BadZipFile
from zlib import error as zlib_error

from store.errors import BadInput

CHUNK = 1 << 20
LARGEST = 256 << 20
"""Characters of one conversation; what is larger is no conversation."""
LONGEST_LINE = 8 << 20
_SPACE = re.compile(r"[ \t\r\n]*")


def items(file: IO[bytes]) -> Iterator[Any]:
    """The values of a top-level array, or of a sequence of values such as JSON lines, one at a time.

    Raises BadInput where the text is not JSON; what came before has been yielded by then.
    """
    window = _Window(file)
    if window.peek() != "[":
        while window.peek():
            yield window.value()
        return
    window.step()
    while (following := window.peek()) != "]":
        if not following:
            raise BadInput("the file ends in the middle; export it again.")
        if following == ",":
            window.step()
        else:
            yield window.value()


def lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Each line with its number from 1; None for one that is longer than LONGEST_LINE."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) <= LONGEST_LINE:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        yield number, None


class _Window:
    """The part of the text that is being decoded."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = TextIOWrapper(file, encoding="utf-8-sig", errors="replace")
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False
        self._decoder = json.JSONDecoder()

    def peek(self) -> str:
        """The next character that is no space; "" at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def step(self) -> None:
        self._at += 1

    def value(self) -> Any:
        """The next value. Raises BadInput if there is none."""
        while True:
            try:
                found, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError as error:
                where = self._before + getattr(error, "pos", self._at)
                if not self._more():
                    raise BadInput(f"it is not JSON from character {where} on; export it again.") from error
                continue
            except RecursionError as error:
                raise BadInput("it is nested too deeply to be a conversation.") from error
            # A number at the window's edge may go on behind it.
            if end == len(self._text) and self._more():
                continue
            self._at = end
            return found

    def _more(self) -> bool:
        """Read on, and forget what was decoded; as much again as is held, so that a large value is tried seldom."""
        if self._ended:
            return False
        held = len(self._text) - self._at
        if held > LARGEST:
            raise BadInput("one conversation is larger than 256 million characters; it cannot be read.")
        try:
            came = self._file.read(max(CHUNK, held))
        except (OSError, EOFError, BadZipFile, zlib_error, LZMAError) as error:  # what unpackers raise
            raise BadInput(f"it is damaged after character {self._before + held} ({error}); fetch it again.") from error
        self._ended = not came
        self._before += self._at
        self._text, self._at = self._text[self._at :] + came, 0
        return bool(came)
