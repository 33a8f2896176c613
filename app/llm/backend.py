"""llama.cpp is imported here and nowhere else, and this module is imported in the child only.

What a model file can break (its weights, its vocabulary, its template) ends as a BackendError with a sentence, or as
the death of this process, which the parent is there for.

A reply can be stopped inside the reading of the prompt and after every token. The prompt is read in pieces, so that
between two of them the number of threads can follow what the machine has free: llama.cpp's threads wait for each other
by spinning, and with fewer free cores than threads everything crawls.
"""

from __future__ import annotations

import ctypes
import json
import time
from collections.abc import Callable, Generator
from typing import Any, Protocol

from app.llm import wire
from app.llm.machine import FreeCores
from app.llm.stream import ReplyStream
from app.llm.template import ChatTemplate, TemplateError

Report = Callable[[float], None]
Cancelled = Callable[[], bool]
Pieces = Generator[str, None, wire.Done]

_PIECE = 256
"""Prompt tokens read in one go."""
_PROGRESS_SECONDS = 0.25
_REPEAT_PENALTY = 1.1
PROOF = "The quick brown fox jumps over the lazy dog. " * 8
"""As long as a real prompt, so that the proof takes the same matrix kernels: one token passes where a prompt dies."""

_CONTROL = 1 << 3
"""LLAMA_TOKEN_ATTR_CONTROL."""


class BackendError(Exception):
    """The request failed, the child goes on; `problem` says what is to blame."""

    def __init__(self, problem: wire.Problem, sentence: str) -> None:
        super().__init__(sentence)
        self.problem: wire.Problem = problem


class Backend(Protocol):
    """What the worker's loop asks of a model library."""

    def load(self, request: wire.Load, report: Report) -> wire.Loaded: ...
    def chat(self, request: wire.Chat, cancelled: Cancelled, report: Report) -> Pieces: ...
    def count(self, text: str) -> int: ...
    def save(self, path: str) -> None: ...
    def restore(self, path: str) -> int: ...


