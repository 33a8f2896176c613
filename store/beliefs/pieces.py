"""A claim's piece is what its own words say of world time, before anything is known of its neighbours."""

from __future__ import annotations

from store.beliefs.predicates import Predicate
from store.beliefs.rectangles import ALWAYS, FOREVER, HeldValue
from store.beliefs.values import value_key
from store.records import Claim, Precision, Stretch

OPEN = Stretch(None, None, Precision.OPEN)  # no time of the world was said
ALSO = "also"
"""The qualifier of a claim whose words set its value beside others ("I'm a firefighter too"); no part of the value."""
STREET = "on"  # what ALSO says of a street: whoever moves to one leaves the street before, and not the town
ALONE = "alone"  # the qualifier of what takes the place of all else of its kind: "I only drink tea now"

TYPED = 5
"""The standing of what the person typed by hand: it names one belief exactly, and outranks all that was extracted."""
IF_HELD = "if"  # the qualifier of an end that strikes only what is believed, and tells no past: "walnuts are fine now"
CALLED_OFF = "off"
"""The qualifier of a taking back that is of a plan: what lies ahead is never to be, and what holds by then ends."""
MOVED_FROM = "moved from"  # the qualifier of an occasion that is moved: the day, in ISO form, on which it was to be
DATED_BY = "dated by"  # the qualifier of what is moved by a part of its date, or counted from it: "a week later"
BY_A_PART = frozenset(["clock", "day"])  # parts of a date: "clock" keeps its day, "day" the month that lies nearest
_NO_DETAIL = frozenset([ALSO, ALONE, MOVED_FROM, DATED_BY])  # qualifiers that are no part of what a claim says
DAY = 86_400_000_000
SPANS = {
    Precision.DAY: DAY, Precision.WEEK: 7 * DAY, Precision.MONTH: 31 * DAY, Precision.SEASON: 92 * DAY,
    Precision.YEAR: 366 * DAY,
}  # fmt: skip
"""How far behind a coarsely told start the true one may lie, in microseconds."""


def value_of(predicate: Predicate, value: str, *, single: bool, negative: bool) -> str:
    """By what two pieces of a track are told apart: their value, or in a track of one value what is said of it."""
    return ("not " if negative else "") + (value_key(value) if single else predicate.alike or predicate.name)


def piece_of(claim: Claim, predicate: Predicate, single: bool) -> HeldValue:
    """The value and the stretch of world time that the claim speaks of."""
    valid, said = claim.valid, claim.said_at
    start, end, known, precision = valid.start, valid.end, True, valid.precision
    offset = valid.offset or said.offset
    if predicate.temporal == "event":
        if start is None:  # on the day of which it is told
            shift = offset * 1_000_000
            start, end, precision = (said.us + shift) // DAY * DAY - shift, None, Precision.OPEN
        end = start + DAY if end is None or end <= start else end
    elif predicate.temporal == "permanent" and start is None and end is None:
        start, end, precision = ALWAYS, FOREVER, Precision.OPEN
    elif start is None and end is not None and end <= said.us:
        start, known, precision = end - 1, False, Precision.OPEN
    elif start is None:
        start, precision = said.us, Precision.OPEN
    told_to = precision if predicate.temporal == "event" else Precision.OPEN if end is None else valid.precision
    return HeldValue(
        value=value_of(predicate, claim.object, single=single, negative=claim.negative), predicate=predicate.name,
        object=claim.object, start=start, end=FOREVER if end is None else end, start_precision=precision,
        end_precision=told_to, offset=offset, start_known=known, negative=claim.negative,
        standing=claim.standing, whole=told_whole(claim),
        qualifiers=tuple(qualifier for qualifier in claim.qualifiers if qualifier[0] not in _NO_DETAIL),
    )  # fmt: skip


def told_whole(claim: Claim) -> int | None:
    """The end of a stretch of several days, weeks, months or years that a claim gives from its beginning on. What was
    typed by hand ends at the very moment that it names."""
    start, end, unit = claim.valid.start, claim.valid.end, SPANS.get(claim.valid.precision)
    by_hand = claim.standing >= TYPED
    return None if by_hand or start is None or end is None or unit is None or end - start <= unit else end
