"""The person's words are on disk before anything else happens to them, and the reply is as soon as it ends, however
it ends.

One chat turn is a generator of events, without a terminal: `take_turn` saves, learns, asks the memory, and only when
the memory does not answer calls the model, whose reply is saved when it closes, is stopped, or dies. A capable model
looks for itself only where the memory has no answer, or where the person asked for a change. Off the record, nothing is
written at all.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC
from functools import partial
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from app.core.clock import Times
from app.core.doubts import Doubt, doubts
from app.core.followup import standalone
from app.core.models import stoppable
from app.core.prompts import MOST_MEMORIES
from app.core.stock_replies import courtesy, feeling, how_to, let_rest
from app.core.tooling import Agree, ToolUsed, consult
from app.core.tools import Desk
from app.llm.repeats import ReplyGuard, asks_again, says_nothing, whole_sentences
from app.llm.small import shown_to_small
from store.errors import ErstwhileError, ModelDied, ModelError, NotFound
from store.protocols import LanguageModel, Message
from store.reading.asking.forgetting import unsaid
from store.reading.asking.telling import asks, intends, seems_told
from store.records import Answer, Change, Cited, Episode, Hit, ModelOptions, Quarantined, Recollection, Source, Turn

if TYPE_CHECKING:
    from store.memory import Memory

MEMORY_SPEAKER = "memory"  # who speaks when the answer came from the beliefs, without a model
MOST_SOURCES = 5  # sources that stand below an answer of the memory
NO_MODEL = "I’ll remember that."
OFF_RECORD = "Off the record: nothing of this is kept."
TOLD = Answer(NO_MODEL, 2, True, 0.0, about="told")  # what the memory says to what asks nothing
REPEATED = "It began to say again what it had said before, and was cut here."
ONLY_REPEATED = "The model only said again what it had said before; nothing of that is kept."
LOOPED = "It began to repeat itself, and was cut here."
ONLY_LOOPED = "The model only repeated itself; nothing of that is kept."
FULL = "It has reached the longest that a reply may be."
_CHANGE = re.compile(
    r"^\W*(?:(?:please|and|now|ok|okay|hey|can you|could you|would you|will you)\W+)*"
    r"(?:remember|note|write down|keep in mind|correct|fix|change|update|put right)\b",
    re.IGNORECASE,
)
"""The person asks for a change of what is remembered."""
_AGAIN = re.compile(
    r"(?i)\W*(?:(?:hm+|ok|okay|no|nah|well|please|and|but|now|thanks|could you|can you|(?:that|it)['’]?s)\W+)*"
    r"(?:(?:a (?:bit|little) |much |way |even |still |not )?(?:too|more|less|\w{3,}er)\b"
    r"|(?:make|write|say|put|try|do) (?:it|that|them)\b|another(?: one)?\b|(?:once )?again\b|one more\b"
    r"|(?:in|as|without|with) (?:an? |the )?\w+)[^?.!\n]{0,30}\W*"
)
"""What asks for the last reply in other words: "hm, too formal", "make it friendlier", "another one"."""


@dataclass(frozen=True, slots=True)
class Request:
    """One turn of the person, and what it is to be answered with."""

    turn: Turn
    history: tuple[Message, ...] = ()  # the conversation so far, oldest first, without this turn
    times: Times = field(default_factory=Times)
    off_record: bool = False
    agree: Agree | None = None  # asks the person before a model's step changes the memory; None: no step may
    personal: bool = False  # the turn found out that it is a question about the person's own life
    told: bool = False  # and that some turn may answer it
    said: bool = False  # the person's words are in the memory already: only a reply is wanted
    partial: str = ""  # a reply to them that was cut; the model goes on with it
    options: ModelOptions = field(default_factory=ModelOptions)  # how the model speaks here
    keep: ModelOptions | None = None  # what of that is written down with the conversation, which begins here
    documents: tuple[str, ...] = ()  # the keys of the documents that were attached to the conversation
    replaces: str = ""  # the id of the turn that the words are said instead of: what that one taught is taken back
    again: bool = False  # it asks for the last reply in other words
    alone: str = ""  # what it asks without the question that it follows, where it follows one (followup.py)

    @property
    def question(self) -> str:
        """What the memory is asked."""
        return self.alone or self.turn.text

    @property
    def asks_for_change(self) -> bool:
        """The person asks for a change of the memory, and a model's step may make it: off the record none writes."""
        may_change = self.agree is not None and not self.off_record
        return may_change and _CHANGE.search(self.turn.text) is not None


