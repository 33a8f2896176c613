"""Every fact that was ever believed stands in the chain of its slot, with the words that began it."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from store.beliefs.asof import facts_by_id, facts_where
from store.records import Change, Fact, Link


def chain(connection: apsw.Connection, subject: str, predicates: tuple[str, ...] | None, now: int) -> list[Link]:
    """How the belief changed, newest first: by when it was said, then by when it was true."""
    facts = facts_where(connection, subject=subject, predicates=predicates, everything=True, now=now)
    ordered = sorted(facts, key=_recency, reverse=True)
    return [Link(fact, fact.change, _because(fact)) for fact in ordered]


def _recency(fact: Fact) -> tuple[bool, int, int, str]:
    held = fact.believed_to is None
    begins = fact.valid_from.us if fact.valid_from else -(2**62)
    return (held, begins if held else fact.believed_from.us, fact.believed_from.us, fact.id)


def _because(fact: Fact) -> str:
    said = [source.quote for source in fact.sources if source.said_at.us <= fact.believed_from.us]
    return said[-1] if said else ""


def changes(connection: apsw.Connection, since: int, until: int | None, now: int) -> list[Change]:
    """What began to be believed, or ceased to be, in [since, until), oldest first."""
    bound = 2**62 if until is None else until
    ids = [
        row[0]
        for row in connection.execute(
            "select id from facts where (believed_from >= ?1 and believed_from < ?2) "
            "or (believed_to >= ?1 and believed_to < ?2)",
            (since, bound),
        )
    ]
    facts = facts_by_id(connection, (str(one) for one in ids), now)
    olds = facts_by_id(connection, {old for fact in facts.values() for old in _replaced(fact)} - facts.keys(), now)
    return _as_changes(facts.values(), facts | olds, since, bound)


def _replaced(fact: Fact) -> tuple[str, ...]:
    return ((fact.supersedes,) if fact.supersedes else ()) + fact.also_supersedes


def _goes_on(fact: Fact, other: Fact | None) -> bool:
    """Whether a value goes on because another one was taken back, which then ceased to be believed for itself."""
    return fact.change == "retract" and other is not None and other.object != fact.object


def _as_changes(facts: Iterable[Fact], known: dict[str, Fact], since: int, until: int) -> list[Change]:
    found: list[Change] = []
    taken_over = {old for fact in facts for old in _replaced(fact) if not _goes_on(fact, known.get(old))}
    for fact in facts:
        if since <= fact.believed_from.us < until:
            old = known.get(fact.supersedes or "")
            found.append(Change(fact.believed_from, fact.change, fact, old))
        if fact.believed_to and since <= fact.believed_to.us < until and fact.id not in taken_over and fact.ended:
            found.append(Change(fact.believed_to, fact.ended, None, fact))
    return sorted(found, key=lambda one: (one.at.us, one.new.id if one.new else "", one.old.id if one.old else ""))
