"""Half a reply is none: a model that is interrupted has said nothing, and what it was asked about waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from store.protocols import BoundModel, Message
from store.sleep.phases import PhaseInput, Stopped


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
