"""What a timeline holds is put in order once: a step of a cursor then looks only at what it passes, and a lane is laid
out only when it comes into view."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple, Protocol

from store.beliefs.predicates import find
from store.records import ChangeKind, Fact
from widgets.lane_layout import GROUPS, STEPS, Axis, Lane, by_slot, group_of, lanes_of_slot
from widgets.whole_belief import FOREVER
from widgets.wording import Named, about

MOST_ERAS = 64  # of how many moments a slot keeps its rows
MANY = 10_000  # instants that are sorted elsewhere than here: what does it takes long to import
NOTES = "detail"  # the predicate of what has none of its own: the least that is known
_BETWEEN = "\0"


class LightRectangle(Named, Protocol):
    """One rectangle, as light as it can be; instants in microseconds UTC."""

    @property
    def object(self) -> str: ...
    @property
    def valid_from(self) -> int | None: ...
    @property
    def valid_to(self) -> int | None: ...
    @property
    def believed_from(self) -> int: ...
    @property
    def believed_to(self) -> int | None: ...
    @property
    def change(self) -> ChangeKind: ...
    def fact(self, now: int) -> Fact:
        """What a lane shows of it."""


class Slot:
    """All that was ever believed of one subject and predicate."""

    def __init__(self, place: int, held: Sequence[LightRectangle], now: int) -> None:
        first = held[0]
        self.place = place  # its place among all slots
        self.label, self.key = about(first), _slot(first)
        self.held, self._now = held, now
        self.since = min(one.believed_from for one in held)  # when the first of it was believed (microseconds UTC)
        self._head = f"{first.subject} {self.label} {first.predicate} ".casefold()
        self.text = _BETWEEN.join((self._head, *(one.object.casefold() for one in held)))  # what is searched
        self.lasting = find(first.predicate).lasting  # so for good, as a birthday: it is no lane
        self._laid: dict[tuple[Axis, int], list[Lane]] = {}

    @cached_property
    def facts(self) -> list[Fact]:
        return [one.fact(self._now) for one in self.held]

    @cached_property
    def eras(self) -> dict[Axis, list[int]]:
        """The instants of each time at which something of it changed, in order."""
        return {
            "true": sorted({us for one in self.held for us in (one.believed_from, one.believed_to) if us is not None}),
            "believed": sorted({us for one in self.held for us in (one.valid_from, one.valid_to) if us is not None}),
        }

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
        return [one.fact(self._now) for one in self.held if _believed(one, at)]

    def named(self, wanted: Sequence[str]) -> bool:
        """The words say whom and what it is about; else they are among its values."""
        return all(word in self._head for word in wanted)

    def holds(self, wanted: Sequence[str]) -> bool:
        """Some fact of it contains every word."""
        others = [word for word in wanted if word not in self._head]
        return len(others) < 2 or any(all(word in value for word in others) for value in self.text.split(_BETWEEN)[1:])


class LaneView:
    """The slots that are wanted, and the instants at which something of them changed."""

    def __init__(self, index: LaneIndex, slots: list[Slot]) -> None:
        self.slots = slots
        self.lanes = [slot for slot in slots if not slot.lasting]  # those that are drawn: all but what is so for good
        self._wanted, self._drawn = {slot.place for slot in slots}, {slot.place for slot in self.lanes}
        self._index = index

    @cached_property
    def begun(self) -> list[int]:
        """When beliefs began, in order."""
        if len(self.slots) == len(self._index.slots):
            return self._index.begun[0]
        return sorted(one.believed_from for slot in self.slots for one in slot.held)

    @property
    def groups(self) -> list[str]:
        present = {group_of(slot.key[1]) for slot in self.lanes}
        return [group for group in GROUPS if group in present]

    def told_between(self, first: int = -FOREVER, last: int = FOREVER) -> tuple[int | None, int | None]:
        """The first and the last instant between these two that it tells about."""
        if len(self.slots) * 8 < len(self._index.slots):  # few, which are soon looked at one by one
            edges = (us for slot in self.slots for one in slot.held for us in (one.valid_from, one.valid_to))
            told = [us for us in edges if us is not None and first <= us <= last]
            return min(told, default=None), max(told, default=None)
        (instants, numbers), held = self._index.edges["true"], self._index.held
        between = range(bisect_left(instants, first), bisect_right(instants, last))

        def nearest(places: Iterable[int]) -> int | None:  # where many slots are wanted, one is soon found
            return next((instants[place] for place in places if held[numbers[place]][0] in self._wanted), None)

        return nearest(between), nearest(reversed(between))

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
        held = (one for slot in self.slots if slot.since <= believed_at for one in slot.held)
        return [one.fact(believed_at) for one in held if _believed(one, believed_at) and _true(one, true_at)]

    @cached_property
    def lasting(self) -> list[Slot]:
        """The slots of what is so for good, but for what another one says more exactly: a sibling who is a brother."""
        found = [slot for slot in self.slots if slot.lasting]
        finer = {(one.subject, find(one.predicate).broader, one.object) for slot in found for one in slot.held}
        return [slot for slot in found if any((*slot.key, one.object) not in finer for one in slot.held)]

    def next_change(self, axis: Axis, us: int, direction: int, believed_at: int) -> int | None:
        """The nearest instant after (or before) at which something that is drawn changed: a belief began or ended, or
        what is believed at a moment began or ceased to be true."""
        instants, numbers = self._index.edges[axis]
        place = bisect_right(instants, us) if direction > 0 else bisect_left(instants, us) - 1
        while 0 <= place < len(instants):
            slot, one = self._index.held[numbers[place]]
            if slot in self._drawn and (axis == "believed" or _believed(one, believed_at)):
                return instants[place]
            place += direction
        return None

    def changed(self, axis: Axis, first: int, last: int) -> list[Slot]:
        """The slots of which something changed from the one instant to the other."""
        instants, numbers = self._index.edges[axis]
        part = numbers[bisect_left(instants, first) : bisect_right(instants, last)]
        found = {self._index.held[number][0] for number in part} & self._drawn
        return [self._index.slots[place] for place in sorted(found)]


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
        return self.of(at.slot)[at.row] if self.slots else None

    def moved(self, at: At, amount: int) -> At:
        """So many rows below, or above; never past the ends."""
        slot, row = at
        row += amount
        while row < 0 and slot > 0:
            slot -= 1
            row += len(self.of(slot))
        while slot + 1 < len(self.slots) and row >= len(self.of(slot)):
            row -= len(self.of(slot))
            slot += 1
        return At(slot, max(0, min(row, len(self.of(slot)) - 1))) if self.slots else At()

    def last(self) -> At:
        return At(len(self.slots) - 1, len(self.of(-1)) - 1) if self.slots else At()

    def below(self, at: At, count: int) -> list[At]:
        """So many rows from this one on."""
        found: list[At] = []
        slot, row = at
        while slot < len(self.slots) and len(found) < count:
            found += [At(slot, place) for place in range(row, len(self.of(slot)))]
            slot, row = slot + 1, 0
        return found[:count]

    def nearest(self, slot: Slot | None, row: int) -> At:
        """Where a slot, or the one of its subject and predicate, is shown; else the one that follows it."""
        if slot is None or not self.slots:
            return At()
        place = self.place(slot)
        if place is None:  # it may be of another index, where it has another place
            place = next((place for place, one in enumerate(self.slots) if one.key == slot.key), None)
        if place is None:
            return At(min(self._from(slot), len(self.slots) - 1))
        return At(place, min(row, len(self.of(place)) - 1))

    def place(self, slot: Slot) -> int | None:
        """Where a slot of this index is among those that are shown, if it is."""
        place = self._from(slot)
        return place if place < len(self.slots) and self.slots[place] is slot else None

    def _from(self, slot: Slot) -> int:
        return bisect_left(self.slots, slot.place, key=lambda one: one.place)

    def of(self, place: int) -> list[Lane]:
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
        # Instants in order, and the numbers of what began, or changed in each time, at them.
        held = [one for _place, one in self.held]
        self.begun = _in_order((one.believed_from,) for one in held)
        self.edges: dict[Axis, tuple[list[int], list[int]]] = {
            "true": _in_order((one.valid_from, one.valid_to) for one in held),
            "believed": _in_order((one.believed_from, one.believed_to) for one in held),
        }
        self._all = LaneView(self, self.slots)

    def matching(self, words: str) -> LaneView:
        """The slots in which some fact holds every word."""
        if not (wanted := words.casefold().split()):
            return self._all
        found = self.slots
        for word in wanted:
            found = [slot for slot in found if word in slot.text]
        return LaneView(self, [slot for slot in found if slot.holds(wanted)])


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


def _in_order(instants_of_each: Iterable[Iterable[int | None]]) -> tuple[list[int], list[int]]:
    """Instants, and the numbers of what has them, by instant. A long sort lets the interface's thread run."""
    found = [(us, number) for number, own in enumerate(instants_of_each) for us in own if us is not None]
    if len(found) < MANY:
        found.sort(key=itemgetter(0))
        return [us for us, _number in found], [number for _us, number in found]
    import numpy as np

    flat = np.fromiter(chain.from_iterable(found), dtype=np.int64).reshape(-1, 2)
    instants, numbers = flat[np.argsort(flat[:, 0], kind="stable")].T.tolist()
    return instants, numbers


def _believed(one: LightRectangle, at: int) -> bool:
    return one.believed_from <= at and (one.believed_to is None or at < one.believed_to)


def _true(one: LightRectangle, at: int) -> bool:
    return (one.valid_from is None or one.valid_from <= at) and (one.valid_to is None or at < one.valid_to)
