"""A model that can be held to a schema says what a test wrote down, and keeps what it was asked and how."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from threading import Event
from typing import Any

from store.protocols import Message


class Bound(ABC):
    """Answers with what `answer` makes of the last message."""

    name = "scripted"

    def __init__(self) -> None:
        self.asked, self.schemas, self.tokens = list[str](), list[Any](), set[int]()

    @abstractmethod
    def answer(self, words: str) -> str:
        """The reply to these words."""

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
        schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:
        assert temperature == 0.0 and schema is not None
        words = messages[-1].content
        self.asked.append(words)
        self.schemas.append(schema)
        self.tokens.add(max_tokens)
        yield self.answer(words)
