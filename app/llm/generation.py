"""Writing one reply with llama.cpp: it can be stopped inside the reading of the prompt and after every token.

The prompt is read in pieces, so that between two of them the number of threads can follow what the machine has free:
llama.cpp's threads wait for each other by spinning, and with fewer free cores than threads everything crawls.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from typing import Any

from app.llm import wire
from app.llm.machine import FreeCores
from app.llm.stream import ReplyStream

Report = Callable[[float], None]
Cancelled = Callable[[], bool]
Pieces = Generator[str, None, wire.Done]

_PIECE = 256
"""Prompt tokens read in one go."""
_PROGRESS_SECONDS = 0.25
_REPEAT_PENALTY = 1.1


class BackendError(Exception):
    """The request failed, the child goes on; `problem` says what is to blame."""

    def __init__(self, problem: wire.Problem, sentence: str) -> None:
        super().__init__(sentence)
        self.problem: wire.Problem = problem


class Generation:
    """One reply; `run` may be called once."""

    def __init__(
        self, llama: Any, cores: FreeCores, request: wire.Chat, tokens: list[int], stream: ReplyStream
    ) -> None:
        self._llama, self._cores, self._request = llama, cores, request
        self._tokens, self._stream = tokens, stream
        self._began = time.monotonic()
        self._first = 0.0
        self._reused = 0
        self._generated = 0

    def run(self, cancelled: Cancelled, report: Report) -> Pieces:
        """Yield the text; the generator's value is the Done event. Raises BackendError."""
        if not self._read(cancelled, report):
            return self._done("cancelled")
        reason: wire.Reason | None = None
        for token in self._sampled():
            reason = self._before(token, cancelled)
            if reason is None:
                if text := self._stream.feed(self._llama.detokenize([token])):
                    yield text
                reason = self._after()
            if reason is not None:
                break
        if rest := self._stream.finish():
            yield rest
        return self._done(reason or "end")

    def _read(self, cancelled: Cancelled, report: Report) -> bool:
        """Read the prompt up to its last token, from where it differs from what was read last; False if cancelled."""
        llama = self._llama
        self._reused = rewind(llama, shared_prefix(llama, self._tokens[:-1]))
        guard = _AbortGuard(llama, cancelled, report)
        try:
            for start in range(self._reused, len(self._tokens) - 1, _PIECE):
                set_threads(llama, self._cores.advise())
                llama.eval(self._tokens[start : min(start + _PIECE, len(self._tokens) - 1)])
                report(llama.n_tokens / len(self._tokens))
        except RuntimeError as error:
            forget(llama)
            if not cancelled():
                raise BackendError("model", "The model failed while reading the prompt.") from error
        finally:
            guard.remove()
        return not cancelled()

    def _sampled(self) -> Generator[int, None, None]:
        request, llama = self._request, self._llama
        llama.set_seed(time.time_ns() & 0x7FFFFFFF)
        grammar = _grammar(request.schema)
        set_threads(llama, self._cores.advise())
        generated: Generator[int, None, None] = llama.generate(
            self._tokens, temp=request.temperature, repeat_penalty=_REPEAT_PENALTY, grammar=grammar
        )
        return generated

    def _before(self, token: int, cancelled: Cancelled) -> wire.Reason | None:
        """Why this token is not part of the reply."""
        self._first = self._first or time.monotonic() - self._began
        if cancelled():
            return "cancelled"
        return "end" if library().llama_vocab_is_eog(self._llama._model.vocab, token) else None

    def _after(self) -> wire.Reason | None:
        """Why this token is the last one."""
        self._generated += 1
        set_threads(self._llama, self._cores.advise())
        if self._stream.stopped:
            return "stop"
        if self._generated >= self._request.max_tokens:
            return "length"
        return "context" if len(self._tokens) + self._generated >= self._llama.n_ctx() - 1 else None

    def _done(self, reason: wire.Reason) -> wire.Done:
        return wire.Done(
            self._request.id,
            reason=reason,
            prompt_tokens=len(self._tokens),
            reused_tokens=self._reused,
            generated_tokens=self._generated,
            first_token_seconds=self._first,
            seconds=time.monotonic() - self._began,
        )


class _AbortGuard:
    """llama.cpp asks it, between two operations, whether to stop; that it asks is also the proof that it is at work.

    Only there while a prompt is read: asked a thousand times a token, it would slow the writing down.
    """

    def __init__(self, llama: Any, cancelled: Cancelled, report: Report) -> None:
        self._llama, self._cancelled, self._report = llama, cancelled, report
        self._reported = time.monotonic()
        self._callback = library().ggml_abort_callback(self._asked)
        library().llama_set_abort_callback(llama.ctx, self._callback, None)

    def _asked(self, _data: object) -> bool:
        now = time.monotonic()
        if now - self._reported > _PROGRESS_SECONDS:
            self._reported = now
            self._report(-1.0)
        return self._cancelled()

    def remove(self) -> None:
        library().llama_set_abort_callback(self._llama.ctx, library().ggml_abort_callback(), None)


def library() -> Any:
    """llama_cpp, imported as late as possible. Raises BackendError."""
    try:
        import llama_cpp
    except (ImportError, OSError, RuntimeError) as error:
        raise BackendError(
            "library", "llama-cpp-python cannot be loaded here: install it again (`pip install llama-cpp-python`)."
        ) from error
    return llama_cpp


def _grammar(schema: dict[str, Any] | None) -> Any:
    if schema is None:
        return None
    from llama_cpp.llama_grammar import LlamaGrammar

    try:
        return LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
    except Exception as error:  # the converter raises whatever a schema makes it trip over
        raise BackendError("grammar", f"This JSON schema cannot be turned into a grammar ({error}).") from error


def shared_prefix(llama: Any, tokens: list[int]) -> int:
    """How many tokens at the beginning are those that were read last."""
    shared = 0
    for old, new in zip(llama.input_ids[: llama.n_tokens].tolist(), tokens, strict=False):
        if old != new:
            break
        shared += 1
    return shared


def rewind(llama: Any, count: int) -> int:
    """Keep the first `count` tokens of what was read; some models can only forget everything. Returns what is kept."""
    if count and llama._ctx.kv_cache_seq_rm(-1, count, -1):
        llama.n_tokens = count
        return count
    forget(llama)
    return 0


def forget(llama: Any) -> None:
    """As if nothing had been read."""
    llama.reset()
    llama._ctx.kv_cache_clear()


def set_threads(llama: Any, threads: int) -> None:
    """For reading and for writing."""
    if threads != llama.n_threads:
        llama.n_threads = threads
        library().llama_set_n_threads(llama.ctx, threads, threads)
