"""llama.cpp is imported here and nowhere else, and this module is imported in the child only.

What a model file can break (its weights, its vocabulary, its template) ends as a BackendError or a TemplateError with
a sentence, or as the death of this process, which the parent is there for.

A reply can be stopped inside the reading of the prompt and after every token. The prompt is read in pieces, so that
between two of them the number of threads can follow what the machine has free: llama.cpp's threads wait for each other
by spinning, and with fewer free cores than threads everything crawls.
"""

from __future__ import annotations

import ctypes
import json
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from app.llm import wire
from app.llm.machine import FreeCores
from app.llm.stream import ReplyStream
from app.llm.template import ChatTemplate

AtWork = Callable[[], None]  # tells the parent that there is nothing to say yet, and that it is being worked at
Cancelled = Callable[[], bool]
Pieces = Generator[str, None, wire.Done]

_PIECE = 256  # prompt tokens read in one go
_SIGN_SECONDS = 0.25
_REPEAT_PENALTY = 1.1
PROOF = "The quick brown fox jumps over the lazy dog. " * 8
"""As long as a real prompt, so that the proof takes the same matrix kernels: one token passes where a prompt dies."""

_CONTROL = 1 << 3  # LLAMA_TOKEN_ATTR_CONTROL


class BackendError(Exception):
    """The request failed with a sentence for the person; the child goes on."""


class Backend(Protocol):
    """What the worker's loop asks of a model library."""

    def load(self, request: wire.Load) -> wire.Loaded: ...
    def chat(self, request: wire.Chat, cancelled: Cancelled, at_work: AtWork) -> Pieces: ...
    def count(self, text: str) -> int: ...
    def save(self, path: str) -> None: ...
    def restore(self, path: str) -> int: ...


class LlamaBackend:
    """One model in one context. `chat` reuses whatever beginning the new prompt shares with the last one."""

    _template: ChatTemplate
    _cores: FreeCores

    def __init__(self) -> None:
        self._loaded: Any = None

    @property
    def _llama(self) -> Any:
        if self._loaded is None:
            raise BackendError("No model is loaded.")
        return self._loaded

    def load(self, request: wire.Load) -> wire.Loaded:
        """Raises BackendError. The model has produced a token when this returns."""
        self._cores = FreeCores(request.threads)
        self._loaded = _opened(request)
        self._template = _template(self._llama)
        self._set_threads()
        try:
            next(self._llama.generate(self._llama.tokenize(PROOF.encode()), temp=0.0))
        except (RuntimeError, ValueError, StopIteration) as error:
            raise BackendError("The model loads but cannot produce a word on this machine.") from error
        self._forget()
        return wire.Loaded(request.id, self._llama.n_ctx())

    def count(self, text: str) -> int:
        """Tokens of plain text, without the mark of a beginning. Raises BackendError when nothing is loaded."""
        return len(self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=False))

    def chat(self, request: wire.Chat, cancelled: Cancelled, at_work: AtWork) -> Pieces:
        """Yield the reply; the generator's value is the Done event. Raises BackendError."""
        began, llama = time.monotonic(), self._llama
        prompt = self._template.render([(role, content) for role, content in request.messages])
        tokens = self._tokens(prompt, request.max_tokens)
        goes_on = request.messages[-1][0] == "assistant"
        thinking = not goes_on and prompt.rstrip().endswith("<think>")
        stream = ReplyStream(self._template.stop, thinking=thinking, begun=goes_on)
        reused = self._read(tokens, cancelled, at_work)
        reason: wire.Reason | None = "cancelled" if cancelled() else None
        generated, first = 0, 0.0
        sampled = self._sampled(request, tokens) if reason is None else iter(())
        for token in sampled:
            first = first or time.monotonic() - began
            if cancelled() or library().llama_vocab_is_eog(llama._model.vocab, token):
                reason = "cancelled" if cancelled() else "end"
                break
            if text := stream.feed(llama.detokenize([token])):
                yield text
            generated += 1
            self._set_threads()
            if stream.stopped or generated >= request.max_tokens:
                reason = "stop" if stream.stopped else "length"
                break
            if len(tokens) + generated >= llama.n_ctx() - 1:
                reason = "context"
                break
        if rest := stream.finish():
            yield rest
        return wire.Done(
            request.id, reason or "end", len(tokens), reused, generated, first, seconds=time.monotonic() - began
        )

    def save(self, path: str) -> None:
        """Write the sequence that was read so far, and the tokens that it stands for. Raises BackendError."""
        llama = self._llama
        count = llama.n_tokens
        if not count:
            raise BackendError("Nothing was read yet, so there is nothing to save.")
        tokens = (ctypes.c_int32 * count)(*llama.input_ids[:count].tolist())
        if not library().llama_state_seq_save_file(llama.ctx, path.encode(), 0, tokens, count):
            raise BackendError("What the model has read could not be saved; the next start reads it again.")

    def restore(self, path: str) -> int:
        """Read it back; returns the tokens that need not be read again. Raises BackendError."""
        llama = self._llama
        most = llama.n_ctx()
        tokens, count = (ctypes.c_int32 * most)(), ctypes.c_size_t(0)
        read = library().llama_state_seq_load_file(llama.ctx, path.encode(), 0, tokens, most, ctypes.pointer(count))
        if not read:
            self._forget()
            raise BackendError("The saved state does not fit this model; it is read again from the start.")
        llama.input_ids[: count.value] = tokens[: count.value]
        llama.n_tokens = count.value
        return count.value

    def _tokens(self, prompt: str, max_tokens: int) -> list[int]:
        """The prompt as tokens; never longer than what leaves room for a reply."""
        llama, data = self._llama, prompt.encode("utf-8", "replace")
        bos = llama.detokenize([llama.token_bos()], special=True).decode("utf-8", "replace")
        tokens: list[int] = llama.tokenize(data, add_bos=not (bos and prompt.startswith(bos)), special=True)
        room = llama.n_ctx() - min(max_tokens, 16)
        if len(tokens) > room:
            raise BackendError(
                f"This is {len(tokens)} tokens long and the model reads {room}: shorten it, or raise its context."
            )
        return tokens

    def _read(self, tokens: list[int], cancelled: Cancelled, at_work: AtWork) -> int:
        """Read the prompt up to its last token; gives how many tokens at its beginning were read before."""
        llama, before = self._llama, self._llama.input_ids[: self._llama.n_tokens].tolist()
        differing = (at for at, (old, new) in enumerate(zip(before, tokens[:-1], strict=False)) if old != new)
        reused = next(differing, min(len(before), len(tokens) - 1))
        if reused and llama._ctx.kv_cache_seq_rm(-1, reused, -1):
            llama.n_tokens = reused
        else:  # some models can only forget everything
            self._forget()
            reused = 0
        with _abortable(llama, cancelled, at_work):
            try:
                for start in range(reused, len(tokens) - 1, _PIECE):
                    self._set_threads()
                    llama.eval(tokens[start : min(start + _PIECE, len(tokens) - 1)])
                    at_work()
            except RuntimeError as error:
                self._forget()
                if not cancelled():
                    raise BackendError("The model failed while reading the prompt.") from error
        return reused

    def _sampled(self, request: wire.Chat, tokens: list[int]) -> Iterator[int]:
        llama = self._llama
        llama.set_seed(time.time_ns() & 0x7FFFFFFF)
        grammar = None if request.schema is None else _grammar(request.schema)
        self._set_threads()
        sampled: Iterator[int] = llama.generate(
            tokens, temp=request.temperature, repeat_penalty=_REPEAT_PENALTY, grammar=grammar
        )
        return sampled

    def _forget(self) -> None:
        """As if nothing had been read."""
        self._llama.reset()
        self._llama._ctx.kv_cache_clear()

    def _set_threads(self) -> None:
        """For reading and for writing, as many as are worth it just now."""
        threads = self._cores.advise()
        if threads != self._llama.n_threads:
            self._llama.n_threads = threads
            library().llama_set_n_threads(self._llama.ctx, threads, threads)


