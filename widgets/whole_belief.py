"""A belief that was only dated anew is the same belief: it is known since it was first heard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from store.records import Fact

FOREVER = 2**62


def rectangles(held: Iterable[Fact]) -> Iterator[list[Fact]]:
    """Those of each belief: of one value, and meeting in both times. What is believed again is another belief."""
    alike: dict[tuple[str, str, str, bool], list[Fact]] = defaultdict(list)
    for one in held:
        alike[one.subject, one.predicate, one.object, one.negative].append(one)
    for same in alike.values():
        yield from _meeting(same)


def _meeting(alike: list[Fact]) -> Iterator[list[Fact]]:
    """Only what is not over yet is looked at again: a value that comes back each week has many that never meet."""
    going: list[list[Fact]] = []
    for one in sorted(alike, key=starts):
        over = [group for group in going if max(map(ends, group)) < starts(one)]
        yield from over
        met = [group for group in going if any(_meet(one, other) for other in group)]
        going = [group for group in going if group not in over and group not in met]
        going.append([*chain.from_iterable(met), one])
    yield from going


def whole(fact: Fact, held: Iterable[Fact]) -> Fact:
    """The fact, believed for as long as the belief was that it is a rectangle of; `held` are all of its slot."""
    return all_whole([fact], [one for one in held if one.object == fact.object])[0]


def all_whole(facts: Iterable[Fact], held: Iterable[Fact]) -> list[Fact]:
    """The same of many facts; `held` are the rectangles of all of their slots."""
    among = {one.id: same for same in rectangles(held) if len(same) > 1 for one in same}
    return [joined(one, among.get(one.id, ())) for one in facts]


def each_once(held: Iterable[Fact]) -> list[Fact]:
    """Each belief once, by its latest rectangle."""
    return [joined(latest(same), same) for same in rectangles(held)]


def joined(fact: Fact, same: Sequence[Fact]) -> Fact:
    """The fact with the times of the belief whose rectangles these are."""
    if len(same) < 2:
        return fact
    last = max(same, key=forgotten)
    first = min(one.believed_from for one in same)
    return replace(fact, believed_from=first, believed_to=last.believed_to, ended=last.ended)


def latest(same: Sequence[Fact]) -> Fact:
    return max(same, key=lambda one: (forgotten(one), one.believed_from))


def _meet(one: Fact, other: Fact) -> bool:
    world = starts(one) <= ends(other) and starts(other) <= ends(one)
    return world and max(one.believed_from.us, other.believed_from.us) <= min(forgotten(one), forgotten(other))


def starts(fact: Fact) -> int:
    """When it began in the world (microseconds UTC)."""
    return -FOREVER if fact.valid_from is None else fact.valid_from.us


def ends(fact: Fact) -> int:
    return FOREVER if fact.valid_to is None else fact.valid_to.us


def forgotten(fact: Fact) -> int:
    return FOREVER if fact.believed_to is None else fact.believed_to.us
