"""A model answers a question only where the memory does not, under the same rules as in the chat, and writes nothing.

Tier 3: one call over what the memory gathered, by a model that is loaded when it is first needed; tier 4: after steps
in which a model that passed the tests for it looked for itself. Whether it may be asked at all (too small, no turn that
bears on the question) is decided in turn.py, for the chat and for this alike.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

from store.records import Answer, Instant, ModelOptions, Stretch, Turn

if TYPE_CHECKING:
    from app.core.turn import Voice
    from store.memory import Memory


class Reasoning:
    """Answers of tiers 3 and 4."""

    def __init__(
        self,
        load: Callable[[], Voice | None],
        now: Callable[[], Instant] | None = None,
        speaking: ModelOptions | None = None,
    ) -> None:
        """`load` gives the voice, or None where there is no model to ask. `now` is when the questions are asked;
        without it, times in them are not read and no step is taken. `speaking`: how the model speaks, where the
        settings say something of that."""
        self._voice, self._now, self._speaking = cache(load), now, speaking or ModelOptions()

    def answer(
        self, memory: Memory, question: str, first: Answer, *, as_of: Stretch | None, believed: int | None
    ) -> Answer:
        """What the model makes of it; `first`, the memory's own abstention, where no model may be asked: where the
        memory is sure that nobody ever said it, and where the model is one that makes things up. Raises ModelError."""
        from app.core.clock import Times
        from app.core.tooling import ToolUsed
        from app.core.turn import MEMORY_SPEAKER, Closed, Prompted, Request, take_turn

        began = perf_counter()
        voice = None if first.never_told else self._voice()
        if voice is None or voice.invents:
            return first
        asked = Turn(question, "ask", said_at=self._now() if self._now else None)
        request = Request(asked, times=Times(as_of, believed), off_record=True, options=self._speaking)
        events = list(take_turn(memory, voice, request, threading.Event()))
        closed = next(event for event in events if isinstance(event, Closed))
        was_asked = any(isinstance(event, Prompted) for event in events)
        if not (was_asked and closed.text.strip()) or closed.problem or closed.speaker == MEMORY_SPEAKER:
            return first
        tier = 4 if any(isinstance(event, ToolUsed) for event in events) else 3
        spent = first.elapsed_ms + round((perf_counter() - began) * 1000, 3)
        text = closed.text.strip()
        return replace(first, text=text, tier=tier, abstained=False, elapsed_ms=spent, sources=closed.sources)

    def close(self) -> None:
        """End the model's process, if one was started."""
        if self._voice.cache_info().currsize and (voice := self._voice()) is not None:
            getattr(voice.model, "close", lambda: None)()


def chosen_voice() -> Voice | None:
    """The chat's model, ready to speak; None where there is none, or it cannot be loaded or is too small."""
    from app.cli.session import tell
    from app.core.models import load
    from app.core.opening import open_model
    from app.core.settings import Settings, chosen_model
    from app.llm.small import TRUSTED_SIZE
    from store.errors import ErstwhileError

    chosen = chosen_model()
    if chosen is None or chosen.size < TRUSTED_SIZE:
        return None
    try:
        return open_model(lambda: load(chosen), Settings())
    except ErstwhileError as error:
        tell(f"erstwhile: {error} The memory answers alone.")
        return None
