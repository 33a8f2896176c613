"""llama.cpp is imported here and nowhere else, and this module is imported in the child only.

What a model file can break (its weights, its vocabulary, its template) ends as a BackendError with a sentence, or as
the death of this process, which the parent is there for.
"""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

from app.llm import wire
from app.llm.generation import BackendError, Cancelled, Generation, Pieces, Report, forget, library, set_threads
from app.llm.machine import FreeCores
from app.llm.stream import ReplyStream
from app.llm.template import ChatTemplate, TemplateError

PROOF = "The quick brown fox jumps over the lazy dog. " * 8
"""As long as a real prompt, so that the proof takes the same matrix kernels: one token passes where a prompt dies."""

_CONTROL = 1 << 3
"""LLAMA_TOKEN_ATTR_CONTROL."""


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
