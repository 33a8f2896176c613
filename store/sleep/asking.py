"""Half a reply is none, and so is one that is not the JSON that was asked for; what it was asked about waits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from store.protocols import BoundModel, Message
from store.sleep.phases import PhaseInput, Stopped

NOT_JSON, NOT_BY_SCHEMA = "NOT_JSON", "NOT_BY_SCHEMA"


def reply_to(
    work: PhaseInput, model: BoundModel, asking: Sequence[Message], schema: dict[str, Any], longest: int
) -> str:
    """What a model says, whole, in at most `longest` tokens: its likeliest words, held to the schema. Raises Stopped
    where the person stirred, ModelError."""
    pieces: list[str] = []
    for piece in model.chat(asking, max_tokens=longest, stop=work.stop, temperature=0.0, schema=schema):
        pieces.append(piece)
        work.heed()
    work.heed()
    if work.stop is not None and work.stop.is_set():
        raise Stopped
    return "".join(pieces)


def list_in(reply: str, key: str) -> list[Any] | str:
    """The list that is all of a reply, under this key; the code of what is wrong where it is none."""
    try:
        said = json.loads(reply)
    except (ValueError, RecursionError):
        return NOT_JSON
    found = said[key] if isinstance(said, dict) and set(said) == {key} else None
    return found if isinstance(found, list) else NOT_BY_SCHEMA
