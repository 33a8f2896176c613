"""Records never change: what the store hands out are frozen values, and intentions come back as calls, not as edits.

Two time axes, never mixed up: *valid* (world time, when something was true) and *believed* (belief time, when the
person held it to be true). `recorded_at` is a third stamp, for audit only. This module needs nothing but the standard
library, so that widgets can show the store's values without being able to reach the store.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Literal, NamedTuple

Role = Literal["user", "assistant", "system", "tool"]
Modality = Literal["fact", "unsure", "plan", "wish", "hypothetical", "question", "quoted", "identity"]
Cue = Literal["state", "update", "correct", "stop", "retract"]
ChangeKind = Literal["new", "reinforce", "update", "correct", "stop", "backfill", "elaborate", "dispute", "retract"]
HitKind = Literal["episode", "fact", "summary"]
About = Literal["memory", "world", "request", "told"]
"""What a text asks about: the person's own life, what anybody could know, something to be written; "told": nothing."""
DOCUMENT, DOCUMENT_SOURCE = "document:", "import:document"
"""How the key of a conversation begins that is a document, and where its turns came from: nobody said them."""
BY_HAND = "by hand"  # the conversation that holds what was done by hand (store.beliefs.hand)

EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


class Precision(StrEnum):
    """How exactly a world time was said; `OPEN` means that nobody said it, and the turn's own time stands in."""

    EXACT = "exact"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    OPEN = "open"


