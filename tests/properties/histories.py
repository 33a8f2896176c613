"""Generated histories: claims of several people, in slots of every kind, late and early, with every word of change."""

from __future__ import annotations

from hypothesis import strategies as st

from store.beliefs.rectangles import Rectangle
from store.records import Claim, Cue, Instant, Precision, Stretch

DAY = 86_400_000_000
START = 1_600_000_000_000_000
PLACES = ("Porto", "Lisbon", "Alfama, Lisbon", "Braga", "Berlin")
SINGLE = ("lives_in", "works_at", "favourite_tea", "born_on")
MANY = ("likes", "dislikes", "owns", "visited", "knot_count")


@st.composite
def claims(draw: st.DrawFn, index: int = 0) -> Claim:
    """One claim; days are few, so that many are said at the same moment and many boundaries meet."""
    predicate = draw(st.sampled_from(SINGLE + MANY))
    said = START + draw(st.integers(0, 12)) * DAY
    cue: Cue = draw(st.sampled_from(("state", "state", "state", "update", "update", "correct", "stop", "retract")))
    begins = draw(st.one_of(st.none(), st.integers(-20, 20)))
    length = draw(st.one_of(st.none(), st.integers(1, 15)))
    start = None if begins is None else START + begins * DAY
    end = None if start is None or length is None else start + length * DAY
    precision = (
        Precision.OPEN if start is None else draw(st.sampled_from((Precision.DAY, Precision.MONTH, Precision.YEAR)))
    )
    value = draw(st.sampled_from(PLACES))
    key = f"{index}-{draw(st.integers(0, 10**9))}"
    return Claim(
        id=f"c{key}",
        episode=f"e{key}",
        start=0,
        end=1,
        subject=draw(st.sampled_from(("me", "ana"))),
        predicate=predicate,
        object="" if cue == "stop" and draw(st.booleans()) else value,
        valid=Stretch(start, end, precision, 0),
        holds_now=end is None and draw(st.booleans()),
        said_at=Instant(said, 0),
        session=draw(st.sampled_from(("s1", "s2"))),
        position=index,
        cue=cue,
        replaces=draw(st.one_of(st.none(), st.sampled_from(PLACES))) if cue in ("update", "correct") else None,
        functional=predicate == "knot_count" and draw(st.booleans()),
        negative=cue == "state" and draw(st.booleans()),
        standing=draw(st.sampled_from((2, 3, 4, 4, 4, 5))),
    )


def histories(most: int = 12) -> st.SearchStrategy[list[Claim]]:
    """Lists of claims with ids of their own."""
    return st.integers(0, most).flatmap(lambda count: st.tuples(*(claims(index) for index in range(count))).map(list))


def seen(rectangles: list[Rectangle], at: int) -> set[object]:
    """What was believed at a moment, with the words that had been said for it by then."""
    return {
        (one.id, one.slot, one.piece, one.believed_from, one.change, tuple(sorted(old.id for old in one.supersedes)),
         tuple(sorted(claim.id for claim in one.sources if claim.said_at.us <= at)))
        for one in rectangles
        if one.believed_from <= at and (one.believed_to is None or at < one.believed_to)
    }  # fmt: skip
