"""A belief that was only dated anew is the same belief: it is known since it was first heard, whichever of its
rectangles is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from store.records import Fact, Instant

FOREVER = 2**62


def rectangles(fact: Fact, held: Iterable[Fact]) -> list[Fact]:
    """All of the belief, first the fact itself: those of its value that meet another of them, in the world and in
    belief. What was believed again after a break is another belief."""
    rest = [one for one in held if _value(one) == _value(fact) and one.id != fact.id]
    found = [fact]
    for known in found:
        found += [one for one in rest if _meet(one, known)]
        rest = [one for one in rest if not _meet(one, known)]
    return found


def whole(fact: Fact, held: Iterable[Fact]) -> Fact:
    """The fact, believed for as long as the belief was that it is a rectangle of; `held` are all of its slot."""
    same = rectangles(fact, held)
    if len(same) == 1:
        return fact
    last = max(same, key=lambda one: _us(one.believed_to, FOREVER))
    first = min(one.believed_from for one in same)
    return replace(fact, believed_from=first, believed_to=last.believed_to, ended=last.ended)


def all_whole(facts: Iterable[Fact], held: Iterable[Fact]) -> list[Fact]:
    """The same of many facts; `held` are the rectangles of all of their slots."""
    alike: dict[tuple[str, str, str, bool], list[Fact]] = defaultdict(list)
    for one in held:
        alike[_value(one)].append(one)
    return [whole(one, alike.get(_value(one), ())) for one in facts]


def each_once(held: Iterable[Fact]) -> list[Fact]:
    """Each belief once, by its latest rectangle, in the order in which they come."""
    held, found = list(held), dict[str, Fact]()
    for one in held:
        latest = max(rectangles(one, held), key=lambda same: (_us(same.believed_to, FOREVER), same.believed_from))
        found.setdefault(latest.id, whole(latest, held))
    return list(found.values())


def _value(one: Fact) -> tuple[str, str, str, bool]:
    return one.subject, one.predicate, one.object, one.negative


def _meet(one: Fact, other: Fact) -> bool:
    world = starts(one) <= _us(other.valid_to, FOREVER) and starts(other) <= _us(one.valid_to, FOREVER)
    known = max(one.believed_from.us, other.believed_from.us)
    return world and known <= min(_us(one.believed_to, FOREVER), _us(other.believed_to, FOREVER))


def starts(fact: Fact) -> int:
    """When it began in the world (microseconds UTC)."""
    return _us(fact.valid_from, -FOREVER)


def _us(at: Instant | None, otherwise: int) -> int:
    return otherwise if at is None else at.us
