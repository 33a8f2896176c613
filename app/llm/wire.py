"""Every line between parent and child is one JSON object that is exactly one of the messages below, or it is refused.

The parent writes requests to the child's standard input, the child writes events to its standard output.
A request carries an `id`, and every event that belongs to it carries the same one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

Problem = Literal["library", "file", "memory", "template", "prompt", "grammar", "model"]
Reason = Literal["end", "stop", "length", "context", "cancelled"]

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes; a longer line means that the other side has lost its mind."""


class WireError(ValueError):
    """A line that is none of the messages."""


@dataclass(frozen=True)
class _Line:
    """Which request it is, or belongs to."""

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
    schema: dict[str, Any] | None = None
    """A JSON schema that the reply has to satisfy, enforced token by token."""


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


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """Still at work: `share` of the loading done, or -1 while a prompt is read."""

    id: int
    share: float


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


class Pong(_Line):
    """The answer to Ping."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The request failed; `sentence` is for the person. The child goes on."""

    id: int
    problem: Problem
    sentence: str


Request = Load | Chat | Cancel | Count | Save | Restore | Ping | Quit
Event = WorkerProgress | Loaded | Token | Done | Counted | Pong | Failed

_KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in (*get_args(Request), *get_args(Event))}


def encode(message: Request | Event) -> bytes:
    """One line of ASCII with its newline; lone surrogates travel as escapes, so that no text can break the framing."""
    body = {"kind": type(message).__name__.lower(), **asdict(message)}
    return json.dumps(body, separators=(",", ":")).encode("ascii") + b"\n"


def decode_request(line: bytes) -> Request:
    """Raises WireError."""
    message = _decode(line)
    if not isinstance(message, Request):
        raise WireError(f"not a request: {type(message).__name__}")
    return message


def decode_event(line: bytes) -> Event:
    """Raises WireError."""
    message = _decode(line)
    if not isinstance(message, Event):
        raise WireError(f"not an event: {type(message).__name__}")
    return message


def _decode(line: bytes) -> object:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {line[:80]!r}") from error
    kind = _KINDS.get(str(body.pop("kind", ""))) if isinstance(body, dict) else None
    if kind is None:
        raise WireError(f"unknown message: {line[:80]!r}")
    if unknown := set(body) - {field.name for field in fields(kind)}:
        raise WireError(f"{kind.__name__} has no {sorted(unknown)}")
    if not isinstance(body.get("id", 0), int):
        raise WireError(f"{kind.__name__} needs a number as its id")
    try:
        return kind(**body)
    except TypeError as error:
        raise WireError(f"{kind.__name__}: {error}") from error
