"""A model answers a question only where the memory does not, under the same rules as in the chat, and writes nothing.

Tier 3: one call over what the memory gathered, by a model that is loaded when it is first needed; tier 4: after steps
in which a model that passed the tests for it looked for itself. Whether it may be
asked at all (too small, no turn that bears on the question) is decided in turn.py, for the chat and for this alike.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from store.records import Answer, Hit, Instant, ModelOptions, Stretch, Turn

if TYPE_CHECKING:
    from app.core.ports import MemoryPort
    from app.core.turn import Closed, Voice


class Reasoning:
    """Answers of tiers 3 and 4; `load` gives the voice, or None where there is no model to ask. Raises ModelError."""

    def __init__(
        self,
        load: Callable[[], Voice | None],
        now: Callable[[], Instant] | None = None,
        speaking: ModelOptions | None = None,
    ) -> None:
        """`now` is when the questions are asked; without it, times in them are not read and no step is taken.
        `speaking`: how the model speaks, where the settings say something of that."""
        self._load, self._now, self._speaking = load, now, speaking or ModelOptions()
        self._voice: Voice | None = None
        self._loaded = False

    def answer(
        self, memory: MemoryPort, question: str, first: Answer, *, as_of: Stretch | None, believed: int | None
    ) -> Answer:
        """What the model makes of it; `first`, the memory's own abstention, where no model may be asked: where the
        memory is sure that nobody ever said it, and where the model is one that makes things up."""
        from app.core.times import Times
        from app.core.tooling import ToolUsed
        from app.core.turn import MEMORY_SPEAKER, Closed, Prompted, Request, take_turn

        began = perf_counter()
        if first.never_told:
            return first
        voice = self._ready()
        if voice is None or voice.invents:
            return first
        asked = Turn(question, "ask", said_at=self._now() if self._now else None)
        request = Request(asked, times=Times(as_of, believed), off_record=True, options=self._speaking)
        given: tuple[Hit, ...] | None = None
        steps = 0
        closed: Closed | None = None
        for event in take_turn(memory, voice, request, threading.Event()):
            steps += isinstance(event, ToolUsed)
            if isinstance(event, Prompted):
                given = event.given
            if isinstance(event, Closed):
                closed = event
        if (
            given is None
            or closed is None
            or closed.problem
            or closed.speaker == MEMORY_SPEAKER
            or not closed.text.strip()
        ):
            return first
        spent = first.elapsed_ms + round((perf_counter() - began) * 1000, 3)
        return replace(
            first,
            text=closed.text.strip(),
            tier=4 if steps else 3,
            abstained=False,
            elapsed_ms=spent,
            sources=closed.sources,
        )

    def _ready(self) -> Voice | None:
        if not self._loaded:
            self._voice, self._loaded = self._load(), True
        return self._voice

    def close(self) -> None:
        """End the model's process, if one was started."""
        close = getattr(self._voice.model, "close", None) if self._voice else None
        if close is not None:
            close()


def chosen_voice() -> Voice | None:
    """The model that the chat would use, ready to speak; None where there is none, where it cannot be loaded, and where
    it is too small to be asked about a memory (then it is not even loaded)."""
    from app.cli.session import tell
    from app.core.behaviour import Settings
    from app.core.models import load
    from app.core.opening import open_model
    from app.core.settings import chosen_model
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
