"""One text is read in one language, and a text without a word of time costs one pass over its words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from store.expressions import english
from store.expressions.calendar import Reading, resolve
from store.expressions.scan import tokens

if TYPE_CHECKING:
    from store.records import Stretch
    from store.time import Prefer


def read(text: str, anchor: datetime, prefer: Prefer) -> list[Reading]:
    """Every expression in a text, left to right, without overlaps."""
    toks = tokens(text)
    seen = {token.word for token in toks}
    if english.triggers().isdisjoint(seen) and not any(word.isdecimal() for word in seen):
        return []
    shift = anchor.utcoffset()
    assert shift is not None
    return list(english.read(text, toks, anchor.replace(tzinfo=None), int(shift.total_seconds()), prefer))


def read_one(text: str, anchor: datetime) -> Stretch | None:
    """The stretch that a text names if it is one expression of time and nothing else."""
    zone = anchor.tzinfo
    assert zone is not None
    found = [reading for reading in read(text.strip(), anchor, "past") if reading.when is not None]
    if len(found) != 1 or found[0].when is None:
        return None
    return resolve(found[0].when, zone)
