"""The parts of a scripted memory: as much as the screens need of each."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from store.beliefs.typed import Kind, Section, view
from store.errors import Damaged, NotFound, UsageError
from store.maintenance.erase import Selection
from store.maintenance.taking import Taken
from store.protocols import BoundModel
from store.records import (
    About,
    Answer,
    Change,
    Cited,
    Claim,
    Entity,
    Episode,
    Fact,
    Finding,
    Hit,
    Ingested,
    Instant,
    Judged,
    JudgedHit,
    Link,
    ModelOptions,
    Operation,
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
from store.sleep.summaries import Entry, Grain, Summary, calendar
from tests.rectangles import KnownRectangle
from widgets.lane_layout import by_slot

if TYPE_CHECKING:
    from store.maintenance.complete import Staged
    from store.sleep.brief import Brief
    from store.sleep.undoing import Records
    from tests.tui.scripted import ScriptedMemory

TOLD = ("I bought a bike.", "Grandma died.", "early")
"""What is known to ask nothing; other texts without a question mark are for the model."""


def claim_of(fact: Fact) -> Claim:
    """What a turn claims so that this is believed."""
    source = fact.sources[0]
    return Claim(
        f"c-{fact.id}", source.episode, source.start, source.end, fact.subject, fact.predicate, fact.object,
        Stretch(None, None), True, source.said_at, source.session, 0,
    )  # fmt: skip


class ScriptedPart:
    """One part of a scripted memory; what is known, said and done is the whole's."""

    def __init__(self, script: ScriptedMemory) -> None:
        self.script = script


class ScriptedEpisodes(ScriptedPart):
    def remember(self, turn: Turn, cited: Cited | None = None) -> Episode:
        self.script.calls.append(("remember", turn))
        at, row = turn.said_at or self.script.clock.now(), len(self.script.said)
        episode = Episode(
            f"e{row}", row, None, turn.session, row, turn.speaker, turn.role, turn.text, at, at, turn.source, turn.cut,
            sources=cited.sources if cited is not None else (),
        )  # fmt: skip
        if cited is not None:
            self.script.kept[episode.id] = cited
        self.script.said.append(episode)
        return episode

    def ingest(self, turns: Iterable[Turn], total: int | None = None) -> Iterator[Ingested]:
        new = list(turns)
        self.script.calls.append(("ingest", len(new)))
        for done in range(1, len(new) + 1):
            yield Ingested(done, 0, total)

    def get(self, id_or_external: str) -> Episode:
        found = next((one for one in self.script.said if one.id == id_or_external), None)
        if found is None:
            raise NotFound(f"There is no turn {id_or_external!r}.")
        return found

    def of(self, session: str) -> list[Episode]:
        return [one for one in self.script.said if one.session == session]

    def page(self, session: str, start: int, limit: int) -> list[Episode]:
        return self.of(session)[start : start + limit]

    def place(self, episode: str) -> int:
        one = self.get(episode)
        return self.of(one.session).index(one)

    def cited(self, reply: str) -> Cited:
        return self.script.kept.get(reply, Cited())


class ScriptedSessions(ScriptedPart):
    def all(self) -> list[Session]:
        keys = dict.fromkeys(one.session for one in self.script.said)
        mine = {key: [one for one in self.script.said if one.session == key] for key in keys}
        return [
            Session(
                key,
                self.script.titles.get(key, f"about {key}"),
                "chat",
                many[0].said_at,
                many[-1].said_at,
                len(many),
                key in self.script.pinned,
            )
            for key, many in mine.items()
        ]

    def get(self, key: str) -> Session:
        found = next((one for one in self.all() if one.key == key), None)
        if found is None:
            raise NotFound(f"There is no conversation {key!r}.")
        return found

    def rename(self, session: str, title: str) -> None:
        self.script.calls.append(("rename", (session, title)))
        self.script.titles[session] = title

    def pin(self, session: str, *, off: bool = False) -> None:
        self.script.calls.append(("pin_session", (session, off)))
        (self.script.pinned.discard if off else self.script.pinned.add)(session)

    def model_options(self, session: str) -> ModelOptions | None:
        return self.script.options.get(session)

    def set_model_options(self, session: str, options: ModelOptions) -> None:
        self.get(session)
        self.script.options[session] = options


