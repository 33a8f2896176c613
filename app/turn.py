"""The person's words are on disk before anything else happens to them, and the reply is as soon as it ends, however
it ends.

One chat turn is a generator of events, without a terminal: `take_turn` saves, learns, asks the memory, and only when
the
memory does not answer calls the model, whose reply is saved when it closes, is stopped, or dies. Off the record,
nothing
is written at all.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from time import monotonic
from typing import Protocol, runtime_checkable

from app.evidence import asks_when, bearing, in_own_words, names_somebody
from app.llm.prompts import MOST_MEMORIES
from app.llm.tooling import ToolUsed, consult
from app.ports import MemoryPort
from app.tools import Desk
from store.errors import ErstwhileError, ModelDied
from store.protocols import LanguageModel, Message
from store.records import Answer, Change, Episode, Hit, Recollection, Stretch, Turn

MEMORY_SPEAKER = "memory"
"""Who speaks when the answer came from the beliefs, without a model."""
NEVER_TOLD = "I was never told."
NO_MODEL = "I’ll remember that."
NO_MODEL_QUESTION = "I have no sure answer to that, and no model to think about it. Closest, in your own words:"
NOTHING_CLOSE = "I have no answer to that, and there is no model here to think about it."
MOST_CLOSEST = 3

_QUESTION = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|hey|please|then)\W+)*(?:who|whom|whose|what|which|where|when|why|how|do|does|did|am|is|are|"
    r"was|were|have|has|had|can|could|should|would|will|shall|may|might)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i'm|i’m|my|me|mine|myself|we|our|ours|us)\b", re.IGNORECASE)
_OPEN_ENDED = re.compile(
    r"\b(?:should|could|would|can|may|might|shall|will)\s+(?:i|we|you)\b|\bhow\s+(?:do|to|can)\b|^\W*why\b|"
    r"\b(?:tell|help|show|give|explain|write|suggest|recommend)\b|\bdo you think\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Times:
    """The two times at which a question is asked; None is now."""

    as_of: Stretch | None = None
    believed: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One turn of the person, and what it is to be answered with."""

    turn: Turn
    history: tuple[Message, ...] = ()
    """The conversation so far, oldest first, without this turn."""
    times: Times = Times()
    off_record: bool = False


@dataclass(frozen=True, slots=True)
class Saved:
    """The person's words are durable."""

    episode: Episode


@dataclass(frozen=True, slots=True)
class Learned:
    """What the words taught."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The memory answered by itself; no model was called."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found. `used` says whether a model is asked next; else the person may look at it."""

    recollection: Recollection
    used: bool = True


@dataclass(frozen=True, slots=True)
class Prompted:
    """The model is asked; `given` are the hits that its prompt holds, and `note` says what did not fit."""

    given: tuple[Hit, ...] = ()
    note: str = ""
    messages: tuple[Message, ...] = ()
    """The prompt, word for word."""
    budget: int = 0
    """Tokens that a prompt may take; 0 where nobody counted."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The next piece of the model's reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The reply is over. `episode` is None off the record and where nothing was said."""

    text: str
    speaker: str
    episode: Episode | None = None
    cut: bool = False
    pieces_per_second: float = 0.0
    problem: str = ""
    """One sentence for the person, where something went wrong."""


TurnEvent = Saved | Learned | Answered | Recalled | ToolUsed | Prompted | Piece | Closed


@dataclass(frozen=True, slots=True)
class Composed:
    """What a model is sent."""

    messages: Sequence[Message]
    prompted: Prompted = Prompted()


Compose = Callable[[LanguageModel, Request, Recollection, Answer | None, int], Composed]
"""Makes the model's prompt of the request, what was recalled for it, what the memory said to it, and the longest
reply.
"""


@runtime_checkable
class TakesUp(Protocol):
    """A model that keeps what it has read of each conversation."""

    def take_up(self, conversation: str | None) -> int:
        """The next reply belongs to this conversation; None: to one that leaves no trace."""
        ...


@dataclass(frozen=True, slots=True)
class Voice:
    """A model and how it is spoken to."""

    model: LanguageModel
    compose: Compose
    invents: bool = True
    """Too small to be the one that answers a question of memory."""
    max_tokens: int = 512
    honest: bool = False
    """It has shown that it says so where it does not know (`erstwhile models test`); others are asked about the person
    only together with turns that speak of what is asked.
    """
    tools: bool = False
    """It has shown that it can look things up by itself, in a few steps."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the memory gives the model to answer with."""

    recollection: Recollection
    answer: Answer | None


def spoken_name(model: LanguageModel) -> str:
    """Who speaks, as the transcript shows it: the model's name, without the ending of its file."""
    return model.name.removesuffix(".gguf")


def is_question(text: str) -> bool:
    """Asked, rather than told."""
    return text.rstrip().endswith(("?", "？", "؟")) or _QUESTION.match(text) is not None


def asks_memory(text: str) -> bool:
    """A question about the person's own life, which only their own words can answer."""
    return is_question(text) and _OWN.search(text) is not None and _OPEN_ENDED.search(text) is None


