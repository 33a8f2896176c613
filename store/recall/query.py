"""What a query asks for is read from its words once, and every channel sees the same reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from store.records import Stretch
from store.writing.marks import clauses_with_times
from store.writing.terms import query_terms

LONGEST = 2_000
"""Characters of a query that are read; a pasted page asks nothing more in its third thousand."""
MOST_TERMS = 48

_WHEN = re.compile(
    r"\b(?:when|how long|what (?:date|day|month|year|time)|which (?:day|month|year)|since)\b", re.IGNORECASE
)
_COUNT = re.compile(r"\bhow (?:many|much|often|old)\b|\bnumber of\b", re.IGNORECASE)
_MINE = re.compile(r"\b(?:I|me|my|mine|I'm|I've|myself)\b", re.IGNORECASE)
_LATELY = re.compile(
    r"\b(?:recent(?:ly)?|latest|lately|current(?:ly)?|now(?:adays)?|these days|just|last)\b", re.IGNORECASE
)
_SHOWN = re.compile(r"\b(?:photo|picture|image|poster|painting|drawing|screenshot|file|sign)s?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Query:
    """A question, read."""

    text: str
    terms: tuple[str, ...]
    """What to look for in the full text, each once."""
    bare: str
    """The question without the names of speakers: half of all turns are by each, so they say nothing about the matter."""
    named: tuple[str, ...] = ()
    """The speakers whom it names."""
    asks_when: bool = False
    asks_count: bool = False
    asks_lately: bool = False
    asks_shown: bool = False
    mine: bool = False
    """It is about the person who asks."""
    stretch: Stretch | None = None
    """The time that it names, if it names just one."""


def read(text: str, speakers: Sequence[str] = (), anchor: datetime | None = None) -> Query:
    """Read a question, given the names of all speakers in the memory, and (for "last week") when it is asked."""
    text = text[:LONGEST].strip()
    named = tuple(name for name in speakers if _name_pattern(name).search(text))
    bare = text
    for name in named:
        bare = _name_pattern(name).sub(" ", bare)
    return Query(
        text=text,
        terms=tuple(query_terms(text)[:MOST_TERMS]),
        bare=" ".join(bare.split()),
        named=named,
        asks_when=bool(_WHEN.search(text)),
        asks_count=bool(_COUNT.search(text)),
        asks_lately=bool(_LATELY.search(text)),
        asks_shown=bool(_SHOWN.search(text)),
        mine=bool(_MINE.search(text)),
        stretch=None if anchor is None else _named_time(text, anchor),
    )


def _name_pattern(name: str) -> re.Pattern[str]:
    """The name as a whole word, also in the genitive; `re` keeps the compiled patterns."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", re.IGNORECASE)


def _named_time(text: str, anchor: datetime) -> Stretch | None:
    from store.time import read_times

    clauses = clauses_with_times(text)
    found = [time for clause in clauses for time in read_times(clause, anchor) if time.kind in ("point", "range")]
    return found[0].stretch if len(found) == 1 else None