class ScriptedReading(ScriptedPart):
    def learn(self, episode_id: str) -> tuple[Change, ...]:
        self.script.calls.append(("learn", episode_id))
        return self.script.taught.get(self.script.episodes.get(episode_id).text, ())

    def unsure(self, *, limit: int | None = None) -> list[Fact]:
        return [one for one in self.script.known if one.unsure and one.believed_to is None][:limit]

    def quarantined(self, episode_id: str) -> tuple[Quarantined, ...]:
        return self.script.apart

    def pending(self) -> int:
        return self.script.waiting

    def unheard(self) -> int:
        return 0


class ScriptedBeliefs(ScriptedPart):
    def facts(
        self, *, about: str | None = None, predicate: str | None = None, as_of: Stretch | None = None,
        believed: int | None = None, everything: bool = False, limit: int | None = None, offset: int = 0,
    ) -> list[Fact]:  # fmt: skip
        wanted = [
            one for one in self.script.known if about in (None, one.subject) and predicate in (None, one.predicate)
        ]
        held = [one for one in wanted if everything or one.believed_to is None]
        return held[offset:] if limit is None else held[offset : offset + limit]

    def fact(self, fact_id: str) -> Fact:
        found = next((one for one in self.script.known if one.id == fact_id), None)
        if found is None:
            raise NotFound(f"There is no belief {fact_id!r}.")
        return found

    def chain(self, subject: str, predicate: str) -> list[Link]:
        found = [one for one in self.script.known if (one.subject, one.predicate) == (subject, predicate)]
        return [Link(one, one.change, one.sources[0].quote) for one in found]

    def changes(self, since: int, until: int | None = None) -> list[Change]:
        return [
            Change(one.believed_from, one.change, one, None)
            for one in self.script.known
            if one.believed_from.us >= since
        ]

    def timeline(self, about: str | None = None) -> list[Fact]:
        self.script.calls.append(("timeline", about))
        return list(self.script.known)

    def outline(self, limit: int | None = None) -> list[KnownRectangle]:
        found = [KnownRectangle.of(one) for slot in by_slot(self.script.known) for one in slot]
        return found if limit is None else found[:limit]

    def profile(self, kind: Kind = "profile", *, everything: bool = False) -> list[Section]:
        self.script.calls.append(("profile", everything))
        return view([one for one in self.script.known if one.believed_to is None], kind, everything=everything)


class ScriptedSalience(ScriptedPart):
    def fading(self, limit: int = 50) -> list[Fact]:
        return [one for one in self.script.known if one.believed_to is None and one.salience < 0.5][:limit]

    def core(self, limit: int = 50) -> list[Fact]:
        return [one for one in self.script.known if one.pinned][:limit]

    def decay(self, fact_id: str, days: int = 90) -> tuple[tuple[int, float], ...]:
        salience = next(one.salience for one in self.script.known if one.id == fact_id)
        return tuple((day, salience * 0.99**day) for day in range(days))

    def used(self, answer: Answer) -> int:
        self.script.calls.append(("used", answer))
        return len(answer.facts)

    def use(self, facts: Iterable[Fact], kind: str = "opened") -> int:
        used = {one.id for one in facts}
        self.script.calls.append(("use", tuple(used)))
        self.script.known = [replace(one, salience=0.9) if one.id in used else one for one in self.script.known]
        return len(used)


class ScriptedByHand(ScriptedPart):
    """What was known is known otherwise, and each deed can be undone."""

    def correct(
        self, subject: str, predicate: str, value: str, *, since: Stretch | None = None,
        begins: Stretch | None = None, ends: Stretch | None = None, instead_of: str | Fact | None = None,
        unsure: str | None = None, wrongly_of: Fact | None = None,
    ) -> Fact:  # fmt: skip
        wrong = instead_of.object if isinstance(instead_of, Fact) else instead_of
        self.script.calls.append(("correct", (subject, predicate, value, since, wrong)))
        known = (one for one in self.script.known if one.object == wrong and one.believed_to is None)
        old = wrongly_of or next(known)
        assert unsure == (old.id if old.unsure else None)
        new = replace(
            old,
            id=f"{old.id}-{value}",
            subject=subject,
            object=value,
            change="correct",
            supersedes=old.id,
            unsure=False,
        )
        return self._done(
            "correction", [replace(old, believed_to=self.script.clock.now(), ended="correct"), new], [old]
        )

    def retract(self, fact_id: str) -> Fact:
        return self._changed("retraction", fact_id, believed_to=self.script.clock.now(), ended="retract")

    def confirm(self, fact_id: str) -> Fact:
        self.script.calls.append(("confirm", fact_id))
        return self._changed("confirmation", fact_id, unsure=False)

    def unlearn(self, episode_id: str) -> int:
        self.script.calls.append(("unlearn", episode_id))
        return 1

    def restore(self, fact_id: str) -> Fact:
        return self._changed("restoration", fact_id, believed_to=None, ended=None)

    def resolve(self, fact_id: str) -> Fact:
        return self._changed("settled", fact_id, disputed=False)

    def pin(self, fact_id: str, *, off: bool = False) -> Fact:
        return self._changed("unpin" if off else "pin", fact_id, pinned=not off)

    def _changed(self, kind: str, fact_id: str, **what: Any) -> Fact:
        self.script.calls.append((kind, fact_id))
        old = next(one for one in self.script.known if one.id == fact_id)
        return self._done(kind, [replace(old, **what)], [old])

    def _done(self, kind: str, after: list[Fact], before: list[Fact]) -> Fact:
        self.script.befores.append(list(self.script.known))
        place = self.script.known.index(before[0])
        self.script.known[place : place + 1] = after
        detail: dict[str, object] = {"fact": before[0].id}
        self.script.logged.insert(
            0, Operation(len(self.script.logged) + 1, None, "hand", kind, self.script.clock.now(), "BY_HAND", detail)
        )
        return after[-1]


