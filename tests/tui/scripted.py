"""A memory and a model that say what a test wrote down, and keep a record of every call; nothing here is clever."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from store.beliefs.wording import sentence
from store.errors import ModelDied
from store.memory import Memory
from store.protocols import Message
from store.records import (
    Answer,
    Change,
    ChangeKind,
    Cited,
    Episode,
    Fact,
    Hit,
    Instant,
    ModelOptions,
    Operation,
    Precision,
    Progress,
    Quarantined,
    Source,
)
from tests.tui.scripted_parts import (
    ScriptedAnswering,
    ScriptedBackups,
    ScriptedBeliefs,
    ScriptedByHand,
    ScriptedEpisodes,
    ScriptedErasing,
    ScriptedFile,
    ScriptedLog,
    ScriptedOverview,
    ScriptedPart,
    ScriptedPeople,
    ScriptedReading,
    ScriptedRecall,
    ScriptedSalience,
    ScriptedSessions,
    ScriptedSleeping,
)

if TYPE_CHECKING:
    from store.sleep.brief import Brief

ZONE = timezone(timedelta(hours=1))


def instant(text: str) -> Instant:
    """2024-05-14 or 2024-05-14 14:02, in the tests' zone."""
    return Instant.of(datetime.fromisoformat(text).replace(tzinfo=ZONE))


class FrozenClock:
    """It is always the same moment."""

    def __init__(self, text: str = "2025-03-14 21:40") -> None:
        self.at = instant(text)

    def now(self) -> Instant:
        return self.at


def fact(
    subject: str,
    predicate: str,
    value: str,
    valid: tuple[str | None, str | None],
    believed: tuple[str, str | None],
    *,
    change: ChangeKind = "new",
    supersedes: str | None = None,
    precision: Precision = Precision.DAY,
    quote: str = "",
    salience: float = 0.6,
    session: str = "s1",
    disputed: bool = False,
    pinned: bool = False,
    ended: ChangeKind | None = None,
) -> Fact:
    """A rectangle, with one source that says it."""
    start, end = (instant(edge) if edge else None for edge in valid)
    quote = quote or f"{predicate} {value}"
    key = f"{subject}-{predicate}-{value}-{believed[0]}"
    source = Source(f"e-{key}", None, 0, len(quote), quote, instant(believed[0]), "me", session)
    return Fact(
        key, subject, predicate, value, sentence(subject, predicate, value), start, end, instant(believed[0]),
        instant(believed[1]) if believed[1] else None, precision, Precision.DAY, change, supersedes, 0.9, salience,
        (source,),
        slot=f"{subject}/{predicate}", disputed=disputed, pinned=pinned, ended=ended,
    )  # fmt: skip


def lives() -> list[Fact]:
    """Cedofeita was wrong (corrected to das Flores), das Flores was left for Lisbon: newest first."""
    lisbon = fact(
        "me", "lives_in", "Lisbon, Rua da Rosa", ("2024-09-01", None), ("2024-08-19 21:40", None), change="update",
        supersedes="me-lives_in-Porto, Rua das Flores-2023-11-02 08:15", salience=0.96,
        quote="we sign on the 1st of September, keys the same day",
    )  # fmt: skip
    after = fact(
        "me", "lives_in", "Porto, Rua das Flores", ("2021-02-01", "2024-09-01"), ("2024-08-19 21:40", None),
        change="update", precision=Precision.MONTH, salience=0.4,
        quote="it is Rua das Flores, not de Cedofeita",
        supersedes="me-lives_in-Porto, Rua das Flores-2023-11-02 08:15",
    )  # fmt: skip
    before = fact(
        "me", "lives_in", "Porto, Rua das Flores", ("2021-02-01", None), ("2023-11-02 08:15", "2024-08-19 21:40"),
        change="correct", ended="update", precision=Precision.MONTH, salience=0.4,
        quote="it is Rua das Flores, not de Cedofeita",
        supersedes="me-lives_in-Porto, Rua de Cedofeita-2023-10-30",
    )  # fmt: skip
    wrong = fact(
        "me", "lives_in", "Porto, Rua de Cedofeita", ("2021-02-01", None), ("2023-10-30", "2023-11-02 08:15"),
        precision=Precision.MONTH, salience=0.1, ended="correct", quote="I live in Rua de Cedofeita",
    )  # fmt: skip
    return [lisbon, after, before, wrong]


def world() -> list[Fact]:
    """A few lanes: changes, a correction, an event, an open start, another person."""
    return [
        *lives(),
        fact("me", "works_at", "Acme", ("2023-01-09", "2024-02-01"), ("2023-06-01", None)),
        fact("me", "works_at", "Feedzai", ("2024-02-01", None), ("2024-02-03", None), change="update", salience=0.8),
        fact("me", "partner", "Inês", ("2023-06-01", None), ("2023-06-01", None), precision=Precision.OPEN,
             salience=0.9),
        fact("me", "visited", "Kyoto", ("2024-11-04", "2024-11-05"), ("2024-11-20", None), salience=0.3),
        fact("me", "visited", "Évora", ("2023-12-01", "2024-01-01"), ("2023-12-30", None), precision=Precision.MONTH),
        fact("Ana", "school", "Colégio Moderno", ("2024-09-15", None), ("2024-05-11", "2024-06-11"), ended="correct"),
        fact(
            "Ana", "school", "EB Telheiras", ("2024-09-15", None), ("2024-06-11", None), change="correct",
            supersedes="Ana-school-Colégio Moderno-2024-05-11", quote="not the Moderno after all, EB Telheiras",
        ),
    ]  # fmt: skip


