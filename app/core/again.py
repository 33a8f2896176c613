"""The last exchange of a conversation can be had again: another reply, other words of the person, more of what was cut.

What was said stays said. Another reply, and words instead of the last ones, begin a branch (app/core/conversation.py),
so that the earlier version is a conversation that can be gone back to. What only the replaced words taught is taken
back. What was asked is kept with the times at which it was asked, so that why it was answered so can be shown later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.core.clock import Times
from app.core.conversation import Conversation
from app.core.turn import MEMORY_SPEAKER
from store.errors import NotFound
from store.protocols import Message
from store.records import Episode

if TYPE_CHECKING:
    from app.core.turn import Prompted
    from store.memory import Memory
    from store.records import Answer, Episode

MOST_HISTORY = 40  # turns of a conversation that is gone on with that are handed on; the prompt's budget cuts further
NOTHING_SAID = "Nothing was said in this conversation yet."
NO_MODEL = "There is no language model here that could write a reply; f3 gets one."
FROM_MEMORY = "The memory gave this answer by itself, and would give the same one again."
COMING = "a chat model, which is {}"
NO_MODEL_YET = "That is for " + COMING + "."
NO_REPLY = Message("assistant", "")  # stands after what nobody replied to, where more was said
NOT_CUT = "The last reply was not cut: there is nothing to go on with."
Way = Literal["another reply", "the rest", "other words"]


@dataclass(frozen=True, slots=True)
class LastExchange:
    """What the person said last, and what came of it."""

    asked: str
    history: tuple[Message, ...] = ()  # what was said before it
    episode: str = ""  # the id of the person's turn; empty off the record
    reply: str = ""  # whole, also where it was gone on with
    cut: bool = False
    by_memory: bool = False  # no model wrote the reply


@dataclass(frozen=True, slots=True)
class Again:
    """How a turn that is had again differs from one that is new."""

    history: tuple[Message, ...]
    said: bool = False  # the person's words are in the memory already
    partial: str = ""  # a reply that is gone on with
    replaces: str = ""  # the id of the turn that the words are said instead of


def joined(begun: str, rest: str) -> str:
    """A reply that was cut, and what it goes on with."""
    return (begun.rstrip(" ") if rest[:1].isspace() else begun) + rest


def history_of(episodes: Iterable[Episode], then: Episode | None = None) -> list[Message]:
    """The conversation so far, as a model takes it; `then` was said after it. Secrets stay out."""

    def is_typed(one: Episode) -> bool:
        """The person said it here, where each message has a reply of its own."""
        return one.role == "user" and one.source == "chat"

    roles = ("user", "assistant")
    kept = [one for one in episodes if one.role in roles and not one.secret and not one.inactive]
    history: list[Message] = []
    goes_on = asked = False
    for one in kept[-MOST_HISTORY:]:
        if asked and is_typed(one):
            history.append(NO_REPLY)
        asked = is_typed(one)
        if goes_on and one.role == "assistant":
            history[-1] = Message("assistant", joined(history[-1].content, one.text))
        else:
            history.append(Message("user" if one.role == "user" else "assistant", one.text))
        goes_on = one.role == "assistant" and one.cut
    return [*history, NO_REPLY] if asked and then is not None and is_typed(then) else history


def last_exchange(memory: Memory, key: str) -> LastExchange:
    """The last exchange of a conversation. Raises NotFound where nothing was said."""
    conversation = Conversation.of(memory, key)
    most = MOST_HISTORY + 2
    turns = conversation.page(memory, max(0, conversation.turns - most), most)
    place = next((place for place in reversed(range(len(turns))) if turns[place].role == "user"), None)
    if place is None:
        raise NotFound(NOTHING_SAID)
    question, replies = turns[place], [turn for turn in turns[place + 1 :] if turn.role == "assistant"]
    told = history_of(replies)
    before, reply = tuple(history_of(turns[:place], question)), told[-1].content if told else ""
    cut, by_memory = (replies[-1].cut, replies[-1].speaker == MEMORY_SPEAKER) if replies else (False, False)
    return LastExchange(question.text, before, question.id, reply, cut, by_memory)


def why_not(exchange: LastExchange, way: Way, *, has_model: bool, coming: str = "") -> str:
    """One sentence that says why it cannot be had; empty where it can. `coming`: how far a model is that is on its
    way."""
    match way:
        case "other words":
            return ""
        case "the rest" if not exchange.cut:
            return NOT_CUT
        case "another reply" if exchange.by_memory:
            return FROM_MEMORY
    if has_model:
        return ""
    return NO_MODEL_YET.format(coming) if coming else NO_MODEL


@dataclass(slots=True)
class TurnState:
    """One turn, and what became of it so far."""

    query: str
    times: Times = field(default_factory=Times)
    answer: Answer | None = None  # the memory's own, where it had one
    given: tuple[str, ...] = ()  # the ids of the turns that were used
    prompted: Prompted | None = None  # what a model was asked with
    own: tuple[str, ...] = ()  # the ids of this turn and of the reply to it
    at_present: bool = False  # it was asked of no other time: what `times` say is when it was asked
    speaker: str = ""
    """Who replied, of a turn that was read again: its prompt is not kept. Empty: it was said since the start."""


def asked_before(memory: Memory, turns: Sequence[Episode], reply: Episode) -> TurnState | None:
    """The question to which this turn is the reply, among the turns before it, as it was asked then; None where nothing
    was asked.
    """
    from app.core.turn import MEMORY_SPEAKER, alone

    question = next((turn for turn in reversed(turns) if turn.role == "user"), None)
    if question is None:
        return None
    cited = memory.episodes.cited(reply.id)
    times = Times(cited.as_of, cited.believed if cited.believed is not None else question.said_at.us)
    answer = None
    if reply.speaker == MEMORY_SPEAKER:  # what was believed then is believed of then for ever
        before = [Message("user" if one.role == "user" else "assistant", one.text) for one in turns if one != question]
        asked = alone(memory, question.text, before, times)
        answer = memory.answering.ask(asked, as_of=times.as_of, believed=times.believed)
    own, at_present = (question.id, reply.id), cited.as_of is None and cited.believed is None
    return TurnState(question.text, times, answer, cited.given, own=own, speaker=reply.speaker, at_present=at_present)
