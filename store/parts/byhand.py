"""The person has the last word, and can take it back: what is done by hand is logged, undone, or erased for good.

The half of the one door that changes what is believed by hand; `Memory` inherits it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from apsw import Connection

from store.beliefs import asof
from store.beliefs.entities import ME
from store.database.connections import Database
from store.database.rows import scalar
from store.errors import NotFound, UsageError
from store.protocols import Clock, Embedder
from store.records import Claim, Episode, Fact, Instant, Receipt, Stretch

if TYPE_CHECKING:
    from store.maintenance.erase import Selection


class ByHand:
    """Correct, take back, bring back, settle, pin, undo, erase."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder) -> None:
        self._database, self._clock, self._embedder = database, clock, embedder

    @property
    def _reader(self) -> Connection:
        return self._database.reader()

    def latest(self) -> int:
        """The latest instant that the memory knows of, or now, whichever is later; microseconds."""
        said = scalar(self._reader, "select max(said_at) from episodes")
        return max(self._clock.now().us, said or 0)

    def _person(self) -> frozenset[str]:
        named = json.loads(scalar(self._reader, "select value from settings where key = 'person'") or "[]")
        return frozenset({"me", "user", *(name.casefold() for name in named)})

    def _entity(self, name: str) -> str:
        found = asof.entity_key(self._reader, name)
        if found is None and name.casefold() in ("me", "i", "you"):
            return ME
        if found is None:
            raise NotFound(f"Nobody and nothing called {name!r} is known here; `erstwhile facts` shows who is.")
        return found

    def correct(
        self, subject: str, predicate: str, value: str, *, since: Stretch | None = None,
        begins: Stretch | None = None, ends: Stretch | None = None, instead_of: str | None = None,
    ) -> Fact:  # fmt: skip
        """Say what is right: the wrong belief closes, nothing of it goes on. `begins` and `ends`: it held from the
        first moment of the one to the first of the other; `since`: from then on, and still does. Without a time it
        takes the time of what was wrong. `instead_of` names the wrong value where there are many."""
        from store.beliefs import hand

        if since is not None and (begins is not None or ends is not None):
            raise UsageError("Say either since when it holds, or from when to when it held.")
        start = since or begins
        valid = hand.OPEN
        if start is not None or ends is not None:
            said = start or ends
            assert said is not None
            last = None if ends is None else ends.start
            valid = Stretch(None if start is None else start.start, last, said.precision, said.offset)
        return self._said(
            lambda connection, now: hand.correct(
                connection, subject, predicate, value, now, valid=valid,
                holds_now=begins is None and ends is None, instead_of=instead_of,
            )
        )  # fmt: skip

    def retract(self, fact_id: str) -> Fact:
        """Say that a fact never held; gives it as it is now (or as it was, if it was not believed for any time)."""
        from store.beliefs import hand

        if self._is_unsure(fact_id):
            return self._drop(fact_id)
        fact = self._named(self._reader, fact_id)
        self._by_hand(
            lambda connection, now: hand.retract(connection, self._named(connection, fact_id), now), fruitful=False
        )
        return asof.facts_by_id(self._reader, [fact_id], self.latest()).get(fact_id, fact)

    def confirm(self, fact_id: str) -> Fact:
        """Say that what the reader was unsure of is so; gives the fact that says so now. Raises NotFound."""
        from store.beliefs import hand
        from store.beliefs.unsure import name_of

        def act(connection: Connection, now: Instant) -> Episode:
            claim = self._waiting(connection, fact_id)
            return hand.confirm(connection, claim, name_of(connection, claim.subject), now)

        return self._said(act)

    def unsure(
        self, *, about: str | None = None, predicate: str | None = None, episode: Episode | None = None,
        limit: int | None = None,
    ) -> list[Fact]:  # fmt: skip
        """What the reader heard and is not sure of, the latest first; nothing rests on it until it is confirmed.
        Raises NotFound for an unknown `about`."""
        from store.beliefs.unsure import unsure

        return unsure(
            self._reader, subject=None if about is None else self._entity(about), predicate=predicate,
            episode_row=None if episode is None else episode.row, limit=limit,
        )  # fmt: skip

    def _is_unsure(self, fact_id: str) -> bool:
        from store.beliefs.unsure import waiting

        return waiting(self._reader, fact_id) is not None

    def _waiting(self, connection: Connection, fact_id: str) -> Claim:
        from store.beliefs.unsure import waiting

        claim = waiting(connection, fact_id)
        if claim is None:
            raise NotFound(f"Nothing unsure has the id {fact_id}; `erstwhile facts --unsure --json` lists them.")
        return claim

    def _drop(self, fact_id: str) -> Fact:
        from store.beliefs import hand

        with self._database.writing() as connection:
            claim = self._waiting(connection, fact_id)
            fact = next(one for one in self.unsure() if one.id == fact_id)
            hand.drop(connection, claim, self._clock.now())
        return fact

    def unlearn(self, episode_id: str) -> int:
        """Take back all that one turn taught, for it is said otherwise; its words stay. What other turns say as well is
        still believed. Gives the operation, which `undo` takes back. Raises NotFound."""
        from store.beliefs import hand
        from store.episodes.append import episodes_where

        with self._database.writing() as connection:
            episode = next(episodes_where(connection, "where e.id = ?", (episode_id,)), None)
            if episode is None:
                raise NotFound(f"There is no turn {episode_id!r}.")
            return hand.unlearn(connection, episode, self._clock.now())

    def restore(self, fact_id: str) -> Fact:
        """Bring back a fact that was taken back or replaced; gives the fact that says so now."""
        from store.beliefs import hand

        return self._said(lambda connection, now: hand.restore(connection, self._named(connection, fact_id), now))

    def resolve(self, fact_id: str) -> Fact:
        """Settle a dispute: this fact is right; gives the fact that holds now."""
        from store.beliefs import hand

        return self._said(lambda connection, now: hand.resolve(connection, self._named(connection, fact_id), now))

    def pin(self, fact_id: str, *, off: bool = False) -> Fact:
        """Keep what a fact is about in view (or, with `off`, no longer); gives the fact."""
        from store.beliefs import hand

        with self._database.writing() as connection:
            (hand.unpin if off else hand.pin)(connection, self._named(connection, fact_id), self._clock.now())
            return self._named(connection, fact_id)

    def undo(self, operation: int) -> int:
        """Take back an operation by hand; gives the id of the operation that did so."""
        from store.beliefs import hand

        with self._database.writing() as connection:
            return hand.undo(connection, operation, self._clock.now())

    def state_hash(self) -> str:
        """A hash over everything that is believed and ever was, with its sources, and over the pins."""
        from store.beliefs import hand

        return hand.state_hash(self._reader)

    def _by_hand(self, act: Callable[[Connection, Instant], Episode], *, fruitful: bool = True) -> Episode:
        """Do it, whole or not at all; `fruitful`: something must be believed because of it. Raises NotFound."""
        from store.episodes import index
        from store.episodes.append import last_word

        with self._database.writing() as connection:
            episode = act(connection, last_word(connection, self._clock.now()))
            index.add(connection, [episode], self._embedder)
            if fruitful and not asof.resting_on(connection, episode.row):
                raise NotFound("Nothing would come of that: what was said later, or at the same moment, stands.")
        return episode

    def _named(self, connection: Connection, fact_id: str) -> Fact:
        from store.beliefs import hand

        return hand.fact_named(connection, fact_id, self.latest())

    def _said(self, act: Callable[[Connection, Instant], Episode]) -> Fact:
        """Do it; gives the fact that rests on the turn by hand: one that is believed now, if any is. What another
        process does to it comes after."""
        with self._database.writing() as connection:
            ids = asof.resting_on(connection, self._by_hand(act).row)
            facts = sorted(asof.facts_by_id(connection, ids, self.latest()).values(), key=lambda one: one.id)
        return min(facts, key=lambda one: one.believed_to is not None)

    def selection(
        self, *, episode: str | None = None, fact: str | None = None, session: str | None = None,
        source: str | None = None, about: str | None = None, since: int | None = None, until: int | None = None,
    ) -> Selection:  # fmt: skip
        """What an erase of one turn, the turns that a fact rests on, one session, all that came from one source,
        everything about somebody or something, or a stretch of time would take. Raises NotFound."""
        from store.maintenance import erase as erasing

        reader = self._reader
        if episode is not None:
            return erasing.select(reader, "where e.id = ?1 or e.external_id = ?1", (episode,), one=True)
        if fact is not None:
            return erasing.of_rows(reader, erasing.under(reader, self._named(reader, fact).id))
        if session is not None:
            return erasing.select(reader, "where s.key = ?", (session,))
        if source is not None:
            return erasing.select(reader, "where e.source = ?", (source,))
        if about is not None:
            return erasing.of_rows(reader, erasing.about(reader, asof.entity_key(reader, about), about))
        if since is None and until is None:
            raise NotFound("Say what to erase: a turn, a fact, a session, a source, somebody, or a stretch of time.")
        bounds = (-(2**62) if since is None else since, 2**62 if until is None else until)
        return erasing.select(reader, "where e.said_at >= ? and e.said_at < ?", bounds)

    def erase(self, selection: Selection) -> Receipt:
        """Erase for good what was selected; no byte of it stays in the file. Raises Busy."""
        from store.maintenance import erase as erasing

        return erasing.erase(self._database, selection, self._person(), self._clock.now())

    def selected(self, selection: Selection, limit: int = 20) -> list[Episode]:
        """The first turns of a selection, in the order of saying."""
        from store.maintenance import erase as erasing

        return erasing.shown(self._reader, selection, limit)

    def lost(self, selection: Selection) -> list[Fact]:
        """What is believed now and rests on the turns of a selection alone, in the order in which it was learned."""
        from store.beliefs.asof import facts_resting_on

        gone = set(selection.episodes)
        found = facts_resting_on(self._reader, selection.episodes, self.latest())
        alone = (one for one in found if gone.issuperset(source.episode for source in one.sources))
        held = [one for one in alone if one.believed_to is None]
        return sorted(held, key=lambda one: (one.believed_from.us, one.id))
