"""What is believed is looked up on two time axes, and looking changes nothing: facts fold out of what was said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from store.beliefs import asof
from store.beliefs.hand import fact_named
from store.beliefs.typed import view
from store.database.connections import Database
from store.records import Change, Fact, Link, Stretch

if TYPE_CHECKING:
    from store.beliefs.asof import FactOutline
    from store.beliefs.typed import Kind, Section


class Beliefs:
    """Facts, how they changed, and views of them."""

    def __init__(self, database: Database, latest: Callable[[], int]) -> None:
        self._database, self._latest = database, latest

    def facts(
        self, *, about: str | None = None, predicate: str | None = None, as_of: Stretch | None = None,
        believed: int | None = None, during: Stretch | None = None, everything: bool = False,
        limit: int | None = None, offset: int = 0,
    ) -> list[Fact]:  # fmt: skip
        """What is believed: at `believed` (the present), or at any time `during` a stretch, of `as_of` (the present, or
        `believed`, or `during`). `everything` gives every rectangle that was ever believed, over all of world time.
        `limit` and `offset` give one page, in the order of the slots. Raises NotFound for an unknown `about`."""
        reader, now = self._database.reader(), self._latest()
        if as_of is None and during is not None:
            as_of = during
        elif as_of is None and not everything:
            moment = now if believed is None else believed
            as_of = Stretch(moment, moment + 1)
        return asof.facts_where(
            reader, subject=None if about is None else asof.entity_named(reader, about),
            predicates=None if predicate is None else (predicate,), as_of=as_of, believed=believed, during=during,
            everything=everything, now=now, limit=limit, offset=offset,
        )  # fmt: skip

    def fact(self, fact_id: str) -> Fact:
        """One fact, by its id. Raises NotFound."""
        return fact_named(self._database.reader(), fact_id, self._latest())

    def chain(self, subject: str, predicate: str) -> list[Link]:
        """How one belief changed, newest first."""
        reader = self._database.reader()
        return asof.chain(reader, asof.entity_named(reader, subject), (predicate,), self._latest())

    def changes(self, since: int, until: int | None = None) -> list[Change]:
        """What began to be believed, or ceased to be, in [since, until) of belief time, oldest first."""
        return asof.changes(self._database.reader(), since, until, self._latest())

    def timeline(self, about: str | None = None) -> list[Fact]:
        """Every rectangle that was ever believed, by subject, predicate and world time."""
        return self.facts(about=about, everything=True)

    def outline(self, limit: int | None = None) -> list[FactOutline]:
        """Every rectangle that was ever believed, or the first so many: by subject, the person first, then by predicate
        and world time. What they rest on is left out; `fact` has it."""
        return asof.outline(self._database.reader(), limit)

    def profile(self, kind: Kind = "profile", *, everything: bool = False) -> list[Section]:
        """The beliefs of one kind of memory: profile, semantic, episodic or procedural; what has faded is counted, and
        shown with `everything`."""
        now = self._latest()
        world = Stretch(None, now + 1) if kind == "episodic" else Stretch(now, now + 1)
        subject = "me" if kind in ("profile", "procedural") else None
        found = asof.facts_where(self._database.reader(), subject=subject, as_of=world, now=now)
        return view(found, kind, everything=everything)

    def routines(self) -> list[Fact]:
        """How the person likes things done: standing preferences, tools, habits; the most salient first."""
        return [fact for section in self.profile("procedural") for fact in section.facts]
