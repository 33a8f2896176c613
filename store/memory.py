"""The one door to a memory: nothing that was said is ever lost, and every past belief can be asked for again.

A turn is acknowledged when it is on the disk. What is believed folds out of what was said, on two time axes: `as_of` is
world time, `believed` is belief time. Thread-safe; may be used from several threads at once.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

from apsw import Connection

from store.beliefs import asof, chains
from store.database.connections import Database
from store.database.rows import rows, scalar
from store.episodes.append import Appender, episodes_where, in_batches
from store.errors import NotFound
from store.maintenance import copies
from store.parts.answering import Answering
from store.parts.asleep import Asleep
from store.parts.backing import Backups
from store.parts.conversations import Conversations
from store.parts.overview import Overview
from store.protocols import Clock, Embedder
from store.records import (
    Change,
    Cited,
    Episode,
    Fact,
    Finding,
    Hit,
    Ingested,
    Instant,
    Judged,
    Link,
    Progress,
    Recollection,
    Session,
    Stretch,
    Turn,
)
from store.text.cleaning import cleaned, whole

if TYPE_CHECKING:
    from store.maintenance.complete import Staged
    from store.maintenance.lines import Line
    from store.maintenance.merge import Merged
    from store.maintenance.taking import Taken

BATCH = 500
"""Turns in one durable step of a bulk import."""


class Memory(Asleep, Answering, Conversations, Backups, Overview):
    """A memory file that is open."""

    def __init__(self, database: Database, clock: Clock, zone: tzinfo, embedder: Embedder) -> None:
        from store.episodes.reembed import InUse

        super().__init__(database, clock, InUse(database, embedder))
        self.zone = zone

    @classmethod
    def open(
        cls, path: Path, *, clock: Clock, zone: tzinfo, embedder: Embedder | None = None, person: Iterable[str] = (),
        reading: bool = False,
    ) -> Memory:  # fmt: skip
        """Open the file, or make it. `person` names speakers who are the person. `reading`: a file that may not be
        written to is opened, too, and refuses what would change it. Raises StoreError."""
        from store.maintenance import upkeep

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
                memory._note(path)
                memory.keep_few()
            if names := list(person):
                memory.name_person(names)
        except BaseException:
            database.close()
            raise
        return memory

    @property
    def person(self) -> frozenset[str]:
        """Which speakers are the person, in lower case."""
        return self._person()

    def name_person(self, names: Sequence[str]) -> None:
        """These speakers are the person, from now on."""
        known = set(json.loads(scalar(self._reader, "select value from settings where key = 'person'") or "[]"))
        with self._database.writing() as connection:
            value = json.dumps(sorted(known | set(names)), ensure_ascii=False)
            connection.execute("insert or replace into settings values ('person', ?)", (value,))

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

    # Writing

    def remember(self, turn: Turn, cited: Cited | None = None) -> Episode:
        """Append one turn that is being said now, and what it rests on; it is on the disk when this returns."""
        from store.episodes import cited as citing
        from store.episodes import index

        with self._database.writing() as connection:
            (episode,) = Appender(live=True).append(connection, [cleaned(turn)], self._clock.now())
            index.add(connection, [episode], self._embedder)
            if cited is not None:
                citing.keep(connection, episode, cited)
        return episode

    def ingest(self, turns: Iterable[Turn], total: int | None = None) -> Iterator[Ingested]:
        """Append turns in bulk; each step that is yielded is on the disk. Turns that are there already are passed over,
        so an import that was interrupted is resumed by starting it again."""
        from store.episodes import index

        appender, new, came = Appender(), 0, 0
        for batch in in_batches(turns, BATCH):
            with self._database.writing() as connection:
                added = appender.append(connection, map(cleaned, batch), self._clock.now())
                if added:
                    index.add(connection, added, self._embedder)
            new += len(added)
            came += len(batch)
            yield Ingested(new=new, seen=came - new, total=total)

    def learn(self, episode_id: str) -> tuple[Change, ...]:
        """Read one turn at once; gives what it taught, in the order of its words, and last what the reader is unsure of
        (`new.unsure`). A turn that was read already teaches nothing, nor does one that was erased."""
        from store.beliefs.settle import dirty_groups, file_claims, refold_touched
        from store.beliefs.tables import insert_claims
        from store.reading.extract import Speakers, extractor, read
        from store.sleep import reading

        episode = next(episodes_where(self._reader, "where e.id = ?", (episode_id,)), None)
        if episode is None or reading.is_read(self._reader, episode):
            return ()
        before = reading.context_of(self._reader, episode)
        claims = read(episode, before, Speakers(self._person()))
        with self._database.writing() as connection:
            if not reading.are_there(connection, [episode, *before]):
                return ()
            if not reading.is_read(connection, episode):  # nor has a sleep of another process read it meanwhile
                waiting = set(dirty_groups(connection))
                claim_rows = insert_claims(connection, claims, self._clock.now().us)
                file_claims(connection, claim_rows)
                refold_touched(connection, claim_rows, waiting)
                connection.execute(
                    "insert into readings values (?, ?, ?)", (episode.row, extractor(), self._clock.now().us)
                )
        unsure = tuple(Change(one.believed_from, "new", one, None) for one in self.unsure(episode=episode))
        at = episode.said_at.us
        taught = chains.changes(self._reader, at, at + 1, self.latest())
        quoted = {one.new.id if one.new else "" for one in taught if _rests_on(one, episode.id)}
        taught = [one for one in taught if one.new is None or one.new.id in quoted]
        in_order = partial(_place, episode=episode.id)
        return (*sorted(taught, key=in_order), *sorted(unsure, key=in_order))

    # Asking

    def recall(
        self,
        query: str,
        *,
        k: int = 10,
        as_of: Stretch | None = None,
        believed: int | None = None,
        session: str | None = None,
        speaker: str | None = None,
        source: str | None = None,
        fast: bool = False,
    ) -> Recollection:
        """The evidence for a query, ranked; never calls a language model. `session`, `speaker` and `source` leave out
        all other turns before anything is ranked; `fast` leaves out the reading of the first ones beside the query."""
        from store.recall import rerank, search

        query = whole(query)
        with self._one_state() as reader:
            found = search.recall(
                reader, query, k=k if fast or k <= 0 else max(k, rerank.READ), as_of=as_of, believed=believed,
                session=session, speaker=speaker, source=source, embedder=self._embedder, now=self.latest(),
                zone=self.zone,
            )  # fmt: skip
            if fast or k <= 0:
                return found
            began = perf_counter()
            hits = rerank.reranked(found.hits, self._gained(reader, query, found.hits, believed))[:k]
        return replace(found, hits=hits, elapsed_ms=found.elapsed_ms + (perf_counter() - began) * 1000)

    def _gained(self, reader: Connection, query: str, hits: Sequence[Hit], believed: int | None) -> dict[str, float]:
        """What being read beside the query adds to the score of each turn."""
        from store.reading.asking.encoder import shipped
        from store.recall import evidence, rerank

        found = evidence.of_hits(reader, hits[: rerank.READ], believed=believed, person=self._person(), quotable=False)
        return rerank.points(query, found, shipped())

    def warm(self) -> None:
        """Load, learn and compile what the first turns and questions of a process would wait for; changes no answer."""
        from store.reading.asking.encoder import shipped as asker
        from store.reading.encoder import shipped
        from store.recall.warm import warm

        shipped().read([("Hello.", "")])
        asker().intent("Where do I live?")
        with self._one_state() as reader:
            warm(reader, embedder=self._embedder, now=self.latest(), zone=self.zone)

    def explain(
        self,
        query: str,
        *,
        k: int = 10,
        as_of: Stretch | None = None,
        believed: int | None = None,
        session: str | None = None,
        speaker: str | None = None,
        source: str | None = None,
        fast: bool = False,
    ) -> Judged:
        """What `recall` finds, with each channel's rank and score, and what the filters left out."""
        from store.recall import rerank, search

        query = whole(query)
        with self._one_state() as reader:
            judged = search.explain(
                reader, query, k=k if fast or k <= 0 else max(k, rerank.READ), as_of=as_of, believed=believed,
                session=session, speaker=speaker, source=source, embedder=self._embedder, now=self.latest(),
                zone=self.zone,
            )  # fmt: skip
            if fast or k <= 0:
                return judged
            gained = self._gained(reader, query, [hit.hit for hit in judged.hits], believed)
        judged = rerank.rejudged(judged, gained)
        return replace(judged, hits=judged.hits[:k])

    @contextmanager
    def _one_state(self) -> Iterator[Connection]:
        """The reader, seeing one state of the file for as long as it is held."""
        with self._reader as reader:
            yield reader

    def facts(
        self,
        *,
        about: str | None = None,
        predicate: str | None = None,
        as_of: Stretch | None = None,
        believed: int | None = None,
        during: Stretch | None = None,
        everything: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Fact]:
        """What is believed: at `believed` (the present), or at any time `during` a stretch, of `as_of` (the present, or
        `believed`, or `during`). `everything` gives
        every rectangle that was ever believed, over all of world time. `limit` and `offset` give one page, in the
        order of the slots. Raises NotFound for an unknown `about`."""
        now = self.latest()
        if as_of is None and during is not None:
            as_of = during
        elif as_of is None and not everything:
            moment = now if believed is None else believed
            as_of = Stretch(moment, moment + 1)
        return asof.facts_where(
            self._reader, subject=None if about is None else self._entity(about),
            predicates=None if predicate is None else (predicate,), as_of=as_of, believed=believed, during=during,
            everything=everything, now=now, limit=limit, offset=offset,
        )  # fmt: skip

    def chain(self, subject: str, predicate: str) -> list[Link]:
        """How one belief changed, newest first."""
        return chains.chain(self._reader, self._entity(subject), (predicate,), self.latest())

    def changes(self, since: int, until: int | None = None) -> list[Change]:
        """What began to be believed, or ceased to be, in [since, until) of belief time, oldest first."""
        return chains.changes(self._reader, since, until, self.latest())

    def timeline(self, about: str | None = None) -> list[Fact]:
        """Every rectangle that was ever believed, by subject, predicate and world time."""
        return self.facts(about=about, everything=True)

    def sessions(self) -> list[Session]:
        """Every conversation, the latest first."""
        found = rows(
            self._reader,
            "select s.key, s.title, s.source, min(e.said_at), max(e.said_at), count(*), s.pinned, "
            "max(e.said_offset) from sessions s join episodes e on e.session_id = s.id group by s.id "
            "order by max(e.said_at) desc, s.key",
        )
        return [
            Session(key, title, source, Instant(begun, offset), Instant(ended, offset), turns, bool(pinned))
            for key, title, source, begun, ended, turns, pinned, offset in found
        ]

    def episodes(self, session: str) -> list[Episode]:
        """The turns of one conversation, in the order of saying."""
        return list(episodes_where(self._reader, "where s.key = ?", (session,)))

    def episode(self, id_or_external: str) -> Episode:
        """One turn, by its id or, where only one has it, by its source's id. Raises NotFound."""
        found = list(episodes_where(self._reader, "where e.id = ?", (id_or_external,)))
        found = found or list(episodes_where(self._reader, "where e.external_id = ?", (id_or_external,)))
        if len(found) != 1:
            what = "There is no turn" if not found else f"{len(found)} turns are called"
            raise NotFound(f"{what} {id_or_external!r}; `erstwhile recall` shows the ids of turns.")
        return found[0]

    # Keeping

    def check(self) -> list[Finding]:
        """Look at everything, change nothing."""
        from store.maintenance import upkeep

        return upkeep.check(self._database)

    def rebuild(self) -> Iterator[Progress]:
        """Make everything that is derived again, from the episodes and the claims; turns that an older version of the
        reader read are read again."""
        from store.episodes.reembed import chosen
        from store.maintenance import upkeep
        from store.sleep.reading import outdated

        yield from upkeep.rebuild(self._database, chosen(self._embedder))
        if outdated(self._reader):
            yield from self.sleep(wait=True)

    def merge(self, path: Path) -> Merged:
        """Take over what another memory file holds; nothing is read again, and what either erased stays erased."""
        from store.maintenance import erase as erasing
        from store.maintenance import merge as merging

        target = copies.backup_beside(self.path, self._clock.now().local(), "merging")
        with merging.private_copy(path, target) as other, self._database.writing() as connection:
            merged = merging.merge(self._database, other, self._embedder, self._clock.now())
            erased = erasing.of_rows(connection, merged.erased)
        if merged.erased:
            self.erase(erased)
        return merged

    def export(self, *, secrets: bool = False) -> Generator[Line, None, None]:
        """Every line of a complete export; without `secrets`, those of turns that hold any are left out."""
        from store.maintenance.lines import lines

        with self._one_state() as reader:
            yield from lines(reader, secrets=secrets)

    def turns_with_secrets(self) -> int:
        """How many turns hold something shaped like a key or a password."""
        return int(scalar(self._reader, "select count(*) from episodes where secret = 1"))

    def take(self, staged: Staged) -> Generator[Progress, None, Taken]:
        """Take what a complete export holds and this memory does not; whole or, where the generator is left, not at
        all. Doing it twice changes nothing, and what was erased here stays away. Raises BadInput."""
        from store.maintenance import taking

        return taking.take(self._database, staged, self._embedder, self._clock.now())


def _before_migration(connection: Connection, path: Path, clock: Clock) -> Path:
    """Back a memory up that is about to be brought to this version."""
    from store.maintenance import backups

    target = copies.backup_beside(path, clock.now().local(), "before-migration")
    backups.make(connection, target, derived=False)
    return target


def _place(change: Change, episode: str) -> int:
    """Where in a turn the words stand that a change rests on; what only ended comes first."""
    fact = change.new
    quotes = [] if fact is None else [one for one in fact.sources if one.episode == episode]
    return min((one.start + max(one.quote.find(fact.object), 0) for one in quotes if fact is not None), default=-1)


def _rests_on(change: Change, episode_id: str) -> bool:
    return change.new is not None and any(source.episode == episode_id for source in change.new.sources)