def take_turn(memory: MemoryPort, voice: Voice | None, request: Request, stop: threading.Event) -> Iterator[TurnEvent]:
    """Yield what happens, in order; ends with Closed. What was yielded as Saved or Closed is on disk.

    Raises ErstwhileError where the memory fails; what was yielded as Saved by then is kept.
    """
    if not request.off_record:
        episode = memory.remember(request.turn)
        yield Saved(episode)
        yield Learned(_learned(memory, episode))
    text = request.turn.text
    answer = memory.ask(text, as_of=request.times.as_of, believed=request.times.believed) if is_question(text) else None
    if answer is not None and not answer.abstained:
        yield Answered(answer)
        if not request.off_record:
            memory.used(answer)
        yield _saved(memory, request, Closed(answer.text, MEMORY_SPEAKER))
        return
    found = _recalled(memory, request, voice)
    personal = asks_memory(text) or (is_question(text) and names_somebody(text, found.hits))
    told = _bearing(request, found) if personal else ()
    answered_by_it = bool(told) and not asks_when(text)
    silent = voice is None or (personal and (voice.invents or not (answered_by_it or voice.honest)))
    if personal and told and not (voice and voice.honest):
        found = replace(found, hits=told)
    news = replace(found, hits=tuple(hit for hit in found.hits if _is_news(hit, request)))
    yield Recalled(news, used=not silent)
    if voice is None or silent:
        said = in_own_words(told) if told else _without_model(text, answer, bool(closest(news)), personal=personal)
        yield _saved(memory, request, Closed(said, MEMORY_SPEAKER))
        return
    if not (told or voice.invents):
        times = request.times
        news = replace(news, hits=memory.context(text, news.hits, as_of=times.as_of, believed=times.believed))
    if voice.tools and personal and not told and request.turn.said_at is not None:
        moment = request.turn.said_at.local()
        desk = Desk(memory, moment.tzinfo or UTC, lambda: moment)
        found_by_steps = yield from consult(voice.model, desk, text, stop=stop)
        voice = replace(voice, compose=lambda *_: Composed(found_by_steps))
    yield from _spoken(memory, voice, request, Given(news, answer), stop)


def _learned(memory: MemoryPort, episode: Episode) -> tuple[Change, ...]:
    """A turn flagged as secret teaches nothing; the store sees to that, and to questions."""
    return memory.learn(episode.id)


def _recalled(memory: MemoryPort, request: Request, voice: Voice | None) -> Recollection:
    """What was found, without this turn and without the words of models: fed back, what one made up would become
    true.
    """
    times = request.times
    found = memory.recall(request.turn.text, k=MOST_MEMORIES, as_of=times.as_of, believed=times.believed)
    models = {"assistant", MEMORY_SPEAKER, *((spoken_name(voice.model),) if voice else ())}
    kept = (hit for hit in found.hits if hit.kind != "episode" or hit.speaker not in models)
    return replace(found, hits=tuple(hit for hit in kept if hit.text != request.turn.text))


def _bearing(request: Request, found: Recollection) -> tuple[Hit, ...]:
    """The turns that speak of what is asked about the person, at the time that it is asked about."""
    as_of = request.times.as_of
    return bearing(request.turn.text, found.hits, request.turn.said_at, as_of.end if as_of else None)


def _is_news(hit: Hit, request: Request) -> bool:
    """Not in the conversation anyway."""
    return hit.kind != "episode" or hit.text not in {message.content for message in request.history}


def closest(recollection: Recollection) -> list[Hit]:
    """What the person said themselves, for them to look at where nothing answers: a few turns, best first."""
    own = [hit for hit in recollection.hits if hit.kind == "episode" and hit.speaker in ("me", "user")]
    return [hit for hit in own if not is_question(hit.text)][:MOST_CLOSEST]


def _without_model(text: str, answer: Answer | None, something_close: bool, *, personal: bool) -> str:
    if not is_question(text):
        return NO_MODEL
    if personal:
        return answer.text if answer is not None and answer.text else NEVER_TOLD
    return NO_MODEL_QUESTION if something_close else NOTHING_CLOSE


def _spoken(
    memory: MemoryPort, voice: Voice, request: Request, given: Given, stop: threading.Event
) -> Iterator[TurnEvent]:
    """The model's reply, piece by piece; whatever came of it is saved even when the caller walks away in the middle."""
    pieces: list[str] = []
    closed = Closed("", spoken_name(voice.model), cut=True)
    began: float | None = None
    try:
        composed = voice.compose(voice.model, request, given.recollection, given.answer, voice.max_tokens)
        yield replace(composed.prompted, messages=tuple(composed.messages))
        if isinstance(voice.model, TakesUp):
            voice.model.take_up(None if request.off_record else request.turn.session)
        for text in voice.model.chat(composed.messages, max_tokens=voice.max_tokens, stop=stop):
            began = began or monotonic()
            pieces.append(text)
            yield Piece(text)
        closed = replace(closed, cut=stop.is_set())
    except ErstwhileError as error:
        closed = replace(closed, problem=str(error), text=error.partial if isinstance(error, ModelDied) else "")
    finally:
        said = "".join(pieces) or closed.text
        took = monotonic() - began if began else 0.0
        speed = len(pieces) / took if took > 0 and len(pieces) > 1 else 0.0
        closed = _saved(
            memory, request, replace(closed, text=said, speaker=spoken_name(voice.model), pieces_per_second=speed)
        )
    yield closed


def _saved(memory: MemoryPort, request: Request, closed: Closed) -> Closed:
    """Write the reply, unless it is off the record or empty."""
    if request.off_record or not closed.text.strip():
        return closed
    turn = Turn(
        closed.text,
        request.turn.session,
        speaker=closed.speaker,
        role="assistant",
        source=request.turn.source,
        cut=closed.cut,
    )
    return replace(closed, episode=memory.remember(turn))
