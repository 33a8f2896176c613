"""Patterns look at a clause through one window: its tail without times, its raw tail, its scene and its clock."""

from __future__ import annotations

from dataclasses import dataclass, replace

from store.reading.rules.clause import Clause
from store.reading.rules.lexicon import FILLERS
from store.reading.rules.people import Scene
from store.reading.rules.times import TurnTimes, When, when_of
from store.text.lists import wordset

_SKIPPED = (FILLERS | {"back", "over", "out", "away", "up"}) - {"up", "out"} - {"today", "yesterday", "tonight"}


_TIMETABLED = wordset("start begin take leave join move fly arrive come open launch end finish return travel")
"""Verbs whose present with a date speaks of what is to come ("she starts in September")."""


@dataclass(frozen=True, slots=True)
class Look:
    """A clause with its times cut out of the tail (they are breaks there)."""

    clause: Clause
    raw: Clause
    scene: Scene
    clock: TurnTimes

    @property
    def lemma(self) -> str:
        return self.clause.group.lemma

    def low(self, at: int) -> str:
        """The lower-case word at an index of the tail without times."""
        return self.clause.low(at)

    def first(self) -> int:
        """The index of the first word of the tail that is no adverb, time or break."""
        at = self.clause.group.after
        while at < self.clause.end and (self.clause.tokens[at].kind == "break" or self.clause.low(at) in _SKIPPED):
            at += 1
        return at

    def after(self, *prepositions: str) -> list[int]:
        """The indices after each of these prepositions in the tail, in order."""
        clause = self.clause
        return [at + 1 for at in range(clause.group.after, clause.end - 1) if clause.low(at) in prepositions]

    def words(self) -> set[str]:
        """The words of the tail, those of its times too."""
        return {token.low for token in self.raw.tokens[self.raw.group.after : self.raw.end]}

    def says(self, text: str, at: int | None = None) -> bool:
        """The tail has these words at an index (its first word)."""
        place = self.first() if at is None else at
        return all(self.low(place + offset) == word for offset, word in enumerate(text.split()))

    def when(self) -> When:
        """The time that the clause names; one before its subject ("Last May I ...") counts if there is no other."""
        start, end = self.raw.span()
        past = self.raw.group.tense in ("past", "perfect", "pastprog", "usedto")
        ahead = self.raw.group.tense == "present" and self.lemma in _TIMETABLED
        found = when_of(self.clock, start, end, past=past, ahead=ahead)
        if found != When():
            return found
        return when_of(self.clock, self._reach(), self.raw.tokens[self.raw.start].start, past=past, ahead=ahead)

    def quoted(self) -> tuple[int, int]:
        """The characters to quote: the clause, with the adverbial before its subject if its time stands there."""
        start, end = self.raw.span()
        early = self._reach()
        if self.raw.own is None and early < start and self.clock.within(early, self.raw.tokens[self.raw.start].start):
            return self.clock.widened(
                self.clock.within(early, self.raw.tokens[self.raw.start].start)[0].start, early
            ), end
        return start, end

    def _reach(self) -> int:
        """Where an adverbial before the subject may begin."""
        clause = self.raw
        at = clause.start
        while (
            at > 0  # "and in June" stands in the tail of the clause before
            and clause.tokens[at - 1].kind != "break"
            and (at > clause.floor or clause.tokens[at - 1].low not in ("and", "but", "then", "so"))
            and clause.tokens[at - 1].text not in (";", ":", "(", ")", "—")
        ):
            at -= 1
        return clause.tokens[at].start

    def frequency(self) -> str:
        """The words of a habit in the clause, "" if none."""
        return self.clock.frequency(*self.raw.span())


def look_at(clause: Clause, scene: Scene, clock: TurnTimes) -> Look:
    """Cut the clause's times out of its tail."""
    start, end = clause.span()
    cuts = clock.cuts(start, end)
    if not cuts:
        return Look(clause, clause, scene, clock)
    tokens = tuple(
        token._replace(kind="break", low="", text="")
        if place >= clause.group.after and _cut(token.start, cuts)
        else token
        for place, token in enumerate(clause.tokens)
    )
    return Look(replace(clause, tokens=tokens), clause, scene, clock)


def _cut(at: int, cuts: list[tuple[int, int]]) -> bool:
    return any(a <= at < b for a, b in cuts)
