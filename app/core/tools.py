"""What another program or a model may do with the memory is this list, and no more: each is a call to the one door.

The same table serves `erstwhile mcp` and the tools of a capable model. Arguments are checked against the tool's JSON
schema before anything is done; results are the JSON of the command line. What is flagged as a secret never leaves here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from app.core.clock import last_moment
from app.core.rendering import as_json, learned_json
from store.errors import BadInput, NotFound
from store.records import Episode, Stretch, Turn
from store.text.cleaning import whole

if TYPE_CHECKING:
    from store.memory import Memory

Json = dict[str, Any]

MOST_HITS, MOST_FACTS, MOST_TURNS = 50, 200, 100
SESSION = "tools"  # the conversation that remembered texts belong to, where the caller names none

_WHEN = {"type": "string", "maxLength": 100, "description": 'such as "2024-03", "last June", "14 May 2023"'}
_TIMES = {
    "as_of": {**_WHEN, "description": f"World time: what was true then; {_WHEN['description']}"},
    "believed": {**_WHEN, "description": f"Belief time: what was held to be true then; {_WHEN['description']}"},
}
_NAME = {"type": "string", "minLength": 1, "maxLength": 200}
_WORDS = {"type": "string", "minLength": 1, "maxLength": 4_000}


@dataclass(frozen=True, slots=True)
class Desk:
    """The memory, and how times in words are read for whoever asks."""

    memory: Memory
    zone: tzinfo
    now: Callable[[], datetime]
    source: str = "tool"  # who is at the desk, as the turns that it remembers say
    as_of: Stretch | None = None  # the world time that is meant where a call names none
    held: int | None = None  # the belief time that is meant where a call names none

    def when(self, text: str | None) -> Stretch | None:
        """Raises BadTime."""
        from store.time.expressions import parse_when

        return None if text is None else parse_when(text, self.now())

    def times(self, given: Json) -> dict[str, Any]:
        """The world time and the belief time (the last moment of its stretch) of a call. Raises BadTime."""
        as_of, believed = self.when(given.get("as_of")), self.when(given.get("believed"))
        return {"as_of": as_of or self.as_of, "believed": self.held if believed is None else last_moment(believed)}


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that can be done."""

    name: str
    description: str
    properties: Mapping[str, Json]
    required: tuple[str, ...]
    do: Callable[[Desk, Json], Json]
    writes: bool = False

    @property
    def schema(self) -> Json:
        """The JSON schema of its arguments."""
        return {
            "type": "object", "properties": dict(self.properties), "required": list(self.required),
            "additionalProperties": False,
        }  # fmt: skip


def call(tool: Tool, desk: Desk, arguments: object) -> Json:
    """Check the arguments and do it. Raises BadInput for arguments that do not fit, and what the memory raises."""
    return tool.do(desk, checked(tool, arguments))


def checked(tool: Tool, arguments: object) -> Json:
    """The arguments, if they fit the tool's schema. Raises BadInput that names the first that does not."""
    if not isinstance(arguments, dict):
        raise BadInput(f"The arguments of {tool.name} must be an object.")
    for name in tool.required:
        if name not in arguments:
            raise BadInput(f"{tool.name} needs {name}.")
    for name, value in arguments.items():
        if name not in tool.properties:
            raise BadInput(f"{tool.name} has no {name}; it takes {', '.join(tool.properties)}.")
        if problem := _misfit(tool.properties[name], value):
            raise BadInput(f"{name} of {tool.name} {problem}.")
    return arguments


def _misfit(schema: Json, value: object) -> str:
    if schema["type"] == "integer":
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        low, high = schema["minimum"], schema["maximum"]
        return "" if is_whole and low <= int(str(value)) <= high else f"must be a whole number from {low} to {high}"
    if not isinstance(value, str):
        return "must be a text"
    if value != whole(value):
        return "must be whole text: it holds NUL, or half of a character"
    shortest, longest = schema.get("minLength", 0), schema["maxLength"]
    return "" if shortest <= len(value.strip()) and len(value) <= longest else f"must have 1 to {longest} characters"


def _search(desk: Desk, given: Json) -> Json:
    found = desk.memory.recall.search(given["query"], k=given.get("k", 10), **desk.times(given))
    return {"hits": as_json(found.hits)}


def _ask(desk: Desk, given: Json) -> Json:
    answer: Json = as_json(desk.memory.answering.ask(given["question"], **desk.times(given)))
    return answer


def _facts(desk: Desk, given: Json) -> Json:
    about, predicate = given.get("about"), given.get("predicate")
    found = desk.memory.beliefs.facts(about=about, predicate=predicate, limit=MOST_FACTS, **desk.times(given))
    return {"facts": as_json(found)}


