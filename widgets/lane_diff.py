"""Two moments differ in what held at one and not at the other: each slot is told once, as begun, ended or changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from textual.content import Content

from store.records import Fact
from widgets.look import CHANGED, NEVER, NOW, QUIET, lines
from widgets.plain import one_line
from widgets.wording import about, value


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
        found = self.after or self.before
        assert found is not None
        return found


def differences(held_before: Iterable[Fact], held_after: Iterable[Fact]) -> list[Difference]:
    """Of each subject and predicate what ended, began, or became another from the one moment to the other."""
    before, after = (
        {(fact.subject, fact.predicate, fact.object, fact.negative): fact for fact in held}
        for held in (held_before, held_after)
    )
    ended: dict[tuple[str, str], deque[Fact]] = {}
    for key, one in before.items():
        if key not in after:
            ended.setdefault((one.subject, one.predicate), deque()).append(one)
    found: list[Difference] = []
    for one in (one for key, one in after.items() if key not in before):
        old = ended.get((one.subject, one.predicate))
        found.append(Difference(old.popleft() if old else None, one))
    found += [Difference(one, None) for left in ended.values() for one in left]
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
