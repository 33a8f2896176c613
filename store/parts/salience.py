"""What nobody speaks of fades from the lists and what is used stays in them; nothing is believed less, or deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from store.beliefs import asof
from store.beliefs.salience import decay
from store.database.connections import Database
from store.database.rows import column
from store.protocols import Clock
from store.records import Answer, Fact
from store.sleep import salience

SHOWN = 50
"""Facts in a list, if nothing else is asked for."""
_PINNED = (
    "select id from facts where believed_to is null and slot in (select slot from pins) "
    "and world_from <= ?1 and world_to > ?1 order by slot, id"
)


class Salience:
    """What is fading, what is core, and what is in use."""

    def __init__(self, database: Database, clock: Clock, latest: Callable[[], int]) -> None:
        self._database, self._clock, self._latest = database, clock, latest

    def fading(self, limit: int = SHOWN) -> list[Fact]:
        """What holds, and nobody has spoken of for so long that it is about to leave the lists; the nearest last. An
        answer that uses it, or a pin, brings it back."""
        now = self._latest()
        return self._ranked(salience.fading(self._database.reader(), now, limit), now)

    def core(self, limit: int = SHOWN) -> list[Fact]:
        """What matters most: what is pinned, and what was said and used so often that it became core."""
        reader, now = self._database.reader(), self._latest()
        pinned = column(reader, _PINNED, (now,))
        return self._ranked([*pinned, *salience.core(reader, now, limit)][:limit], now)

    def decay(self, fact_id: str, days: int = 90) -> tuple[tuple[int, float], ...]:
        """(days from now, salience) of a fact for the days ahead, if nobody says or uses it; nothing for a fact that is
        not believed."""
        found = salience.standings(self._database.reader(), [fact_id]).get(fact_id)
        return () if found is None else decay(found, self._latest(), days)

    def used(self, answer: Answer) -> int:
        """An answer was given that rests on these facts: each of their slots counts as used, once an answer. Gives how
        many were noted."""
        return self.use(answer.facts, "answer")

    def use(self, facts: Iterable[Fact], kind: str = "opened") -> int:
        """The person opened or used facts: what they are about is in use again, and stops fading."""
        slots = {fact.slot for fact in facts}
        if not slots:
            return 0
        with self._database.writing() as connection:
            noted = salience.use(connection, slots, self._clock.now().us, kind)
            while salience.settle_some(connection, salience.STEP):
                pass
        return noted

    def _ranked(self, ids: list[str], now: int) -> list[Fact]:
        facts = asof.facts_by_id(self._database.reader(), ids, now)
        return [facts[key] for key in ids if key in facts]
