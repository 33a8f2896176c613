"""A turn is read once; what it says is believed, or waits for the person's word, or is kept out and shown as such."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

from store.beliefs import asof
from store.beliefs.unsure import unsure
from store.database.connections import Database
from store.database.rows import rows, scalar
from store.episodes import person
from store.episodes.append import episodes_where
from store.protocols import Clock
from store.records import Change, Episode, Fact, Quarantined
from store.sleep.apart import quarantined, set_apart


class Reading:
    """What turns teach, what of them does not, and what waits to be read."""

    def __init__(self, database: Database, clock: Clock, latest: Callable[[], int]) -> None:
        self._database, self._clock, self._latest = database, clock, latest

    def learn(self, episode_id: str) -> tuple[Change, ...]:
        """Read one turn at once; gives what it taught, in the order of its words, and last what the reader is unsure of
        (`new.unsure`). A turn that was read already teaches nothing, nor does one that was erased."""
        from store.reading.extract import Speakers, extractor, read
        from store.sleep import reading

        reader = self._database.reader()
        episode = next(episodes_where(reader, "where e.id = ?", (episode_id,)), None)
        if episode is None or reading.is_read(reader, episode):
            return ()
        before = reading.context_of(reader, episode)
        claims = read(episode, before, Speakers(person.speakers(reader)))
        with self._database.writing() as connection:
            if not reading.are_there(connection, [episode, *before]):
                return ()
            if not reading.is_read(connection, episode):  # nor has a sleep of another process read it meanwhile
                now = self._clock.now().us
                reading.believe(connection, claims, now)
                connection.execute("insert into readings values (?, ?, ?)", (episode.row, extractor(), now))
        unsure = tuple(Change(one.believed_from, "new", one, None) for one in self.unsure(episode=episode))
        at = episode.said_at.us
        taught = [
            one for one in asof.changes(reader, at, at + 1, self._latest())
            if one.new is None or any(source.episode == episode.id for source in one.new.sources)
        ]  # fmt: skip
        in_order = partial(_place, episode=episode.id)
        return (*sorted(taught, key=in_order), *sorted(unsure, key=in_order))

    def unsure(
        self, *, about: str | None = None, predicate: str | None = None, episode: Episode | None = None,
        limit: int | None = None,
    ) -> list[Fact]:  # fmt: skip
        """What the reader heard and is not sure of, the latest first; nothing rests on it until it is confirmed.
        Raises NotFound for an unknown `about`."""
        reader = self._database.reader()
        return unsure(
            reader, subject=None if about is None else asof.entity_named(reader, about), predicate=predicate,
            episode_row=None if episode is None else episode.row, limit=limit,
        )  # fmt: skip

    def quarantined(self, episode_id: str) -> tuple[Quarantined, ...]:
        """What of one turn teaches nothing and is shown as such: an instruction to a model, a secret (without its
        words)."""
        found = rows(self._database.reader(), "select text, role from episodes where id = ?", (episode_id,))
        return quarantined(episode_id, *found[0]) if found else ()

    def set_apart(self, limit: int = 50) -> list[Quarantined]:
        """The newest of all that is set apart so, and of what a model that reads proposed and was refused."""
        return list(islice(set_apart(self._database.reader()), limit))

    def pending(self) -> int:
        """How many turns no sleep has read yet."""
        return int(scalar(self._database.reader(), "select count(*) from unread"))

    def unheard(self) -> int:
        """How many turns that the reader has read wait for a model that reads, if one takes part."""
        from store.sleep import listening

        return listening.unheard(self._database.reader())


def _place(change: Change, episode: str) -> int:
    """Where in a turn the words stand that a change rests on; what only ended comes first."""
    if change.new is None:
        return -1
    quotes = [one for one in change.new.sources if one.episode == episode]
    return min((one.start + max(one.quote.find(change.new.object), 0) for one in quotes), default=-1)
