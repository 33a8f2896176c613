"""Whatever the model does, a call to ModelProcess ends, in time, with text or with one sentence.

crash while loading   tried once more without llama.cpp's fast buffers; if that helps, it is remembered
crash while replying  ModelDied, with what had come so far; the next call starts a new process
silence               no sign of work for `Limits.silence` seconds: killed, ModelDied
stopped by a person   the reply ends at once; a child that does not end it within `Limits.cancel` seconds, or gives no
                      sign of life (`interrupt`), is killed, and started again when it is next needed
endless               longer than `Limits.reply` seconds: killed, ModelDied
not a model           ModelUnavailable, before any process is started
"""

from __future__ import annotations

import itertools
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from app.llm import gguf, machine, wire
from app.llm.child import WORKER, Child
from app.llm.small import usual_temperature
from store.errors import ModelDied, ModelError, ModelUnavailable
from store.protocols import Message

TICK = 0.02  # seconds between two looks at `stop`; what a cancelled reply waits at most before the child hears of it
_CRASHES = {signal.SIGSEGV, signal.SIGILL, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE}
_CLOSED = "This model was closed; choose it again to use it."


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds."""

    load: float = 300.0
    silence: float = 60.0
    reply: float = 900.0
    cancel: float = 2.0  # for a child to end a reply that was stopped
    linger: float = 0.04  # of these, for whoever stopped it: they then go on, and the child has the rest
    sign: float = 0.05  # for a child to say that it is there
    quit: float = 0.5


class ModelProcess:
    """One model file in one child process; safe to call from several threads, which then take turns."""

    def __init__(
        self, path: Path, *, crashes: Path, n_ctx: int = 4096, threads: int | None = None,
        temperature: float | None = None, name: str | None = None, limits: Limits | None = None,
        command: Sequence[str] = WORKER, available_memory: Callable[[], int | None] = machine.available_memory,
    ) -> None:  # fmt: skip
        """`crashes` is the small file that remembers what this machine does not stand; `command` starts the child.

        `name` is how people call the model; without it, the file's name stands for it. Without a `temperature`, its
        size says how much is left to chance.
        """
        self.path = path
        self.name = name or path.stem
        self.limits = limits or Limits()
        self.loaded: wire.Loaded | None = None
        """What the running child has loaded; None before the first start and after an end."""
        self.last_reply: wire.Done | None = None
        """Token counts and times of the last reply that was ended by the model or by `stop`."""
        self._n_ctx, self._command = n_ctx, tuple(command)
        self._temperature = usual_temperature(path) if temperature is None else temperature
        self._threads = threads or machine.physical_cores()
        self._available_memory = available_memory
        self._crashes = crashes
        self._distrusted = False
        self._child: Child | None = None
        self._ids = itertools.count(1)
        # Not an RLock: an abandoned iterator may be closed by another thread than the one that began it.
        self._turn = threading.Lock()
        self._starting = threading.RLock()
        self._stopping = threading.Event()
        self._closed = False

    @property
    def n_ctx(self) -> int:
        """Tokens of prompt and reply together."""
        return self.loaded.n_ctx if self.loaded else self._n_ctx

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.alive and self.loaded is not None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def chat(
        self, messages: Sequence[Message], *, max_tokens: int = 512, stop: threading.Event | None = None,
        temperature: float | None = None, schema: dict[str, Any] | None = None,
    ) -> Generator[str, None, None]:  # fmt: skip
        """Yield the reply piece by piece, ending early when `stop` is set or the iterator is closed.

        Waits for its turn while another reply is being written. `schema` is a JSON schema that the reply must satisfy.
        Raises ModelError, of which ModelDied has what had come so far.
        """
        if not self._take_turn(stop):
            return
        self.last_reply = None
        try:
            spoken = [[message.role, message.content] for message in messages]
            chance = self._temperature if temperature is None else temperature
            request = wire.Chat(next(self._ids), spoken, max_tokens, chance, schema)
            reply = _Reply(self._running(), request, self.limits, (stop, self._stopping), self._lost)
        except BaseException:
            self._turn.release()
            raise
        try:
            yield from reply.pieces()
        finally:
            # The next one has its turn when the child has ended this one, for which nobody waits long.
            if reply.settle(self.limits.linger):
                self._end_turn(reply)
            else:
                threading.Thread(target=self._end_turn, args=(reply,), name="model settles", daemon=True).start()

    def count_tokens(self, text: str) -> int:
        """With the model's own tokenizer; also answered while a reply is being written. Raises ModelError."""
        event = self._ask(self._running(), wire.Count(next(self._ids), text), self.limits.silence)
        if isinstance(event, wire.Counted):
            return event.tokens
        raise ModelDied("The model process ended; the next message starts it again.")

    def start(self) -> wire.Loaded:
        """Load and prove the model, unless it runs. Raises ModelUnavailable."""
        with self._starting:
            if self._closed:
                raise ModelUnavailable(_CLOSED)
            if self.running and self.loaded:
                return self.loaded
            self._end_child()
            header = gguf.read(self.path)
            n_ctx = min(self._n_ctx, header.context_length or self._n_ctx)
            gguf.check_memory(header, n_ctx, self._available_memory())
            self.loaded = self._prove(n_ctx)
            return self.loaded

    def cancel(self) -> None:
        """Stop the reply that is being written, from any thread; what it said so far stands."""
        self._stopping.set()

    def interrupt(self) -> None:
        """From any thread: nobody waits longer for a child that still loads, or that gives no sign of life, whatever
        was asked of it; it is killed. One that works at a reply is left to `stop`.
        """
        if (child := self._child) is None or not child.alive:
            return
        if self.loaded is None:
            child.end(patience=0)
        else:
            self._ask(child, wire.Ping(next(self._ids)), self.limits.sign)

    def close(self) -> None:
        """End the child for good; when this returns there is no process left."""
        self._closed = True
        self.cancel()
        self._end_child()
        with self._starting:
            # A start that was under way may have begun a second child after a crash of the first.
            self._end_child()

    def save_state(self, path: Path) -> bool:
        """Write what the model has read, so that a later start need not; it holds the conversation's words.

        False where there is nothing to write, or another reply does not end.
        """
        if not self._turn.acquire(timeout=self.limits.cancel):
            return False
        try:
            if not self.running:
                return False
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            request = wire.Save(next(self._ids), str(path))
            return isinstance(self._ask(self._running(), request, self.limits.silence), wire.Done)
        finally:
            self._turn.release()

    def restore_state(self, path: Path) -> int:
        """Tokens that need not be read again; 0 when there is nothing fitting at `path`."""
        if not path.is_file():
            return 0
        with self._turn:
            event = self._ask(self._running(), wire.Restore(next(self._ids), str(path)), self.limits.silence)
            return event.reused_tokens if isinstance(event, wire.Done) else 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take_turn(self, stop: threading.Event | None) -> bool:
        """False when `stop` was set while waiting. Raises ModelError when the other reply does not end."""
        deadline = time.monotonic() + self.limits.reply + self.limits.load
        while stop is None or not stop.is_set():
            if self._turn.acquire(timeout=TICK):
                self._stopping.clear()
                return True
            if time.monotonic() > deadline:
                raise ModelError("The model is still busy with another reply: stop that one first.")
        return False

    def _end_turn(self, reply: _Reply) -> None:
        try:
            reply.settle(self.limits.cancel, kill=True)
            self.last_reply = reply.done
        finally:
            self._turn.release()

    def _running(self) -> Child:
        self.start()
        assert self._child is not None
        return self._child

    def _end_child(self) -> None:
        self.loaded = None
        if (child := self._child) is not None:
            child.end(patience=self.limits.quit)

    def _prove(self, n_ctx: int) -> wire.Loaded:
        """Load; after a crash, once more without the fast buffers, which is remembered only if it helps."""
        key = machine.build_key()
        fast = machine.fast_buffers_allowed(self._crashes, key)
        if fast and not self._distrusted and (loaded := self._load(n_ctx, use_extra_bufts=True)) is not None:
            return loaded
        loaded = self._load(n_ctx, use_extra_bufts=False)
        if loaded is None:
            raise ModelUnavailable(
                f"{self.path.name} makes llama.cpp crash on this machine: choose another model,"
                " or install llama-cpp-python again for this processor."
            )
        if fast:
            machine.forbid_fast_buffers(self._crashes, key)
        return loaded

    def _load(self, n_ctx: int, *, use_extra_bufts: bool) -> wire.Loaded | None:
        """None when the child crashed. Raises ModelUnavailable for everything else that goes wrong."""
        if self._closed:
            raise ModelUnavailable(_CLOSED)
        self._child = child = Child(self._command)
        request = wire.Load(next(self._ids), str(self.path.resolve()), n_ctx, self._threads, use_extra_bufts)
        event = self._ask(child, request, self.limits.load)
        if isinstance(event, wire.Loaded):
            return event
        code = None if child.ended_here else child.exit_code
        child.end(patience=0)
        if self._closed:
            raise ModelUnavailable(_CLOSED)
        if event is None and _crashed(code):
            return None
        if isinstance(event, wire.Failed):
            raise ModelUnavailable(f"{self.path.name}: {event.sentence}")
        raise ModelUnavailable(_why_not_loaded(self.path.name, code, child.log))

    def _ask(self, child: Child, request: wire.Request, seconds: float) -> wire.Event | None:
        """The answer; None when the child ended. A child that gives none in time is killed."""
        box = child.open(request.id)
        child.send(request)
        try:
            return box.get(timeout=seconds)
        except queue.Empty:
            child.end(patience=0)
            return None
        finally:
            child.close(request.id)

    def _lost(self, child: Child) -> None:
        """The child is gone or useless; a crash in a reply makes the next start a careful one."""
        self._distrusted = self._distrusted or _crashed(child.exit_code)
        child.end(patience=0)
        if self._child is child:
            self.loaded = None


