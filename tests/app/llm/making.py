"""Makes GGUF files, byte by byte, as the format's document says."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Value = str | int | bool | Sequence[str] | Sequence[int]

DEFAULTS: dict[str, Value] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.file_type": 15,
    "general.license": "mit",
    "llama.context_length": 2048,
    "llama.block_count": 2,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "tokenizer.ggml.tokens": ["<s>", "</s>", "a", "b"],
    "tokenizer.ggml.token_type": list(range(3000)),
    "tokenizer.chat_template": "{{ messages }}",
}


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key: str, value: Value) -> bytes:
    return text(key) + tagged(value)


def tagged(value: Value) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if value and isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(text(str(item)) for item in value)
    return struct.pack("<IIQ", 9, 4, len(value)) + b"".join(struct.pack("<I", int(item)) for item in value)


def gguf(extra: Mapping[str, Value] | None = None, *, elements: int = 64, weights: int | None = None) -> bytes:
    """One F32 tensor of `elements`; `weights` bytes follow, by default as many as it needs."""
    values = {**DEFAULTS, **(extra or {})}
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(values))
    head += b"".join(entry(key, value) for key, value in values.items())
    head += text("token_embd.weight") + struct.pack("<IQIQ", 1, elements, 0, 0)
    head += b"\0" * (-len(head) % 32)
    return head + b"\0" * (elements * 4 if weights is None else weights)
