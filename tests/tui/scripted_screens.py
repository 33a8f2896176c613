"""What sleeps, people and the why of an answer are to a scripted memory: as much as the screens for them need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Literal

from store.beliefs.typed import Kind, Section, view
from store.errors import Damaged, NotFound
from store.maintenance.taking import Taken
from store.protocols import Clock
from store.records import (
    Answer,
    Claim,
    Entity,
    Episode,
    Fact,
    Finding,
    Ingested,
    Instant,
    Judged,
    JudgedHit,
    Link,
    ModelOptions,
    Operation,
    Progress,
    Quarantined,
    Recollection,
    Session,
    Source,
    Stretch,
    Turn,
)
from store.sleep.diary import Entry, Grain
from store.sleep.summaries import Summary, calendar

if TYPE_CHECKING:
    from store.maintenance.complete import Staged
    from store.sleep.brief import Brief
    from store.sleep.undoing import Records


def claim_of(fact: Fact) -> Claim:
    """What a turn claims so that this is believed."""
    source = fact.sources[0]
    return Claim(
        f"c-{fact.id}", source.episode, source.start, source.end, fact.subject, fact.predicate, fact.object,
        Stretch(None, None), True, source.said_at, source.session, 0,
    )  # fmt: skip


class ScriptedScreens:
    """The part of the scripted memory that is behind the screens beyond chat, timeline and chain."""

    known: list[Fact]
    said: list[Episode]
    zone = timezone(timedelta(hours=1))
    clock: Clock
    calls: list[tuple[str, object]]
    log: list[Operation]
    titles: dict[str, str]
    pinned: set[str]
    morning: Brief | None
    sound: bool
    apart: tuple[Quarantined, ...]

    if TYPE_CHECKING:

        def recall(self, query: str, *, k: int = 10) -> Recollection: ...
        def sessions(self) -> list[Session]: ...
        def episodes(self, session: str) -> list[Episode]: ...
        def episode(self, id_or_external: str) -> Episode: ...

        options: dict[str, ModelOptions]

    def quarantined(self, episode_id: str) -> tuple[Quarantined, ...]:
        return self.apart

    def profile(self, kind: Kind = "profile", *, everything: bool = False) -> list[Section]:
        self.calls.append(("profile", everything))
        return view([one for one in self.known if one.believed_to is None], kind, everything=everything)

    def core(self, limit: int = 50) -> list[Fact]:
        return [one for one in self.known if one.pinned][:limit]

    def diary(self, grain: Grain = "month") -> list[Entry]:
        stretches = [calendar(grain, Stretch(one.said_at.us, one.said_at.us + 1), self.zone) for one in self.said]
        counted = Counter(stretches)
        return [Entry(grain, *ends, counted[ends]) for ends in sorted(counted, reverse=True)]

    def summary(
        self,
        kind: Literal["session", "entity", "day", "week", "month"],
        *,
        session: str = "",
        about: str = "",
        within: Stretch | None = None,
    ) -> Summary:
        assert within is not None and kind not in ("session", "entity")
        start, end = calendar(kind, within, self.zone)
        said = [one for one in self.said if start <= one.said_at < end]
        best = tuple(
            Source(one.id, None, 0, len(one.text), one.text, one.said_at, one.speaker, one.session) for one in said[:3]
        )
        return Summary(kind, "", "", start, end, len(said), best)

    def chain(self, subject: str, predicate: str) -> list[Link]:
        found = [one for one in self.known if (one.subject, one.predicate) == (subject, predicate)]
        return [Link(one, one.change, one.sources[0].quote) for one in found]

    def unheard(self) -> int:
        return 0

    def explain(
        self, query: str, *, k: int = 10, as_of: Stretch | None = None, believed: int | None = None
    ) -> Judged:  # fmt: skip
        self.calls.append(("explain", query))
        hits = [
            JudgedHit(
                replace(hit, session=hit.session), place,
                (("lexical", place, 12.0 / place), ("dense", place + 1, 0.8 / place), ("recency", place, 20.0 * place)),
                (("lexical", 2.5 / place), ("names the one asked about", 0.5), ("is a question", -1.2)),
            )
            for place, hit in enumerate(self.recall(query, k=k).hits, 1)
        ]  # fmt: skip
        terms = tuple((word, 3, 1.0) for word in query.casefold().split())
        return Judged(query, terms, 40, tuple(hits), (("e9", "said later"),), as_of, believed)

    def session(self, key: str) -> Session:
        found = next((one for one in self.sessions() if one.key == key), None)
        if found is None:
            raise NotFound(f"There is no conversation {key!r}.")
        return found

    def page(self, session: str, start: int, limit: int) -> list[Episode]:
        return self.episodes(session)[start : start + limit]

    def place(self, episode: str) -> int:
        one = self.episode(episode)
        return self.episodes(one.session).index(one)

    def model_options(self, session: str) -> ModelOptions | None:
        return self.options.get(session)

    def set_model_options(self, session: str, options: ModelOptions) -> None:
        self.session(session)
        self.options[session] = options

    def rename(self, session: str, title: str) -> None:
        self.calls.append(("rename", (session, title)))
        self.titles[session] = title

    def pin_session(self, session: str, *, off: bool = False) -> None:
        self.calls.append(("pin_session", (session, off)))
        (self.pinned.discard if off else self.pinned.add)(session)

    def exported(self, path: Path) -> None:
        self.calls.append(("exported", path))

    def undo_run(self, run: int) -> int:
        self.calls.append(("undo_run", run))
        self.log = [replace(one, undone_by=99) if one.run == run else one for one in self.log]
        return 99

    def records(self, run: int) -> Records:
        from store.sleep.undoing import Records

        mine = [one for one in self.known if one.sources]
        readings = tuple((one.sources[0].episode, "rules", (claim_of(one),)) for one in mine)
        return Records(run, readings, (), ())

    def fading(self, limit: int = 50) -> list[Fact]:
        return [one for one in self.known if one.believed_to is None and one.salience < 0.5][:limit]

    def decay(self, fact_id: str, days: int = 90) -> tuple[tuple[int, float], ...]:
        salience = next(one.salience for one in self.known if one.id == fact_id)
        return tuple((day, salience * 0.99**day) for day in range(days))

    def use(self, facts: Iterable[Fact], kind: str = "opened") -> int:
        used = {one.id for one in facts}
        self.calls.append(("use", tuple(used)))
        self.known = [replace(one, salience=0.9) if one.id in used else one for one in self.known]
        return len(used)

    def used(self, answer: Answer) -> int:
        self.calls.append(("used", answer.text))
        return len(answer.facts)

    def brief(self) -> Brief:
        from store.sleep.brief import Brief

        return self.morning or Brief(None, self.clock.now(), 0, (), (), (), ())

    def brief_read(self) -> None:
        self.calls.append(("brief_read", None))

    def entities(self) -> list[Entity]:
        names = dict.fromkeys(one.subject for one in self.known)
        return [Entity(name, name, "person", (name.casefold(),)) for name in names]

    @property
    def person(self) -> frozenset[str]:
        return frozenset({"me", "user"})

    def name_person(self, names: Sequence[str]) -> None:
        self.calls.append(("name_person", tuple(names)))

    def ingest(self, turns: Iterable[Turn], total: int | None = None) -> Iterator[Ingested]:
        new = list(turns)
        self.calls.append(("ingest", len(new)))
        for done in range(1, len(new) + 1):
            yield Ingested(done, 0, total)

    def take(self, staged: Staged) -> Generator[Progress, None, Taken]:
        self.calls.append(("take", staged.counts["turn"]))
        yield Progress("index", staged.counts["turn"], staged.counts["turn"])
        return Taken(staged.counts, 0, 0, ())

    def check(self) -> list[Finding]:
        return [Finding("integrity", True, "ok"), Finding("facts", self.sound, "" if self.sound else "2 differ")]

    def backup(self, path: Path | None = None, *, why: str = "") -> Path:
        target = path or Path("memory-20250314-214000.backup.db")
        self.calls.append(("backup", target))
        return target

    def back_up_when_due(self, stop: Event) -> Path | None:
        self.calls.append(("back_up_when_due", stop.is_set()))
        if not self.sound:
            raise Damaged("The backup failed its check (facts: 2 differ) and was removed.")
        return None

    def resting_since(self) -> Instant | None:
        return None

    @property
    def path(self) -> Path:
        return Path("memory.db")
