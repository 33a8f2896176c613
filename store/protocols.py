"""The engine asks the outside for three things only, and each can be replaced in a test: the time, vectors, and words.

Nothing in `store` reads the wall clock, loads a language model or opens a socket.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from store.records import Instant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Clock(Protocol):
    """Says what time it is, in the machine's zone."""

    def now(self) -> Instant: ...


class Embedder(Protocol):
    """Turns texts into vectors, one row each."""

    @property
    def dimension(self) -> int: ...

    @property
    def fingerprint(self) -> str:
        """Names the weights, the dimension and the normalisation: vectors of two fingerprints are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), float32, each row of length 1 (or 0 where no word is known)."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class LanguageModel(Protocol):
    """A model that can continue a conversation."""

    @property
    def name(self) -> str: ...

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
    ) -> Iterator[str]:
        """Yield the reply piece by piece; ends early when `stop` is set. `temperature`: how much of the choice of words
        is left to chance; None is the model's own. Raises ModelError."""
        ...

    def count_tokens(self, text: str) -> int: ...


class BoundModel(Protocol):
    """A model that can be held to a JSON schema, token by token; what it says is still checked."""

    @property
    def name(self) -> str: ...

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
        schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:
        """Yield the reply piece by piece; ends early when `stop` is set. `temperature` 0: the likeliest words only.
        Raises ModelError."""
        ...


@runtime_checkable
class PlanningModel(BoundModel, Protocol):
    """A model that may also say what should be done to units."""

    @property
    def plans(self) -> bool:
        """It passed the test for that."""
        ...
