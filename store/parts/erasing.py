"""What is erased is gone for good: no byte of it stays in the file, and nothing that this process made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from store.beliefs import asof
from store.beliefs.hand import fact_named
from store.database.connections import Database
from store.episodes import person
from store.errors import NotFound
from store.parts.answering import Answering
from store.parts.backups import Backups
from store.protocols import Clock
from store.records import Episode, Fact, Receipt

if TYPE_CHECKING:
    from store.maintenance.erase import Selection


class Erasing:
    """Select, look at what would go, erase."""

    def __init__(
        self, database: Database, clock: Clock, answering: Answering, backups: Backups, latest: Callable[[], int]
    ) -> None:
        self._database, self._clock, self._latest = database, clock, latest
        self._answering, self._backups = answering, backups

    def selection(
        self, *, episode: str | None = None, fact: str | None = None, session: str | None = None,
        source: str | None = None, about: str | None = None, since: int | None = None, until: int | None = None,
    ) -> Selection:  # fmt: skip
        """What an erase of one turn, the turns that a fact rests on, one session, all that came from one source,
        everything about somebody or something, or a stretch of time would take. Raises NotFound."""
        from store.maintenance import erase as erasing
        from store.maintenance import naming

        reader = self._database.reader()
        if episode is not None:
            return erasing.select(reader, "where e.id = ?1 or e.external_id = ?1", (episode,), one=True)
        if fact is not None:
            return erasing.of_rows(reader, erasing.under(reader, fact_named(reader, fact, self._latest()).id))
        if session is not None:
            return erasing.select(reader, "where s.key = ?", (session,))
        if source is not None:
            return erasing.select(reader, "where e.source = ?", (source,))
        if about is not None:
            return erasing.of_rows(reader, erasing.about(reader, naming.named(reader, about), about))
        if since is None and until is None:
            raise NotFound("Say what to erase: a turn, a fact, a session, a source, somebody, or a stretch of time.")
        bounds = (-(2**62) if since is None else since, 2**62 if until is None else until)
        return erasing.select(reader, "where e.said_at >= ? and e.said_at < ?", bounds)

    def names(self, about: str) -> Callable[[str], bool]:
        """Tells whether a text names somebody or something."""
        from store.maintenance import naming

        return naming.named(self._database.reader(), about).by

    def selected(self, selection: Selection, limit: int = 20) -> list[Episode]:
        """The first turns of a selection, in the order of saying."""
        from store.maintenance import erase as erasing

        return erasing.shown(self._database.reader(), selection, limit)

    def lost(self, selection: Selection) -> list[Fact]:
        """What is believed now and rests on the turns of a selection alone, in the order in which it was learned."""
        gone = set(selection.episodes)
        found = asof.facts_resting_on(self._database.reader(), selection.episodes, self._latest())
        alone = (one for one in found if gone.issuperset(source.episode for source in one.sources))
        held = [one for one in alone if one.believed_to is None]
        return sorted(held, key=lambda one: (one.believed_from.us, one.id))

    def erase(self, selection: Selection) -> Receipt:
        """Erase for good what was selected. Answers that were made of it are forgotten first, and an automatic backup
        that is being made gives way. Raises Busy."""
        from store.maintenance import erase as erasing

        self._answering.forget()
        try:
            with self._backups.giving_way():
                speakers = person.speakers(self._database.reader())
                return erasing.erase(self._database, selection, speakers, self._clock.now())
        finally:
            self._answering.forget()