def library() -> Any:
    """llama_cpp, imported as late as possible. Raises BackendError."""
    try:
        import llama_cpp
    except (ImportError, OSError, RuntimeError) as error:
        raise BackendError(
            "llama-cpp-python cannot be loaded here: install it again (`pip install llama-cpp-python`)."
        ) from error
    return llama_cpp


def _opened(request: wire.Load) -> Any:
    module = library().llama_cpp
    original = module.llama_model_default_params

    def defaults() -> Any:
        """llama-cpp-python has no option for this switch, but starts from these defaults."""
        params = original()
        params.use_extra_bufts = request.use_extra_bufts
        return params

    module.llama_model_default_params = defaults
    try:
        return library().Llama(
            request.path, n_ctx=request.n_ctx, n_threads=request.threads, n_threads_batch=request.threads, verbose=True
        )
    except MemoryError as error:
        raise BackendError("There is not enough memory for this model: choose a smaller one.") from error
    except Exception as error:  # ValueError, RuntimeError, and Jinja's own for a broken template
        if type(error).__module__.startswith("jinja2"):
            raise BackendError(f"The chat template in this file cannot be read ({error}).") from error
        raise BackendError("llama.cpp cannot load it: it is damaged, or newer than this llama.cpp.") from error


def _template(llama: Any) -> ChatTemplate:
    model, vocab = llama._model, llama._model.vocab
    control = [
        library().llama_vocab_get_text(vocab, token).decode("utf-8", "replace")
        for token in range(llama.n_vocab())
        if library().llama_vocab_get_attr(vocab, token) & _CONTROL
    ]
    bos, eos = (model.token_get_text(token) if token != -1 else "" for token in (llama.token_bos(), llama.token_eos()))
    return ChatTemplate(llama.metadata.get("tokenizer.chat_template"), bos=bos, eos=eos, control=control)


def _grammar(schema: dict[str, Any]) -> Any:
    from llama_cpp.llama_grammar import LlamaGrammar

    try:
        return LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
    except Exception as error:  # the converter raises whatever a schema makes it trip over
        raise BackendError(f"This JSON schema cannot be turned into a grammar ({error}).") from error


@contextmanager
def _abortable(llama: Any, cancelled: Cancelled, at_work: AtWork) -> Iterator[None]:
    """llama.cpp asks, between two operations, whether to stop; that it asks is also the proof that it is at work.

    Only while a prompt is read: asked a thousand times a token, it would slow the writing down.
    """
    told = time.monotonic()

    def asked(_data: object) -> bool:
        nonlocal told
        if time.monotonic() - told > _SIGN_SECONDS:
            told = time.monotonic()
            at_work()
        return cancelled()

    callback = library().ggml_abort_callback(asked)
    library().llama_set_abort_callback(llama.ctx, callback, None)
    try:
        yield
    finally:
        library().llama_set_abort_callback(llama.ctx, library().ggml_abort_callback(), None)
