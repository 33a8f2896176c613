"""A memory and a model that say what a test wrote down, and keep a record of every call; nothing here is clever."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from store.beliefs.wording import sentence
from store.errors import ModelDied, NotFound, UsageError
from store.protocols import BoundModel, Message
from store.records import (
    About,
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
    Receipt,
    Recollection,
    Session,
    SleepReport,
    Source,
    Stretch,
    Turn,
)
from tests.rectangles import KnownRectangle
from tests.tui.scripted_screens import ScriptedScreens
from widgets.lane_layout import by_slot

if TYPE_CHECKING:
    from store.maintenance.erase import Selection
    from store.sleep.brief import Brief

ZONE = timezone(timedelta(hours=1))

TOLD = ("I bought a bike.", "Grandma died.", "early")
"""What is known to ask nothing; other texts without a question mark are for the model."""


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
class ScriptedMemory(ScriptedScreens):
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
    log: list[Operation] = field(default_factory=list)
    morning: Brief | None = None
    sound: bool = True
    titles: dict[str, str] = field(default_factory=dict)
    options: dict[str, ModelOptions] = field(default_factory=dict)
    """How a model speaks, by conversation."""
    pinned: set[str] = field(default_factory=set)
    kept: dict[str, Cited] = field(default_factory=dict)
    """What replies rest on, by their ids."""
    _befores: list[list[Fact]] = field(default_factory=list)

    def warm(self) -> None:
        """It is always quick."""

    def remember(self, turn: Turn, cited: Cited | None = None) -> Episode:
        self.calls.append(("remember", turn))
        at = turn.said_at or self.clock.now()
        episode = Episode(
            f"e{len(self.said)}", len(self.said), None, turn.session, len(self.said), turn.speaker, turn.role,
            turn.text,
            at, at, turn.source, turn.cut, sources=cited.sources if cited is not None else (),
        )  # fmt: skip
        if cited is not None:
            self.kept[episode.id] = cited
        self.said.append(episode)
        return episode

    def cited(self, reply: str) -> Cited:
        return self.kept.get(reply, Cited())

    def learn(self, episode_id: str) -> tuple[Change, ...]:
        self.calls.append(("learn", episode_id))
        return self.taught.get(self.episode(episode_id).text, ())

    def unsure(self, *, limit: int | None = None) -> list[Fact]:
        return [one for one in self.known if one.unsure][:limit]

    def confirm(self, fact_id: str) -> Fact:
        self.calls.append(("confirm", fact_id))
        return self._changed("confirmation", fact_id, unsure=False)

    def recall(
        self, query: str, *, k: int = 10, as_of: Stretch | None = None, believed: int | None = None,
        session: str | None = None, fast: bool = False,
    ) -> Recollection:  # fmt: skip
        self.calls.append(("recall", query))
        words = query.casefold().split()
        found = [one for one in self.said if any(word in one.text.casefold() for word in words)]
        hits = [
            Hit("episode", one.id, None, one.session, one.speaker, one.text, one.said_at, 1.0, (("bm25", 1),))
            for one in found
        ]
        return Recollection(query, self.hits or tuple(hits[:k]), 4.2, as_of, believed)

    def tells(self, text: str) -> bool:
        return text in TOLD

    def bearing(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]:
        words = set(question.casefold().strip("?").split()[-1:])
        return tuple(one for one in hits if words & set(one.text.casefold().strip(".").split()) and one.speaker == "me")

    def borne_out(
        self, question: str, reply: str, hits: Sequence[Hit], *, believed: int | None = None
    ) -> tuple[Source, ...]:
        said = set(reply.casefold().strip(".").split()) - set(question.casefold().split())
        return tuple(
            Source(one.id, None, 0, len(one.text), one.text, one.said_at, one.speaker, one.session)
            for one in hits
            if said & set(one.text.casefold().strip(".").split())
        )

    def context(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]:
        self.calls.append(("context", question))
        return tuple(hits)

    def ask(self, question: str, *, as_of: Stretch | None = None, believed: int | None = None) -> Answer:
        self.calls.append(("ask", (question, as_of, believed)))
        nothing = Answer("I was never told that.", 2, True, 1.0)
        about: About = "memory" if question.endswith("?") else "world"
        return self.answers.get(question, replace(nothing, about=about))

    def used(self, answer: Answer) -> int:
        self.calls.append(("used", answer))
        return len(answer.facts)

    def facts(
        self, *, about: str | None = None, predicate: str | None = None, as_of: Stretch | None = None,
        believed: int | None = None, everything: bool = False, limit: int | None = None, offset: int = 0,
    ) -> list[Fact]:  # fmt: skip
        wanted = [one for one in self.known if about in (None, one.subject)]
        held = [one for one in wanted if everything or one.believed_to is None]
        return held[offset:] if limit is None else held[offset : offset + limit]

    def fact(self, fact_id: str) -> Fact:
        found = next((one for one in self.known if one.id == fact_id), None)
        if found is None:
            raise NotFound(f"There is no belief {fact_id!r}.")
        return found

    def changes(self, since: int, until: int | None = None) -> list[Change]:
        return [Change(one.believed_from, one.change, one, None) for one in self.known if one.believed_from.us >= since]

    def timeline(self, about: str | None = None) -> list[Fact]:
        self.calls.append(("timeline", about))
        return list(self.known)

    def outline(self, limit: int | None = None) -> list[KnownRectangle]:
        found = [KnownRectangle.of(one) for slot in by_slot(self.known) for one in slot]
        return found if limit is None else found[:limit]

    def sessions(self) -> list[Session]:
        keys = dict.fromkeys(one.session for one in self.said)
        mine = {key: [one for one in self.said if one.session == key] for key in keys}
        return [
            Session(
                key,
                self.titles.get(key, f"about {key}"),
                "chat",
                many[0].said_at,
                many[-1].said_at,
                len(many),
                key in self.pinned,
            )
            for key, many in mine.items()
        ]

    def episodes(self, session: str) -> list[Episode]:
        return [one for one in self.said if one.session == session]

    def episode(self, id_or_external: str) -> Episode:
        found = next((one for one in self.said if one.id == id_or_external), None)
        if found is None:
            raise NotFound(f"There is no turn {id_or_external!r}.")
        return found

    def sleep(
        self, stop: threading.Event | None = None, budget: float | None = None, *, model: BoundModel | None = None,
        tidy: bool = False, wait: bool = False,
    ) -> Generator[Progress, None, SleepReport]:  # fmt: skip
        self.calls.append(("sleep", None))
        for number, progress in enumerate(self.phases):
            yield progress
            if number == 0:
                self.gate.wait(5)
            if stop is not None and stop.is_set():
                return SleepReport(1, 1, 1, 1, 1, False)
        self.waiting = 0
        return SleepReport(1, 3, 3, 1, 1, True)

    def restless(self, *, tidy: bool = False) -> tuple[int, int]:
        return self.pending(), 1

    def pending(self) -> int:
        return self.waiting

    def last_sleep(self) -> Operation | None:
        return next((one for one in self.log if one.kind == "run"), None)

    # -- by hand: what was known is known otherwise, and each deed can be undone

    def correct(
        self, subject: str, predicate: str, value: str, *, since: Stretch | None = None,
        begins: Stretch | None = None, ends: Stretch | None = None, instead_of: str | None = None,
    ) -> Fact:  # fmt: skip
        self.calls.append(("correct", (subject, predicate, value, since, instead_of)))
        old = next(one for one in self.known if one.object == instead_of and one.believed_to is None)
        new = replace(old, id=f"{old.id}-{value}", object=value, change="correct", supersedes=old.id)
        return self._done("correction", [replace(old, believed_to=self.clock.now(), ended="correct"), new], [old])

    def retract(self, fact_id: str) -> Fact:
        return self._changed("retraction", fact_id, believed_to=self.clock.now(), ended="retract")

    def restore(self, fact_id: str) -> Fact:
        return self._changed("restoration", fact_id, believed_to=None, ended=None)

    def unlearn(self, episode_id: str) -> int:
        self.calls.append(("unlearn", episode_id))
        return 1

    def resolve(self, fact_id: str) -> Fact:
        return self._changed("settled", fact_id, disputed=False)

    def pin(self, fact_id: str, *, off: bool = False) -> Fact:
        return self._changed("unpin" if off else "pin", fact_id, pinned=not off)

    def _changed(self, kind: str, fact_id: str, **what: Any) -> Fact:
        self.calls.append((kind, fact_id))
        old = next(one for one in self.known if one.id == fact_id)
        return self._done(kind, [replace(old, **what)], [old])

    def _done(self, kind: str, after: list[Fact], before: list[Fact]) -> Fact:
        self._befores.append(list(self.known))
        place = self.known.index(before[0])
        self.known[place : place + 1] = after
        detail: dict[str, object] = {"fact": before[0].id}
        self.log.insert(0, Operation(len(self.log) + 1, None, "hand", kind, self.clock.now(), "BY_HAND", detail))
        return after[-1]

    def undo(self, operation: int) -> int:
        self.calls.append(("undo", operation))
        self.known = self._befores.pop()
        self.log = [replace(one, undone_by=99) if one.id == operation else one for one in self.log]
        return 99

    def operations(self, run: int | None = None, limit: int = 50, phase: str | None = None) -> list[Operation]:
        return [one for one in self.log if phase in (None, one.phase)][:limit]

    def selection(self, *, fact: str | None = None, session: str | None = None, about: str | None = None) -> Selection:
        from store.maintenance.erase import Selection

        if session is not None:
            gone = tuple(one.id for one in self.said if one.session == session)
            return Selection(gone, 0, 0, 1)
        mine = [one for one in self.known if fact == one.id or about == one.subject]
        return Selection(tuple(one.id for one in self.said), len(mine), len(mine), 1)

    def selected(self, selection: Selection, limit: int = 20) -> list[Episode]:
        return [one for one in self.said if one.id in selection.episodes][:limit]

    def lost(self, selection: Selection) -> list[Fact]:
        gone = set(selection.episodes)
        return [one for one in self.known if gone.issuperset(each.episode for each in one.sources)]

    def erase(self, selection: Selection) -> Receipt:
        if self.busy:
            raise UsageError("Another reader keeps old pages; close it and try again.")
        self.calls.append(("erase", selection))
        self.said = [one for one in self.said if one.id not in selection.episodes]
        self.known = [one for one in self.known if one.subject == "me"]
        return Receipt(len(selection.episodes), selection.claims, selection.facts, 1, ("old.backup.db",))

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