class Instant(NamedTuple):
    """A moment: microseconds since 1970 in UTC, and the offset (seconds east of UTC) in which it was said."""

    us: int
    offset: int = 0

    @classmethod
    def of(cls, moment: datetime) -> Instant:
        """Read an aware datetime. Raises ValueError for a naive one: the zone must never be guessed here; OverflowError
        where it lies beyond the calendar in UTC, and so could not be shown again."""
        shift = moment.utcoffset()
        if shift is None:
            raise ValueError(f"{moment} has no zone")
        return cls((moment.astimezone(UTC) - EPOCH) // MICROSECOND, int(shift.total_seconds()))

    def local(self) -> datetime:
        """The aware datetime, in the offset in which it was said."""
        zone = timezone(timedelta(seconds=self.offset))
        return (EPOCH + timedelta(microseconds=self.us)).astimezone(zone)

    def iso(self) -> str:
        """ISO 8601 with offset."""
        return self.local().isoformat()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A half-open stretch of time [start, end) in microseconds UTC; None is an open end."""

    start: int | None
    end: int | None
    precision: Precision = Precision.EXACT
    offset: int = 0  # seconds east of UTC in which the boundaries are to be shown

    def first(self) -> Instant | None:
        return None if self.start is None else Instant(self.start, self.offset)

    def last(self) -> Instant | None:
        return None if self.end is None else Instant(self.end, self.offset)


@dataclass(frozen=True, slots=True)
class Turn:
    """What is handed to `memory.episodes.ingest`: one turn that was said, not yet an episode."""

    text: str
    session: str
    speaker: str = "me"
    role: Role = "user"
    said_at: Instant | None = None  # None means now, by the memory's clock
    external_id: str | None = None  # the id in its source; unique within its session
    source: str = "chat"  # where it came from: chat, command, or import:<format>
    cut: bool = False  # a reply that was stopped before its end; kept as far as it came
    title: str | None = None  # the session's title, where the source has one
    original: str | None = None
    """The raw form of the message in its source, kept for losslessness; None where it adds nothing."""
    inactive: bool = False  # on an abandoned branch of an imported conversation: searchable, never extracted
    place: int | None = None  # its place among the session's turns in its source; None means after all that are there


@dataclass(frozen=True, slots=True)
class Episode:
    """A turn as it was said: immutable, lossless, word for word."""

    id: str  # stable over files and orders of arrival: made of the session, the source's id or place, and the words
    row: int  # its integer key, in this file only
    external_id: str | None
    session: str
    position: int  # its place in the session, from 0
    speaker: str
    role: Role
    text: str
    said_at: Instant
    recorded_at: Instant
    source: str
    cut: bool = False
    inactive: bool = False
    secret: bool = False
    """Holds something shaped like a key, token, card or password: kept, flagged, and out of claims and prompts."""
    sources: tuple[Source, ...] = ()  # what a reply rests on; only where a page of a conversation is read


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation."""

    key: str
    title: str
    source: str
    first_said_at: Instant | None
    last_said_at: Instant | None
    turns: int
    pinned: bool = False
    opening: str = ""  # the first words of the person that stand in it, where it has no title


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model speaks; None: as it does without being told."""

    system: str | None = None  # the system prompt: who the model is to be
    temperature: float | None = None
    """How much of its choice of words is left to chance: 0, the likeliest words only, to 2."""
    context: int | None = None  # tokens of prompt and reply together
    reply: int | None = None  # tokens of a reply at most

    def over(self, usual: ModelOptions) -> ModelOptions:
        """These, and where they say nothing, the usual ones."""
        return replace(usual, **{name: value for name, value in asdict(self).items() if value is not None})


@dataclass(frozen=True, slots=True)
class Claim:
    """What one span of one episode asserts. Immutable; everything that is believed folds out of these."""

    id: str
    episode: str  # the id of the episode that it was said in
    start: int
    end: int  # the quote is episode.text[start:end]
    subject: str  # a mention key: "me", a lower-case name ("paul"), or a relation path ("me>brother")
    predicate: str
    object: str  # the value in the person's own words
    valid: Stretch
    """The world time that the words themselves give. start None: not said. end None: not said, or still going on."""
    holds_now: bool
    """True where the words assert the state as they are said ("I live"), False for an onset or a closed past."""
    said_at: Instant
    session: str
    position: int
    cue: Cue = "state"  # which word of change there was; "state" is none
    replaces: str | None = None  # the old value where the words name it ("not Davis", "switched from vim")
    functional: bool = False
    """One-valued by its wording ("the code of the office is", "my new laptop is"), whatever the registry says."""
    negative: bool = False  # it is said not to be so ("I don't eat meat"); with cue "stop", that it ended
    asserted_by: str = "me"  # who said it, as a mention key; "assistant" for the model
    standing: int = 4
    """5 typed correction, 4 the person's words, 3 imported own words, 2 the assistant's, 1 third parties."""
    modality: Modality = "fact"
    confidence: float = 0.9
    extractor: str = "rules"
    qualifiers: tuple[tuple[str, str], ...] = ()
    """Side details in order of name: ("frequency", "three times a week"), ("with", "Ana")."""


@dataclass(frozen=True, slots=True)
class Source:
    """The characters of an episode on which something rests."""

    episode: str
    external_id: str | None
    start: int
    end: int
    quote: str
    said_at: Instant
    speaker: str = ""
    session: str = ""
    by: str = ""  # who read it there: "rules/3", "model/2 NAME", "by hand"; empty where nobody says


@dataclass(frozen=True, slots=True)
class Cited:
    """What a reply rests on."""

    sources: tuple[Source, ...] = ()  # those that stand below it
    given: tuple[str, ...] = ()  # the ids of the turns that a model was given for it
    as_of: Stretch | None = None  # the time that the question was about; None: the present
    believed: int | None = None  # microseconds UTC; None: what was believed when it was asked


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Words that teach nothing and are shown as such."""

    turn: str  # the id of the episode
    quote: str  # empty for a secret: its words are shown nowhere but in the turn itself
    reason: str
    """In words for people: "reads like an instruction", "a key"; of what a model proposed, why it was refused."""
    by: str = ""  # the model that proposed it; empty where the turn itself says it


@dataclass(frozen=True, slots=True)
class Fact:
    """One rectangle of (world time x belief time) in which a value held. Derived from claims, never edited."""

    id: str
    subject: str  # the canonical name of whom it is about; "me" for the person
    predicate: str
    object: str
    text: str  # one sentence that says it
    valid_from: Instant | None
    valid_to: Instant | None
    believed_from: Instant
    believed_to: Instant | None
    precision: Precision  # of valid_from. OPEN: the start was not said, valid_from is when it was first said.
    precision_to: Precision  # of valid_to. OPEN: the end was not said.
    change: ChangeKind
    supersedes: str | None  # the id of the fact that it replaced
    confidence: float
    salience: float
    sources: tuple[Source, ...]
    slot: str = ""
    valid_from_after: Instant | None = None
    valid_to_after: Instant | None = None
    """Nobody said the boundary: it lies between this instant and valid_from (or valid_to)."""
    disputed: bool = False
    pinned: bool = False
    negative: bool = False  # the person said that it is not so ("I don't eat meat")
    ahead: bool = False  # it lies ahead of the moment for which it was read
    unsure: bool = False  # the reader heard it and is not sure: nothing rests on it until the person confirms it
    qualifiers: tuple[tuple[str, str], ...] = ()
    ended: ChangeKind | None = None  # what ended the belief; None while it is held
    also_supersedes: tuple[str, ...] = ()  # where one saying replaced several facts: the ids of the others


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something that claims are about, under one canonical name."""

    id: str
    name: str
    kind: str  # person, pet, place, organisation or thing
    aliases: tuple[str, ...] = ()
    relation: str | None = None  # what they are to the person ("brother"), where it was said


@dataclass(frozen=True, slots=True)
class Change:
    """One step in what was believed: a fact that began to be believed or ceased to be."""

    at: Instant
    kind: ChangeKind
    new: Fact | None
    old: Fact | None


@dataclass(frozen=True, slots=True)
class Link:
    """One step of a chain: the fact, and how it came to replace the one before it."""

    fact: Fact
    kind: ChangeKind
    because: str  # the words that did it, quoted


@dataclass(frozen=True, slots=True)
class Hit:
    """One piece of evidence, ranked."""

    kind: HitKind
    id: str
    external_id: str | None
    session: str
    speaker: str
    text: str
    said_at: Instant
    score: float
    channels: tuple[tuple[str, int], ...] = ()  # (channel, rank from 1) of each channel that found it


@dataclass(frozen=True, slots=True)
class Answer:
    """What the memory says to a question, from which tier, and on what it rests."""

    text: str
    tier: int
    abstained: bool
    elapsed_ms: float
    facts: tuple[Fact, ...] = ()
    sources: tuple[Source, ...] = ()  # of an abstention: what comes nearest
    about: About = "memory"

    @property
    def never_told(self) -> bool:
        """It was asked of the memory, and nothing that was said comes near."""
        return self.abstained and self.about == "memory" and not self.sources


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work has come."""

    phase: str
    done: int
    total: int | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ingested:
    """One durable step of a bulk import; the counts are running totals."""

    new: int
    seen: int  # turns that the memory had already, or that were erased and stay away
    total: int | None  # how many there will be, where that is known


@dataclass(frozen=True, slots=True)
class SleepReport:
    """What one sleep did."""

    run: int
    episodes: int
    claims: int
    slots: int
    facts: int
    finished: bool  # False when it was stopped; what is left stays pending


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that `check` looked at."""

    name: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One decision in the log, with its inputs, its reason code and its result."""

    id: int
    run: int | None
    phase: str
    kind: str
    at: Instant
    reason: str
    detail: dict[str, object] = field(default_factory=dict)
    undone_by: int | None = None


@dataclass(frozen=True, slots=True)
class Recollection:
    """What was found for one turn: the hits, what they cost, and the two times that were asked about."""

    query: str
    hits: tuple[Hit, ...]
    elapsed_ms: float
    as_of: Stretch | None = None
    believed: int | None = None


@dataclass(frozen=True, slots=True)
class JudgedHit:
    """One hit, and why it stands where it does."""

    hit: Hit
    rank: int  # from 1
    channels: tuple[tuple[str, int, float], ...]
    """Name, rank and score, for each channel that found it. Lexical: BM25F; dense: cosine."""
    reasons: tuple[tuple[str, float], ...]
    """What raised or lowered its score against the average candidate, the strongest first: feature, points."""


@dataclass(frozen=True, slots=True)
class Judged:
    """How a query was judged: what was looked for, what was found, and what was not let in."""

    query: str
    terms: tuple[tuple[str, int, float], ...]  # term, in about how many turns it occurs, and its weight
    candidates: int  # how many turns were compared
    hits: tuple[JudgedHit, ...]
    removed: tuple[tuple[str, str], ...]
    """Id and reason of each turn that would have been drawn but for the filters: "said later", "another session",
    "another speaker", "another source", "hidden" (a secret, or an abandoned branch). Never its words."""
    as_of: Stretch | None = None
    believed: int | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erase removed, counted."""

    episodes: int
    claims: int
    facts: int
    sessions: int
    backups: tuple[str, ...] = ()  # backups and exports that Erstwhile made, and that still hold the words