class _Reply:
    """The parent's side of one reply: it ends by the model, by the person or by a limit, and leaves the child idle or
    gone."""

    def __init__(
        self, child: Child, request: wire.Chat, limits: Limits, stops: Sequence[threading.Event | None],
        lost: Callable[[Child], None],
    ) -> None:  # fmt: skip
        """`lost` is called when the child has died, or has to."""
        self.done: wire.Done | None = None  # how the reply ended, if the child could still say so
        self._child, self._request, self._limits, self._lost = child, request, limits, lost
        self._stops = [stop for stop in stops if stop is not None]
        self._box = child.open(request.id)
        self._said: list[str] = []
        self._over = self._cancelled = False

    def pieces(self) -> Iterator[str]:
        """Ends as soon as it is stopped; `settle` then waits for the child. Raises ModelError."""
        self._child.send(self._request)
        limits, began = self._limits, time.monotonic()
        heard = began
        while not self._stopped and not self._over:
            now = time.monotonic()
            if now - began > limits.reply:
                raise self._died(f"The model took longer than {limits.reply:.0f} s and was ended.")
            if now - heard > limits.silence:
                raise self._died(f"The model gave no sign for {limits.silence:.0f} s and was ended.")
            try:
                event = self._box.get(timeout=TICK)
            except queue.Empty:
                continue
            if isinstance(event, wire.Token):
                self._said.append(event.text)
                yield event.text
            elif event is None and not self._stopped:
                raise self._died("The model process ended in the middle of the reply.")
            else:
                self._end(event)
            if isinstance(event, wire.Failed):
                raise ModelError(event.sentence)
            heard = time.monotonic()

    def settle(self, seconds: float, *, kill: bool = False) -> bool:
        """Whether the child has ended the reply, for which it has so many seconds; with `kill`, it has in any case."""
        if not self._over and not self._cancelled:
            self._cancelled = True
            self._child.send(wire.Cancel(self._request.id))
        deadline = time.monotonic() + seconds
        while not self._over and (kill or time.monotonic() < deadline):
            try:
                self._end(self._box.get(timeout=max(0.0, deadline - time.monotonic())))
            except queue.Empty:
                if kill:
                    self._end(None)
        if self._over:
            self._child.close(self._request.id)
        return self._over

    @property
    def _stopped(self) -> bool:
        return any(stop.is_set() for stop in self._stops)

    def _end(self, event: wire.Event | None) -> None:
        """Whether the reply is over by what the child says; None where it is gone, or says nothing in time."""
        if event is None:
            self._lost(self._child)
        self._over = event is None or isinstance(event, wire.Done | wire.Failed)
        self.done = event if isinstance(event, wire.Done) else None

    def _died(self, sentence: str) -> ModelDied:
        self._end(None)
        return ModelDied(f"{sentence} The next message starts it again.", "".join(self._said))


def _crashed(exit_code: int | None) -> bool:
    """By a signal that a faulty build or file raises, not by one that somebody sent."""
    return exit_code is not None and -exit_code in _CRASHES


def _why_not_loaded(name: str, exit_code: int | None, log: Sequence[str]) -> str:
    if exit_code is None:
        return f"{name} did not load in time: choose a smaller model, or try again when the machine is less busy."
    if exit_code == -signal.SIGKILL:
        return f"{name} was ended by the system while loading, most likely for want of memory: choose a smaller model."
    last = next((line for line in reversed(log) if line.strip()), "no reason given")
    return f"{name} could not be loaded, the model process ended ({last[:200]}): choose another model."
