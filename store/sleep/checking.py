"""A model says of each statement that the reader was unsure of whether the message says it; it makes none of its own.

What is asked of a model that reads beside the reader: the message, the one that it answers, and the statements as
sentences. It answers "yes", "no" or "unclear" for each, held to a JSON schema. A "yes" makes the claim that the reader
had made, with the reader's quote, subject and time; nothing that a model writes becomes part of a claim.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from store.protocols import Message
from store.reading.masks import seen
from store.records import Claim, Episode

EXTRACTOR = "model/2"
"""Begins the extractor of every claim that a model bore out; its name follows."""
BY_MODEL = "model/"
"""Begins that of every claim that rests on a model's word, of this version or an older one."""
SURE = 0.6
"""The confidence of such a claim: under that of what the reader was sure of."""
LONGEST = 1_500
"""Characters of a turn that a model is asked about."""
BEFORE = 300
"""Characters of the turn before it, from its end."""
MOST = 8
"""Statements in one question; what a turn has more stays unsure."""
REPLY_TOKENS = 120
VERDICTS = ("yes", "no", "unclear")
NOT_JSON, NOT_BY_SCHEMA = "NOT_JSON", "NOT_BY_SCHEMA"
REASONS = {NOT_JSON: "it was not JSON", NOT_BY_SCHEMA: "it did not have the shape that was asked for"}
"""Why a reply is refused, by its code; in words, for the next try and for people."""

_TASK = (
    'You check notes about a message against its words. "You" is who wrote the message. Reply with JSON: '
    '{"verdicts": [one for each note, in order]}. Each verdict is one of:\n'
    "yes: the message plainly says so, of the same person or thing, as true at the time that the note speaks of.\n"
    "no: the message says otherwise, or says it of somebody or something else.\n"
    "unclear: the message does not say it; it asks, wishes, supposes, jokes or quotes."
)
_EXAMPLES: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Did you get out at all?",
        "Yes! My cousin Ilse took me along to her choir. She teaches in Bled now, and her boy has asthma.",
        (("You sing in a choir.", "unclear"), ("Ilse is a teacher in Bled.", "yes"), ("Ilse has asthma.", "no")),
    ),
    (
        "",
        "Sold the looms at last. If the cellar were dry I'd have kept one.",
        (("You no longer have the looms.", "yes"), ("The cellar is dry.", "no")),
    ),
)


def schema(notes: int) -> dict[str, Any]:
    """What a reply about so many statements is held to."""
    verdicts = {"type": "array", "items": {"enum": list(VERDICTS)}, "minItems": notes, "maxItems": notes}
    return object_of({"verdicts": verdicts})


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object with just these properties."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def messages(
    text: str, before: Episode | None, statements: Sequence[str], refused: Sequence[str] = ()
) -> list[Message]:
    """What to ask about a turn's text; `refused` holds the codes of the last replies' faults."""
    asked = [Message("system", _TASK)]
    for said, message, judged_notes in _EXAMPLES:
        asked.append(Message("user", _shown(said, message, [note for note, _ in judged_notes])))
        asked.append(Message("assistant", json.dumps({"verdicts": [verdict for _, verdict in judged_notes]})))
    last = _shown("" if before is None else seen(before.text)[-BEFORE:], seen(text), statements)
    if refused:
        why = "; ".join(dict.fromkeys(REASONS.get(code, code) for code in refused))
        last += f"\n(Your last reply was refused: {why}.)"
    return [*asked, Message("user", last)]


def _shown(before: str, text: str, statements: Sequence[str]) -> str:
    listed = "\n".join(f"{number}. {words}" for number, words in enumerate(statements, 1))
    return f"Before: {before or '(nothing)'}\nMessage: {text}\nNotes:\n{listed}"


def parsed(reply: str, notes: int) -> list[str] | str:
    """The verdicts of a reply; the code of what is wrong where it is not the JSON that was asked for."""
    verdicts = list_in(reply, "verdicts")
    if isinstance(verdicts, str):
        return verdicts
    fits = len(verdicts) == notes and all(verdict in VERDICTS for verdict in verdicts)
    return verdicts if fits else NOT_BY_SCHEMA


def judged(reply: str, model: str, claims: Sequence[Claim]) -> list[Claim] | str:
    """What of a reply about these unsure claims is let in; the code of what is wrong where it is no reply to them."""
    verdicts = parsed(reply, len(claims))
    if isinstance(verdicts, str):
        return verdicts
    return [
        replace(
            claim, id=blake2b(f"{EXTRACTOR}\x1f{claim.id}".encode(), digest_size=16).hexdigest(), modality="fact",
            confidence=SURE, extractor=f"{EXTRACTOR} {model}",
        )
        for claim, verdict in zip(claims, verdicts, strict=True) if verdict == "yes"
    ]  # fmt: skip


def list_in(reply: str, key: str) -> list[Any] | str:
    """The list that is all of a reply, under this key; the code of what is wrong where it is none."""
    try:
        said = json.loads(reply)
    except (ValueError, RecursionError):
        return NOT_JSON
    found = said[key] if isinstance(said, dict) and set(said) == {key} else None
    return found if isinstance(found, list) else NOT_BY_SCHEMA
