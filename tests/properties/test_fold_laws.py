"""I1, I2, I3 and I6 hold for the fold itself, whatever was said in whatever order."""

from __future__ import annotations

import os
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.beliefs.fold import fold
from store.beliefs.predicates import find
from store.beliefs.rectangles import Rectangle
from store.records import Claim
from tests.properties.histories import histories, seen

EXAMPLES = int(os.environ.get("ERSTWHILE_EXAMPLES", "150"))
laws = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def folded(claims: list[Claim]) -> list[Rectangle]:
    groups = {(claim.subject, find(claim.predicate).slot_name) for claim in claims}
    return [
        one
        for subject, family in sorted(groups)
        for one in fold(
            [c for c in claims if (c.subject, find(c.predicate).slot_name) == (subject, family)], subject, family
        )
    ]


@laws
@given(histories())
def test_the_past_view_is_what_a_memory_that_heard_only_that_much_believes(claims: list[Claim]) -> None:
    whole = folded(claims)
    for at in sorted({claim.said_at.us for claim in claims}):
        heard = [claim for claim in claims if claim.said_at.us <= at]
        assert seen(whole, at) == seen(folded(heard), at)


@laws
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_makes_no_difference(claims: list[Claim], random: object) -> None:
    shuffled = list(claims)
    random.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis types its Random as object
    everything = {(one.id, one.piece, one.believed_from, one.believed_to) for one in folded(claims)}
    assert everything == {(one.id, one.piece, one.believed_from, one.believed_to) for one in folded(shuffled)}


@laws
@given(histories())
def test_a_slot_has_one_undisputed_value_at_any_point(claims: list[Claim]) -> None:
    for one, other in combinations(folded(claims), 2):
        if one.slot != other.slot or one.piece.disputed or other.piece.disputed:
            continue
        world = one.piece.start < other.piece.end and other.piece.start < one.piece.end
        belief = one.believed_from < (other.believed_to or 2**62) and other.believed_from < (one.believed_to or 2**62)
        assert not (world and belief), (one.piece, other.piece)


@laws
@given(histories())
def test_every_belief_can_be_reached_along_its_chain(claims: list[Claim]) -> None:
    """From what is believed now, or from what was ended or taken back with nothing in its place."""
    rectangles = folded(claims)
    reached: set[str] = set()
    queue = [one for one in rectangles if one.believed_to is None or one.ended in ("stop", "retract")]
    while queue:
        one = queue.pop()
        if one.id not in reached:
            reached.add(one.id)
            queue += one.supersedes
    assert {one.id for one in rectangles} == reached


@laws
@given(histories())
def test_every_belief_rests_on_what_was_said_and_takes_time(claims: list[Claim]) -> None:
    for one in folded(claims):
        assert one.piece.start < one.piece.end
        assert one.believed_to is None or one.believed_from < one.believed_to
        assert one.sources and all(claim in claims for claim in one.sources)
        assert one.because.said_at.us == one.believed_from
