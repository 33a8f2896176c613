"""A reply ends by the model, by the person or by a limit, and leaves the child idle or gone."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.llm import wire
from app.llm.child import Child, Mailbox
from store.errors import ModelDied, ModelError

TICK = 0.02
"""Seconds between two looks at `stop`; what a cancelled reply waits at most before the child hears of it."""


class PromptTooLong(ModelError):
    """The conversation does not fit into what the model reads; nothing was sent to it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds."""

    load: float = 300.0
    silence: float = 60.0
    reply: float = 900.0
    cancel: float = 2.0
    quit: float = 0.5


class Reply:
    """The parent's side of one reply: it ends by the model, by the person, or by a limit."""

    def __init__(
        self,
        child: Child,
        request: wire.Chat,
        limits: Limits,
        stops: Sequence[threading.Event | None],
        lost: Callable[[Child], None],
    ) -> None:
        """`lost` is called when the child has died, or has to."""
        self.done: wire.Done | None = None
        """How the reply ended, if the child could still say so."""
        self._child, self._request, self._limits, self._lost = child, request, limits, lost
        self._stops = [stop for stop in stops if stop is not None]
        self._box: Mailbox = child.open(request.id)
        self._deadline = time.monotonic() + limits.reply
        self._said: list[str] = []
        self._over = False

    def pieces(self) -> Iterator[str]:
        """Raises PromptTooLong, ModelDied, ModelUnavailable."""
        self._child.send(self._request)
        try:
            while (text := self._next()) is not None:
                if text:
                    self._said.append(text)
                    yield text
        finally:
            if not self._over:
                self._settle()
            self._child.close(self._request.id)

    def _next(self) -> str | None:
        """The next piece; "" for a sign of work without text; None at the end."""
        limits = self._limits
        began = time.monotonic()
        while not any(stop.is_set() for stop in self._stops):
            now = time.monotonic()
            if now > self._deadline:
                raise self._ended(f"The model took longer than {limits.reply:.0f} s and was ended.")
            if now - began > limits.silence:
                raise self._ended(f"The model gave no sign for {limits.silence:.0f} s and was ended.")
            try:
                return self._read(self._box.get(timeout=TICK))
            except queue.Empty:
                continue
        return None

    def _read(self, event: wire.Event | None) -> str | None:
        match event:
            case wire.Token():
                return event.text
            case wire.Done():
                self._over, self.done = True, event
                return None
            case wire.Failed():
                self._over = True
                raise PromptTooLong(event.sentence) if event.problem == "prompt" else ModelError(event.sentence)
            case None:
                raise self._ended("The model process ended in the middle of the reply.")
            case _:
                return ""

    def _settle(self) -> None:
        """Tell the child to stop and wait until it has; a child that does not is killed."""
        self._child.send(wire.Cancel(self._request.id))
        deadline = time.monotonic() + self._limits.cancel
        while not self._over:
            try:
                event = self._box.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                event = None
            if event is None:
                self._over = True
                self._lost(self._child)
            elif isinstance(event, wire.Done | wire.Failed):
                self._over = True
                self.done = event if isinstance(event, wire.Done) else None

    def _ended(self, sentence: str) -> ModelDied:
        self._over = True
        self._lost(self._child)
        return ModelDied(f"{sentence} The next message starts it again.", "".join(self._said))
