"""The person has the last word: what is done by hand outranks what was read, is in the log, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable

from apsw import Connection

from store.beliefs import asof, hand
from store.beliefs.pieces import OPEN
from store.beliefs.unsure import name_of, unsure, waiting
from store.database.connections import Database
from store.episodes import index
from store.episodes.append import episodes_where, last_word
from store.errors import NotFound, UsageError
from store.protocols import Clock, Embedder
from store.records import Claim, Episode, Fact, Instant, Stretch

Act = Callable[[Connection, Instant], Episode]
"""Says something by hand, in the transaction of its caller; gives the turn that says so."""


class ByHand:
    """Correct, take back, bring back, confirm, settle, pin."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder, latest: Callable[[], int]) -> None:
        self._database, self._clock, self._embedder, self._latest = database, clock, embedder, latest

    def correct(
        self, subject: str, predicate: str, value: str, *, since: Stretch | None = None,
        begins: Stretch | None = None, ends: Stretch | None = None, instead_of: str | Fact | None = None,
        unsure: str | None = None, wrongly_of: Fact | None = None,
    ) -> Fact:  # fmt: skip
        """Say what is right: the wrong belief closes, nothing of it goes on. `begins` and `ends`: it held from the
        first moment of the one to the first of the other; `since`: from then on, and still does. Without a time it
        takes the time of what was wrong. `instead_of` names the wrong value where there are many, or is what was
        believed of it; `unsure` is the id
        of what was wrong, where the reader was unsure of it, and then it waits no longer. `wrongly_of` is what was
        believed, or heard, of another whom it was not about: that goes. Raises NotFound."""
        if since is not None and (begins is not None or ends is not None):
            raise UsageError("Say either since when it holds, or from when to when it held.")
        start = since or begins
        valid = OPEN
        if start is not None or ends is not None:
            said = start or ends
            assert said is not None
            last = None if ends is None else ends.start
            valid = Stretch(None if start is None else start.start, last, said.precision, said.offset)
        return self._said(
            lambda connection, now: hand.correct(
                connection, subject, predicate, value, now, valid=valid,
                holds_now=begins is None and ends is None, instead_of=instead_of,
                unsure=None if unsure is None else _waiting(connection, unsure), wrongly_of=wrongly_of,
            )
        )  # fmt: skip

    def retract(self, fact_id: str) -> Fact:
        """Say that a fact never held; gives it as it is now (or as it was, if it was not believed for any time). Raises
        NotFound if it would hold for all that, and then nothing is said."""
        reader = self._database.reader()
        if waiting(reader, fact_id) is not None:
            return self._drop(fact_id)
        fact = self._named(reader, fact_id)
        with self._database.writing() as connection:
            self.say(
                lambda connection, now: hand.retract(connection, self._named(connection, fact_id), now), fruitful=False
            )
            left = asof.facts_by_id(connection, [fact_id], self._latest()).get(fact_id)
            if left is not None and left.believed_to is None:
                raise NotFound("That could not be taken back: it still holds, and nothing was changed.")
        return left or fact

    def confirm(self, fact_id: str) -> Fact:
        """Say that what the reader was unsure of is so; gives the fact that says so now. Raises NotFound."""

        def act(connection: Connection, now: Instant) -> Episode:
            claim = _waiting(connection, fact_id)
            return hand.confirm(connection, claim, name_of(connection, claim.subject), now)

        return self._said(act)

    def unlearn(self, episode_id: str) -> int:
        """Take back all that one turn taught, for it is said otherwise; its words stay. What other turns say as well is
        still believed. Gives the operation, which the log can undo. Raises NotFound."""
        with self._database.writing() as connection:
            episode = next(episodes_where(connection, "where e.id = ?", (episode_id,)), None)
            if episode is None:
                raise NotFound(f"There is no turn {episode_id!r}.")
            return hand.unlearn(connection, episode, self._clock.now())

    def restore(self, fact_id: str) -> Fact:
        """Bring back a fact that was taken back or replaced; gives the fact that says so now."""
        return self._said(lambda connection, now: hand.restore(connection, self._named(connection, fact_id), now))

    def resolve(self, fact_id: str) -> Fact:
        """Settle a dispute: this fact is right; gives the fact that holds now."""
        return self._said(lambda connection, now: hand.resolve(connection, self._named(connection, fact_id), now))

    def pin(self, fact_id: str, *, off: bool = False) -> Fact:
        """Keep what a fact is about in view (or, with `off`, no longer); gives the fact."""
        with self._database.writing() as connection:
            (hand.unpin if off else hand.pin)(connection, self._named(connection, fact_id), self._clock.now())
            return self._named(connection, fact_id)

    def say(self, act: Act, *, fruitful: bool = True) -> Episode:
        """Do it, whole or not at all; `fruitful`: something must be believed because of it. Raises NotFound."""
        with self._database.writing() as connection:
            episode = act(connection, last_word(connection, self._clock.now()))
            index.add(connection, [episode], self._embedder)
            if fruitful and not asof.resting_on(connection, [episode.id]):
                raise NotFound("Nothing would come of that: what was said later, or at the same moment, stands.")
        return episode

    def _said(self, act: Act) -> Fact:
        """Do it; gives the fact that rests on the turn by hand: one that is believed now, if any is. What another
        process does to it comes after."""
        with self._database.writing() as connection:
            ids = asof.resting_on(connection, [self.say(act).id])
            facts = sorted(asof.facts_by_id(connection, ids, self._latest()).values(), key=lambda one: one.id)
        return min(facts, key=lambda one: one.believed_to is not None)

    def _drop(self, fact_id: str) -> Fact:
        with self._database.writing() as connection:
            claim = _waiting(connection, fact_id)
            fact = next(one for one in unsure(self._database.reader()) if one.id == fact_id)
            hand.drop(connection, claim, self._clock.now())
        return fact

    def _named(self, connection: Connection, fact_id: str) -> Fact:
        return hand.fact_named(connection, fact_id, self._latest())


def _waiting(connection: Connection, fact_id: str) -> Claim:
    claim = waiting(connection, fact_id)
    if claim is None:
        raise NotFound(f"Nothing unsure has the id {fact_id}; `erstwhile facts --unsure --json` lists them.")
    return claim
