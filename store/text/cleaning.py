"""Foreign words are made whole before they are kept or looked up, and short before a sentence quotes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from store.records import Turn

_LONE = "\x00"
LONGEST_QUOTE = 80  # characters of foreign words in a sentence for a person


def whole(text: str) -> str:
    """A text that SQLite and a tokenizer can hold, as long as it was: lone surrogates, which no Unicode text may have,
    become "?", and NUL, at which SQLite's functions end a text, becomes U+FFFD."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace(_LONE, "\ufffd") if _LONE in text else text


def quoted(text: object) -> str:
    """Foreign words as they may stand in a sentence: on one line, of printable characters only, and not at length."""
    words = " ".join(str(text)[: 4 * LONGEST_QUOTE].split())
    shown = "".join(word if word.isprintable() else "\ufffd" for word in words)
    return shown if len(shown) <= LONGEST_QUOTE else f"{shown[: LONGEST_QUOTE - 1]}…"


def cleaned(turn: Turn) -> Turn:
    """A turn whose words and names SQLite can hold."""
    words = {name: getattr(turn, name) for name in ("text", "session", "speaker", "external_id", "title", "original")}
    kept: dict[str, Any] = {name: whole(word) for name, word in words.items() if word is not None}
    return replace(turn, **kept)
