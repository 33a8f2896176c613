"""The engine asks the outside for three things only, and each can be replaced in a test: the time, vectors, and words.

Of its own rooms it asks one thing: that whatever is derived can be dropped, and made again.

Nothing in `store` reads the wall clock, loads a language model or opens a socket.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any, Literal, Protocol

from store.records import Finding, Instant, Progress

if TYPE_CHECKING:
    import apsw
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
        self, messages: Sequence[Message], *, max_tokens: int = 512, stop: Event | None = None,
        temperature: float | None = None,
    ) -> Iterator[str]:  # fmt: skip
        """Yield the reply piece by piece; ends early when `stop` is set. `temperature`: how much of the choice of words
        is left to chance; None is the model's own. Raises ModelError."""
        ...

    def count_tokens(self, text: str) -> int: ...


class BoundModel(Protocol):
    """A model that can be held to a JSON schema, token by token; what it says is still checked."""

    @property
    def name(self) -> str: ...

    def chat(
        self, messages: Sequence[Message], *, max_tokens: int = 512, stop: Event | None = None,
        temperature: float | None = None, schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:  # fmt: skip
        """Yield the reply piece by piece; ends early when `stop` is set. `temperature` 0: the likeliest words only.
        Raises ModelError."""
        ...


def _nothing(*_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True)
class Derived:
    """One kind of what is made of the turns, the claims and the log, and of nothing else (store.maintenance.upkeep).

    All that it does is done in the caller's transaction. What is left out here, it has no need of.
    """

    create: Callable[[apsw.Connection], object]
    """Make the tables that are not there."""
    drop: Callable[[apsw.Connection], object] = _nothing
    """Remove the tables."""
    is_there: Callable[[apsw.Connection], bool] = lambda _: True
    """Whether the tables are there, as this version makes them."""
    add: Callable[[apsw.Connection, Sequence[int], Embedder], Iterable[Progress]] = _nothing
    """Take in turns (by row) that came, with their claims, and are in none of its tables."""
    finish: Callable[[apsw.Connection, Embedder], Iterable[Progress]] = _nothing
    """Do what else waits for a sleep; for a rebuild."""
    counts: Mapping[str, str] = field(default_factory=dict)
    """By what ought to be so: a query that counts where it is not. Each is quick, for it is asked of every backup."""
    check: Callable[[apsw.Connection], Iterable[Finding]] = _nothing
    """Compare it with what it is made of; change nothing."""
    forget: Callable[[apsw.Connection, Sequence[int]], object] = _nothing
    """Come to what is left, now that these turns (by row) and their claims are gone: not a byte of them may stay."""
