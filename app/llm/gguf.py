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
from typing import BinaryIO

from store.errors import ModelUnavailable

MAX_HEADER = 256 * 1024 * 1024
MAX_ENTRIES = 65_536
MAX_TENSORS = 262_144
MAX_ELEMENTS = 8_000_000
MAX_KEY = 65_535
KEPT_STRING = 1024 * 1024
"""Longer strings are passed over; no name needs more."""
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

Value = int | float | bool | str | tuple[int | float | bool, ...] | None


class BadGGUF(ModelUnavailable):
    """The file is not a GGUF model, or not a whole one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says about itself; sizes in bytes."""

    path: Path
    size: int
    """Of all its parts, if it is split."""
    architecture: str
    context_length: int | None
    cache_per_token: int
    """Bytes of key-value cache that one token of context takes."""
    weights: int = 0
    """How many numbers its tensors hold; 0 where it is split, since the other parts hold more."""

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
            size = path.stat().st_size
            return _header(path, size, _Cursor(file, path.name, size))
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

    def __init__(self, file: BinaryIO, name: str, size: int) -> None:
        self._file, self._name, self._size = file, name, size
        self._data = bytearray()
        self.at = 0

    def damaged(self, why: str) -> BadGGUF:
        return BadGGUF(f"{self._name} is damaged: {why}. Download it again.")

    def need(self, count: int) -> None:
        """Make `count` bytes from here on available."""
        wanted = self.at + count
        if wanted > min(self._size, MAX_HEADER):
            raise self.damaged("it ends within its header" if wanted > self._size else "its header is far too large")
        while len(self._data) < wanted:
            chunk = self._file.read(max(_CHUNK, wanted - len(self._data)))
            if not chunk:
                raise self.damaged("it ends within its header")
            self._data += chunk

    def scalar(self, code: str) -> int:
        return int(self.number(code))

    def number(self, code: str) -> int | float | bool:
        size = struct.calcsize(f"<{code}")
        self.need(size)
        (value,) = struct.unpack_from(f"<{code}", self._data, self.at)
        self.at += size
        assert isinstance(value, int | float | bool)
        return value

    def bytes(self, count: int) -> bytes:
        self.need(count)
        self.at += count
        return bytes(self._data[self.at - count : self.at])

    def text(self) -> str | None:
        """None for a string that is too long to be worth keeping."""
        length = self.scalar("Q")
        if length > KEPT_STRING:
            self.skip(length)
            return None
        return self.bytes(length).decode("utf-8", "replace")

    def skip(self, count: int) -> None:
        self.need(count)
        self.at += count

    def skip_strings(self, count: int) -> None:
        """A vocabulary has hundreds of thousands, hence the loop without calls."""
        data, unpack, at = self._data, struct.Struct("<Q").unpack_from, self.at
        for _ in range(count):
            while at + 8 > len(data):
                self.at = at
                self.need(8)
            at += 8 + unpack(data, at)[0]
            if at > MAX_HEADER:
                raise self.damaged("its header is far too large")
        self.at = at
        self.need(0)


def _header(path: Path, size: int, cursor: _Cursor) -> Header:
    tensors, entries = _preamble(path, size, cursor)
    values: dict[str, Value] = {}
    for _ in range(entries):
        key_length = cursor.scalar("Q")
        if key_length > MAX_KEY:
            raise cursor.damaged("one of its names is endless")
        key = cursor.bytes(key_length).decode("utf-8", "replace")
        values[key] = _value(cursor, cursor.scalar("I"))
    weights = _check_tensors(path, size, cursor, tensors, _integer(values, "general.alignment") or 32)
    return _described(path, size, values, weights)


