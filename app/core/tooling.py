"""A model with tools takes a bounded number of steps; each is one checked call, is shown, and writes only if agreed to.

For models that passed the cases for it only. A grammar binds each step to one tool with arguments of its schema, or to
the end; what the tools give is cut to what fits, is background and never an order, and leaves out what models said. A
call that would change the memory is offered only where the person asked for a change, is put to them word for word, and
is carried out once they agree: what a model read somewhere must not be able to write.

Times are the program's: models mix the two up and invent them, so no step names one; what the question names is read
by the grammar of times and given to every call that takes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Sequence, Set
from contextlib import suppress
from datetime import datetime
from threading import Event
from time import monotonic, perf_counter
from typing import Any, NamedTuple

from app.core.prompts import escaped
from app.core.rendering import as_json
from app.core.tools import TOOLS, Desk, Tool, call, checked, named, reading
from store.errors import ErstwhileError, NotFound
from store.protocols import Message
from store.records import Hit

MOST_STEPS = 4
LONGEST_SECONDS = 90.0  # of all steps together; then it answers from what it has
LONGEST_RESULT = 1_200  # characters of one result that the model is shown
MOST_FOUND = 12  # turns that are remembered as found
_LONGEST_STEP = 120  # tokens
_LONGEST_TEXT = 100  # characters of one argument: a grammar that counts to thousands is slow
_END = "answer"
_TIMES = ("as_of", "believed")
_BELIEVING = re.compile(r"(?i)\b(?:believ\w*|th(?:ink|ought)|(?:hold|held)\b.*\btrue|kn(?:ow|ew)|assum\w+)\b")
REFUSED = "The person does not want that."

Agree = Callable[[str], bool]  # puts a change to the person, in words; whether they want it
_TOLD = frozenset((
    "hits", "facts", "links", "turns", "fact", "text", "said_at", "speaker", "valid_from", "valid_to", "kind", "id",
    "learned", "new",
))  # fmt: skip
"""What of a result a model is shown: no scores, offsets, fingerprints."""


class ToolUsed(NamedTuple):
    """One step that a model has taken, for the panel."""

    name: str
    arguments: dict[str, Any]
    result: str  # what came of it, in one line, as far as it was shown to the model
    elapsed_ms: float

    @property
    def words(self) -> str:
        """search: query “dentist”, k 5"""
        given = ", ".join(f"{key} {value!r}" for key, value in self.arguments.items())
        return f"{self.name}: {given}" if given else self.name


def instructions(tools: Sequence[Tool]) -> str:
    """The system message of the steps."""
    listed = "\n".join(f"- {tool.name}({', '.join(_offered(tool))}): {tool.description}" for tool in tools)
    return (
        "You look things up in the memory of the person you talk to. Take one step at a time, as JSON:"
        f' {{"tool": name, "arguments": {{...}}}}. Tools:\n{listed}\n- {_END}(): you have what you need.'
    )


def step_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """What one step may look like."""
    number = {"type": "integer", "minimum": 1, "maximum": 9}
    text = {"type": "string", "minLength": 1, "maxLength": _LONGEST_TEXT}

    def closed(properties: dict[str, Any], required: Sequence[str]) -> dict[str, Any]:
        return {
            "type": "object", "properties": properties, "required": list(required), "additionalProperties": False,
        }  # fmt: skip

    steps: dict[str, dict[str, Any]] = {_END: closed({}, ())}
    for tool in tools:
        given = {name: text if kind["type"] == "string" else number for name, kind in _offered(tool).items()}
        steps[tool.name] = closed(given, tool.required)
    names = (*(tool.name for tool in tools), _END)
    chosen = ({"tool": {"const": name}, "arguments": steps[name]} for name in names)
    return {"anyOf": [closed(one, ("tool", "arguments")) for one in chosen]}


def _offered(tool: Tool) -> dict[str, Any]:
    return {name: kind for name, kind in tool.properties.items() if name not in _TIMES}


def timed(name: str, arguments: dict[str, Any], question: str, now: datetime) -> dict[str, Any]:
    """A step with the time that the question names, as the one that is asked for: when it was true, or was believed."""
    from store.time.expressions import read_times  # the grammar of times is long, and is needed by few

    tool = next((one for one in TOOLS if one.name == name), None)
    given = {key: value for key, value in arguments.items() if key not in _TIMES}
    times = [time for time in read_times(question, now) if time.stretch is not None]
    axis = "believed" if _BELIEVING.search(question) else "as_of"
    if tool is None or not times or axis not in tool.properties:
        return given
    return {**given, axis: question[times[0].start : times[0].end]}


class Consulted(NamedTuple):
    """What came of the steps."""

    messages: list[Message]  # the conversation to answer from
    found: tuple[Hit, ...]  # the turns that the results showed, in the order of being found
    used: int = 0  # steps that were taken


class StopSignal(Event):
    """Set when the person has stopped the turn, or when its time is over."""

    def __init__(self, stop: Event | None, seconds: float) -> None:
        super().__init__()
        self._stop, self._until = stop, monotonic() + seconds

    def is_set(self) -> bool:
        """Also once the time is over."""
        return super().is_set() or monotonic() > self._until or (self._stop is not None and self._stop.is_set())


def consult(
    model: Any, desk: Desk, question: str, *, stop: Event | None = None, most: int = MOST_STEPS,
    seconds: float = LONGEST_SECONDS, agree: Agree | None = None, deaf: Set[str] = frozenset(),
    first: Sequence[Hit] = (),
) -> Generator[ToolUsed, None, Consulted]:  # fmt: skip
    """Yield each step as it was taken; the generator's value is what to answer from.

    The model's `chat` can be bound to a schema. With `agree`, tools that write may be called, each time with the
    person's consent. The speakers in `deaf` are not heard, nor is the question itself. `first` is what a search for the
    question has found already. A step that repeats an earlier one ends it, and so does the end of the time. Raises
    ModelError.
    """
    tools = reading() if agree is None else TOOLS
    messages = [Message("system", instructions(tools)), Message("user", question)]
    schema, taken, over = step_schema(tools), set[str](), StopSignal(stop, seconds)

    def heard(found: Any) -> Any:
        """Without what is not to be heard."""
        if isinstance(found, dict):
            text = found.get("text", found.get("quote", ""))
            return None if found.get("speaker") in deaf or text == question else {k: heard(v) for k, v in found.items()}
        return [one for one in map(heard, found) if one is not None] if isinstance(found, list) else found

    def result(shown: str) -> Message:
        return Message("user", f"Result: {shown}\nTake {_END} if this is enough, else another step.")

    found = {hit.id: hit for hit in first if hit.kind == "episode"}
    if first:
        search = json.dumps({"tool": "search", "arguments": {"query": question}}, ensure_ascii=False)
        messages += [Message("assistant", search), result(_shown({"hits": as_json(first)}))]
    for _ in range(most):
        said = "".join(model.chat(messages, max_tokens=_LONGEST_STEP, stop=over, temperature=0.0, schema=schema))
        step = read_step(said)
        if step is None or said in taken or over.is_set():
            break
        taken.add(said)
        name, arguments = step
        used, turns = _take(desk, tools, name, timed(name, arguments, question, desk.now()), agree, heard)
        yield used
        found |= {turn.id: turn for turn in turns if turn.speaker not in deaf and turn.text != question}
        messages += [Message("assistant", said), result(used.result)]
    ask = f"Answer in one or two sentences, only from the results. If they do not say it, say so. Question: {question}"
    return Consulted([*messages, Message("user", ask)], tuple(found.values())[:MOST_FOUND], len(taken))


def read_step(said: str) -> tuple[str, dict[str, Any]] | None:
    """The tool and its arguments; None at the end, and for what was cut off."""
    try:
        step = json.loads(said)
        name, arguments = step["tool"], step["arguments"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return None if name == _END or not isinstance(arguments, dict) else (str(name), arguments)


def _take(
    desk: Desk, tools: Sequence[Tool], name: str, arguments: dict[str, Any], agree: Agree | None,
    heard: Callable[[Any], Any],
) -> tuple[ToolUsed, list[Hit]]:  # fmt: skip
    """One step, and the turns that its result shows and that may be quoted."""
    began, turns = perf_counter(), list[Hit]()
    try:
        tool = named(name, tools)
        if tool.writes and not (agree is not None and agree(proposed(tool, checked(tool, arguments)))):
            result = REFUSED
        else:
            found = heard(call(tool, desk, arguments))
            result = _shown(found)
            for key in _ids(found):
                with suppress(NotFound):
                    one = desk.memory.episodes.get(key)
                    hit = Hit("episode", one.id, one.external_id, one.session, one.speaker, one.text, one.said_at, 0.0)
                    turns += [] if one.secret else [hit]
    except ErstwhileError as error:
        result = escaped(str(error))
    spent = round((perf_counter() - began) * 1000, 3)
    return ToolUsed(name, arguments, result[:LONGEST_RESULT], spent), turns


def proposed(tool: Tool, arguments: dict[str, Any]) -> str:
    """A call that would change the memory, as a question to the person; raises nothing."""
    if tool.name == "remember":
        who = arguments.get("speaker", "you")
        return f"Keep this, as said by {escaped(str(who))}: “{escaped(arguments['text'])}”?"
    rest = "".join(f", {name.replace('_', ' ')} {escaped(str(value))}" for name, value in arguments.items()
                   if name not in ("subject", "predicate", "value"))  # fmt: skip
    subject, predicate, right = (escaped(str(arguments[name])) for name in ("subject", "predicate", "value"))
    return f"Correct what is believed: {subject} · {predicate} is “{right}”{rest}?"


def _ids(found: Any) -> Iterator[str]:
    if isinstance(found, dict):
        if isinstance(found.get("episode"), str):
            yield found["episode"]
        elif isinstance(found.get("id"), str) and found.get("kind", "episode") == "episode" and "session" in found:
            yield found["id"]
    values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    for value in values:
        yield from _ids(value)


def _shown(found: Any) -> str:
    """What a model reads of a result: one line, without tags and without what it has no use for."""

    def lean(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: lean(value) for key, value in part.items() if key in _TOLD and value is not None}
        return [lean(one) for one in part] if isinstance(part, list) else part

    return escaped(json.dumps(lean(found), ensure_ascii=False))[:LONGEST_RESULT]
