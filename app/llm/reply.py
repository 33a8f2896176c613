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
    """For a child to end a reply that was stopped."""
    linger: float = 0.04
    """Of these, for whoever stopped it: they then go on, and the child has the rest."""
    sign: float = 0.05
    """For a child to say that it is there."""
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
        self._over = self._cancelled = False

    def pieces(self) -> Iterator[str]:
        """Ends as soon as it is stopped; `settle` then waits for the child. Raises PromptTooLong, ModelDied,
        ModelUnavailable."""
        self._child.send(self._request)
        while (text := self._next()) is not None:
            if text:
                self._said.append(text)
                yield text

    def settle(self, seconds: float, *, kill: bool = False) -> bool:
        """Whether the child has ended the reply, for which it has so many seconds; with `kill`, it has in any case."""
        if not self._over and not self._cancelled:
            self._cancelled = True
            self._child.send(wire.Cancel(self._request.id))
        deadline = time.monotonic() + seconds
        while not self._over and (kill or time.monotonic() < deadline):
            try:
                event = self._box.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                if not kill:
                    break
                event = None
            self._take_end(event)
        if self._over:
            self._child.close(self._request.id)
        return self._over

    def _next(self) -> str | None:
        """The next piece; "" for a sign of work without text; None at the end."""
        limits = self._limits
        began = time.monotonic()
        while not self._stopped:
            now = time.monotonic()
            if now > self._deadline:
                raise self._ended(f"The model took longer than {limits.reply:.0f} s and was ended.")
            if now - began > limits.silence:
                raise self._ended(f"The model gave no sign for {limits.silence:.0f} s and was ended.")
            try:
                event = self._box.get(timeout=TICK)
            except queue.Empty:
                continue
            if event is not None or not self._stopped:
                return self._read(event)
            self._take_end(None)  # interrupted, since it gave no sign of life
        return None

    @property
    def _stopped(self) -> bool:
        return any(stop.is_set() for stop in self._stops)

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

    def _take_end(self, event: wire.Event | None) -> None:
        """What the child says after it was told to stop; None where it is gone, or says nothing in time."""
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
