"""A clause that was read: whom or what it is about, its verb group, and the words that belong to it."""

from __future__ import annotations

from dataclasses import dataclass

from store.reading.rules.groups import Group
from store.reading.rules.people import Person
from store.reading.rules.things import Thing
from store.reading.rules.words import Token


@dataclass(frozen=True, slots=True)
class Clause:
    """One asserted clause: who or what, the verb group, and the tail from `group.after` to `end`."""

    tokens: tuple[Token, ...]
    start: int
    end: int
    keys: tuple[str, ...]
    """Mention keys of the subject; empty where nobody is meant for sure."""
    group: Group
    thing: Thing | None = None
    person: Person | None = None
    confidence: float = 0.9
    pronoun: str = ""
    """The subject's own word, where it is a pronoun."""
    floor: int = 0
    """Index after the clause before it: adverbials from here on belong to this one."""
    own: int | None = None
    """Where its own words begin, if it shares its subject with the clause before ("and moved ...")."""

    def span(self) -> tuple[int, int]:
        """The clause's characters."""
        return self.tokens[self.start if self.own is None else self.own].start, self.tokens[
            max(self.end - 1, self.start)
        ].end

    def low(self, at: int) -> str:
        """The lower-case word at an index, "" beyond the end."""
        return self.tokens[at].low if at < self.end else ""
