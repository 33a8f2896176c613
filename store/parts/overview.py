"""Looking over a memory changes nothing in what is believed: a view ranks and leaves out, and says what it left out.

The part of the one door that shows the memory as a whole; `Memory` inherits it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from apsw import Connection

from store.beliefs import asof
from store.errors import NotFound
from store.protocols import Clock
from store.records import Answer, Fact, Stretch

if TYPE_CHECKING:
    from datetime import tzinfo
    from threading import Event

    from store.beliefs.asof import FactOutline
    from store.beliefs.typed import Kind, Section
    from store.database.connections import Database
    from store.protocols import BoundModel
    from store.sleep.abstracting import Worded
    from store.sleep.brief import Brief
    from store.sleep.diary import Entry, Grain
    from store.sleep.summaries import Summary

_NOTHING = "Nothing was said here yet, so there is nothing to sum up."
SHOWN = 50
"""Facts in a list, if nothing else is asked for."""


class Overview:
    """The brief, summaries, typed views, and what is fading or core."""

    _database: Database
    _clock: Clock
    zone: tzinfo

    if TYPE_CHECKING:

        @property
        def _reader(self) -> Connection: ...

        def _entity(self, name: str) -> str: ...

        def _person(self) -> frozenset[str]: ...

        def latest(self) -> int:
            """The latest instant that the memory knows of, or now."""
            ...

    def brief(self) -> Brief:
        """What changed since the last brief was read, what is disputed, what is coming up, what is fading."""
        from store.sleep import brief

        return brief.brief(self._reader, self._clock.now(), self.latest())

    def brief_read(self) -> None:
        """The person has read the brief: the next one tells what comes after."""
        from store.sleep import brief

        with self._database.writing() as connection:
            brief.seen(connection, self._clock.now())

    def summary(
        self, kind: Literal["session", "entity", "day", "week", "month"], *, session: str = "", about: str = "",
        within: Stretch | None = None,
    ) -> Summary:  # fmt: skip
        """A conversation, what is believed of somebody or something (`about`, as a person names them), or the day, week
        or month in which `within` begins (None: the latest one with anything said), in the person's own sentences.
        Raises NotFound."""
        from store.records import Instant
        from store.sleep import summaries

        if kind == "entity":
            return summaries.of_entity(self._reader, self._entity(about), about)
        if kind == "session":
            return summaries.of_session(self._reader, session or self._last_session())
        if within is None and not self._last_said():
            raise NotFound(_NOTHING)
        at = self._last_said() if within is None or within.start is None else within.start
        start, end = summaries.calendar(kind, Stretch(at, at + 1, offset=Instant(at).offset), self.zone)
        return summaries.of_stretch(self._reader, kind, start, end)

    def diary(self, grain: Grain = "month") -> list[Entry]:
        """Every day, week or month in which something was said, with how many turns, the latest first; `summary` sums
        one of them up."""
        from store.sleep.diary import entries

        return list(entries(self._reader, grain, self.zone))

    def worded(self, summary: Summary, model: BoundModel, stop: Event | None = None) -> Worded:
        """A summary in a model's words, as far as its sentences bear them out; the rest of it as it was said. Nothing
        is stored. Raises ModelError."""
        from store.sleep import abstracting

        return abstracting.worded(summary, model, self._person(), stop)

    def _last_said(self) -> int:
        from store.database.rows import scalar

        return int(scalar(self._reader, "select max(said_at) from episodes where source <> 'command'") or 0)

    def _last_session(self) -> str:
        from store.database.rows import scalar

        found = scalar(
            self._reader,
            "select s.key from episodes e join sessions s on s.id = e.session_id where e.source <> 'command' "
            "order by e.said_at desc limit 1",
        )
        if found is None:
            raise NotFound(_NOTHING)
        return str(found)

    def profile(self, kind: Kind = "profile", *, everything: bool = False) -> list[Section]:
        """The beliefs of one kind of memory: profile, semantic, episodic or procedural; what has faded is counted, and
        shown with `everything`."""
        from store.beliefs.typed import view

        now = self.latest()
        world = Stretch(None, now + 1) if kind == "episodic" else Stretch(now, now + 1)
        subject = "me" if kind in ("profile", "procedural") else None
        return view(asof.facts_where(self._reader, subject=subject, as_of=world, now=now), kind, everything=everything)

    def routines(self) -> list[Fact]:
        """How the person likes things done: standing preferences, tools, habits; the most salient first."""
        return [fact for section in self.profile("procedural") for fact in section.facts]

    def fact(self, fact_id: str) -> Fact:
        """One fact, by its id. Raises NotFound."""
        from store.beliefs.hand import fact_named

        return fact_named(self._reader, fact_id, self.latest())

    def outline(self, limit: int | None = None) -> list[FactOutline]:
        """Every rectangle that was ever believed, or the first so many: by subject, the person first, then by predicate
        and world time. What they rest on is left out; `fact` has it."""
        from itertools import islice

        from store.beliefs.outline import outline, outlined

        return outline(self._reader) if limit is None else list(islice(outlined(self._reader), limit))

    def fading(self, limit: int = SHOWN) -> list[Fact]:
        """What holds, and nobody has spoken of for so long that it is about to leave the lists; the nearest last. An
        answer that uses it, or a pin, brings it back."""
        from store.sleep import salience

        now = self.latest()
        return self._ranked([one.fact_id for one in salience.fading(self._reader, now, limit)], now)

    def core(self, limit: int = SHOWN) -> list[Fact]:
        """What matters most: what is pinned, and what was said and used so often that it became core."""
        from store.database.rows import each
        from store.sleep import salience

        now = self.latest()
        pinned = [
            key for (key,) in each(
                self._reader, "select id from facts where believed_to is null and slot in (select slot from pins) "
                "and world_from <= ?1 and world_to > ?1 order by slot, id", (now,),
            )
        ]  # fmt: skip
        ranked = [one.fact_id for one in salience.core(self._reader, now, limit)]
        return self._ranked([*pinned, *ranked][:limit], now)

    def decay(self, fact_id: str, days: int = 90) -> tuple[tuple[int, float], ...]:
        """(days from now, salience) of a fact for the days ahead, if nobody says or uses it; nothing for a fact that is
        not believed."""
        from store.beliefs.salience import decay
        from store.sleep import salience

        found = salience.standings(self._reader, [fact_id]).get(fact_id)
        return () if found is None else decay(found, self.latest(), days)

    def used(self, answer: Answer) -> int:
        """An answer was given that rests on these facts: each of their slots counts as used, once an answer. Gives how
        many were noted."""
        return self.use(answer.facts, "answer")

    def use(self, facts: Iterable[Fact], kind: str = "opened") -> int:
        """The person opened or used facts: what they are about is in use again, and stops fading."""
        from store.sleep import salience

        slots = {fact.slot for fact in facts}
        if not slots:
            return 0
        with self._database.writing() as connection:
            noted = salience.use(connection, slots, self._clock.now().us, kind)
            while salience.settle_some(connection, salience.STEP):
                pass
        return noted

    def _ranked(self, ids: list[str], now: int) -> list[Fact]:
        facts = asof.facts_by_id(self._reader, ids, now)
        return [facts[key] for key in ids if key in facts]
