"""A rectangle closes once, at the saying of a claim, and is never changed after that except by more words for it.

A `Piece` is a value over a stretch of world time; a `Rectangle` is a piece over a stretch of belief time; a `Track` is
what is believed about one thing right now: the open rectangles, in order of world time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from store.records import ChangeKind, Claim, Precision

FOREVER = 2**62
ALWAYS = -(2**62)


@dataclass(frozen=True, slots=True)
class Piece:
    """A value that holds for start <= t < end, in microseconds UTC."""

    value: str
    """What two pieces must share to be the same."""
    predicate: str
    object: str
    start: int
    end: int
    start_precision: Precision
    end_precision: Precision
    offset: int
    start_after: int | None = None
    """Nobody said the start: it lies between this and `start`."""
    end_after: int | None = None
    start_known: bool = True
    """False for a past whose beginning nobody told: it is known to have held just before its end, and no earlier."""
    negative: bool = False
    disputed: bool = False
    standing: int = 4
    qualifiers: tuple[tuple[str, str], ...] = ()

    def holds_at(self, us: int) -> bool:
        return self.start <= us < self.end


@dataclass(slots=True, eq=False)
class Rectangle:
    """A piece and the stretch of belief time in which it was held."""

    id: str
    slot: str
    piece: Piece
    believed_from: int
    change: ChangeKind
    because: Claim
    sources: list[Claim]
    supersedes: list[Rectangle] = field(default_factory=list)
    believed_to: int | None = None
    ended: ChangeKind | None = None
    ended_because: Claim | None = None

    def last_said(self) -> int:
        return max(claim.said_at.us for claim in self.sources)

    def only_planned(self) -> bool:
        """Nobody has spoken of it since it was to begin."""
        return self.last_said() < self.piece.start


class Track:
    """The open rectangles of one slot, by world time, and every rectangle that there ever was."""

    def __init__(self, slot: str) -> None:
        self.slot = slot
        self.open: list[Rectangle] = []
        self.all: list[Rectangle] = []
        self._loose: list[Rectangle] = []

    def over(self, start: int, end: int) -> list[Rectangle]:
        """The open rectangles that share a moment with [start, end), in order."""
        upper = bisect_left(self.open, end, key=lambda one: one.piece.start)
        lower = upper
        # Pieces do not overlap, so their ends rise too; only disputed ones may share a stretch.
        while lower > 0 and (self.open[lower - 1].piece.end > start or self.open[lower - 1].piece.disputed):
            lower -= 1
        return [one for one in self.open[lower:upper] if one.piece.end > start]

    def at(self, us: int) -> Rectangle | None:
        found = self.over(us, us + 1)
        return found[-1] if found else None

    def next_said_after(self, us: int) -> int | None:
        """The beginning of the next state that was said to begin, later than `us`."""
        index = bisect_right(self.open, us, key=lambda one: one.piece.start)
        for one in self.open[index:]:
            if one.piece.start_precision is not Precision.OPEN:
                return one.piece.start
        return None

    def latest(self) -> Rectangle | None:
        """The open rectangle that begins last."""
        return self.open[-1] if self.open else None

    def place(
        self, piece: Piece, claim: Claim, change: ChangeKind, replaced: list[Rectangle], sources: list[Claim], side: str
    ) -> Rectangle:
        """Open a rectangle at the claim's saying."""
        loose = [one for one in self._loose if one not in replaced]
        self._loose.clear()
        origin = replaced[0].id if replaced else ""
        key = f"{self.slot}\0{claim.id}\0{side}\0{origin}\0{piece.start}"
        rectangle = Rectangle(
            id="f" + blake2b(key.encode(), digest_size=9).hexdigest(),
            slot=self.slot,
            piece=piece,
            believed_from=claim.said_at.us,
            change=change,
            because=claim,
            sources=sources,
            supersedes=[*replaced, *loose],
        )
        self.open.insert(bisect_right(self.open, piece.start, key=lambda one: one.piece.start), rectangle)
        self.all.append(rectangle)
        return rectangle

    def close(self, rectangle: Rectangle, claim: Claim, kind: ChangeKind, *, loose: bool = False) -> None:
        """End a belief at the claim's saying. `loose`: nothing takes its place, so the next to open points at it."""
        index = bisect_left(self.open, rectangle.piece.start, key=lambda one: one.piece.start)
        while self.open[index] is not rectangle:
            index += 1
        del self.open[index]
        rectangle.believed_to = claim.said_at.us
        rectangle.ended, rectangle.ended_because = kind, claim
        if loose:
            self._loose.append(rectangle)

    def reshape(
        self, rectangle: Rectangle, claim: Claim, change: ChangeKind, side: str, **changed: object
    ) -> Rectangle:
        """Close a rectangle and open it again with another shape; what had been said for it goes with it."""
        self.close(rectangle, claim, change)
        piece = replace(rectangle.piece, **changed)  # type: ignore[arg-type] # the names are Piece's own fields
        return self.place(piece, claim, change, [rectangle], list(rectangle.sources), side)


def lasting(rectangles: Iterator[Rectangle]) -> list[Rectangle]:
    """Those that were believed for any time at all; links that led through others lead on to what those replaced."""
    everything = list(rectangles)
    kept = [one for one in everything if one.believed_to is None or one.believed_to > one.believed_from]
    alive = {id(one) for one in kept}
    for one in kept:
        one.supersedes = list(_through(one.supersedes, alive))
    replaced = {id(old) for one in kept for old in one.supersedes}
    for one in everything:
        if id(one) not in alive:
            _hand_on_the_end(one, alive, replaced)
    return kept


def _hand_on_the_end(passing: Rectangle, alive: set[int], replaced: set[int]) -> None:
    """What was replaced by something that ended in the same moment ended as that did."""
    for old in _through(passing.supersedes, alive):
        if id(old) not in replaced and old.believed_to == passing.believed_from and passing.ended is not None:
            old.ended, old.ended_because = passing.ended, passing.ended_because


def _through(links: list[Rectangle], alive: set[int]) -> Iterator[Rectangle]:
    seen: set[int] = set()
    queue = list(links)
    while queue:
        one = queue.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        if id(one) in alive:
            yield one
        else:
            queue[:0] = one.supersedes