def _preamble(path: Path, size: int, cursor: _Cursor) -> tuple[int, int]:
    """How many tensors and how many entries there are."""
    if size < 24 or cursor.bytes(4) != b"GGUF":
        raise BadGGUF(f"{path.name} is not a GGUF model file: choose another one.")
    version = cursor.scalar("I")
    if version not in (2, 3):
        raise BadGGUF(f"{path.name} is GGUF version {version}, which cannot be read here: look for version 3 of it.")
    tensors, entries = cursor.scalar("Q"), cursor.scalar("Q")
    if entries > MAX_ENTRIES or tensors > MAX_TENSORS:
        raise cursor.damaged("its header announces more than any model has")
    return tensors, entries


def _value(cursor: _Cursor, kind: int) -> Value:
    if kind == _STRING:
        return cursor.text()
    if kind == _ARRAY:
        return _array(cursor)
    if kind not in _SCALARS:
        raise cursor.damaged(f"it holds a value of unknown kind {kind}")
    return cursor.number(_SCALARS[kind])


def _array(cursor: _Cursor) -> Value:
    """Short arrays of numbers are kept, everything else is passed over."""
    kind, count = cursor.scalar("I"), cursor.scalar("Q")
    if count > MAX_ELEMENTS:
        raise cursor.damaged("one of its lists is endless")
    if kind == _STRING:
        cursor.skip_strings(count)
        return None
    if kind not in _SCALARS:
        raise cursor.damaged(f"it holds a list of unknown kind {kind}")
    if count > KEPT_ARRAY:
        cursor.skip(count * struct.calcsize(f"<{_SCALARS[kind]}"))
        return None
    return tuple(cursor.number(_SCALARS[kind]) for _ in range(count))


def _check_tensors(path: Path, size: int, cursor: _Cursor, count: int, alignment: int) -> int:
    """The last tensor has to end within the file. Returns how many numbers they hold."""
    end = weights = 0
    for _ in range(count):
        cursor.skip(min(cursor.scalar("Q"), MAX_KEY))
        dimensions = cursor.scalar("I")
        if dimensions > 8:
            raise cursor.damaged("one of its tensors has too many dimensions")
        elements = math.prod(cursor.scalar("Q") for _ in range(dimensions))
        weights += elements
        per_block, block_bytes = _BLOCKS.get(cursor.scalar("I"), (1, 0))
        end = max(end, cursor.scalar("Q") + elements // per_block * block_bytes)
    if not 0 < alignment <= 65_536:
        raise cursor.damaged("its alignment makes no sense")
    whole = math.ceil(cursor.at / alignment) * alignment + end
    if count and whole > size:
        raise BadGGUF(
            f"{path.name} is not complete: {in_gigabytes(size)} of {in_gigabytes(whole)} are there. Download it again."
        )
    return weights


def _described(path: Path, size: int, values: Mapping[str, Value], weights: int) -> Header:
    named = values.get("general.architecture")
    architecture = named if isinstance(named, str) and named else "unknown"
    return Header(
        path=path,
        size=max(size, parts := _parts_size(path)),
        architecture=_clean(architecture),
        context_length=_integer(values, f"{architecture}.context_length"),
        cache_per_token=_cache_per_token(values, architecture),
        weights=0 if parts else weights,
    )


def _cache_per_token(values: Mapping[str, Value], architecture: str) -> int:
    """Bytes: keys and values of every layer as 16-bit numbers."""
    layers = min(_integer(values, f"{architecture}.block_count") or 0, 4096)
    heads = _per_layer(values.get(f"{architecture}.attention.head_count"), layers)
    shared = _per_layer(values.get(f"{architecture}.attention.head_count_kv"), layers) or heads
    width = (_integer(values, f"{architecture}.embedding_length") or 0) // max([*heads, 1])
    keys = _integer(values, f"{architecture}.attention.key_length") or width
    content = _integer(values, f"{architecture}.attention.value_length") or width
    return sum(shared) * (keys + content) * 2


def _per_layer(value: Value, layers: int) -> Sequence[int]:
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


def _integer(values: Mapping[str, Value], key: str) -> int | None:
    value = values.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _clean(text: str) -> str:
    """One printable line: names come from strangers."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:100]
