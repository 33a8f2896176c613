"""What a timeline holds is put in order once: a step of a cursor then looks only at what it passes, and a lane is laid
out only when it comes into view.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from store.records import Fact
from widgets.lane_layout import Lane, by_slot, lanes_of_slot
from widgets.look import about

MOST_ERAS = 64
"""Of how many moments a slot keeps its rows."""


@dataclass(frozen=True, slots=True)
class Span:
    """The instants between which everything lies, where there is any."""

    first: int | None = None
    last: int | None = None

    @classmethod
    def over(cls, instants: Iterable[int | None]) -> Span:
        """From the first of them to the last."""
        known = [us for us in instants if us is not None]
        return cls(min(known), max(known)) if known else cls()


@dataclass(slots=True, eq=False)
class Slot:
    """All that was ever believed of one subject and predicate."""

    place: int
    """Its place among all slots."""
    label: str
    facts: list[Fact]
    words: list[str]
    """For each fact, the text in which a filter looks."""
    since: int
    """When the first of it was believed (microseconds UTC)."""
    edges: list[int]
    """The instants at which a belief of it began or ended, in order."""
    world: Span
    """From when to when it is told about."""
    _laid: dict[int, list[Lane]] = field(default_factory=dict)

    @classmethod
    def of(cls, place: int, facts: list[Fact]) -> Slot:
        """Index one slot."""
        label = about(facts[0])
        head = f"{facts[0].subject} {label} {facts[0].predicate} "
        words = [(head + fact.object).casefold() for fact in facts]
        edges = {fact.believed_from.us for fact in facts}
        edges |= {fact.believed_to.us for fact in facts if fact.believed_to is not None}
        world = Span.over(edge.us for fact in facts for edge in (fact.valid_from, fact.valid_to) if edge is not None)
        return cls(place, label, facts, words, min(edges), sorted(edges), world)

    def lanes(self, believed_at: int) -> list[Lane]:
        """Its rows at a moment; between two edges nothing changes."""
        era = bisect_right(self.edges, believed_at)
        if era not in self._laid:
            if len(self._laid) >= MOST_ERAS:
                self._laid.clear()
            self._laid[era] = lanes_of_slot(self.facts, believed_at)
        return self._laid[era]

    def holds(self, wanted: Sequence[str]) -> bool:
        """Some fact of it contains every word."""
        texts = self.words
        for word in wanted:
            texts = [text for text in texts if word in text]
        return bool(texts)


class LaneView:
    """The slots that are wanted, and the instants at which something of them changed."""

    def __init__(self, index: LaneIndex, slots: list[Slot]) -> None:
        self.slots = slots
        self._wanted = bytearray(len(index.slots))
        for slot in slots:
            self._wanted[slot.place] = 1
        self._index = index
        everything = len(slots) == len(index.slots)
        kept = zip(index.begun, index.begun_slots, strict=True)
        self.begun = index.begun if everything else [us for us, place in kept if self._wanted[place]]
        """When beliefs began, in order."""
        self.label_width = max((len(slot.label) for slot in slots), default=8)
        self.world = Span.over(edge for slot in slots for edge in (slot.world.first, slot.world.last))

    @property
    def told_since(self) -> int | None:
        """When the first of it was said."""
        return self.begun[0] if self.begun else None

    def known(self, believed_at: int) -> list[Slot]:
        """The slots of which something had been believed by then."""
        return [slot for slot in self.slots if slot.since <= believed_at]

    def next_world_change(self, us: int, direction: int, believed_at: int) -> int | None:
        """The nearest instant after (or before) at which something that is believed began or ceased to be true."""
        edges, facts = self._index.world_edges, self._index.world_facts
        place = bisect_right(edges, us) if direction > 0 else bisect_left(edges, us) - 1
        while 0 <= place < len(edges):
            slot, fact = facts[place]
            if self._wanted[slot] and _believed(fact, believed_at):
                return edges[place]
            place += direction
        return None

    def next_belief_change(self, us: int, direction: int) -> int | None:
        """The nearest instant after (or before) at which a belief began or ended."""
        edges, slots = self._index.belief_edges, self._index.belief_slots
        place = bisect_right(edges, us) if direction > 0 else bisect_left(edges, us) - 1
        while 0 <= place < len(edges):
            if self._wanted[slots[place]]:
                return edges[place]
            place += direction
        return None


class At(NamedTuple):
    """A row: of which slot, by its place among those that are shown, and which row of it."""

    slot: int = 0
    row: int = 0


class LaneRows:
    """The rows of a view at one moment of belief; they are found from the row that one is at, and never counted."""

    def __init__(self, view: LaneView, believed_at: int) -> None:
        self.slots, self._believed_at = view.known(believed_at), believed_at

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

    def all(self) -> list[Lane]:
        """Every lane, laid out: for what shows all of them, which the screen never does."""
        return [lane for place in range(len(self.slots)) for lane in self._lanes(place)]

    def _lanes(self, place: int) -> list[Lane]:
        return self.slots[place].lanes(self._believed_at)


class LaneIndex:
    """Every rectangle that was ever believed, put in order once; building it takes a second per hundred thousand."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = len(facts)
        self.slots = [Slot.of(place, slot) for place, slot in enumerate(by_slot(facts))]
        placed = [(slot.place, fact) for slot in self.slots for fact in slot.facts]
        self.begun, self.begun_slots = _sorted([(fact.believed_from.us, place) for place, fact in placed])
        self.belief_edges, self.belief_slots = _sorted([(us, slot.place) for slot in self.slots for us in slot.edges])
        world = [
            (edge.us, place, fact) for place, fact in placed for edge in (fact.valid_from, fact.valid_to)
            if edge is not None
        ]  # fmt: skip
        world.sort(key=lambda one: one[0])
        self.world_edges = [us for us, _place, _fact in world]
        self.world_facts = [(place, fact) for _us, place, fact in world]
        self._everything = LaneView(self, self.slots)

    def matching(self, words: str) -> LaneView:
        """The slots in which some fact holds every word."""
        wanted = words.casefold().split()
        if not wanted:
            return self._everything
        return LaneView(self, [slot for slot in self.slots if slot.holds(wanted)])


def lanes_of(facts: Sequence[Fact], believed_at: int) -> list[Lane]:
    """Every lane at one moment of belief (microseconds UTC)."""
    return [lane for slot in by_slot(facts) for lane in lanes_of_slot(slot, believed_at)]


def _sorted(pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    pairs.sort()
    return [us for us, _place in pairs], [place for _us, place in pairs]


def _believed(fact: Fact, at: int) -> bool:
    return fact.believed_from.us <= at and (fact.believed_to is None or at < fact.believed_to.us)
