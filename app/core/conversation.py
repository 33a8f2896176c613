"""A conversation is read a window at a time, and one that branched off begins with the turns that it branched off from.

A branch is a conversation of its own: what was said before it stays where it was said, word for word, and its key names
the turn after which it goes its own way, or the turn that it has something else instead of. Nothing of the trunk is
copied, and nothing of it is forgotten.

The last exchange can be had again: another reply, other words of the person, more of what was cut. Another reply and
other words begin a branch; what only the replaced words taught is taken back. What was asked is kept with the times at
which it was asked, so that why it was answered so can be shown later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from app.core.clock import Times
from app.core.turn import MEMORY_SPEAKER, is_told, told_to
from store.errors import NotFound
from store.protocols import Message
from store.records import BY_HAND, Change, Episode, ModelOptions, Session
from widgets.receipt import told_back
from widgets.wording import Version, title_of

if TYPE_CHECKING:
    from app.core.turn import Prompted
    from store.memory import Memory
    from store.records import Answer, Episode

_FROM, _INSTEAD_OF = "-from-", "-instead-of-"
DEEPEST = 200  # branches of branches that are followed


def branch_key(us: int, episode: str) -> str:
    """The key of a conversation that goes its own way after this turn; `us` is now."""
    return f"branch-{us}{_FROM}{episode}"


def instead_key(us: int, episode: str) -> str:
    """The key of a conversation that has something else instead of this turn, and goes its own way; `us` is now."""
    return f"branch-{us}{_INSTEAD_OF}{episode}"


class Fork(NamedTuple):
    """Where a branch goes its own way."""

    episode: str  # the id of a turn of the trunk
    with_it: bool  # the turn itself belongs to the branch


def fork_of(key: str) -> Fork | None:
    """Where a branch goes its own way; None for a conversation with a beginning of its own."""
    for mark in (_FROM, _INSTEAD_OF):
        stem, found, episode = key.partition(mark)
        if found and stem.startswith("branch-"):
            return Fork(episode, mark == _FROM)
    return None


@dataclass(frozen=True, slots=True)
class Listed:
    """The conversations as they are listed."""

    sessions: tuple[Session, ...] = ()  # the latest first; what was done by hand is none
    versions: Mapping[str, Version] = field(default_factory=dict)  # by key, of those that share a beginning


def listed(memory: Memory) -> Listed:
    """Every conversation, and which are versions of one."""
    sessions = tuple(one for one in memory.sessions.all() if one.key != BY_HAND)
    trunks = _trunks(memory, sessions)
    roots = {one.key for one in sessions} - {key for key, trunk in trunks.items() if trunk is not None}
    numbered = {}
    for root in roots & set(trunks.values()):
        for number, key in enumerate(_below(root, trunks, DEEPEST), 1):
            first = () if key == root else memory.episodes.page(key, 0, 1)
            numbered[key] = Version(root, number, first[0].text if first else "")
    return Listed(sessions, numbered)


def versions(memory: Memory, key: str) -> list[str]:
    """The keys of all conversations that have a beginning in common with this one, trunks before branches."""
    trunks = _trunks(memory, memory.sessions.all())
    root = key
    for _ in range(DEEPEST):
        trunk = trunks[root] if root in trunks else _trunk(memory, root)
        if trunk is None:
            break
        root = trunk
    return list(_below(root, trunks, DEEPEST))


def _below(key: str, trunks: dict[str, str | None], deep: int) -> Iterator[str]:
    yield key
    if deep:
        for branch in sorted(one for one, trunk in trunks.items() if trunk == key):
            yield from _below(branch, trunks, deep - 1)


def _trunks(memory: Memory, sessions: Iterable[Session]) -> dict[str, str | None]:
    return {one.key: _trunk(memory, one.key) for one in sessions if fork_of(one.key) is not None}


def _trunk(memory: Memory, key: str) -> str | None:
    """The conversation that this one branched off from; None where there is none any more."""
    fork = fork_of(key)
    try:
        return memory.episodes.get(fork.episode).session if fork is not None else None
    except NotFound:
        return None


class SessionPrefix(NamedTuple):
    """The first `turns` turns of one session."""

    session: str
    turns: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of a conversation, by their places from 0; only workers ask it for turns."""

    key: str
    title: str
    parts: tuple[SessionPrefix, ...]

    @classmethod
    def of(cls, memory: Memory, key: str) -> Conversation:
        """The conversation with this key. One in which nothing was said yet has the turns that it branched off from."""
        title, parts = "", [SessionPrefix(key, 0)]
        with suppress(NotFound):
            session = memory.sessions.get(key)
            title, parts = title_of(session), [SessionPrefix(key, session.turns)]
        fork = fork_of(key)
        while fork is not None and len(parts) < DEEPEST:
            try:
                episode = memory.episodes.get(fork.episode)
            except NotFound:  # it was erased: the branch begins where it stands
                break
            parts.append(SessionPrefix(episode.session, memory.episodes.place(fork.episode) + fork.with_it))
            fork = fork_of(episode.session)
        return cls(key, title, tuple(reversed(parts)))

    @property
    def turns(self) -> int:
        return sum(part.turns for part in self.parts)

    def shown(self, memory: Memory, start: int, limit: int) -> list[Episode]:
        """As `page`, in the words that the person saw."""
        before = min(start, 1)
        return as_shown(memory, self.page(memory, start - before, limit + before))[before:]

    def page(self, memory: Memory, start: int, limit: int) -> list[Episode]:
        """`limit` turns from place `start` on."""
        found, place = list[Episode](), 0
        for part in self.parts:
            begin, end = max(start - place, 0), min(start + limit - place, part.turns)
            if begin < end:
                found += memory.episodes.page(part.session, begin, end - begin)
            place += part.turns
        return found

    def options(self, memory: Memory) -> ModelOptions:
        """How a model speaks in it: as was said for it, else for what it branched off from."""
        said = (memory.sessions.model_options(part.session) for part in reversed(self.parts))
        return next((one for one in said if one is not None), ModelOptions())

    def place(self, memory: Memory, episode: str) -> int:
        """Where a turn stands in it; the last place where it is in none of its parts, or gone."""
        last = max(0, self.turns - 1)
        try:
            one = memory.episodes.get(episode) if episode else None
        except NotFound:
            return last
        before = 0
        for part in self.parts:
            if one is not None and part.session == one.session:
                place = memory.episodes.place(one.id)
                if place < part.turns:
                    return before + place
            before += part.turns
        return last


