"""The first day somewhere begins the work there and the last ends it, on the day that the sentence names.

"Today is my first day at Northwind", "my last day at Acme was Friday": scanned over a sentence, because "today" is no
subject that a clause is read for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from store.belief.reading.build import Draft
from store.belief.reading.people import Scene, name_at
from store.belief.reading.times import OPEN, Clock
from store.belief.reading.words import Token
from store.records import Stretch


def first_days(tokens: Sequence[Token], limit: int, scene: Scene, clock: Clock) -> Iterator[tuple[Draft, int, int]]:
    """Each "my first day at ..." of a sentence: (draft, first token, token after it)."""
    for at in range(limit - 4):
        words = [token.low for token in tokens[at : at + 3]]
        if words[0] != "my" or words[1] not in ("first", "last") or words[2] not in ("day", "week"):
            continue
        start = next((place for place in (at + 3, at + 5) if place < limit and tokens[place].low in ("at", "with")), 0)
        name, after = name_at(tokens, start + 1, limit) if start else ("", at)
        named = [one for one in clock.within(tokens[0].start, tokens[limit - 1].end) if one.stretch is not None]
        if not name or len(named) != 1 or named[0].stretch is None:
            continue
        when = named[0].stretch
        valid = Stretch(when.start, None, when.precision, when.offset)
        last = words[1] == "last"
        # A day to come is told as one: the fold lets it begin, or end, when it is there.
        yield (
            Draft("works_at", name, valid=valid if valid.start is not None else OPEN, subject=scene.me,
                  cue="stop" if last else "update", negative=last),
            0,
            after,
        )  # fmt: skip
