"""A turn for a test is said by the person on one fixed evening unless the test says otherwise."""

from __future__ import annotations

from datetime import datetime

from store.reading.extract import Speakers, read
from store.records import Claim, Episode, Instant, Role

SPEAKERS = Speakers(frozenset({"me"}))
EVENING = "2024-06-01T18:30:00+02:00"
"""A Saturday."""


def turn(
    text: str, *, at: str = EVENING, speaker: str = "me", role: Role = "user", position: int = 0, source: str = "chat"
) -> Episode:
    """An episode of the session "s"."""
    moment = Instant.of(datetime.fromisoformat(at))
    return Episode(f"e{position}", position, None, "s", position, speaker, role, text, moment, moment, source)


def said(text: str, *before: str, at: str = EVENING, speaker: str = "me", role: Role = "user") -> list[Claim]:
    """What is claimed of a turn, after others by the same speaker."""
    earlier = [turn(words, at=at, speaker=speaker, position=place) for place, words in enumerate(before)]
    return read(turn(text, at=at, speaker=speaker, role=role, position=len(before)), earlier, SPEAKERS)


def triples(claims: list[Claim]) -> list[tuple[str, str, str]]:
    """(subject, predicate, object) of each."""
    return [(claim.subject, claim.predicate, claim.object) for claim in claims]
