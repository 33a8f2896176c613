"""The fold against a brute-force replay: thousands of generated histories, every law, every mismatch printed.

    python tests/bench/fold_laws.py 10000 [--seed 1]

Each history is a handful of claims about one subject in one predicate family. For each, at every moment of saying, the
view of the whole fold is held against a fold of only what had been said by then (I1); then a shuffled arrival (I2), one
undisputed value at any point (I3), distinct ids, chains that reach everything (I6), and rectangles that take time.
A mismatch is shrunk to the fewest claims that still show it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from store.beliefs.fold import fold
from store.beliefs.predicates import find
from store.beliefs.rectangles import Rectangle
from store.records import Claim, Cue, Instant, Precision, Stretch
from tests.properties.histories import seen

DAY = 86_400_000_000
START = 1_600_000_000_000_000
PLACES = ("Porto", "Lisbon", "Alfama, Lisbon", "Braga")
PREDICATES = ("lives_in", "favourite_tea", "born_on", "visited", "likes", "dislikes", "owns", "knot_count")
CUES: tuple[Cue, ...] = ("state", "state", "state", "update", "update", "correct", "stop", "retract")
PRECISIONS = (Precision.DAY, Precision.MONTH, Precision.YEAR)
FOREVER = 2**62


def history(source: random.Random) -> tuple[list[Claim], str]:
    """A history and its family."""
    predicate = source.choice(PREDICATES)
    claims = [_claim(source, place, predicate) for place in range(source.randint(1, 8))]
    return claims, find(predicate).slot_name


def _claim(source: random.Random, place: int, predicate: str) -> Claim:
    cue = source.choice(CUES)
    start, end = _stretch(source)
    precision = Precision.OPEN if start is None and end is None else source.choice(PRECISIONS)
    if predicate in ("likes", "dislikes"):
        predicate = source.choice(("likes", "dislikes"))
    return Claim(
        id=f"c{place}", episode=f"e{place}", start=0, end=1, subject="me", predicate=predicate,
        object="" if cue == "stop" and source.random() < 0.5 else source.choice(PLACES),
        valid=Stretch(start, end, precision), holds_now=end is None and source.random() < 0.5,
        said_at=Instant(START + source.randint(0, 6) * DAY), session=source.choice(("s1", "s2")), position=place,
        cue=cue, replaces=source.choice((None, *PLACES)) if cue in ("update", "correct") else None,
        functional=predicate == "knot_count" and source.random() < 0.5,
        negative=cue == "state" and source.random() < 0.25, standing=source.choice((1, 2, 3, 4, 4, 4, 5)),
    )  # fmt: skip


def _stretch(source: random.Random) -> tuple[int | None, int | None]:
    """Late, early, future, closed, of unknown beginning, or without a time."""
    begins = source.choice((None, source.randint(-8, 8)))
    length = source.choice((None, source.randint(1, 6)))
    if begins is None:
        return None, START - source.randint(1, 8) * DAY if source.random() < 0.2 else None
    return START + begins * DAY, None if length is None else START + (begins + length) * DAY


def broken(claims: list[Claim], family: str, source: random.Random) -> str | None:
    """The first law that this history breaks."""
    whole = fold(claims, "me", family)
    for at in {claim.said_at.us for claim in claims}:
        heard = [claim for claim in claims if claim.said_at.us <= at]
        if seen(whole, at) != seen(fold(heard, "me", family), at):
            return "I1 time travel"
    shuffled = source.sample(claims, len(claims))
    if _rows(fold(shuffled, "me", family)) != _rows(whole):
        return "I2 any order"
    for one, other in combinations(whole, 2):
        if one.slot == other.slot and not one.piece.disputed and not other.piece.disputed and _overlap(one, other):
            return "I3 one value"
    return _unsound(whole)


def _rows(rectangles: list[Rectangle]) -> set[object]:
    return {
        (one.id, one.piece, one.believed_from, one.believed_to, one.change, one.ended,
         tuple(old.id for old in one.supersedes), frozenset(said.id for said in one.sources))
        for one in rectangles
    }  # fmt: skip


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    world = one.piece.start < other.piece.end and other.piece.start < one.piece.end
    ends = FOREVER if one.believed_to is None else one.believed_to, other.believed_to or FOREVER
    return world and one.believed_from < ends[1] and other.believed_from < ends[0]


def _unsound(rectangles: list[Rectangle]) -> str | None:
    if len({one.id for one in rectangles}) != len(rectangles):
        return "ids"
    if any(one.piece.start >= one.piece.end or not one.sources for one in rectangles):
        return "empty"
    if any(one.believed_to is not None and one.believed_to <= one.believed_from for one in rectangles):
        return "no time"
    reached: set[str] = set()
    queue = [one for one in rectangles if one.believed_to is None or one.ended in ("stop", "retract")]
    while queue:
        one = queue.pop()
        if one.id not in reached:
            reached.add(one.id)
            queue += one.supersedes
    return None if len(reached) == len(rectangles) else "I6 nothing lost"


def shrunk(claims: list[Claim], family: str, law: str) -> list[Claim]:
    """The fewest claims that break the same law."""
    for place in range(len(claims)):
        fewer = claims[:place] + claims[place + 1 :]
        if broken(fewer, family, random.Random(0)) == law:
            return shrunk(fewer, family, law)
    return claims


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    began, said, rectangles = perf_counter(), 0, 0
    found: Counter[str] = Counter()
    for _ in range(options.count):
        claims, family = history(source)
        said += len(claims)
        rectangles += len(fold(claims, "me", family))
        law = broken(claims, family, source)
        if law is not None:
            found[law] += 1
            if found[law] == 1:
                _show(law, shrunk(claims, family, law))
    print(f"{options.count} histories (seed {options.seed}), {said} claims, {rectangles} rectangles, "
          f"{perf_counter() - began:.1f} s: {found.total()} mismatches")  # fmt: skip
    for law, times in found.items():
        print(f"  {law}: {times}")
    return 1 if found else 0


def _show(law: str, claims: list[Claim]) -> None:
    print(f"== {law}")
    for claim in sorted(claims, key=lambda one: (one.said_at.us, one.session, one.position)):
        world = [None if us is None else (us - START) // DAY for us in (claim.valid.start, claim.valid.end)]
        print(f"  day {(claim.said_at.us - START) // DAY} {claim.session} {claim.cue} {claim.predicate} "
              f"{claim.object!r} {world} {claim.valid.precision} now={claim.holds_now} not={claim.negative} "
              f"replaces={claim.replaces} standing={claim.standing} functional={claim.functional}")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
