"""A rectangle closes once, at the saying of a claim, and is never changed after that except by more words for it.

A `Piece` is a value over a stretch of world time; a `Rectangle` is a piece over a stretch of belief time; a `Track` is
what is believed about one thing right now: the open rectangles, in order of world time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple

from store.records import ChangeKind, Claim, Instant, Precision

FOREVER = 2**62
ALWAYS = -(2**62)


@dataclass(frozen=True, slots=True)
class HeldValue:
    """A value that holds for start <= t < end, in microseconds UTC."""

    value: str  # what two pieces must share to be the same
    predicate: str
    object: str
    start: int
    end: int
    start_precision: Precision
    end_precision: Precision
    offset: int
    start_after: int | None = None  # nobody said the start: it lies between this and `start`
    end_after: int | None = None
    start_known: bool = True
    """False for a past whose beginning nobody told: it is known to have held just before its end, and no earlier."""
    negative: bool = False
    disputed: bool = False
    standing: int = 4
    qualifiers: tuple[tuple[str, str], ...] = ()
    whole: int | None = None
    """The end, where a stretch of several units was told whole: "from March to June" ends with June."""

    @property
    def until(self) -> int:
        """The end as it is told, with `end_precision`: of what was told whole a moment in its last unit, and not the
        beginning of the next one."""
        return self.end - 1 if self.whole == self.end else self.end


class Earlier(NamedTuple):
    """A claim that the stored facts of its group have taken in."""

    id: str
    said_at: Instant
    row: int


RectangleClaim = Claim | Earlier


@dataclass(slots=True, eq=False)
class Rectangle:
    """A piece and the stretch of belief time in which it was held."""

    id: str
    slot: str
    piece: HeldValue
    believed_from: int
    change: ChangeKind
    because: RectangleClaim
    sources: list[RectangleClaim]  # in the order of saying
    supersedes: list[Rectangle] = field(default_factory=list)
    believed_to: int | None = None
    ended: ChangeKind | None = None
    ended_because: RectangleClaim | None = None

    def last_said(self) -> int:
        return self.sources[-1].said_at.us

    def only_planned(self) -> bool:
        """Nobody has spoken of it since it was to begin."""
        return self.last_said() < self.piece.start


class Track:
    """The open rectangles of one slot, by world time, and every rectangle that there ever was."""

    def __init__(self, slot: str) -> None:
        self.slot = slot
        self.open: list[Rectangle] = []
        self.all: list[Rectangle] = []
        self.loose: list[Rectangle] = []  # closed, with nothing in their place: the next to open points at them
        self.fresh: list[Rectangle] = []  # opened at the moment that is being folded

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
        later = self.open[bisect_right(self.open, us, key=lambda one: one.piece.start) :]
        return next((one.piece.start for one in later if one.piece.start_precision is not Precision.OPEN), None)

    def latest(self) -> Rectangle | None:
        """The open rectangle that begins last."""
        return self.open[-1] if self.open else None

    def place(
        self, piece: HeldValue, claim: Claim, change: ChangeKind, replaced: Sequence[Rectangle] = (),
        sources: Sequence[RectangleClaim] = (), side: str = "main",
    ) -> Rectangle:  # fmt: skip
        """Open a rectangle at the claim's saying; without other sources it rests on the claim."""
        # In an order of their own: a fold that goes on from stored state may find them in another.
        loose = sorted((one for one in self.loose if one not in replaced), key=lambda one: (one.believed_from, one.id))
        self.loose.clear()
        origin = replaced[0].id if replaced else ""
        key = f"{self.slot}\0{claim.id}\0{side}\0{origin}\0{piece.start}"
        key = "f" + blake2b(key.encode(), digest_size=9).hexdigest()
        rectangle = Rectangle(
            key, self.slot, piece, claim.said_at.us, change, claim, [*sources] or [claim], [*replaced, *loose]
        )
        self.open.insert(bisect_right(self.open, piece.start, key=lambda one: one.piece.start), rectangle)
        self.all.append(rectangle)
        self.fresh.append(rectangle)
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
            self.loose.append(rectangle)

    def reshape(
        self, rectangle: Rectangle, claim: Claim, change: ChangeKind, side: str, **changed: object
    ) -> Rectangle:
        """Close a rectangle and open it again with another shape; what had been said for it goes with it."""
        self.close(rectangle, claim, change)
        piece = replace(rectangle.piece, **changed)  # type: ignore[arg-type] # the names are Piece's own fields
        return self.place(piece, claim, change, [rectangle], rectangle.sources, side)

    def retell(
        self, rectangle: Rectangle, claim: Claim, change: ChangeKind, side: str = "main", **changed: object
    ) -> Rectangle:
        """Reshape a rectangle that then rests on the claim, too."""
        fresh = self.reshape(rectangle, claim, change, side, **changed)
        fresh.sources.append(claim)
        return fresh


def settle_moment(tracks: Sequence[Track]) -> None:
    """End a moment of saying: what was opened and closed in it was not believed for any time, and is dropped; links
    that led through it lead on to what it replaced, and what it replaced ended as the last of them did."""
    fresh = [one for track in tracks for one in track.fresh]
    gone = {id(one) for one in fresh if one.believed_to == one.believed_from}
    if gone:
        replaced = {id(old) for one in fresh for old in one.supersedes}
        last = [one for one in fresh if id(one) in gone and id(one) not in replaced]
        for one in fresh:
            one.supersedes = list(_through(one.supersedes, gone))
        kept = {id(old) for one in fresh if id(one) not in gone for old in one.supersedes}
        for one in last:
            for old in one.supersedes:
                if id(old) not in kept and old.believed_to == one.believed_from:
                    old.ended, old.ended_because = one.ended, one.ended_because
        for track in tracks:
            track.loose = list(_through(track.loose, gone))
            track.all = [one for one in track.all if id(one) not in gone]
    for track in tracks:
        track.fresh.clear()


def _through(links: list[Rectangle], gone: set[int]) -> Iterator[Rectangle]:
    seen: set[int] = set()
    queue = list(links)
    while queue:
        one = queue.pop(0)
        if id(one) in gone and id(one) not in seen:
            queue[:0] = one.supersedes
        elif id(one) not in seen:
            yield one
        seen.add(id(one))
