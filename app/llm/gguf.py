"""A GGUF header is read within fixed bounds, whatever the file says, and ends as a Header or as one sentence.

Nothing is mapped into memory (a file that shrinks meanwhile would kill the process), no count is trusted before it
is compared with a limit, and the tensors' places are checked against the file's size, which finds unfinished downloads.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from store.errors import ModelUnavailable

MAX_HEADER = 256 * 1024 * 1024
MAX_ENTRIES = 65_536
MAX_TENSORS = 262_144
MAX_ELEMENTS = 8_000_000
MAX_KEY = 65_535
KEPT_STRING = 1024 * 1024  # longer strings are passed over; no name needs more
KEPT_ARRAY = 1024

_CHUNK = 1024 * 1024
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}

# ggml type: (elements in a block, bytes of a block)
_BLOCKS = (
    {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84)}
    | {11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66), 17: (256, 74)}
    | {18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1)}
    | {25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66)}
    | {39: (32, 17)}
)
_NOT_FOR_CHAT = re.compile(r"bert|clip|mmproj|t5encoder|whisper|rerank|embedding|wavtokenizer")


class BadGGUF(ModelUnavailable):
    """The file is not a GGUF model, or not a whole one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says about itself; sizes in bytes."""

    path: Path
    size: int  # of all its parts, if it is split
    architecture: str
    context_length: int | None
    cache_per_token: int  # bytes of key-value cache that one token of context takes
    weights: int = 0  # how many numbers its tensors hold; 0 where it is split, since the other parts hold more

    @property
    def for_chat(self) -> bool:
        return not _NOT_FOR_CHAT.search(self.architecture)

    def memory(self, n_ctx: int) -> int:
        """Roughly what loading it takes: the weights, some of them rearranged, the cache, and working space."""
        return round(self.size * 1.2) + self.cache_per_token * n_ctx + 256 * 1024 * 1024


def read(path: Path) -> Header:
    """Raises BadGGUF with a sentence that names the file and what is wrong with it."""
    try:
        with path.open("rb") as file:
            return _header(_Cursor(file, path, path.stat().st_size))
    except OSError as error:
        raise BadGGUF(f"{path.name} cannot be read: {error.strerror or error}.") from error
    except (struct.error, OverflowError) as error:
        raise BadGGUF(f"{path.name} is damaged: its header makes no sense. Download it again.") from error


def check_memory(header: Header, n_ctx: int, available: int | None) -> None:
    """Raises ModelUnavailable when the model would not fit into what is free."""
    needed = header.memory(n_ctx)
    if available is not None and needed > available:
        raise ModelUnavailable(
            f"{header.path.name} needs about {in_gigabytes(needed)} of memory and {in_gigabytes(available)} are free:"
            " choose a smaller model, or close other programs."
        )


def in_gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def in_megabytes(size: float) -> str:
    """Rounded up, and always of this unit: beside each other such sizes can be compared."""
    return f"{math.ceil(size / 1e6):,} MB"


class _Cursor:
    """Reads forward only, in chunks, and never beyond MAX_HEADER or the end of the file."""

    def __init__(self, file: BinaryIO, path: Path, size: int) -> None:
        self.path, self.size, self.at = path, size, 0
        self._file, self._data = file, bytearray()

    def damaged(self, why: str) -> BadGGUF:
        return BadGGUF(f"{self.path.name} is damaged: {why}. Download it again.")

    def skip(self, count: int) -> int:
        """Make the next `count` bytes available and pass over them; gives where they begin."""
        start, self.at = self.at, self.at + count
        if self.at > min(self.size, MAX_HEADER):
            raise self.damaged("it ends within its header" if self.at > self.size else "its header is far too large")
        while len(self._data) < self.at:
            chunk = self._file.read(max(_CHUNK, self.at - len(self._data)))
            if not chunk:
                raise self.damaged("it ends within its header")
            self._data += chunk
        return start

    def number(self, code: str) -> Any:
        return struct.unpack_from(f"<{code}", self._data, self.skip(struct.calcsize(f"<{code}")))[0]

    def text(self, length: int) -> str:
        start = self.skip(length)
        return self._data[start : start + length].decode("utf-8", "replace")

    def skip_strings(self, count: int) -> None:
        """A vocabulary has hundreds of thousands, hence the loop without calls."""
        data, unpack, at = self._data, struct.Struct("<Q").unpack_from, self.at
        for _ in range(count):
            while at + 8 > len(data):
                self.at = at
                self.skip(8)
            at += 8 + unpack(data, at)[0]
            if at > MAX_HEADER:
                raise self.damaged("its header is far too large")
        self.at = at
        self.skip(0)


def _header(cursor: _Cursor) -> Header:
    path = cursor.path
    if cursor.size < 24 or cursor.text(4) != "GGUF":
        raise BadGGUF(f"{path.name} is not a GGUF model file: choose another one.")
    version = cursor.number("I")
    if version not in (2, 3):
        raise BadGGUF(f"{path.name} is GGUF version {version}, which cannot be read here: look for version 3 of it.")
    tensors, entries = cursor.number("Q"), cursor.number("Q")
    if entries > MAX_ENTRIES or tensors > MAX_TENSORS:
        raise cursor.damaged("its header announces more than any model has")
    values: dict[str, Any] = {}
    for _ in range(entries):
        if (length := cursor.number("Q")) > MAX_KEY:
            raise cursor.damaged("one of its names is endless")
        key = cursor.text(length)
        values[key] = _value(cursor, cursor.number("I"))
    weights = _check_tensors(cursor, tensors, _integer(values, "general.alignment") or 32)
    named = values.get("general.architecture")
    architecture = named if isinstance(named, str) and named else "unknown"
    parts = _parts_size(path)
    return Header(
        path=path,
        size=max(cursor.size, parts),
        # One printable line: names come from strangers.
        architecture="".join(c for c in " ".join(architecture.split()) if c.isprintable())[:100],
        context_length=_integer(values, f"{architecture}.context_length"),
        cache_per_token=_cache_per_token(values, architecture),
        weights=0 if parts else weights,
    )


def _value(cursor: _Cursor, kind: int) -> Any:
    """A number, a text or a short list of numbers; everything else is passed over, and None."""
    if kind == _STRING:
        length = cursor.number("Q")
        if length <= KEPT_STRING:
            return cursor.text(length)
        cursor.skip(length)
        return None
    if kind in _SCALARS:
        return cursor.number(_SCALARS[kind])
    if kind != _ARRAY:
        raise cursor.damaged(f"it holds a value of unknown kind {kind}")
    kind, count = cursor.number("I"), cursor.number("Q")
    if count > MAX_ELEMENTS:
        raise cursor.damaged("one of its lists is endless")
    if kind == _STRING:
        cursor.skip_strings(count)
    elif kind not in _SCALARS:
        raise cursor.damaged(f"it holds a list of unknown kind {kind}")
    elif count <= KEPT_ARRAY:
        return tuple(cursor.number(_SCALARS[kind]) for _ in range(count))
    else:
        cursor.skip(count * struct.calcsize(f"<{_SCALARS[kind]}"))
    return None


def _check_tensors(cursor: _Cursor, count: int, alignment: int) -> int:
    """The last tensor has to end within the file. Returns how many numbers they hold."""
    end = weights = 0
    for _ in range(count):
        cursor.skip(min(cursor.number("Q"), MAX_KEY))
        dimensions = cursor.number("I")
        if dimensions > 8:
            raise cursor.damaged("one of its tensors has too many dimensions")
        elements = math.prod(cursor.number("Q") for _ in range(dimensions))
        weights += elements
        per_block, block_bytes = _BLOCKS.get(cursor.number("I"), (1, 0))
        end = max(end, cursor.number("Q") + elements // per_block * block_bytes)
    if not 0 < alignment <= 65_536:
        raise cursor.damaged("its alignment makes no sense")
    size, whole = cursor.size, math.ceil(cursor.at / alignment) * alignment + end
    if count and whole > size:
        raise BadGGUF(
            f"{cursor.path.name} is not complete: {in_gigabytes(size)} of {in_gigabytes(whole)} are there."
            " Download it again."
        )
    return weights


def _cache_per_token(values: Mapping[str, Any], architecture: str) -> int:
    """Bytes: keys and values of every layer as 16-bit numbers."""
    layers = min(_integer(values, f"{architecture}.block_count") or 0, 4096)
    heads = _per_layer(values.get(f"{architecture}.attention.head_count"), layers)
    shared = _per_layer(values.get(f"{architecture}.attention.head_count_kv"), layers) or heads
    width = (_integer(values, f"{architecture}.embedding_length") or 0) // max([*heads, 1])
    keys = _integer(values, f"{architecture}.attention.key_length") or width
    content = _integer(values, f"{architecture}.attention.value_length") or width
    return sum(shared) * (keys + content) * 2


def _per_layer(value: Any, layers: int) -> Sequence[int]:
    if isinstance(value, tuple):
        return [int(number) for number in value]
    return [int(value)] * layers if isinstance(value, int) else []


def _parts_size(path: Path) -> int:
    """Bytes of all parts of a split model (`name-00001-of-00003.gguf`); 0 when it is not split."""
    split = re.fullmatch(r"(.+)-\d{5}-of-(\d{5})\.gguf", path.name)
    if split is None:
        return 0
    parts = path.parent.glob(f"*-of-{split[2]}.gguf")
    return sum(part.stat().st_size for part in parts if part.name.startswith(f"{split[1]}-") and part.is_file())


def _integer(values: Mapping[str, Any], key: str) -> int | None:
    value = values.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