class ScriptedPeople(ScriptedPart):
    def entities(self) -> list[Entity]:
        names = dict.fromkeys(one.subject for one in self.script.known)
        return [Entity(name, name, "person", (name.casefold(),)) for name in names]


class ScriptedRecall(ScriptedPart):
    def search(
        self, query: str, *, k: int = 10, as_of: Stretch | None = None, believed: int | None = None,
        session: str | None = None, fast: bool = False,
    ) -> Recollection:  # fmt: skip
        self.script.calls.append(("recall", query))
        words = query.casefold().split()
        found = [one for one in self.script.said if any(word in one.text.casefold() for word in words)]
        hits = [
            Hit("episode", one.id, None, one.session, one.speaker, one.text, one.said_at, 1.0, (("bm25", 1),))
            for one in found
        ]
        return Recollection(query, self.script.hits or tuple(hits[:k]), 4.2, as_of, believed)

    def explain(
        self, query: str, *, k: int = 10, as_of: Stretch | None = None, believed: int | None = None
    ) -> Judged:  # fmt: skip
        self.script.calls.append(("explain", query))
        hits = [
            JudgedHit(
                replace(hit, session=hit.session), place,
                (("lexical", place, 12.0 / place), ("dense", place + 1, 0.8 / place), ("recency", place, 20.0 * place)),
                (("lexical", 2.5 / place), ("names the one asked about", 0.5), ("is a question", -1.2)),
            )
            for place, hit in enumerate(self.search(query, k=k).hits, 1)
        ]  # fmt: skip
        terms = tuple((word, 3, 1.0) for word in query.casefold().split())
        return Judged(query, terms, 40, tuple(hits), (("e9", "said later"),), as_of, believed)

    def warm(self) -> None:
        """It is always quick."""


class ScriptedAnswering(ScriptedPart):
    def ask(self, question: str, *, as_of: Stretch | None = None, believed: int | None = None) -> Answer:
        self.script.calls.append(("ask", (question, as_of, believed)))
        nothing = Answer("I was never told that.", 2, True, 1.0)
        about: About = "memory" if question.endswith("?") else "world"
        return self.script.answers.get(question, replace(nothing, about=about))

    def asked_about(self, question: str) -> tuple[tuple[str, str], ...]:
        return (("me", "works_at"),) if "work" in question else ()

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
        self.script.calls.append(("context", question))
        return tuple(hits)


class ScriptedOverview(ScriptedPart):
    def brief(self) -> Brief:
        from store.sleep.brief import Brief

        return self.script.morning or Brief(None, self.script.clock.now(), 0, (), (), (), ())

    def brief_read(self) -> None:
        self.script.calls.append(("brief_read", None))

    def summary(
        self,
        kind: Literal["session", "entity", "day", "week", "month"],
        *,
        session: str = "",
        about: str = "",
        within: Stretch | None = None,
    ) -> Summary:
        assert within is not None and kind not in ("session", "entity")
        start, end = calendar(kind, within, self.script.zone)
        said = [one for one in self.script.said if start <= one.said_at < end]
        best = tuple(
            Source(one.id, None, 0, len(one.text), one.text, one.said_at, one.speaker, one.session) for one in said[:3]
        )
        return Summary(kind, "", "", start, end, len(said), best)

    def diary(self, grain: Grain = "month") -> list[Entry]:
        stretches = [
            calendar(grain, Stretch(one.said_at.us, one.said_at.us + 1), self.script.zone) for one in self.script.said
        ]
        counted = Counter(stretches)
        return [Entry(grain, *ends, counted[ends]) for ends in sorted(counted, reverse=True)]


