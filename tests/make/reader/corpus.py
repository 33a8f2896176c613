"""A message's marks are exact: each value, subject and time is found in its text, on the borders of words.

Reads the corpus (models/reader/corpus) and turns its messages into token spans. No torch here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from store.reading.tokens import Pieces, cut

STATUSES = ("is", "begins", "ends", "was", "event", "planned", "cancelled", "not", "corrects")


@dataclass(frozen=True)
class Mark:
    """One claim of a message, in tokens; 0 of `subject` is the speaker, 0 of `when` nothing said."""

    first: int
    last: int
    predicate: int
    status: int
    subject: tuple[int, int]
    when: tuple[int, int]
    claim: dict[str, Any]


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


def example(tokenizer: Tokenizer, message: dict[str, Any], predicates: Sequence[str], before: str = "") -> Example:
    """A message with its marks; what lies behind the last token that is read is left out."""
    text = message["text"]
    pieces = cut(tokenizer, text, before)
    own, offsets = pieces.own, pieces.offsets

    def tokens(part: str, near: int) -> tuple[int, int] | None:
        at = place(text, part, near)
        inside = [n for n, (x, y) in enumerate(offsets[:own]) if y > x and x < at + len(part) and y > at]
        return (inside[0], inside[-1]) if at >= 0 and inside else None

    marks: list[Mark] = []
    for claim in message["claims"]:
        value = tokens(claim["o"], 0)
        if value is None or predicate_of(claim) not in predicates or claim["st"] not in STATUSES:
            continue
        if any((mark.first, mark.last) == value for mark in marks):
            continue  # one span, one predicate
        near = offsets[value[0]][0]
        subject = (0, 0) if claim["s"] == "me" else tokens(claim["s"], near)
        when = tokens(claim["w"], near) if claim["w"] else (0, 0)
        marks.append(
            Mark(
                *value,
                predicates.index(predicate_of(claim)),
                STATUSES.index(claim["st"]),
                subject or (0, 0),
                when or (0, 0),
                claim,
            )
        )
    return Example(message, pieces, marks)


def examples(tokenizer: Tokenizer, messages: Sequence[dict[str, Any]], predicates: Sequence[str]) -> list[Example]:
    """All messages; of two people who chat, each line is read after the other's."""
    found, last = [], None
    for message in messages:
        near = last is not None and last["persona"] == message["persona"] and "speaker" in message
        spoken = near and last["speaker"] != message["speaker"] if last is not None else False
        found.append(example(tokenizer, message, predicates, last["text"] if spoken and last is not None else ""))
        last = message
    return found
