"""What was said is kept word for word: a turn is acknowledged when it is on the disk, and is never changed after that.

A conversation is read a window at a time: opening one of ten thousand turns costs what is seen of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from store.database.connections import Database
from store.database.rows import scalar
from store.episodes import cited as citing
from store.episodes import index
from store.episodes.append import Appender, episodes_where
from store.episodes.cited import of_reply, with_sources
from store.errors import NotFound
from store.protocols import Clock, Embedder
from store.records import Cited, Episode, Ingested, Turn
from store.text.cleaning import cleaned

BATCH = 500
"""Turns in one durable step of a bulk import."""
_ROWS = (
    "where e.row in (select p.row from episodes p where p.session_id = (select id from sessions where key = ?) "
    "order by p.said_at, p.position, p.id limit ? offset ?)"
)
_BEFORE = (
    "select count(*) from episodes p join episodes e on e.id = ? and p.session_id = e.session_id "
    "and (p.said_at, p.position, p.id) < (e.said_at, e.position, e.id)"
)


class Episodes:
    """Turns come in, and are read again as they were said."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder) -> None:
        self._database, self._clock, self._embedder = database, clock, embedder

    def remember(self, turn: Turn, cited: Cited | None = None) -> Episode:
        """Append one turn that is being said now, and what it rests on; it is on the disk when this returns."""
        with self._database.writing() as connection:
            (episode,) = Appender(live=True).append(connection, [cleaned(turn)], self._clock.now())
            index.add(connection, [episode], self._embedder)
            if cited is not None:
                citing.keep(connection, episode, cited)
        return episode

    def ingest(self, turns: Iterable[Turn], total: int | None = None) -> Iterator[Ingested]:
        """Append turns in bulk; each step that is yielded is on the disk. Turns that are there already are passed over,
        so an import that was interrupted is resumed by starting it again."""
        appender, new, came = Appender(), 0, 0
        rest = iter(turns)
        while batch := list(islice(rest, BATCH)):
            with self._database.writing() as connection:
                added = appender.append(connection, map(cleaned, batch), self._clock.now())
                if added:
                    index.add(connection, added, self._embedder)
            new += len(added)
            came += len(batch)
            yield Ingested(new=new, seen=came - new, total=total)

    def get(self, id_or_external: str) -> Episode:
        """One turn, by its id or, where only one has it, by its source's id. Raises NotFound."""
        reader = self._database.reader()
        found = list(episodes_where(reader, "where e.id = ?", (id_or_external,)))
        found = found or list(episodes_where(reader, "where e.external_id = ?", (id_or_external,)))
        if len(found) != 1:
            what = "There is no turn" if not found else f"{len(found)} turns are called"
            raise NotFound(f"{what} {id_or_external!r}; `erstwhile recall` shows the ids of turns.")
        return found[0]

    def of(self, session: str) -> list[Episode]:
        """The turns of one conversation, in the order of saying."""
        return list(episodes_where(self._database.reader(), "where s.key = ?", (session,)))

    def page(self, session: str, start: int, limit: int) -> list[Episode]:
        """`limit` turns of a conversation from place `start` on, in the order of saying; replies with their sources."""
        reader = self._database.reader()
        return with_sources(reader, episodes_where(reader, _ROWS, (session, limit, max(0, start))))

    def place(self, episode: str) -> int:
        """How many turns of its conversation were said before this one."""
        return int(scalar(self._database.reader(), _BEFORE, (episode,)))

    def cited(self, reply: str) -> Cited:
        """What a reply rests on, and at which times it was asked for. Raises NotFound."""
        reader = self._database.reader()
        found = next(episodes_where(reader, "where e.id = ?", (reply,)), None)
        if found is None:
            raise NotFound(f"There is no turn {reply!r}.")
        return of_reply(reader, found)

    def with_secrets(self) -> int:
        """How many turns hold something shaped like a key or a password."""
        return int(scalar(self._database.reader(), "select count(*) from episodes where secret = 1"))
