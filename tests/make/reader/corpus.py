"""A message's marks are exact: each value, subject and time is found in its text, on the borders of words.

Reads the corpus (models/reader/corpus) and turns its messages into token spans. No torch here.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from store.reading.context import BURST, TURNS_BEFORE
from store.reading.encoder import Before
from store.reading.tokens import Pieces, cut

ALONE = Before()
UNKNOWN = (-100, -100)
"""What a claim revises where nobody marked it: torch leaves such a target out of the loss."""
LEANING = 0.25
"""The chance that a message of a diary is read behind the same person's message before it."""
STATUSES = ("is", "begins", "ends", "was", "event", "planned", "cancelled", "not", "corrects")


@dataclass(frozen=True)
class Mark:
    """One claim of a message, in tokens; 0 of `subject` is the speaker, 0 of `when` and of `revises` nothing."""

    first: int
    last: int
    predicate: int
    status: int
    subject: tuple[int, int]
    when: tuple[int, int]
    claim: dict[str, Any]
    revises: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Example:
    """One message as the network sees it."""

    message: dict[str, Any]
    pieces: Pieces
    marks: list[Mark]


def read_lines(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Every object of some JSON lines files."""
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines() if line.strip()]


def predicate_of(claim: dict[str, Any]) -> str:
    """The predicate that the network learns; all of our own making are one."""
    return "other" if claim["p"].startswith("other") else str(claim["p"])


def place(text: str, part: str, near: int = 0) -> int:
    """Where a part stands in its text: on the borders of words if it can, and the nearest to `near`; -1 if nowhere."""
    found = [match.start() for match in re.finditer(re.escape(part), text)]
    whole = [
        at
        for at in found
        if not (at and text[at - 1].isalnum() and part[0].isalnum())
        and not (at + len(part) < len(text) and text[at + len(part)].isalnum() and part[-1].isalnum())
    ]
    return min(whole or found, key=lambda at: abs(at - near), default=-1)


def example(
    tokenizer: Tokenizer,
    message: dict[str, Any],
    predicates: Sequence[str],
    before: Before = ALONE,
    places: dict[str, tuple[int, int]] | None = None,
) -> Example:
    """A message with its marks; what lies behind the last token that is read is left out. `places`: where in `before`
    each earlier message stands, by its id; without it nobody marked what is revised."""
    text = message["text"]
    pieces = cut(tokenizer, text, *before)
    own, offsets = pieces.own, pieces.offsets

    def within(first: int, last: int, pieces_of: range) -> tuple[int, int] | None:
        inside = [n for n in pieces_of if offsets[n][1] > offsets[n][0] < last and offsets[n][1] > first]
        return (inside[0], inside[-1]) if inside else None

    def tokens(part: str, near: int) -> tuple[int, int] | None:
        at = place(text, part, near)
        return within(at, at + len(part), range(own)) if at >= 0 else None

    def earlier(part: str | None, turn: str | None) -> tuple[int, int] | None:
        if not part or places is None or turn not in places:
            return None
        first, last = places[turn]
        at = place(before.text[first:last], part)
        return within(first + at, first + at + len(part), range(own, len(offsets))) if at >= 0 else None

    marks: list[Mark] = []
    for claim in message["claims"]:
        value = tokens(claim["o"], 0)
        if value is None or predicate_of(claim) not in predicates or claim["st"] not in STATUSES:
            continue
        if any((mark.first, mark.last) == value for mark in marks):
            continue  # one span, one predicate
        near = offsets[value[0]][0]
        named = tokens(claim["s"], near) if claim["s"] else earlier(claim.get("sb"), claim.get("sa"))
        subject = (0, 0) if claim["s"] == "me" else named
        when = tokens(claim["w"], near) if claim["w"] else (0, 0)
        known = places is not None or not before.own or claim["st"] not in ("corrects", "ends", "not", "cancelled")
        marks.append(
            Mark(
                *value,
                predicates.index(predicate_of(claim)),
                STATUSES.index(claim["st"]),
                subject or (0, 0),
                when or (0, 0),
                claim,
                (earlier(claim.get("of"), claim.get("at")) or (0, 0)) if known else UNKNOWN,
            )
        )
    return Example(message, pieces, marks)


def examples(
    tokenizer: Tokenizer,
    messages: Sequence[dict[str, Any]],
    predicates: Sequence[str],
    chance: random.Random | None = None,
) -> list[Example]:
    """All messages; of two people who chat, each line is read after the other's. With `chance`, some of the others are
    read after the same person's line before, which then changes nothing in what they state."""
    found, last = [], None
    for message in messages:
        before = Before()
        if last is not None and last["persona"] == message["persona"]:
            if "speaker" in message and last["speaker"] != message["speaker"]:
                before = Before(last["text"])
            elif "speaker" not in message and chance is not None and chance.random() < LEANING:
                before = Before(last["text"], own=True)
        found.append(example(tokenizer, message, predicates, before))
        last = message
    return found


def of_chats(tokenizer: Tokenizer, messages: Sequence[dict[str, Any]], predicates: Sequence[str]) -> list[Example]:
    """The messages of chats (`chats.jsonl`), each behind those of its burst that the reader is given."""
    found: list[Example] = []
    burst: list[dict[str, Any]] = []
    for message in messages:
        near = (
            burst
            and burst[-1]["persona"] == message["persona"]
            and _between(burst[-1], message) <= timedelta(microseconds=BURST)
        )
        burst = burst[-TURNS_BEFORE:] if near else []
        places, text = {}, ""
        for one in burst:
            start = len(text) + bool(text)
            text = f"{text}\n{one['text']}" if text else one["text"]
            places[one["id"]] = (start, len(text))
        found.append(example(tokenizer, message, predicates, Before(text, own=bool(text)), places))
        burst.append(message)
    return found


def _between(one: dict[str, Any], other: dict[str, Any]) -> timedelta:
    return datetime.fromisoformat(other["at"]) - datetime.fromisoformat(one["at"])
