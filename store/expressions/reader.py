"""One text is read in one language, and a text without a word of time costs one pass over its words."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from store.expressions import english
from store.expressions.calendar import Reading, resolve
from store.expressions.language import language_of
from store.expressions.scan import tokens

if TYPE_CHECKING:
    from store.expressions.patterns import Language
    from store.records import Stretch
    from store.time import Prefer


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+|\d")


def read(text: str, anchor: datetime, prefer: Prefer) -> list[Reading]:
    """Every expression in a text, left to right, without overlaps."""
    seen = set(_word().findall(text.lower()))
    language = language_of(text, seen)
    now = anchor.replace(tzinfo=None)
    if language != "en":
        from store.expressions import patterns

        return patterns.read(text, _table(language), now, prefer)
    if english.triggers().isdisjoint(seen) and not any(word.isdecimal() for word in seen):
        return []
    shift = anchor.utcoffset()
    assert shift is not None
    return list(english.read(text, tokens(text), now, int(shift.total_seconds()), prefer))


@cache
def _table(name: str) -> Language:
    if name == "de":
        from store.expressions.german import GERMAN

        return GERMAN
    if name == "es":
        from store.expressions.spanish import SPANISH

        return SPANISH
    if name == "ko":
        from store.expressions.korean import KOREAN

        return KOREAN
    from store.expressions.chinese import CHINESE

    return CHINESE


def read_one(text: str, anchor: datetime) -> Stretch | None:
    """The stretch that a text names if it is one expression of time and nothing else."""
    zone = anchor.tzinfo
    assert zone is not None
    found = [reading for reading in read(text.strip(), anchor, "past") if reading.when is not None]
    if len(found) != 1 or found[0].when is None:
        return None
    return resolve(found[0].when, zone)
