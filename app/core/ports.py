"""The interface asks the memory for these things and nothing else, so that a test can script what it says.

`store.memory.Memory` satisfies it. Calls may come from several threads; each may take a while, so none is made on the
interface's own thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from store.protocols import BoundModel, LanguageModel
from store.records import (
    Answer,
    Change,
    Cited,
    Entity,
    Episode,
    Fact,
    Finding,
    Hit,
    Ingested,
    Instant,
    Judged,
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

if TYPE_CHECKING:
    from app.llm.fetch import Step
    from store.beliefs.typed import Kind, Section
    from store.maintenance.complete import Staged
    from store.maintenance.erase import Selection
    from store.maintenance.taking import Taken
    from store.sleep.brief import Brief
    from store.sleep.diary import Entry, Grain
    from store.sleep.summaries import Summary
    from store.sleep.undoing import Records
    from widgets.lane_groups import LightRectangle


class EpisodesPort(Protocol):
    """What was said."""

    def remember(self, turn: Turn, cited: Cited | None = None) -> Episode: ...
    def ingest(self, turns: Iterable[Turn], total: int | None = None) -> Iterator[Ingested]: ...
    def get(self, id_or_external: str) -> Episode: ...
    def of(self, session: str) -> list[Episode]: ...
    def page(self, session: str, start: int, limit: int) -> list[Episode]: ...
    def place(self, episode: str) -> int: ...
    def cited(self, reply: str) -> Cited: ...


class SessionsPort(Protocol):
    """The conversations, and what the person calls them."""

    def all(self) -> list[Session]: ...
    def get(self, key: str) -> Session: ...
    def rename(self, session: str, title: str) -> None: ...
    def pin(self, session: str, *, off: bool = False) -> None: ...
    def model_options(self, session: str) -> ModelOptions | None: ...
    def set_model_options(self, session: str, options: ModelOptions) -> None: ...


class ReadingPort(Protocol):
    """What turns teach, what of them does not, and what waits to be read."""

    def learn(self, episode_id: str) -> tuple[Change, ...]: ...
    def unsure(self, *, limit: int | None = None) -> list[Fact]: ...
    def quarantined(self, episode_id: str) -> tuple[Quarantined, ...]: ...
    def pending(self) -> int: ...
    def unheard(self) -> int: ...


class BeliefsPort(Protocol):
    """Facts, how they changed, and views of them."""

    def facts(
        self,
        *,
        about: str | None = None,
        predicate: str | None = None,
        as_of: Stretch | None = None,
        believed: int | None = None,
        everything: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Fact]: ...
    def fact(self, fact_id: str) -> Fact: ...
    def chain(self, subject: str, predicate: str) -> list[Link]: ...
    def changes(self, since: int, until: int | None = None) -> list[Change]: ...
    def timeline(self, about: str | None = None) -> list[Fact]: ...
    def outline(self, limit: int | None = None) -> Sequence[LightRectangle]: ...
    def profile(self, kind: Kind = "profile", *, everything: bool = False) -> list[Section]: ...


class SaliencePort(Protocol):
    """What is fading, what is core, and what is in use."""

    def fading(self, limit: int = 50) -> list[Fact]: ...
    def core(self, limit: int = 50) -> list[Fact]: ...
    def decay(self, fact_id: str, days: int = 90) -> tuple[tuple[int, float], ...]: ...
    def used(self, answer: Answer) -> int: ...
    def use(self, facts: Iterable[Fact], kind: str = "opened") -> int: ...


class ByHandPort(Protocol):
    """Correct, take back, bring back, confirm, settle, pin."""

    def correct(
        self, subject: str, predicate: str, value: str, *, since: Stretch | None = None,
        begins: Stretch | None = None, ends: Stretch | None = None, instead_of: str | None = None,
    ) -> Fact: ...  # fmt: skip
    def retract(self, fact_id: str) -> Fact: ...
    def confirm(self, fact_id: str) -> Fact: ...
    def unlearn(self, episode_id: str) -> int: ...
    def restore(self, fact_id: str) -> Fact: ...
    def resolve(self, fact_id: str) -> Fact: ...
    def pin(self, fact_id: str, *, off: bool = False) -> Fact: ...


class PeoplePort(Protocol):
    """Everybody and everything that is known."""

    def entities(self) -> list[Entity]: ...


class RecallPort(Protocol):
    """Search what was said, and say why it was found."""

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        as_of: Stretch | None = None,
        believed: int | None = None,
        session: str | None = None,
        fast: bool = False,
    ) -> Recollection: ...
    def explain(
        self, query: str, *, k: int = 10, as_of: Stretch | None = None, believed: int | None = None
    ) -> Judged: ...
    def warm(self) -> None: ...


class AnsweringPort(Protocol):
    """Ask, and weigh what an answer is made from."""

    def ask(self, question: str, *, as_of: Stretch | None = None, believed: int | None = None) -> Answer: ...
    def tells(self, text: str) -> bool: ...
    def bearing(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]: ...
    def borne_out(
        self, question: str, reply: str, hits: Sequence[Hit], *, believed: int | None = None
    ) -> tuple[Source, ...]: ...
    def context(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]: ...


class OverviewPort(Protocol):
    """The brief, the diary, and summaries."""

    def brief(self) -> Brief: ...
    def brief_read(self) -> None: ...
    def summary(
        self,
        kind: Literal["session", "entity", "day", "week", "month"],
        *,
        session: str = "",
        about: str = "",
        within: Stretch | None = None,
    ) -> Summary: ...
    def diary(self, grain: Grain = "month") -> list[Entry]: ...


class SleepingPort(Protocol):
    """Sleep, and what waits for one."""

    def run(
        self,
        stop: threading.Event | None = None,
        budget: float | None = None,
        *,
        model: BoundModel | None = None,
        tidy: bool = False,
        wait: bool = False,
    ) -> Iterator[Progress]: ...
    def restless(self, *, tidy: bool = False) -> tuple[int, int]: ...


class LogPort(Protocol):
    """What was done by sleeps and by hand, and undo."""

    def operations(self, run: int | None = None, limit: int = 50, phase: str | None = None) -> list[Operation]: ...
    def last_sleep(self) -> Operation | None: ...
    def undo(self, operation: int) -> int: ...
    def undo_run(self, run: int) -> int: ...
    def records(self, run: int) -> Records: ...


class BackupsPort(Protocol):
    """Backups by hand and by themselves."""

    def make(self, path: Path | None = None, *, why: str = "") -> Path: ...
    def make_when_due(self, stop: threading.Event) -> Path | None: ...
    def resting_since(self) -> Instant | None: ...


class ErasingPort(Protocol):
    """Select, look at what would go, erase."""

    def selection(
        self, *, fact: str | None = None, session: str | None = None, about: str | None = None
    ) -> Selection: ...
    def selected(self, selection: Selection, limit: int = 20) -> list[Episode]: ...
    def lost(self, selection: Selection) -> list[Fact]: ...
    def erase(self, selection: Selection) -> Receipt: ...


class FilePort(Protocol):
    """Check the file, note exports from it, and take what was exported."""

    def check(self) -> list[Finding]: ...
    def exported(self, path: Path) -> None: ...
    def take(self, staged: Staged) -> Generator[Progress, None, Taken]: ...


class MemoryPort(Protocol):
    """The parts of a memory that the interface asks, and what is of the whole."""

    @property
    def episodes(self) -> EpisodesPort: ...
    @property
    def sessions(self) -> SessionsPort: ...
    @property
    def reading(self) -> ReadingPort: ...
    @property
    def beliefs(self) -> BeliefsPort: ...
    @property
    def salience(self) -> SaliencePort: ...
    @property
    def by_hand(self) -> ByHandPort: ...
    @property
    def people(self) -> PeoplePort: ...
    @property
    def recall(self) -> RecallPort: ...
    @property
    def answering(self) -> AnsweringPort: ...
    @property
    def overview(self) -> OverviewPort: ...
    @property
    def sleeping(self) -> SleepingPort: ...
    @property
    def log(self) -> LogPort: ...
    @property
    def backups(self) -> BackupsPort: ...
    @property
    def erasing(self) -> ErasingPort: ...
    @property
    def file(self) -> FilePort: ...
    @property
    def person(self) -> frozenset[str]: ...
    def name_person(self, names: Sequence[str]) -> None: ...
    @property
    def path(self) -> Path: ...
    def close(self) -> None: ...


MemorySource = MemoryPort | Callable[[], MemoryPort]
"""The memory, or what opens it; the latter is called in the background, after the first frame."""
ModelSource = LanguageModel | Callable[[], LanguageModel | None] | None
"""The model, what loads it in the background, or None for a memory that goes without."""
SetUp = Callable[[threading.Event], Iterator["Step"]]
"""Fetches and builds what a model needs in order to run, until the event is set; ends at once where nothing is missing.
"""
Report = SleepReport
