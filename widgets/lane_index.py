"""What a timeline holds is put in order once: a step of a cursor then looks only at what it passes, and a lane is laid
out only when it comes into view.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, groupby
from operator import itemgetter
from typing import NamedTuple

from store.records import Fact
from widgets.lane_groups import GROUPS, LightRectangle, broader, group_of, lasting
from widgets.lane_layout import STEPS, Axis, Lane, by_slot, lanes_of_slot
from widgets.wording import about

MOST_ERAS = 64
"""Of how many moments a slot keeps its rows."""
MOST_VIEWS = 64
"""Of how many filters an index keeps what they found."""
MANY = 10_000
"""Instants that are sorted elsewhere than here: what does it takes long to import."""
FEW = 100
"""Slots that are looked at one by one."""
NOTES = "detail"
"""The predicate of what has none of its own: the least that is known."""
_BETWEEN = "\0"


@dataclass(frozen=True, slots=True)
class Extent:
    """The instants between which everything lies, where there is any."""

    first: int | None = None
    last: int | None = None

    @classmethod
    def over(cls, instants: Iterable[int | None]) -> Extent:
        """From the first of them to the last."""
        known = [us for us in instants if us is not None]
        return cls(min(known), max(known)) if known else cls()


def _named(one: LightRectangle) -> tuple[str, str, str]:
    return one.subject, one.predicate, one.object


class Slot:
    """All that was ever believed of one subject and predicate."""

    def __init__(self, place: int, held: Sequence[LightRectangle], now: int) -> None:
        first = held[0]
        self.place = place
        """Its place among all slots."""
        self.label, self.key = about(first), _slot(first)
        self.held, self._now = held, now
        self.since = min(one.believed_from for one in held)
        """When the first of it was believed (microseconds UTC)."""
        self._head = f"{first.subject} {self.label} {first.predicate} ".casefold()
        self.text = _BETWEEN.join((self._head, *(one.object.casefold() for one in held)))
        """All that a word is looked for in."""
        self.lasting = lasting(first.predicate)
        """It stands in the head of the timeline, and is no lane."""
        self._laid: dict[tuple[Axis, int], list[Lane]] = {}

    @cached_property
    def facts(self) -> list[Fact]:
        """Its rectangles, put together when it comes into view."""
        return [one.fact(self._now) for one in self.held]

    @cached_property
    def eras(self) -> dict[Axis, list[int]]:
        """The instants of each time at which something of it changed, in order."""
        return {
            "true": sorted({us for one in self.held for us in (one.believed_from, one.believed_to) if us is not None}),
            "believed": sorted({us for one in self.held for us in (one.valid_from, one.valid_to) if us is not None}),
        }

    @cached_property
    def world(self) -> Extent:
        """From when to when it is told about."""
        return Extent.over(edge for one in self.held for edge in (one.valid_from, one.valid_to))

    def lanes(self, at: int, along: Axis = "true") -> list[Lane]:
        """Its rows along one time at a moment of the other; between two changes they stay the same."""
        era = along, bisect_right(self.eras[along], at)
        if era not in self._laid:
            if len(self._laid) >= MOST_ERAS:
                self._laid.clear()
            self._laid[era] = lanes_of_slot(self.facts, at, along)
        return self._laid[era]

    def at(self, true_at: int, believed_at: int) -> list[Fact]:
        """What was believed at the one instant to be true at the other."""
        return [one.fact(self._now) for one in self.held if _believed(one, believed_at) and _true(one, true_at)]

    def believed(self, at: int) -> list[Fact]:
        """What was believed then, of whatever time."""
        return [one.fact(self._now) for one in self.held if _believed(one, at)]

    def named(self, wanted: Sequence[str]) -> bool:
        """The words say whom and what it is about; else they are among its values."""
        return all(word in self._head for word in wanted)

    def holds(self, wanted: Sequence[str]) -> bool:
        """Some fact of it contains every word, where its text has them all."""
        others = [word for word in wanted if word not in self._head]
        return len(others) < 2 or any(all(word in value for word in others) for value in self.text.split(_BETWEEN)[1:])


class LaneView:
    """The slots that are wanted, and the instants at which something of them changed."""

    def __init__(self, index: LaneIndex, slots: list[Slot]) -> None:
        self.slots = slots
        self._wanted, self._drawn = bytearray(len(index.slots)), bytearray(len(index.slots))
        for slot in slots:
            self._wanted[slot.place] = 1
            self._drawn[slot.place] = not slot.lasting
        self._index = index

    @cached_property
    def begun(self) -> list[int]:
        """When beliefs began, in order."""
        index = self._index
        if len(self.slots) == len(index.slots):
            return index.begun
        if len(self.slots) * 4 < len(index.slots):
            return sorted(one.believed_from for slot in self.slots for one in slot.held)
        return list(compress(index.begun, map(self._wanted.__getitem__, index.begun_slots)))

    @cached_property
    def groups(self) -> list[str]:
        """The parts of a life that the lanes belong to."""
        present = {group_of(slot.key[1]) for slot in self.lanes}
        return [group for group in GROUPS if group in present]

    @cached_property
    def label_width(self) -> int:
        """Characters of the longest label."""
        return max((len(slot.label) for slot in self.lanes), default=8)

    @cached_property
    def world(self) -> Extent:
        """From when to when it is told about."""
        if len(self.slots) == len(self._index.slots):
            edges = self._index.world_edges
            return Extent(edges[0], edges[-1]) if edges else Extent()
        if len(self.slots) < FEW:
            return Extent.over(edge for slot in self.slots for edge in (slot.world.first, slot.world.last))
        edges, places = self._index.world_edges, self._index.world_places
        return Extent(self._nearest(edges, places), self._nearest(reversed(edges), reversed(places)))

    def _nearest(self, edges: Iterable[int], places: Iterable[int]) -> int | None:
        """The first of these instants that is of a slot that is wanted: where many are, it is soon found."""
        held = self._index.held
        return next((us for us, place in zip(edges, places, strict=True) if self._wanted[held[place][0]]), None)

    def told_between(self, first: int, last: int) -> Extent:
        """What of the time between two instants it tells about."""
        edges = self._index.world_edges
        part = slice(bisect_left(edges, first), bisect_right(edges, last))
        found, places = edges[part], self._index.world_places[part]
        return Extent(self._nearest(found, places), self._nearest(reversed(found), reversed(places)))

    @property
    def told_since(self) -> int | None:
        """When the first of it was said."""
        return min((slot.since for slot in self.slots), default=None)

    def known(self, at: int, along: Axis = "true") -> list[Slot]:
        """The lanes of which something had been believed by then; or, along belief, something ever told of then."""
        if along == "true":
            return [slot for slot in self.lanes if slot.since <= at]
        return [slot for slot in self.lanes if any(_true(one, at) for one in slot.held)]

    def holding(self, true_at: int, believed_at: int) -> list[Fact]:
        """What was believed at the one instant to be true at the other."""
        return [
            one.fact(believed_at) for slot in self.slots if slot.since <= believed_at for one in slot.held
            if _believed(one, believed_at) and _true(one, true_at)
        ]  # fmt: skip

    @cached_property
    def lanes(self) -> list[Slot]:
        """The slots that are drawn: all but what is so for good."""
        return [slot for slot in self.slots if not slot.lasting]

    @cached_property
    def lasting(self) -> list[Slot]:
        """The slots of what is so for good, but for what another one says more exactly: a sibling who is a brother."""
        found = [slot for slot in self.slots if slot.lasting]
        finer = {(one.subject, broader(one.predicate), one.object) for slot in found for one in slot.held}
        return [slot for slot in found if any(_named(one) not in finer for one in slot.held)]

    def next_world_change(self, us: int, direction: int, believed_at: int) -> int | None:
        """The nearest instant after (or before) at which something that is believed, and drawn, began or ceased to be
        true."""
        edges, places = self._index.world_edges, self._index.world_places
        place = bisect_right(edges, us) if direction > 0 else bisect_left(edges, us) - 1
        while 0 <= place < len(edges):
            slot, one = self._index.held[places[place]]
            if self._drawn[slot] and _believed(one, believed_at):
                return edges[place]
            place += direction
        return None

    def next_belief_change(self, us: int, direction: int) -> int | None:
        """The nearest instant after (or before) at which a belief that is drawn began or ended."""
        edges, slots = self._index.belief_edges, self._index.belief_slots
        place = bisect_right(edges, us) if direction > 0 else bisect_left(edges, us) - 1
        while 0 <= place < len(edges):
            if self._drawn[slots[place]]:
                return edges[place]
            place += direction
        return None

    def changed(self, axis: Axis, first: int, last: int) -> list[Slot]:
        """The slots of which something changed from the one instant to the other."""
        index = self._index
        edges = index.world_edges if axis == "true" else index.belief_edges
        part = slice(bisect_left(edges, first), bisect_right(edges, last))
        if axis == "true":
            found = {index.held[number][0] for number in index.world_places[part]}
        else:
            found = set(index.belief_slots[part])
        return [index.slots[place] for place in sorted(found) if self._drawn[place]]


class At(NamedTuple):
    """A row: of which slot, by its place among those that are shown, and which row of it."""

    slot: int = 0
    row: int = 0


class LaneRows:
    """The rows of a view along one time, at one moment of the other; they are found from the row that one is at, and
    never counted."""

    def __init__(self, view: LaneView, at: int, along: Axis = "true") -> None:
        self.slots, self._at, self._along = view.known(at, along), at, along

    def lane(self, at: At) -> Lane | None:
        """The lane in a row."""
        return self._lanes(at.slot)[at.row] if self.slots else None

    def moved(self, at: At, amount: int) -> At:
        """So many rows below, or above; never past the ends."""
        slot, row = at
        row += amount
        while row < 0 and slot > 0:
            slot -= 1
            row += len(self._lanes(slot))
        while slot + 1 < len(self.slots) and row >= len(self._lanes(slot)):
            row -= len(self._lanes(slot))
            slot += 1
        return At(slot, max(0, min(row, len(self._lanes(slot)) - 1))) if self.slots else At()

    def last(self) -> At:
        """The last row of all."""
        return At(len(self.slots) - 1, len(self._lanes(-1)) - 1) if self.slots else At()

    def below(self, at: At, count: int) -> list[At]:
        """So many rows from this one on."""
        found: list[At] = []
        slot, row = at
        while slot < len(self.slots) and len(found) < count:
            found += [At(slot, place) for place in range(row, len(self._lanes(slot)))]
            slot, row = slot + 1, 0
        return found[:count]

    def nearest(self, slot: Slot | None, row: int) -> At:
        """Where a slot is shown; else the one that follows it."""
        if slot is None or not self.slots:
            return At()
        place = min(bisect_left(self.slots, slot.place, key=lambda one: one.place), len(self.slots) - 1)
        return At(place, min(row, len(self._lanes(place)) - 1) if self.slots[place] is slot else 0)

    def place(self, slot: Slot) -> int | None:
        """Where a slot is among those that are shown, if it is."""
        place = bisect_left(self.slots, slot.place, key=lambda one: one.place)
        return place if place < len(self.slots) and self.slots[place] is slot else None

    def of(self, place: int) -> list[At]:
        """The rows of the slot in a place."""
        return [At(place, row) for row in range(len(self._lanes(place)))]

    def like(self, slot: Slot, row: int) -> At:
        """Where the slot of the same subject and predicate is, in another index than its own; else the first row."""
        place = next((place for place, one in enumerate(self.slots) if one.key == slot.key), None)
        return At() if place is None else At(place, min(row, len(self._lanes(place)) - 1))

    def _lanes(self, place: int) -> list[Lane]:
        return self.slots[place].lanes(self._at, self._along)


class LaneIndex:
    """Every rectangle that was ever believed, put in order once."""

    def __init__(self, held: Iterable[LightRectangle], now: int = 0) -> None:
        """`held` comes by subject and predicate; `now` in microseconds UTC."""
        groups = [list(group) for _key, group in groupby(held, key=_slot)]
        self.slots = [Slot(place, group, now) for place, group in enumerate(_most_changed_first(groups))]
        self.held = [(slot.place, one) for slot in self.slots for one in slot.held]
        """Each rectangle with the place of its slot."""
        self.facts = len(self.held)
        self.begun, self.begun_slots = _in_order((one.believed_from, place) for place, one in self.held)
        self.belief_edges, self.belief_slots = _in_order(
            (us, place) for place, one in self.held for us in (one.believed_from, one.believed_to) if us is not None
        )
        self.world_edges, self.world_places = _in_order(
            (us, number) for number, (_place, one) in enumerate(self.held) for us in (one.valid_from, one.valid_to)
            if us is not None
        )  # fmt: skip
        self._views = {"": LaneView(self, self.slots)}

    def matching(self, words: str) -> LaneView:
        """The slots in which some fact holds every word; a word more looks only at what the words before it found."""
        wanted = words.casefold().split()
        asked = " ".join(wanted)
        if asked not in self._views:
            wider = max((view for view in self._views if asked.startswith(view)), key=len)
            found = self._views[wider].slots
            for word in set(wanted) - set(wider.split()):
                found = [slot for slot in found if word in slot.text]
            if len(wanted) > 1:
                found = [slot for slot in found if slot.holds(wanted)]
            if len(self._views) >= MOST_VIEWS:
                self._views = {"": self._views[""]}
            self._views[asked] = LaneView(self, found)
        return self._views[asked]


def lanes_of(facts: Sequence[Fact], believed_at: int) -> list[Lane]:
    """Every lane at one moment of belief (microseconds UTC)."""
    return [lane for slot in by_slot(facts) for lane in lanes_of_slot(slot, believed_at)]


def _slot(one: LightRectangle) -> tuple[str, str]:
    return one.subject, one.predicate


def _most_changed_first(slots: list[list[LightRectangle]]) -> list[list[LightRectangle]]:
    """The slots of each subject, those with the most steps on top; what was only noted, of whomever, comes last."""
    found: list[list[LightRectangle]] = []
    for _subject, mine in groupby(slots, key=lambda slot: slot[0].subject):
        found += sorted(mine, key=lambda slot: (-sum(one.change in STEPS for one in slot), slot[0].predicate))
    return sorted(found, key=lambda slot: slot[0].predicate == NOTES)


def _in_order(pairs: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Instants and places, by instant. A long sort is one that lets the interface's thread run."""
    found = list(pairs)
    if len(found) < MANY:
        found.sort(key=itemgetter(0))
        return [us for us, _place in found], [place for _us, place in found]
    import numpy as np

    flat = np.fromiter(chain.from_iterable(found), dtype=np.int64)
    instants, places = flat[::2], flat[1::2]
    order = np.argsort(instants, kind="stable")
    return instants[order].tolist(), places[order].tolist()


def _believed(one: LightRectangle, at: int) -> bool:
    return one.believed_from <= at and (one.believed_to is None or at < one.believed_to)


def _true(one: LightRectangle, at: int) -> bool:
    return (one.valid_from is None or one.valid_from <= at) and (one.valid_to is None or at < one.valid_to)