class Saved(NamedTuple):
    """The person's words are durable."""

    episode: Episode


class Learned(NamedTuple):
    """What the words taught."""

    changes: tuple[Change, ...]
    apart: tuple[Quarantined, ...] = ()  # what of them taught nothing, as instructions and secrets do


class Answered(NamedTuple):
    """The memory answered by itself; no model was called."""

    answer: Answer


class Recalled(NamedTuple):
    """What was found. `used` says whether a model is asked next; else the person may look at it."""

    recollection: Recollection
    used: bool = True


@dataclass(frozen=True, slots=True)
class Prompted:
    """The model is asked; `given` are the hits that its prompt holds, and `note` says what did not fit."""

    given: tuple[Hit, ...] = ()
    note: str = ""
    messages: tuple[Message, ...] = ()  # the prompt, word for word
    budget: int = 0  # tokens that a prompt may take; 0 where nobody counted


class ReplyPiece(NamedTuple):
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
    problem: str = ""  # one sentence for the person, where something went wrong
    note: str = ""  # why it ends where it ends, if that was neither the model's wish nor the person's
    tokens: int = 0  # of the prompt and the reply; 0 where nobody counted
    sources: tuple[Source, ...] = ()  # on which it rests; where nothing answers, the nearest turns
    doubts: tuple[Doubt, ...] = ()  # what of it speaks against the beliefs that the model was given
    declined: bool = False  # it is for a chat model, and none was asked: no reply, and not kept as one


TurnEvent = Saved | Learned | Answered | Recalled | ToolUsed | Prompted | ReplyPiece | Closed


Compose = Callable[[LanguageModel, Request, Recollection, int], Prompted]
"""Makes the model's prompt of the request, what was recalled for it, and the longest reply."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A model and how it is spoken to."""

    model: LanguageModel
    compose: Compose
    invents: bool = True  # too small to be the one that answers a question of memory
    max_tokens: int = 512
    temperature: float | None = None  # None: the model's own
    honest: bool = False  # says so where it does not know; others are asked only with turns that bear on the question
    small: bool = False  # it has so few weights that the person is told to doubt it
    relied_on: bool = True  # is asked of the world, and to write; else only where the person lets it try
    comments: bool = True  # it says something to what was told
    tools: bool = False  # it has shown that it can look things up by itself, in a few steps

    def speaks(self, answer: Answer, *, wanted: bool) -> bool:
        """Whether it says something to what the memory did not answer; `wanted`: the person asks for its reply."""
        if answer.about in ("memory", "told"):
            return not self.invents and (answer.about == "memory" or self.comments)
        return self.relied_on or wanted

    def looks_up(self, request: Request, *, personal: bool) -> bool:
        """A capable model may search by itself for what the memory does not answer, and where a change is asked for."""
        may_look = self.tools and not self.invents and request.turn.said_at is not None
        return may_look and (personal or request.asks_for_change)


def told_to(text: str, noted: str) -> str:
    """What the memory answers to what was told: its sorrow where there is cause, and what it noted."""
    return " ".join(filter(None, (feeling(text), noted))) or NO_MODEL


def is_told(reply: Episode) -> bool:
    """Whether a reply says no more than that something was told."""
    return reply.speaker == MEMORY_SPEAKER and reply.text == NO_MODEL


def spoken_name(model: LanguageModel) -> str:
    """Who speaks, as the transcript shows it: the model's name, without the ending of its file."""
    return model.name.removesuffix(".gguf")


