"""Salience lies between 0 and 1, only falls while nothing happens, and a saying or a use never lowers it."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from store.beliefs.salience import BASE, DAY, FULL, Standing, standing

predicates = st.sampled_from(("likes", "lives_in", "born_on", "goes_to"))
moments = st.lists(st.integers(0, 2_000), min_size=1, max_size=25).map(lambda days: [day * DAY // 2 for day in days])
uses = st.lists(st.integers(0, 2_000), max_size=25).map(lambda days: [day * DAY // 2 for day in days])


def weighed(predicate: str, said: list[int], used: list[int]) -> Standing:
    found = standing(predicate, said, used)
    assert found is not None
    return found


@given(predicates, moments, uses)
def test_it_depends_on_the_times_and_not_on_their_order(predicate: str, said: list[int], used: list[int]) -> None:
    one = weighed(predicate, said, used)
    source = random.Random(1)
    assert weighed(predicate, source.sample(said, len(said)), source.sample(used, len(used))) == one
    assert weighed(predicate, said + said, used + used) == one


@given(predicates, moments, uses)
def test_it_only_falls_while_nothing_happens(predicate: str, said: list[int], used: list[int]) -> None:
    one = weighed(predicate, said, used)
    levels = [one.salience_at(one.touched + day * DAY) for day in (0, 1, 10, 100, 1_000, 10_000)]
    assert all(0 <= level <= 1 for level in levels) and levels == sorted(levels, reverse=True)
    ranks = [("draft", "validated", "core").index(one.tier_at(one.touched + day * DAY)) for day in (0, 10, 100, 1_000)]
    assert ranks == sorted(ranks, reverse=True) and 0 <= one.importance <= FULL


@given(predicates, moments, uses, st.integers(1, 1_000))
def test_a_use_or_a_saying_now_never_lowers_it(predicate: str, said: list[int], used: list[int], later: int) -> None:
    one = weighed(predicate, said, used)
    now = max(said + used) + later * DAY
    assert weighed(predicate, said, [*used, now]).salience_at(now) >= one.salience_at(now)
    again = weighed(predicate, [*said, now], used)
    assert again.salience_at(now) >= one.salience_at(now) and again.importance >= BASE