class ScriptedSleeping(ScriptedPart):
    def run(
        self, stop: threading.Event | None = None, budget: float | None = None, *, model: BoundModel | None = None,
        wait: bool = False,
    ) -> Generator[Progress, None, SleepReport]:  # fmt: skip
        self.script.calls.append(("sleep", None))
        for number, progress in enumerate(self.script.phases):
            yield progress
            if number == 0:
                self.script.gate.wait(5)
            if stop is not None and stop.is_set():
                return SleepReport(1, 1, 1, 1, 1, False)
        self.script.waiting = 0
        return SleepReport(1, 3, 3, 1, 1, True)

    def restless(self) -> tuple[int, int]:
        return self.script.reading.pending(), 1


class ScriptedLog(ScriptedPart):
    def operations(self, run: int | None = None, limit: int = 50, phase: str | None = None) -> list[Operation]:
        return [one for one in self.script.logged if phase in (None, one.phase)][:limit]

    def last_sleep(self) -> Operation | None:
        return next((one for one in self.script.logged if one.kind == "run"), None)

    def undo(self, operation: int) -> int:
        self.script.calls.append(("undo", operation))
        self.script.known = self.script.befores.pop()
        self.script.logged = [replace(one, undone_by=99) if one.id == operation else one for one in self.script.logged]
        return 99

    def undo_run(self, run: int) -> int:
        self.script.calls.append(("undo_run", run))
        self.script.logged = [replace(one, undone_by=99) if one.run == run else one for one in self.script.logged]
        return 99

    def records(self, run: int) -> Records:
        mine = [one for one in self.script.known if one.sources]
        return tuple((one.sources[0].episode, "rules", (claim_of(one),)) for one in mine)


class ScriptedBackups(ScriptedPart):
    def make(self, path: Path | None = None, *, why: str = "") -> Path:
        target = path or Path("memory-20250314-214000.backup.db")
        self.script.calls.append(("backup", target))
        return target

    def make_when_due(self, stop: threading.Event) -> Path | None:
        self.script.calls.append(("back_up_when_due", stop.is_set()))
        if not self.script.sound:
            raise Damaged("The backup failed its check (facts: 2 differ) and was removed.")
        return None

    def resting_since(self) -> Instant | None:
        return None


class ScriptedErasing(ScriptedPart):
    def selection(self, *, fact: str | None = None, session: str | None = None, about: str | None = None) -> Selection:
        if session is not None:
            gone = tuple(one.id for one in self.script.said if one.session == session)
            return Selection(gone, 0, 0, 1)
        mine = [one for one in self.script.known if fact == one.id or about == one.subject]
        return Selection(tuple(one.id for one in self.script.said), len(mine), len(mine), 1)

    def names(self, about: str) -> Callable[[str], bool]:
        return lambda text: about in text

    def selected(self, selection: Selection, limit: int = 20) -> list[Episode]:
        return [one for one in self.script.said if one.id in selection.episodes][:limit]

    def lost(self, selection: Selection) -> list[Fact]:
        gone = set(selection.episodes)
        return [one for one in self.script.known if gone.issuperset(each.episode for each in one.sources)]

    def erase(self, selection: Selection) -> Receipt:
        if self.script.busy:
            raise UsageError("Another reader keeps old pages; close it and try again.")
        self.script.calls.append(("erase", selection))
        self.script.said = [one for one in self.script.said if one.id not in selection.episodes]
        self.script.known = [one for one in self.script.known if one.subject == "me"]
        return Receipt(len(selection.episodes), selection.claims, selection.facts, 1, ("old.backup.db",))


class ScriptedFile(ScriptedPart):
    def check(self) -> list[Finding]:
        return [
            Finding("integrity", True, "ok"),
            Finding("facts", self.script.sound, "" if self.script.sound else "2 differ"),
        ]

    def exported(self, path: Path) -> None:
        self.script.calls.append(("exported", path))

    def take(self, staged: Staged) -> Generator[Progress, None, Taken]:
        self.script.calls.append(("take", staged.counts["turn"]))
        yield Progress("index", staged.counts["turn"], staged.counts["turn"])
        return Taken(staged.counts, 0, 0, ())
