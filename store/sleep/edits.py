"""What was done to units is the fold of the edits that stand, in their order, over the exchanges that are there.

An edit that does not apply any more (what it was about is gone) changes nothing and stays in the log; taking one back
is folding without it. Folding is local: only edits that share a unit, if through many others, can touch each other.

split   one unit becomes its parts, which are siblings; the whole is archived.
merge   units that say the same: one stands for all. One that already stands for others takes in the rest; else a new
        one is made, in the words of the latest.
update  the superseded unit is archived behind the current one.

Every unit that leaves the surface gets a version link from one that is on it (All-Mem, appendix B.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal, NamedTuple

from store.sleep.units import unit_id

Kind = Literal["split", "merge", "update"]
KINDS: tuple[Kind, ...] = ("split", "merge", "update")
MERGE_LEAST, MERGE_MOST = 2, 4
"""How many units one merge may take (All-Mem, appendix C.1)."""
SIBLING_CAP = 4
"""Links from one part of a split to the others, at most, and so how many others there may be. Version links have no
cap: they are what keeps archived units in reach (All-Mem, B.7)."""


class Cut(NamedTuple):
    """Characters [start, end) of a turn, named so that the record means the same in every copy of a memory."""

    episode: str
    """The turn's id."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the topology, as the log holds it."""

    kind: Kind
    targets: tuple[int, ...]
    """split: the unit; merge: the units, in order of their ids; update: (current, superseded)."""
    parts: tuple[tuple[Cut, ...], ...] = ()
    """split: what each part is made of."""
    into: int | None = None
    """merge: the target that stands for the others; None where a new unit does."""

    def created(self) -> tuple[int, ...]:
        """The units that it makes."""
        if self.kind == "split":
            return tuple(unit_id("split", (name for cut in part for name in cut)) for part in self.parts)
        return (unit_id("merge", self.targets),) if self.kind == "merge" and self.into is None else ()

    def stands(self) -> tuple[int, ...]:
        """The units that stand for those that it archives."""
        if self.kind == "update":
            return self.targets[:1]
        return self.created() if self.into is None else (self.into,)

    def archived(self) -> tuple[int, ...]:
        """The units that leave the surface, if they are on it."""
        return tuple(target for target in self.targets if target not in self.stands())

    def units(self) -> tuple[int, ...]:
        """All that it has to do with."""
        return tuple(dict.fromkeys((*self.targets, *self.created())))

    def shows(self) -> tuple[int, ...]:
        """The targets that must be on the surface for it."""
        return self.targets[:1] if self.kind == "update" else self.targets

    def has_arity(self) -> bool:
        """Whether it has as many units as its kind takes."""
        if len(set(self.targets)) != len(self.targets):
            return False
        if self.kind == "merge":
            return MERGE_LEAST <= len(self.targets) <= MERGE_MOST and (self.into is None or self.into in self.targets)
        if self.kind == "split":
            return len(self.targets) == 1 and 2 <= len(self.parts) <= SIBLING_CAP + 1
        return len(self.targets) == 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a diagnoser would do."""

    edit: Edit
    confidence: float
    """0 to 1."""
    signs: Mapping[str, float] = field(default_factory=dict)
    """The figures on which it rests, for the log."""
    differ: bool = False
    """merge: the units name different values."""


@dataclass(slots=True)
class Topology:
    """What edits make of exchanges."""

    there: set[int]
    visible: set[int]
    made: dict[int, tuple[Edit, int]] = field(default_factory=dict)
    """Units that edits made: the edit, and which of its parts."""
    version: list[tuple[int, int]] = field(default_factory=list)
    """(what stands for it, the archived unit)"""
    sibling: list[tuple[int, int]] = field(default_factory=list)

    def take(self, edit: Edit) -> None:
        """Apply an edit, if it still does (All-Mem, appendix C.2)."""
        created = edit.created()
        is_there = self.there.issuperset(edit.targets) and self.visible.issuperset(edit.shows())
        if not edit.has_arity() or not is_there or self.there.intersection(created):
            return
        self.there |= set(created)
        self.visible |= set(created)
        self.visible -= set(edit.archived())
        self.made |= {key: (edit, number) for number, key in enumerate(created)}
        ties = [(stands, gone) for stands in edit.stands() for gone in edit.archived()]
        self.version += [tie for tie in ties if tie not in self.version]  # two memories may have done the same edit
        if edit.kind == "split":
            self.sibling += permutations(created, 2)

    def hops(self) -> dict[int, int]:
        """How far each unit is from the surface along version links; one that cannot be reached is left out."""
        return hops(self.visible, self.version)


def fold(exchanges: Iterable[int], edits: Mapping[int, Edit]) -> Topology:
    """What the edits (by operation, taken in its order) make of exchanges."""
    start = set(exchanges)
    topology = Topology(start, set(start))
    for operation in sorted(edits):
        topology.take(edits[operation])
    return topology


def hops(visible: Iterable[int], version: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Breadth first from the visible units along version links."""
    below: dict[int, list[int]] = {}
    for stands, gone in version:
        below.setdefault(stands, []).append(gone)
    found = dict.fromkeys(visible, 0)
    wave = list(found)
    while wave:
        reached = {child: found[one] + 1 for one in wave for child in below.get(one, ()) if child not in found}
        found |= reached
        wave = list(reached)
    return found