def take_turn(memory: Memory, voice: Voice | None, request: Request, stop: threading.Event) -> Iterator[TurnEvent]:
    """Yield what happens, in order; ends with Closed. What was yielded as Saved or Closed is on disk.

    Raises ErstwhileError where the memory fails; what was yielded as Saved by then is kept.
    """
    taught = () if request.off_record or request.said else (yield from _learned(memory, request))
    times, text = request.times, request.turn.text
    request = replace(request, alone=alone(memory, text, request.history, times), again=_asks_again(memory, request))
    answer = _own_answer(memory, request, alone=voice is None or not voice.relied_on)
    asked = asks(text) or "?" in text
    if taught and answer.abstained and answer.about == "memory" and not asked:  # it told something
        answer = TOLD
    if not (answer.abstained or request.partial):
        yield Answered(answer)
        if not request.off_record:
            memory.salience.used(answer)
        under = chain.from_iterable(fact.sources for fact in answer.facts)
        given = [source.episode for source in chain(answer.sources[MOST_SOURCES:], under)]
        yield _saved(memory, request, Closed(answer.text, MEMORY_SPEAKER), answer.sources[:MOST_SOURCES], given)
        return
    if done := how_to(text):
        yield _saved(memory, request, Closed(done, MEMORY_SPEAKER))
        return
    personal = answer.about == "memory"
    silent = voice is None or not voice.speaks(answer, wanted=request.said)
    if silent and not personal:  # nothing was asked of the memory, and nobody else is asked
        yield _unasked(memory, request, answer)
        return
    looks = voice is not None and not request.partial and voice.looks_up(request, personal=personal)
    found = _recalled(memory, request, voice, fast=not personal)
    bears: tuple[Hit, ...] = ()
    if personal and voice:
        bears = memory.answering.bearing(request.question, found.hits, **times.named)
    if personal and voice and not (voice.honest or looks):
        found = replace(found, hits=bears)
        silent = silent or not bears
    said = {message.content for message in request.history}  # is in the conversation anyway
    news = replace(found, hits=tuple(hit for hit in found.hits if hit.kind != "episode" or hit.text not in said))
    yield Recalled(news, used=not silent)
    if voice is None or silent:
        yield _saved(memory, request, Closed(answer.text, MEMORY_SPEAKER, sources=answer.sources))
        return
    options = request.options
    voice = replace(voice, max_tokens=options.reply or voice.max_tokens, temperature=options.temperature)
    request = replace(request, personal=personal, told=bool(bears))
    with stoppable(voice.model, stop):
        yield from _voiced(memory, voice, request, answer, news, found.hits, stop, looks=looks)


def _learned(memory: Memory, request: Request) -> Generator[Saved | Learned, None, tuple[Change, ...]]:
    """Keep the words, and give what they taught."""
    episode = memory.episodes.remember(replace(request.turn, said_at=None))  # the memory keeps the order of saying
    if request.keep is not None:
        memory.sessions.set_model_options(request.turn.session, request.keep)
    yield Saved(episode)
    if request.replaces:
        with suppress(NotFound):  # it was erased meanwhile, with all that it taught
            memory.by_hand.unlearn(request.replaces)
    taught = memory.reading.learn(episode.id)
    yield Learned(taught, memory.reading.quarantined(episode.id))
    return taught


def alone(memory: Memory, text: str, history: Sequence[Message], times: Times) -> str:
    """What a question asks without the conversation before it, believed as it is asked."""
    return standalone(text, history, partial(memory.answering.ask, **times.named))


def _own_answer(memory: Memory, request: Request, *, alone: bool) -> Answer:
    """What the memory says by itself; TOLD to what asks nothing. `alone`: no model would take a courtesy."""
    text, follows = request.turn.text, request.question != request.turn.text
    if request.again:
        from store.recall.answers import elsewhere

        return elsewhere("request")
    if not follows and ((alone and courtesy(text)) or let_rest(text) or unsaid(text) or memory.answering.tells(text)):
        return TOLD
    answer = memory.answering.ask(request.question, **request.times.named)
    if feeling(text) and answer.about in ("world", "request") and not (asks(text) or "?" in text):
        return TOLD
    # A model may know what a few words ask for.
    told = seems_told(text, 2) if alone and answer.about == "memory" else seems_told(text)
    asks_nothing = not follows and (told if answer.about != "request" else intends(text))
    return TOLD if answer.abstained and asks_nothing else answer


def _asks_again(memory: Memory, request: Request) -> bool:
    """Whether it asks for a model's reply in other words: the message before was for one."""
    if request.times != Times() or _AGAIN.fullmatch(request.turn.text) is None:
        return False
    said = (one.content for one in reversed(request.history) if one.role == "user")
    before = next((text for text in said if _AGAIN.fullmatch(text) is None), "")
    return bool(before) and memory.answering.ask(before).about in ("world", "request")


