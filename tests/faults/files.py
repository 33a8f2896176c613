"""What the product writes to a file by itself, and not through SQLite, is seen before it is written."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Any

Seen = Callable[[int, int, bytes], None]
"""Called with the descriptor, the offset and the bytes."""


class Watched(io.FileIO):
    """A file that is written to, unbuffered."""

    def __init__(self, descriptor: int, seen: Seen) -> None:
        super().__init__(descriptor, "w")
        self._seen = seen

    def write(self, data: Any, /) -> int:
        self._seen(self.fileno(), self.tell(), bytes(data))
        return super().write(data)


def fdopen(real: Callable[..., IO[Any]], seen: Seen) -> Callable[..., IO[Any]]:
    """`os.fdopen`, where files of text that are written to are watched."""

    def opened(descriptor: int, mode: str = "r", **named: Any) -> IO[Any]:
        if mode != "w":
            return real(descriptor, mode, **named)
        return io.TextIOWrapper(io.BufferedWriter(Watched(descriptor, seen)), **named)

    return opened