def turns(count: int = 6, session: str = "s1") -> list[Episode]:
    """A conversation of `count` turns, half of them the person's."""
    said = ["we sign on the 1st of September, keys the same day", "That is close! Which street is it?"]
    return [
        Episode(
            f"e{number}", number, None, session, number, "me" if number % 2 == 0 else "qwen3-4b",
            "user" if number % 2 == 0 else "assistant", f"{said[number % 2]} ({number})",
            instant(f"2024-08-19 21:{number % 60:02d}"), instant("2024-08-19 22:00"), "chat",
        )
        for number in range(count)
    ]  # fmt: skip


@dataclass
class ScriptedMemory(Memory):
    """Says what it was given to say."""

    known: list[Fact] = field(default_factory=world)
    said: list[Episode] = field(default_factory=turns)
    answers: dict[str, Answer] = field(default_factory=dict)
    apart: tuple[Quarantined, ...] = ()
    hits: tuple[Hit, ...] = ()
    taught: dict[str, tuple[Change, ...]] = field(default_factory=dict)
    clock: FrozenClock = field(default_factory=FrozenClock)
    calls: list[tuple[str, object]] = field(default_factory=list)
    phases: tuple[Progress, ...] = (Progress("extract", 1, 3), Progress("extract", 2, 3), Progress("fold", 1, 1))
    gate: threading.Event = field(default_factory=threading.Event)
    """A sleep waits here before its last phase."""
    waiting: int = 3
    busy: bool = False
    """An erase is refused."""
    logged: list[Operation] = field(default_factory=list)
    morning: Brief | None = None
    sound: bool = True
    titles: dict[str, str] = field(default_factory=dict)
    options: dict[str, ModelOptions] = field(default_factory=dict)
    """How a model speaks, by conversation."""
    pinned: set[str] = field(default_factory=set)
    kept: dict[str, Cited] = field(default_factory=dict)
    """What replies rest on, by their ids."""
    befores: list[list[Fact]] = field(default_factory=list)
    """What was known before each deed by hand."""
    zone = ZONE

    def __post_init__(self) -> None:
        self.recast(
            episodes=ScriptedEpisodes(self),
            sessions=ScriptedSessions(self),
            reading=ScriptedReading(self),
            beliefs=ScriptedBeliefs(self),
            salience=ScriptedSalience(self),
            by_hand=ScriptedByHand(self),
            people=ScriptedPeople(self),
            recall=ScriptedRecall(self),
            answering=ScriptedAnswering(self),
            overview=ScriptedOverview(self),
            sleeping=ScriptedSleeping(self),
            log=ScriptedLog(self),
            backups=ScriptedBackups(self),
            erasing=ScriptedErasing(self),
            file=ScriptedFile(self),
        )

    def recast(self, **parts: ScriptedPart) -> None:
        """From now on these speak for parts of the memory."""
        vars(self).update(parts)

    @property
    def person(self) -> frozenset[str]:
        return frozenset({"me", "user"})

    def name_person(self, names: Sequence[str], instead_of: Sequence[str] = ()) -> int:
        self.calls.append(("name_person", tuple(names)))
        return 0

    @property
    def path(self) -> Path:
        return Path("memory.db")

    def close(self) -> None:
        self.calls.append(("close", None))

    def names(self) -> list[str]:
        """The calls that were made, by name."""
        return [name for name, _what in self.calls]


@dataclass
class ScriptedModel:
    """Replies in pieces; `hold` keeps it from finishing until it is set, `dies` ends it in the middle."""

    pieces: tuple[str, ...] = ("Noted: ", "**Lisbon**, ", "since last month.")
    name: str = "qwen3-4b"
    hold: threading.Event | None = None
    dies: bool = False
    prompts: list[Sequence[Message]] = field(default_factory=list)
    asked_with: tuple[int, float | None] = (0, None)
    """The longest reply in tokens, and the temperature, of the last time."""
    began: threading.Event = field(default_factory=threading.Event)

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: threading.Event | None = None,
        temperature: float | None = None,
    ) -> Iterator[str]:
        self.prompts.append(messages)
        self.asked_with = (max_tokens, temperature)
        for number, piece in enumerate(self.pieces):
            if stop is not None and stop.is_set():
                return
            yield piece
            self.began.set()
            if number == 0 and self.hold is not None:
                self._wait(stop)
            if self.dies:
                raise ModelDied("The model stopped in the middle; the next message starts it again.")

    def _wait(self, stop: threading.Event | None) -> None:
        assert self.hold is not None
        while not self.hold.wait(0.01):
            if stop is not None and stop.is_set():
                return

    def count_tokens(self, text: str) -> int:
        return len(text) // 4


def answered(facts: Sequence[Fact], text: str) -> Answer:
    """The memory's own answer, resting on these facts."""
    return Answer(text, 2, False, 3.1, tuple(facts), tuple(source for one in facts for source in one.sources))


def changed(new: Fact, old: Fact | None = None) -> Change:
    return Change(new.believed_from, new.change, new, old)
