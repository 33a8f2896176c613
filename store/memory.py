"""The one door to a memory: nothing that was said is ever lost, and every past belief can be asked for again.

A turn is acknowledged when it is on the disk. What is believed folds out of what was said, on two time axes: `as_of` is
world time, `believed` is belief time. Thread-safe; may be used from several threads at once.

`Memory` is composed of parts, and each verb is in one of them alone: `memory.episodes.remember(turn)`. A part is given
what it needs, and reaches nothing else; what touches several is in the part that it is about, which is given others.
Here is what is of the whole: opening and closing it, whose it is, what time it has come to, and the hash of its state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from pathlib import Path
from types import TracebackType

from apsw import Connection

from store.beliefs import hand
from store.database.connections import Database
from store.database.rows import scalar
from store.episodes import person as persons
from store.episodes.reembed import InUse
from store.maintenance import backups, copies, upkeep
from store.parts.answering import Answering
from store.parts.backups import Backups
from store.parts.beliefs import Beliefs
from store.parts.by_hand import ByHand
from store.parts.episodes import Episodes
from store.parts.erasing import Erasing
from store.parts.file import File
from store.parts.log import Log
from store.parts.overview import Overview
from store.parts.people import People
from store.parts.reading import Reading
from store.parts.recall import Recall
from store.parts.salience import Salience
from store.parts.sessions import Sessions
from store.parts.sleeping import Sleeping
from store.protocols import Clock, Embedder


class Memory:
    """A memory file that is open."""

    def __init__(self, database: Database, clock: Clock, zone: tzinfo, embedder: Embedder) -> None:
        self._database, self._clock = database, clock
        in_use, latest = InUse(database, embedder), self.latest
        self.episodes = Episodes(database, clock, in_use)
        self.sessions = Sessions(database)
        self.reading = Reading(database, clock, latest)
        self.beliefs = Beliefs(database, latest)
        self.salience = Salience(database, clock, latest)
        self.by_hand = ByHand(database, clock, in_use, latest)
        self.people = People(database, self.by_hand)
        self.recall = Recall(database, zone, in_use, latest)
        self.answering = Answering(database, clock, zone, self.recall, latest)
        self.overview = Overview(database, clock, zone, latest)
        self.sleeping = Sleeping(database, clock, in_use)
        self.log = Log(database, clock)
        self.backups = Backups(database, clock)
        self.erasing = Erasing(database, clock, self.answering, self.backups, latest)
        self.file = File(database, clock, in_use, self.sleeping, self.backups, self.erasing)

    @classmethod
    def open(
        cls, path: Path, *, clock: Clock, zone: tzinfo, embedder: Embedder | None = None, person: Iterable[str] = (),
        reading: bool = False,
    ) -> Memory:  # fmt: skip
        """Open the file, or make it. `person` names speakers who are the person. `reading`: a file that may not be
        written to is opened, too, and refuses what would change it. Raises StoreError."""
        if embedder is None:
            from store.episodes.embedding import StaticEmbedder

            embedder = StaticEmbedder.load()
        kept: list[Path] = []
        database = Database(
            path, lambda connection: kept.append(_before_migration(connection, path, clock)), reading=reading
        )
        try:
            memory = cls(database, clock, zone, embedder)
            upkeep.bring_current(database)
            if kept:
                memory.backups.note(path)
                memory.backups.keep_few()
            if names := list(person):
                memory.name_person(names)
        except BaseException:
            database.close()
            raise
        return memory

    @property
    def person(self) -> frozenset[str]:
        """Which speakers are the person, in lower case."""
        return persons.speakers(self._database.reader())

    def name_person(self, names: Sequence[str], instead_of: Sequence[str] = ()) -> int:
        """These speakers are the person, from now on, and those of `instead_of` are not. Gives how many turns the next
        sleep reads again for it."""
        from store.sleep import reading

        with self._database.writing() as connection:
            changed = persons.name(connection, names, instead_of)
            return reading.wait_again(connection, changed) if changed else 0

    def latest(self) -> int:
        """The latest instant that the memory knows of, or now, whichever is later; microseconds."""
        said = scalar(self._database.reader(), "select max(said_at) from episodes")
        return max(self._clock.now().us, said or 0)

    def state_hash(self) -> str:
        """A hash over everything that is believed and ever was, with its sources, and over the pins."""
        return hand.state_hash(self._database.reader())

    @property
    def path(self) -> Path:
        return self._database.path

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _before_migration(connection: Connection, path: Path, clock: Clock) -> Path:
    """Back a memory up that is about to be brought to this version."""
    target = copies.backup_beside(path, clock.now().local(), "before-migration")
    backups.make(connection, target, derived=False)
    return target
