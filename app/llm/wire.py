"""Every line between parent and child is one JSON object that is exactly one of the messages below, or it is refused.

The parent writes requests to the child's standard input, the child writes events to its standard output.
A request carries an `id`, and every event that belongs to it carries the same one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Reason = Literal["end", "stop", "length", "context", "cancelled"]

LONGEST_LINE = 64 * 1024 * 1024  # bytes; a longer line means that the other side has lost its mind


class WireError(ValueError):
    """A line that is none of the messages."""


@dataclass(frozen=True)
class _Line:
    id: int = 0


@dataclass(frozen=True, slots=True)
class Load:
    """Load the model at `path` and prove it with one token."""

    id: int
    path: str
    n_ctx: int
    threads: int
    use_extra_bufts: bool = True


@dataclass(frozen=True, slots=True)
class Chat:
    """Continue a conversation; `messages` are (role, content) pairs."""

    id: int
    messages: list[list[str]]
    max_tokens: int = 512
    temperature: float = 0.4
    schema: dict[str, Any] | None = None  # a JSON schema that the reply has to satisfy, enforced token by token


class Cancel(_Line):
    """Stop the chat with this id, at the next token."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many tokens is this text?"""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class Save:
    """Write what the model has read so far (its key-value cache) to `path`."""

    id: int
    path: str


@dataclass(frozen=True, slots=True)
class Restore:
    """Read it back, so that the same beginning needs not be read again."""

    id: int
    path: str


class Ping(_Line):
    """Are you there?"""


class Quit(_Line):
    """End now."""


class Working(_Line):
    """A prompt is still being read."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The model has produced a token."""

    id: int
    n_ctx: int


@dataclass(frozen=True, slots=True)
class Token:
    """The next piece of the reply: never empty, always whole characters."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The reply is over, or a request without an answer of its own has succeeded."""

    id: int
    reason: Reason = "end"
    prompt_tokens: int = 0
    reused_tokens: int = 0
    generated_tokens: int = 0
    first_token_seconds: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to Count."""

    id: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The request failed; `sentence` is for the person. The child goes on."""

    id: int
    sentence: str


Request = Load | Chat | Cancel | Count | Save | Restore | Ping | Quit
Event = Working | Loaded | Token | Done | Counted | Failed


def encode(message: Request | Event) -> bytes:
    """One line of ASCII with its newline; lone surrogates travel as escapes, so that no text can break the framing."""
    body = {"kind": type(message).__name__.lower(), **asdict(message)}
    return json.dumps(body, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes, kinds: Any) -> Any:
    """One of the messages of `Request` or `Event`. Raises WireError."""
    try:
        body = json.loads(line)
        name = body.pop("kind")
        if not isinstance(body.get("id", 0), int):
            raise TypeError("the id has to be a number")
        return next(kind for kind in get_args(kinds) if kind.__name__.lower() == name)(**body)
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError, StopIteration) as error:
        raise WireError(f"no message: {line[:80]!r} ({error})") from error
