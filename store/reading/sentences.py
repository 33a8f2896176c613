"""A sentence ends at a full stop, a mark or a line, but at no abbreviation."""

from __future__ import annotations

import re

from store.text.lists import wordset

Span = tuple[int, int]
_ABBREVIATIONS = wordset("dr mr mrs ms prof st vs etc e.g i.e jr sr sra approx no")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[!?]+|\n+")


def spans_of(text: str) -> list[Span]:
    """Where the sentences of a text begin and end, without reading them."""
    ends = _ends(text)
    return list(zip([0, *ends], ends, strict=False))


def _ends(text: str) -> list[int]:
    ends = [match.end() for match in _END.finditer(text) if not _abbreviated(text, match.start(), match.group())]
    return ends if ends[-1:] == [len(text)] else [*ends, len(text)]


def _abbreviated(text: str, at: int, mark: str) -> bool:
    if mark != ".":
        return False
    word = re.search(r"[\w.]+$", text[max(0, at - 12) : at])
    if word is None:
        return False
    low = word.group().lower()
    return low in _ABBREVIATIONS or (len(low) == 1 and low.isalpha() and word.group().isupper() and low != "i")