def as_shown(memory: Memory, turns: Sequence[Episode]) -> list[Episode]:
    """Turns in their order, but where the memory only said that it will remember, it says what it noted."""
    told = [turn for turn, reply in pairwise(turns) if is_told(reply)]
    noted, shown = taught(memory, told), list(turns)
    for place, (turn, reply) in enumerate(pairwise(turns), 1):
        if is_told(reply):
            heard = memory.reading.unsure(episode=turn) if turn.role == "user" else ()
            unsure = _in_order(turn.id, (Change(one.believed_from, "new", one, None) for one in heard))
            words = told_back([*noted.get(turn.id, ()), *unsure], reply.said_at.us)
            shown[place] = replace(reply, text=told_to(turn.text, words))
    return shown


def taught(memory: Memory, turns: Sequence[Episode]) -> dict[str, list[Change]]:
    """What each turn of the person taught, by the ids of the turns."""
    taught: dict[str, list[Change]] = {}
    said: dict[int, list[Episode]] = {}
    for turn in turns:
        if turn.role == "user":
            said.setdefault(turn.said_at.us, []).append(turn)
    if not said:
        return taught
    for change in memory.beliefs.changes(min(said), max(said) + 1):
        for turn in said.get(change.at.us, ()):
            if change.new is None or any(source.episode == turn.id for source in change.new.sources):
                taught.setdefault(turn.id, []).append(change)
    return {turn: _in_order(turn, changes) for turn, changes in taught.items()}


def _in_order(turn: str, changes: Iterable[Change]) -> list[Change]:
    """As the words on which they rest stand in the turn; what only ended comes first."""

    def place(change: Change) -> int:
        fact = change.new
        quotes = [] if fact is None else [one for one in fact.sources if one.episode == turn]
        return min((one.start + max(one.quote.find(fact.object), 0) for one in quotes if fact is not None), default=-1)

    return sorted(changes, key=place)


class SearchedText(NamedTuple):
    """What a conversation is searched in."""

    texts: Sequence[str]
    turns: Sequence[str] = ()  # the ids of the turns; empty where every turn is mounted
    conversation: Conversation | None = None  # where turns that are not mounted are read


MOST_HISTORY = 40  # turns of a conversation that is gone on with that are handed on; the prompt's budget cuts further
NOTHING_SAID = "Nothing was said in this conversation yet."
NO_MODEL = "There is no language model here that could write a reply; f3 gets one."
FROM_MEMORY = "The memory gave this answer by itself, and would give the same one again."
COMING = "a chat model, which is {}"
NO_MODEL_YET = "That is for " + COMING + "."
NO_REPLY = Message("assistant", "")  # stands after what nobody replied to, where more was said
NOT_CUT = "The last reply was not cut: there is nothing to go on with."
Way = Literal["another reply", "the rest", "other words"]


class LastExchange(NamedTuple):
    """What the person said last, and what came of it."""

    asked: str
    history: tuple[Message, ...] = ()  # what was said before it
    episode: str = ""  # the id of the person's turn; empty off the record
    reply: str = ""  # whole, also where it was gone on with
    cut: bool = False
    by_memory: bool = False  # no model wrote the reply


class Again(NamedTuple):
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
    """Why it cannot be had, in one sentence; empty where it can. `coming`: how far a model is on its way."""
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
    speaker: str = ""  # who replied, of a turn that was read again: its prompt is not kept


def asked_before(memory: Memory, turns: Sequence[Episode], reply: Episode) -> TurnState | None:
    """What this turn replies to, among the turns before it, as it was asked then; None where nothing was."""
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
