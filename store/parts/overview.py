"""A summary is made of the person's own sentences, each with its turn; looking a memory over changes no belief."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING, Literal

from store.beliefs import asof
from store.database.connections import Database
from store.database.rows import scalar
from store.episodes import person
from store.errors import NotFound
from store.protocols import Clock
from store.records import Instant, Stretch
from store.sleep import brief, summaries

if TYPE_CHECKING:
    from threading import Event

    from store.protocols import BoundModel
    from store.sleep.abstracting import Worded
    from store.sleep.brief import Brief
    from store.sleep.summaries import Entry, Grain, Summary

_NOTHING = "Nothing was said here yet, so there is nothing to sum up."


class Overview:
    """The brief, the diary, and summaries."""

    def __init__(self, database: Database, clock: Clock, zone: tzinfo, latest: Callable[[], int]) -> None:
        self._database, self._clock, self._zone, self._latest = database, clock, zone, latest

    def brief(self) -> Brief:
        """What changed since the last brief was read, what is disputed, what is coming up, what is fading."""
        return brief.brief(self._database.reader(), self._clock.now(), self._latest())

    def brief_read(self) -> None:
        """The person has read the brief: the next one tells what comes after."""
        with self._database.writing() as connection:
            brief.seen(connection, self._clock.now())

    def summary(
        self, kind: Literal["session", "entity", "day", "week", "month"], *, session: str = "", about: str = "",
        within: Stretch | None = None,
    ) -> Summary:  # fmt: skip
        """A conversation, what is believed of somebody or something (`about`, as a person names them), or the day, week
        or month in which `within` begins (None: the latest one with anything said), in the person's own sentences.
        Raises NotFound."""
        reader = self._database.reader()
        if kind == "entity":
            return summaries.of_entity(reader, asof.entity_named(reader, about), about)
        if kind == "session":
            return summaries.of_session(reader, session or self._last_session())
        if within is None and not self._last_said():
            raise NotFound(_NOTHING)
        at = self._last_said() if within is None or within.start is None else within.start
        start, end = summaries.calendar(kind, Stretch(at, at + 1, offset=Instant(at).offset), self._zone)
        return summaries.of_stretch(reader, kind, start, end)

    def diary(self, grain: Grain = "month") -> list[Entry]:
        """Every day, week or month in which something was said, with how many turns, the latest first; `summary` sums
        one of them up."""
        return list(summaries.entries(self._database.reader(), grain, self._zone))

    def worded(self, summary: Summary, model: BoundModel, stop: Event | None = None) -> Worded:
        """A summary in a model's words, as far as its sentences bear them out; the rest of it as it was said. Nothing
        is stored. Raises ModelError."""
        from store.sleep import abstracting

        return abstracting.worded(summary, model, person.speakers(self._database.reader()), stop)

    def _last_said(self) -> int:
        return int(scalar(self._database.reader(), "select max(said_at) from episodes where source <> 'command'") or 0)

    def _last_session(self) -> str:
        found = scalar(
            self._database.reader(),
            "select s.key from episodes e join sessions s on s.id = e.session_id where e.source <> 'command' "
            "order by e.said_at desc limit 1",
        )
        if found is None:
            raise NotFound(_NOTHING)
        return str(found)
