"""A model with tools takes a bounded number of steps; each is one checked call that reads the memory, and is told.

For models that passed the cases for it only. A grammar binds each step to one tool with arguments of its schema, or to
the end; what the tools give is cut to what fits, and is background, never an order. Nothing here changes the memory:
what a model read somewhere must not be able to write.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any, Protocol

from app.llm.prompts import escaped
from app.tools import Desk, Tool, call, named, reading
from store.errors import ErstwhileError
from store.protocols import Message

MOST_STEPS = 4
LONGEST_RESULT = 1_200
"""Characters of one result that the model is shown."""
_LONGEST_STEP = 120
"""Tokens."""
_LONGEST_TEXT = 100
"""Characters of one argument: a grammar that counts to thousands is slow."""
_END = "answer"


class Tooled(Protocol):
    """A model that can be bound to a schema: ModelProcess is one."""

    @property
    def chat(self) -> Callable[..., Any]: ...


@dataclass(frozen=True, slots=True)
class ToolUsed:
    """One step that a model has taken, for the panel."""

    name: str
    arguments: dict[str, Any]
    result: str
    """What came of it, in one line, as far as it was shown to the model."""
    elapsed_ms: float

    @property
    def words(self) -> str:
        """search: query “dentist”, k 5"""
        given = ", ".join(f"{key} {value!r}" for key, value in self.arguments.items())
        return f"{self.name}: {given}" if given else self.name


def instructions(tools: Sequence[Tool]) -> str:
    """The system message of the steps."""
    listed = "\n".join(f"- {one.name}({', '.join(one.properties)}): {one.description}" for one in tools)
    return (
        "You look things up in the memory of the person you talk to. Take one step at a time, as JSON:"
        f' {{"tool": name, "arguments": {{...}}}}. Tools:\n{listed}\n- {_END}(): you have what you need.'
    )


def step_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """What one step may look like."""
    choices = [_choice(one.name, {name: _short(kind) for name, kind in one.properties.items()}, one.required)
               for one in tools]  # fmt: skip
    return {"anyOf": [*choices, _choice(_END, {}, ())]}


def _choice(name: str, properties: dict[str, Any], required: Sequence[str]) -> dict[str, Any]:
    arguments = {
        "type": "object", "properties": properties, "required": list(required), "additionalProperties": False,
    }  # fmt: skip
    return {
        "type": "object", "properties": {"tool": {"const": name}, "arguments": arguments},
        "required": ["tool", "arguments"], "additionalProperties": False,
    }  # fmt: skip


def _short(kind: dict[str, Any]) -> dict[str, Any]:
    if kind["type"] != "string":
        return {"type": "integer", "minimum": 1, "maximum": 9}
    return {"type": "string", "minLength": 1, "maxLength": _LONGEST_TEXT}


def consult(
    model: Tooled, desk: Desk, question: str, *, stop: Event | None = None, most: int = MOST_STEPS
) -> Generator[ToolUsed, None, list[Message]]:
    """Yield each step as it was taken; the generator's value is the conversation to answer from.

    A step that repeats an earlier one ends it. Raises ModelError.
    """
    tools = reading()
    messages = [Message("system", instructions(tools)), Message("user", question)]
    schema, taken = step_schema(tools), set[str]()
    for _ in range(most):
        said = "".join(model.chat(messages, max_tokens=_LONGEST_STEP, stop=stop, temperature=0.0, schema=schema))
        step = _read(said)
        if step is None or said in taken or (stop is not None and stop.is_set()):
            break
        taken.add(said)
        used = _take(desk, tools, *step)
        yield used
        messages += [Message("assistant", said), Message("user", f"Result: {used.result}")]
    ask = f"Answer in one or two sentences, only from the results. If they do not say it, say so. Question: {question}"
    return [*messages, Message("user", ask)]


def _read(said: str) -> tuple[str, dict[str, Any]] | None:
    """The step; None at the end, and for what was cut off."""
    try:
        step = json.loads(said)
        name, arguments = step["tool"], step["arguments"]
    except (ValueError, KeyError, TypeError):
        return None
    return None if name == _END or not isinstance(arguments, dict) else (str(name), arguments)


def _take(desk: Desk, tools: Sequence[Tool], name: str, arguments: dict[str, Any]) -> ToolUsed:
    began = perf_counter()
    try:
        result = json.dumps(_lean(call(named(name, tools), desk, arguments)), ensure_ascii=False)
    except ErstwhileError as error:
        result = str(error)
    return ToolUsed(name, arguments, escaped(result)[:LONGEST_RESULT], round((perf_counter() - began) * 1000, 3))


_TOLD = (
    "hits",
    "facts",
    "links",
    "turns",
    "fact",
    "text",
    "said_at",
    "speaker",
    "valid_from",
    "valid_to",
    "kind",
    "id",
)


def _lean(found: Any) -> Any:
    """Without what a model has no use for: scores, offsets, fingerprints."""
    if isinstance(found, dict):
        return {key: _lean(value) for key, value in found.items() if key in _TOLD and value is not None}
    return [_lean(one) for one in found] if isinstance(found, list) else found
