"""A bare date is somebody's birthday only where birthdays are being spoken of, and where nobody's name is guessed.

"Mine is the 12th of May", "Armindo's is the 22nd of August", "Leonor is the 6th of June", "my birthday is 12 May".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from store.belief.reading.build import Draft
from store.belief.reading.lexicon import MONTHS
from store.belief.reading.people import Scene, person_at
from store.belief.reading.times import OPEN
from store.belief.reading.words import Token

_TOPIC = re.compile(r"(?i)\bbirthdays?\b|\bborn\b")
_DAY = re.compile(r"^(?:[0-3]?\d)(?:st|nd|rd|th)?$")
_IS = frozenset(["is", "'s", "was"])


def is_topic(text: str) -> bool:
    """Birthdays are being spoken of."""
    return _TOPIC.search(text) is not None


def born(tokens: Sequence[Token], limit: int, scene: Scene) -> Iterator[tuple[Draft, int, int]]:
    """Each "(whose) is (date)" of a sentence: (draft, first token, token after it)."""
    for at in range(limit - 2):
        before = tokens[at - 1] if at else None
        if before is not None and before.kind == "word" and before.low not in ("and", "but"):
            continue
        key, after = _whose(tokens, at, limit, scene)
        if not key or after >= limit or tokens[after].low not in _IS:
            continue
        start = after + 1 + (tokens[after + 1].low in ("on",)) if after + 1 < limit else limit
        stop = _date_end(tokens, start, limit)
        if stop:
            text = _text(tokens, start + (tokens[start].low == "the"), stop)
            yield (
                Draft("born_on", text, subject=key, functional=True, valid=OPEN, cue="state", negative=False),
                at,
                stop,
            )


def _whose(tokens: Sequence[Token], at: int, limit: int, scene: Scene) -> tuple[str, int]:
    """The mention key before "is", and the index of "is"; "" where nobody is named."""
    if tokens[at].low == "mine":
        return scene.me, at + 1
    person = person_at(tokens, at, limit, scene)
    if person is None or person.more or person.plural:
        return "", at
    after = person.end
    owned = after < limit and tokens[after].low == "'s" and after + 1 < limit and tokens[after + 1].low in _IS
    return person.key, after + 1 if owned else after


def _date_end(tokens: Sequence[Token], at: int, limit: int) -> int:
    """The index after a day and month at tokens[at] that ends its clause; 0 where there is none."""
    at += at < limit and tokens[at].low == "the"
    if at + 1 >= limit:
        return 0
    first, second = tokens[at].low, tokens[at + 1].low
    if _DAY.match(first):
        month = at + 1 + (second == "of")
        stop = month + 1 if month < limit and tokens[month].low in MONTHS else 0
    else:
        stop = at + 2 if first in MONTHS and _DAY.match(second) else 0
    if stop and stop + 1 < limit and tokens[stop].text == "," and tokens[stop + 1].low.isdigit():
        return 0
    return (
        stop if stop and (stop >= limit or tokens[stop].kind in ("mark", "break") or tokens[stop].low == "and") else 0
    )


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return "".join(
        (" " if at > start and tokens[at].start > tokens[at - 1].end else "") + tokens[at].text
        for at in range(start, end)
    )