def _chain(desk: Desk, given: Json) -> Json:
    return {"links": as_json(desk.memory.beliefs.chain(given["subject"], given["predicate"]))}


def _timeline(desk: Desk, given: Json) -> Json:
    found = desk.memory.beliefs.timeline(given.get("about"))
    return {"facts": as_json(found[:MOST_FACTS]), "more": len(found) > MOST_FACTS}


def _read_turns(desk: Desk, given: Json) -> Json:
    """A conversation, or the turns around one of its turns."""
    around, key, limit = given.get("around"), given.get("session"), given.get("limit", 20)
    if (around is None) == (key is None):
        raise BadInput("read_turns needs one of session and around.")
    turns = desk.memory.episodes.of(key if key is not None else desk.memory.episodes.get(str(around)).session)
    if not turns:
        raise NotFound(f"There is no conversation {key!r}; search shows the conversations of its hits.")
    place = next((n for n, one in enumerate(turns) if around in (one.id, one.external_id)), 0)
    start = max(0, min(place - limit // 2, len(turns) - limit)) if around is not None else 0
    return {"turns": [_turn(turn) for turn in turns[start : start + limit]], "of": len(turns), "first": start}


def _turn(episode: Episode) -> Json:
    hidden = {"text": "(kept, and not shown: it holds something like a key or a password)"} if episode.secret else {}
    return {**as_json(episode), **hidden}


def _remember(desk: Desk, given: Json) -> Json:
    turn = Turn(given["text"], given.get("session", SESSION), speaker=given.get("speaker", "me"), source=desk.source)
    episode = desk.memory.episodes.remember(turn)
    return {"episode": _turn(episode), **learned_json(desk.memory.reading.learn(episode.id))}


def _correct(desk: Desk, given: Json) -> Json:
    since, instead = desk.when(given.get("since")), given.get("instead_of")
    slot = (given["subject"], given["predicate"], given["value"])
    return {"fact": as_json(desk.memory.by_hand.correct(*slot, since=since, instead_of=instead))}


def _count(most: int) -> Json:
    return {"type": "integer", "minimum": 1, "maximum": most}


_ABOUT = {**_NAME, "description": 'Whom or what: "me" is the person whose memory this is'}
_PREDICATE = {**_NAME, "description": "Which: lives_in, works_at, likes, ..."}
TOOLS: Sequence[Tool] = (
    Tool(
        "search", "Find turns of past conversations that bear on a query, best first.",
        {"query": _WORDS, "k": _count(MOST_HITS), **_TIMES}, ("query",), _search,
    ),
    Tool(
        "ask", "Answer a question from what is believed, with its sources; says so if it was never told.",
        {"question": _WORDS, **_TIMES}, ("question",), _ask,
    ),
    Tool(
        "facts", "What is believed, now or at another world time or belief time.",
        {"about": _ABOUT, "predicate": _PREDICATE, **_TIMES}, (), _facts,
    ),
    Tool(
        "chain", "How one belief changed, newest first, with the words that changed it.",
        {"subject": _ABOUT, "predicate": _PREDICATE}, ("subject", "predicate"), _chain,
    ),
    Tool("timeline", "Every belief there ever was about somebody, along world time.", {"about": _ABOUT}, (), _timeline),
    Tool(
        "read_turns", "Read a conversation word for word, or the turns around one turn.",
        {"session": _NAME, "around": {**_NAME, "description": "the id of a turn"}, "limit": _count(MOST_TURNS)}, (),
        _read_turns,
    ),
    Tool(
        "remember", "Keep what the person said, in their own words, and learn from it.",
        {"text": _WORDS, "session": _NAME, "speaker": {**_NAME, "description": "who said it; the person if left out"}},
        ("text",), _remember, writes=True,
    ),
    Tool(
        "correct", "Say what is right, on the person's behalf; the wrong belief stays in view as a past one.",
        {"subject": _ABOUT, "predicate": _PREDICATE, "value": _NAME, "since": _WHEN,
         "instead_of": {**_NAME, "description": "the wrong value, where there are several"}},
        ("subject", "predicate", "value"), _correct, writes=True,
    ),
)  # fmt: skip


def named(name: object, tools: Sequence[Tool] = TOOLS) -> Tool:
    """The tool of that name. Raises NotFound."""
    found = next((tool for tool in tools if tool.name == name), None)
    if found is None:
        raise NotFound(f"There is no tool {name!r}; there are {', '.join(one.name for one in tools)}.")
    return found


def reading(tools: Sequence[Tool] = TOOLS) -> tuple[Tool, ...]:
    """Those that change nothing."""
    return tuple(tool for tool in tools if not tool.writes)