class LlamaBackend:
    """One model in one context. `chat` reuses whatever beginning the new prompt shares with the last one."""

    def __init__(self) -> None:
        self._llama: Any = None
        self._template: ChatTemplate | None = None
        self._keep: list[object] = []
        self._cores = FreeCores(1)

    def load(self, request: wire.Load, report: Report) -> wire.Loaded:
        """Raises BackendError. The model has produced a token when this returns."""
        self._cores = FreeCores(request.threads)
        _override_defaults(request.use_extra_bufts, report, self._keep)
        self._llama = _opened(request)
        self._template = _template(self._llama)
        self._prove()
        return wire.Loaded(request.id, self._llama.n_ctx())

    def count(self, text: str) -> int:
        """Tokens of plain text, without the mark of a beginning. Raises BackendError when nothing is loaded."""
        return len(self._loaded().tokenize(_bytes(text), add_bos=False, special=False))

    def chat(self, request: wire.Chat, cancelled: Cancelled, report: Report) -> Pieces:
        """Yield the reply; the generator's value is the Done event. Raises BackendError."""
        llama = self._loaded()
        prompt = self._rendered(request)
        tokens = self._tokens(prompt, request.max_tokens)
        stop = self._template.stop if self._template else ()
        begun = request.messages[-1][0] == "assistant"
        stream = ReplyStream(stop, thinking=not begun and prompt.rstrip().endswith("<think>"), begun=begun)
        return (yield from Generation(llama, self._cores, request, tokens, stream).run(cancelled, report))

    def save(self, path: str) -> None:
        """Write the sequence that was read so far, and the tokens that it stands for. Raises BackendError."""
        llama = self._loaded()
        count = llama.n_tokens
        if not count:
            raise BackendError("file", "Nothing was read yet, so there is nothing to save.")
        tokens = (ctypes.c_int32 * count)(*llama.input_ids[:count].tolist())
        written = library().llama_state_seq_save_file(llama.ctx, path.encode(), 0, tokens, count)
        if not written:
            raise BackendError("file", "What the model has read could not be saved; the next start reads it again.")

    def restore(self, path: str) -> int:
        """Read it back; returns the tokens that need not be read again. Raises BackendError."""
        llama = self._loaded()
        tokens = (ctypes.c_int32 * llama.n_ctx())()
        count = ctypes.c_size_t(0)
        read = library().llama_state_seq_load_file(
            llama.ctx, path.encode(), 0, tokens, llama.n_ctx(), ctypes.pointer(count)
        )
        if not read:
            forget(llama)
            raise BackendError("file", "The saved state does not fit this model; it is read again from the start.")
        llama.input_ids[: count.value] = tokens[: count.value]
        llama.n_tokens = count.value
        return count.value

    def _loaded(self) -> Any:
        if self._llama is None:
            raise BackendError("model", "No model is loaded.")
        return self._llama

    def _rendered(self, request: wire.Chat) -> str:
        try:
            assert self._template is not None
            return self._template.render([(role, content) for role, content in request.messages])
        except TemplateError as error:
            raise BackendError("template", str(error)) from error

    def _tokens(self, prompt: str, max_tokens: int) -> list[int]:
        """The prompt as tokens; never longer than what leaves room for a reply."""
        llama = self._loaded()
        bos = llama.detokenize([llama.token_bos()], special=True).decode("utf-8", "replace")
        tokens: list[int] = llama.tokenize(_bytes(prompt), add_bos=not (bos and prompt.startswith(bos)), special=True)
        room = llama.n_ctx() - min(max_tokens, 16)
        if len(tokens) > room:
            raise BackendError(
                "prompt",
                f"This is {len(tokens)} tokens long and the model reads {room}: shorten it, or raise its context.",
            )
        return tokens

    def _prove(self) -> None:
        llama = self._loaded()
        set_threads(llama, self._cores.advise())
        try:
            for _token in llama.generate(llama.tokenize(PROOF.encode()), temp=0.0):
                break
        except (RuntimeError, ValueError) as error:
            raise BackendError("model", "The model loads but cannot produce a word on this machine.") from error
        forget(llama)


def _override_defaults(use_extra_bufts: bool, report: Report, keep: list[object]) -> None:
    """llama-cpp-python exposes neither switch, but starts from these defaults."""
    module = library().llama_cpp
    original = module.llama_model_default_params

    def loading(share: float, _data: object) -> bool:
        report(share)
        return True

    callback = module.llama_progress_callback(loading)
    keep[:] = [callback]

    def defaults() -> Any:
        params = original()
        params.use_extra_bufts = use_extra_bufts
        params.progress_callback = callback
        return params

    module.llama_model_default_params = defaults


def _opened(request: wire.Load) -> Any:
    try:
        return library().Llama(
            request.path, n_ctx=request.n_ctx, n_threads=request.threads, n_threads_batch=request.threads, verbose=True
        )
    except MemoryError as error:
        raise BackendError("memory", "There is not enough memory for this model: choose a smaller one.") from error
    except Exception as error:  # ValueError, RuntimeError, and Jinja's own for a broken template
        if type(error).__module__.startswith("jinja2"):
            raise BackendError("template", f"The chat template in this file cannot be read ({error}).") from error
        raise BackendError("file", "llama.cpp cannot load it: it is damaged, or newer than this llama.cpp.") from error


def _template(llama: Any) -> ChatTemplate:
    vocab = llama._model.vocab
    control = [
        library().llama_vocab_get_text(vocab, token).decode("utf-8", "replace")
        for token in range(llama.n_vocab())
        if library().llama_vocab_get_attr(vocab, token) & _CONTROL
    ]
    bos, eos = (
        llama._model.token_get_text(token) if token != -1 else "" for token in (llama.token_bos(), llama.token_eos())
    )
    try:
        return ChatTemplate(llama.metadata.get("tokenizer.chat_template"), bos=bos, eos=eos, control=control)
    except TemplateError as error:
        raise BackendError("template", str(error)) from error


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


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
