"""Two values are the same when their keys are equal, and never because they are merely alike."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LEADING = re.compile(r"^(?:the|a|an|my|our|your|his|her|their|its|some)\s+")
_GLUED_UNIT = re.compile(r"(?<=\d)\s+(?=[a-z€$£%°])")
_NOT_WORD = re.compile(r"[^\w+#&@./:%€$£-]+")
_PARTS = re.compile(r"\s*,\s*|\s*\(|\)\s*|\s+(?:in|at|near|from|of)\s+")


@lru_cache(maxsize=16_384)
def value_key(text: str) -> str:
    """Case, width, determiners, outer punctuation and the space before a unit make no difference; all else does."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    words = _NOT_WORD.sub(" ", folded).strip(" .:/-")
    previous = None
    while previous != words:
        previous, words = words, _LEADING.sub("", words)
    return _GLUED_UNIT.sub("", words)


def parts(text: str) -> frozenset[str]:
    """The pieces of a value that name wholes of their own: "Alfama, Lisbon" has "alfama" and "lisbon"."""
    return frozenset(key for piece in _PARTS.split(text.casefold()) if (key := value_key(piece)))


def refines(new: str, old: str) -> bool:
    """Whether `new` is `old` said more exactly: the old value stands in it as a part of its own.

    "Alfama, Lisbon" refines "Lisbon"; "Porto Alegre" does not refine "Porto".
    """
    old_parts, new_parts = parts(old), parts(new)
    return old_parts < new_parts and value_key(new) != value_key(old)


def overlaps(one: str, other: str) -> bool:
    """Whether one value's words all occur in the other's: how "my CrossFit membership" finds "CrossFit"."""
    mine, yours = set(value_key(one).split()), set(value_key(other).split())
    return bool(mine and yours) and (mine <= yours or yours <= mine)
