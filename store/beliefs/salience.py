"""Salience is a pure function of when something was said, when it was last used, and now: asking twice changes nothing.

Importance, tiers and recency are ByteRover's (section 3.2.3): 0 to 100, +5 when it is said again, +3 when an answer
uses it, x 0.995 a day; draft -> validated at 65 (back below 35) -> core at 85 (back below 60); exp(-days / 30) since it
was last said or used. The paper names no beginning; here the first saying gives 50, the middle of the scale, and no
later one leaves less. What does not change about somebody (a birthday, an allergy, whose brother he is) does not grow
stale: its recency is 1. What holds until something else takes its place (where somebody lives) grows stale six times
more slowly than the paper has it, for people say such things once. Decay lowers a rank and hides from a list; it
removes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from store.beliefs.predicates import find

Tier = Literal["draft", "validated", "core"]

BASE, UPDATE, ACCESS, FULL = 50.0, 5.0, 3.0, 100.0
DAILY = 0.995
RECENT_DAYS, STATE_DAYS, NEVER = 30.0, 180.0, 0.0
"""After so many days recency is down to 1 / e: by default, of one-valued states, and of what does not grow stale."""
DAY = 86_400_000_000  # Microseconds
VALIDATED, DRAFT_AGAIN = 65.0, 35.0
CORE, VALIDATED_AGAIN = 85.0, 60.0
FADING, FADED = 0.25, 0.12
"""Below the first a fact is fading, below the second it has left the ordinary lists. Said once, a fact gets there after
about 60 and 150 days, a one-valued state after about 205 and 340."""
OPINION_DAILY = 0.999
"""How much of an opinion's confidence is left after a day: a third is gone in a year that it was not repeated."""


class Standing(NamedTuple):
    """What a fact had come to when it was last said or used; everything later follows from it and the time."""

    importance: float  # 0 to 100, at `touched`
    touched: int  # microseconds UTC of the last saying or use
    tier: Tier
    stale_days: float = RECENT_DAYS  # how slowly it grows stale; NEVER: it does not

    def importance_at(self, now: int) -> float:
        """0 to 100."""
        return self.importance * math.pow(DAILY, self._days(now))

    def tier_at(self, now: int) -> Tier:
        """The tier, after what time alone took."""
        return _demoted(self.tier, self.importance_at(now))

    def salience_at(self, now: int) -> float:
        """0 to 1: the mean of importance and recency."""
        recency = math.exp(-self._days(now) / self.stale_days) if self.stale_days else 1.0
        return round((self.importance_at(now) / FULL + recency) / 2, 4)

    def _days(self, now: int) -> float:
        return max(0, now - self.touched) / DAY


def standing(predicate: str, said: Sequence[int], used: Sequence[int] = ()) -> Standing | None:
    """What the times when it was said and used come to; the sayings of one day (UTC) count once. None: never said."""
    days = sorted({moment // DAY: moment for moment in sorted(said, reverse=True)}.values())
    if not days:
        return None
    importance, tier, at = BASE, _promoted("draft", BASE), days[0]
    events = sorted([*((moment, UPDATE) for moment in days[1:]), *((moment, ACCESS) for moment in set(used))])
    for moment, bonus in events:
        if moment >= at:
            importance *= math.pow(DAILY, (moment - at) / DAY)
            tier, at = _demoted(tier, importance), moment
        importance = min(FULL, max(importance + bonus, BASE if bonus == UPDATE else 0.0))
        tier = _promoted(tier, importance)
    return Standing(importance, max(at, *said), tier, stale_days(predicate))


def _promoted(tier: Tier, importance: float) -> Tier:
    if tier == "draft" and importance >= VALIDATED:
        tier = "validated"
    return "core" if tier == "validated" and importance >= CORE else tier


def _demoted(tier: Tier, importance: float) -> Tier:
    if tier == "core" and importance < VALIDATED_AGAIN:
        tier = "validated"
    return "draft" if tier == "validated" and importance < DRAFT_AGAIN else tier


def stale_days(predicate: str) -> float:
    """How slowly a belief of this kind grows stale: NEVER for names, birthdays, allergies and who is whose sister."""
    known = find(predicate)
    related = "who" in known.asks and "post" not in known.traits
    if known.temporal == "permanent" or related or "lasts" in known.traits:
        return NEVER
    return STATE_DAYS if known.cardinality == "one" else RECENT_DAYS


def faded_confidence(predicate: str, confidence: float, said: Sequence[int], now: int) -> float:
    """Confidence as it is at `now`: an opinion's fades by the day since it was last said, everything else's stays."""
    if not said or "opinion" not in find(predicate).traits:
        return confidence
    return confidence * math.pow(OPINION_DAILY, max(0, now - max(said)) / DAY)


def decay(one: Standing, now: int, days: int) -> tuple[tuple[int, float], ...]:
    """(days from now, salience) for today and each of the next `days`, if nobody says or uses it."""
    return tuple((day, one.salience_at(now + day * DAY)) for day in range(days + 1))