def _unasked(memory: Memory, request: Request, answer: Answer) -> Closed:
    """What the memory says to what is not for it, where no model is asked."""
    said = courtesy(request.turn.text) or let_rest(request.turn.text)
    if not said and answer.about in ("world", "request"):
        return Closed(answer.text, MEMORY_SPEAKER, declined=True)
    if not said and request.off_record and answer is TOLD:
        said = " ".join(filter(None, (feeling(request.turn.text), OFF_RECORD)))
    return _saved(memory, request, Closed(said or answer.text, MEMORY_SPEAKER))


def _recalled(memory: Memory, request: Request, voice: Voice | None, *, fast: bool) -> Recollection:
    """What was found, without this turn and without the words of models: what one made up would become true."""
    text = request.question
    found = memory.recall.search(text, k=MOST_MEMORIES, fast=fast, **request.times.named)
    attached = (memory.recall.search(text, k=MOST_MEMORIES, session=key, fast=fast).hits for key in request.documents)
    models = _models(voice)
    hits = {hit.id: hit for hit in chain(*attached, found.hits)}
    kept = (hit for hit in hits.values() if hit.kind != "episode" or hit.speaker not in models)
    return replace(found, hits=tuple(hit for hit in kept if hit.text not in (text, request.turn.text)))


def _models(voice: Voice | None) -> frozenset[str]:
    return frozenset({"assistant", MEMORY_SPEAKER, *((spoken_name(voice.model),) if voice else ())})


def _voiced(
    memory: Memory, voice: Voice, request: Request, answer: Answer, news: Recollection, evidence: tuple[Hit, ...],
    stop: threading.Event, *, looks: bool,
) -> Iterator[TurnEvent]:  # fmt: skip
    """What the model says, after it has looked for itself where it may (app/core/tooling.py). `news` is what it is
    given, `evidence` also the turns that are in the conversation anyway: its answer is checked against them.
    """
    text, times, moment = request.question, request.times, request.turn.said_at
    if not voice.invents:
        news = replace(news, hits=memory.answering.context(text, news.hits, **times.named))
    if looks and moment is not None:
        now = moment.local()
        desk = Desk(memory, now.tzinfo or UTC, lambda: now, as_of=times.as_of, held=times.believed)
        agree = request.agree if request.asks_for_change else None  # else no step may write
        asked, deaf = request.turn.text, _models(voice)
        try:
            steps = yield from consult(voice.model, desk, asked, stop=stop, agree=agree, deaf=deaf, first=news.hits)
        except ModelError:
            if not stop.is_set():
                raise
        else:
            evidence = (*evidence, *steps.found)
            bears = request.personal and memory.answering.bearing(text, steps.found, **times.named)
            prompted = Prompted(bears or steps.found, messages=tuple(steps.messages))
            voice = replace(voice, compose=lambda *_: prompted)
    yield from _spoken(memory, voice, request, answer, news, evidence, stop)


def _spoken(
    memory: Memory, voice: Voice, request: Request, answer: Answer, news: Recollection, evidence: tuple[Hit, ...],
    stop: threading.Event,
) -> Iterator[TurnEvent]:  # fmt: skip
    """The model's reply, piece by piece; whatever came of it is saved even when the caller walks away in the middle."""
    # A larger model that says something again was mostly asked to: a letter made shorter, a recipe with less sugar.
    guard, pieces = ReplyGuard(said_before(request) if voice.small else ()), 0
    closed = Closed("", spoken_name(voice.model), cut=True)
    began: float | None = None
    given: tuple[Hit, ...] = ()
    shown = replace(request, history=shown_to_small(request.history, request.turn.text)) if voice.small else request
    try:
        prompted = voice.compose(voice.model, shown, news, voice.max_tokens)
        given = prompted.given
        yield prompted
        if (take_up := getattr(voice.model, "take_up", None)) is not None:  # what it reads is kept (app/llm/kept.py)
            take_up(None if request.off_record else request.turn.session)
        for text in _heard(voice, prompted.messages, guard, stop):
            began = began or monotonic()
            pieces += 1
            if not request.personal:
                yield ReplyPiece(text)
        closed = _ended(closed, voice, guard, stop)
    except ErstwhileError as error:
        problem = "" if stop.is_set() else str(error)  # ended by the person, and so is what waited for it
        closed = replace(closed, problem=problem, text=error.partial if isinstance(error, ModelDied) else "")
    finally:
        took, done = monotonic() - began if began else 0.0, getattr(voice.model, "last_reply", None)
        speed = pieces / took if took > 0 and pieces > 1 else 0.0
        tokens = done.prompt_tokens + done.generated_tokens if done is not None else 0
        closed = replace(closed, text=closed.text or guard.kept, pieces_per_second=speed, tokens=tokens)
        if answer.about == "told" and not request.partial and says_nothing(closed.text, request.turn.text):
            closed = Closed(courtesy(request.turn.text) or NO_MODEL, MEMORY_SPEAKER, pieces_per_second=speed)
        closed = _checked(memory, request, closed, answer, evidence, given)
        closed = _saved(memory, request, closed, given=_turns_read(memory, given))
    yield replace(closed, doubts=doubts(memory, closed.text, given))


