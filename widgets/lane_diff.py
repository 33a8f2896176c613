"""Two moments differ in what held at one and not at the other: each slot is told once, as begun, ended or changed.

Pure functions from facts to rows; nothing here knows how a list is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from store.records import Fact
from widgets.look import CHANGED, NEVER, NOW, QUIET, about, lines, value
from widgets.plain import one_line


@dataclass(frozen=True, slots=True)
class Moment:
    """A point on both axes, in microseconds UTC."""

    true_at: int
    believed_at: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What a slot held at the one moment, and what at the other; one of them may be missing."""

    before: Fact | None
    after: Fact | None

    @property
    def fact(self) -> Fact:
        """The one that holds at the later moment, else the other."""
        found = self.after or self.before
        assert found is not None
        return found


def holding(facts: Iterable[Fact], at: Moment) -> list[Fact]:
    """What was believed at the moment to be true at it."""
    return [one for one in facts if _believed(one, at.believed_at) and _true(one, at.true_at)]


def differences(facts: Sequence[Fact], first: Moment, second: Moment) -> list[Difference]:
    """From the first moment to the second: of each subject and predicate what ended, began, or became another."""
    before, after = _by_value(holding(facts, first)), _by_value(holding(facts, second))
    ended = [one for key, one in before.items() if key not in after]
    begun = [one for key, one in after.items() if key not in before]
    found: list[Difference] = []
    for one in begun:
        old = next((other for other in ended if _slot(other) == _slot(one)), None)
        if old is not None:
            ended.remove(old)
        found.append(Difference(old, one))
    found += [Difference(one, None) for one in ended]
    return sorted(found, key=lambda one: (one.fact.subject != "me", one.fact.subject, one.fact.predicate))


def difference_line(one: Difference, width: int) -> Content:
    """+ begun, − ended, ~ changed, with what it was before."""
    fact = one.fact
    sign, style = ("+", NOW) if one.before is None else ("−", NEVER) if one.after is None else ("~", CHANGED)
    was = f"  was {one_line(value(one.before), 40)}" if one.before is not None and one.after is not None else ""
    row = lines(
        (f"{sign} ", f"bold {style}"), (f"{about(fact)} ", QUIET), (one_line(value(fact), 60), "bold"), (was, QUIET)
    )
    return row.truncate(max(10, width), ellipsis=True)


def _by_value(facts: Iterable[Fact]) -> dict[tuple[str, str, str, bool], Fact]:
    return {(one.subject, one.predicate, one.object, one.negative): one for one in facts}


def _slot(fact: Fact) -> tuple[str, str]:
    return fact.subject, fact.predicate


def _believed(fact: Fact, at: int) -> bool:
    return fact.believed_from.us <= at and (fact.believed_to is None or at < fact.believed_to.us)


def _true(fact: Fact, at: int) -> bool:
    begun = fact.valid_from is None or fact.valid_from.us <= at
    return begun and (fact.valid_to is None or at < fact.valid_to.us)
