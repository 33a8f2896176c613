"""A turn is read in chunks of whole sentences, the first beside what it may answer or lean on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from store.episodes.marks import asks
from store.reading.encoder import Before, Words
from store.records import Episode

SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|\n+")
BURST, TURNS_BEFORE, LEANS = timedelta(minutes=30) // timedelta(microseconds=1), 3, 25
"""A turn of up to LEANS words leans on up to TURNS_BEFORE of the writer's own turns, if each came within BURST (in
microseconds) of the next."""
LONGEST = 6_000
"""Characters of a turn that are read: what is longer is a document, and only its beginning may be the person's word."""
CHUNK = 600
"""Characters that are read at once, whole sentences if it can be."""


def texts_of(episode: Episode, before: Sequence[Episode]) -> Iterator[tuple[str, Before]]:
    """What the reader is given of a turn: each chunk, the first with the turn that it may answer."""
    for start, end in chunks(episode.text):
        yield episode.text[start:end], Before() if start else answered(episode, before)


def read_beside(own: Sequence[Episode]) -> Before:
    """What a turn is read beside that may lean on its writer's own turns before it."""
    return Before("\n".join(turn.text for turn in own), own=True)


def answered(episode: Episode, before: Sequence[Episode]) -> Before:
    """The turn that this one may answer: somebody else's, right before it, of an assistant's one that asks. Beside what
    the memory itself had answered, 50 of 100 statements were heard instead of 53."""
    last = before[-1] if before else None
    if last is None or last.speaker == episode.speaker or last.inactive:
        return Before()
    return Before(last.text) if last.role == "user" or asks(last.text) else Before()


def leaned_on(episode: Episode, before: Sequence[Episode]) -> list[Episode]:
    """The writer's own turns that a short one may lean on, oldest first."""
    found: list[Episode] = []
    if len(episode.text.split()) > LEANS:
        return found
    later = episode
    for turn in reversed(before):
        if (turn.speaker, turn.role) != (episode.speaker, episode.role) or turn.inactive:
            continue
        if len(found) == TURNS_BEFORE or later.said_at.us - turn.said_at.us > BURST:
            break
        found.append(turn)
        later = turn
    return found[::-1]


def in_turn(words: Words, own: Sequence[Episode]) -> Iterator[tuple[Episode, Words]]:
    """The turn in which some words stand, of several that are read as one text, and where in it."""
    start, end = words
    for turn in own:
        if 0 <= start < end <= len(turn.text):
            yield turn, Words(start, end)
        start, end = start - len(turn.text) - 1, end - len(turn.text) - 1


def chunks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of a text that are read at once: whole sentences, up to about CHUNK characters."""
    text = text[:LONGEST]
    start = last = 0
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    for end in (*ends, len(text)):
        if end - start > CHUNK and last > start:
            yield start, last
            start = last
        last = end
    while len(text) - start > 2 * CHUNK:
        yield start, start + CHUNK
        start += CHUNK
    if start < len(text):
        yield start, len(text)