def _checked(
    memory: Memory, request: Request, closed: Closed, answer: Answer, evidence: Sequence[Hit], prompted: Sequence[Hit]
) -> Closed:
    """A model's answer about the person, with the turns that bear it out; where none does, what the memory says."""
    if not request.personal or closed.problem:
        return closed
    text, times = request.question, request.times
    known = tuple({hit.id: hit for hit in (*evidence, *prompted)}.values())
    bearing = memory.answering.bearing(text, known, **times.named)
    facts = [hit for hit in prompted if hit.kind == "fact"]
    said = request.partial + closed.text
    sources = memory.answering.borne_out(text, said, (*bearing, *facts), believed=times.believed)
    if sources and closed.text.strip():
        return replace(closed, sources=sources)
    speed = closed.pieces_per_second
    return Closed(answer.text, MEMORY_SPEAKER, sources=answer.sources, pieces_per_second=speed)


def said_before(request: Request) -> list[str]:
    """The replies in the conversation so far, but for those to the same words: whoever asks again is answered again."""
    asked, replies = "", list[str]()
    for message in request.history:
        if message.role == "user":
            asked = message.content
        elif not asks_again(asked, request.turn.text):
            replies.append(message.content)
    return replies


def _heard(voice: Voice, messages: Sequence[Message], guard: ReplyGuard, stop: threading.Event) -> Iterator[str]:
    """The reply until it repeats something; the model is then told to end."""
    reply = voice.model.chat(messages, max_tokens=voice.max_tokens, stop=stop, temperature=voice.temperature)
    try:
        for text in reply:
            if shown := guard.feed(text):
                yield shown
            if guard.over:
                return
        if rest := guard.end():
            yield rest
    finally:
        if isinstance(reply, Generator):
            reply.close()


def _ended(closed: Closed, voice: Voice, guard: ReplyGuard, stop: threading.Event) -> Closed:
    if guard.repeats:
        return replace(closed, text=guard.kept, note=REPEATED if guard.kept else ONLY_REPEATED)
    if guard.loops:
        return replace(closed, text=guard.kept, note=LOOPED if guard.kept else ONLY_LOOPED)
    full = getattr(getattr(voice.model, "last_reply", None), "reason", "") in ("length", "context")
    if full and voice.invents:  # it was given little room, and says nothing in the half of a sentence that is left
        return replace(closed, text=whole_sentences(guard.text), cut=False)
    return replace(closed, cut=stop.is_set() or full, note=FULL if full else "")


def _turns_read(memory: Memory, given: Sequence[Hit]) -> list[str]:
    """The ids of the turns that a model was given: as they are, or as a belief that rests on them."""
    turns = [hit.id for hit in given if hit.kind == "episode"]
    for hit in given:
        if hit.kind == "fact":
            with suppress(NotFound):  # it was folded anew meanwhile
                turns += [source.episode for source in memory.beliefs.fact(hit.id).sources]
    return turns


def _saved(
    memory: Memory, request: Request, closed: Closed, sources: Sequence[Source] = (), given: Sequence[str] = ()
) -> Closed:
    """Write the reply, with the turns that it rests on, unless it is off the record or empty."""
    if request.off_record or not closed.text.strip():
        return closed
    said = request.turn
    turn = Turn(
        closed.text, said.session, speaker=closed.speaker, role="assistant", source=said.source, cut=closed.cut,
        title=said.title,
    )  # fmt: skip
    cited = Cited(closed.sources or tuple(sources), tuple(dict.fromkeys(given)), **request.times.named)
    return replace(closed, episode=memory.episodes.remember(turn, cited))
