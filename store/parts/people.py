"""Who is who is the person's to say: two names are made one, or one set apart, for all of time, and either undone."""

from __future__ import annotations

from store.beliefs import asof, hand
from store.database.connections import Database
from store.parts.by_hand import ByHand
from store.records import Entity


class People:
    """Everybody and everything that is known, and who is the same as whom."""

    def __init__(self, database: Database, by_hand: ByHand) -> None:
        self._database, self._by_hand = database, by_hand

    def entities(self) -> list[Entity]:
        """Everybody and everything that something was said of, with the mentions that mean them."""
        return asof.entities(self._database.reader())

    def same(self, one: str, other: str) -> Entity:
        """Say that two names, or "my brother" and a name, are one; gives whom both mean now. Raises NotFound,
        UsageError."""
        self._by_hand.say(lambda connection, now: hand.same(connection, one, other, now), fruitful=False)
        return self._named(one)

    def different(self, name: str, other: str | None = None) -> Entity:
        """Say that a name means nobody but itself, or that two are not one; gives whom the name means now. Raises
        NotFound, UsageError."""
        self._by_hand.say(lambda connection, now: hand.different(connection, name, other, now), fruitful=False)
        return self._named(name)

    def _named(self, name: str) -> Entity:
        key = asof.entity_named(self._database.reader(), name)
        return next(entity for entity in self.entities() if entity.id == key)
