"""A word has the stem that SQLite's own `porter` tokenizer gives it (M. F. Porter, Program 14, 1980).

The full-text table holds stems already, so that any SQLite can search it with its plain tokenizer.
"""

from __future__ import annotations

from functools import cache

import apsw


@cache
def _porter() -> apsw.FTS5Tokenizer:
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"])


def stem(word: str) -> str:
    """The stem of a lower-case word; what SQLite takes for several words, or for none, is its own stem."""
    found = _porter()(word.encode(), apsw.FTS5_TOKENIZE_AUX, None, include_offsets=False, include_colocated=False)
    stems = [str(one) for one in found]
    return stems[0] if len(stems) == 1 else word
