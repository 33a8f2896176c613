"""Decay is a pure function of times and now: weighing twice changes nothing, and decay removes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.beliefs.salience import (
    ACCESS,
    BASE,
    CORE,
    DAY,
    FADED,
    FADING,
    VALIDATED,
    Standing,
    decay,
    faded_confidence,
    standing,
)
from store.database.rows import rows
from store.errors import NotFound
from store.memory import Memory
from store.records import Fact, Instant, Turn
from store.sleep import salience
from tests.conftest import NOW, ZONE, at

SAID = at("2024-01-01T12:00")


def days(*count: float) -> list[int]:
    return [SAID + round(one * DAY) for one in count]


def test_what_was_said_once_begins_in_the_middle_and_decays_by_the_day() -> None:
    one = standing("likes", [SAID])
    assert one is not None and (one.importance, one.tier) == (BASE, "draft")
    assert one.importance_at(SAID + 10 * DAY) == pytest.approx(BASE * 0.995**10)
    assert one.salience_at(SAID) == 0.75
    assert one.salience_at(SAID + 30 * DAY) == pytest.approx((0.5 * 0.995**30 + math.exp(-1)) / 2, abs=1e-4)


def test_saying_it_again_gives_five_and_an_answer_three_and_a_day_counts_once() -> None:
    again = standing("likes", [SAID, SAID + 3_600_000_000, SAID + DAY])
    assert again is not None and again.importance == pytest.approx(BASE * 0.995 + 5)
    used = standing("likes", [SAID], [SAID, SAID, SAID + 1])
    assert used is not None and used.importance == pytest.approx(BASE + 2 * ACCESS)


def test_saying_it_after_long_leaves_no_less_than_saying_it_first() -> None:
    late = standing("likes", days(0, 400))
    assert late is not None and late.importance == BASE and late.touched == SAID + 400 * DAY


def test_tiers_rise_and_fall_with_a_gap_between() -> None:
    five_uses = standing("likes", [SAID], [SAID + n for n in range(1, 6)])
    assert five_uses is not None and five_uses.importance == pytest.approx(VALIDATED, abs=0.01)
    assert standing("likes", [SAID], [SAID + n for n in range(1, 5)]).tier == "draft"  # type: ignore[union-attr] # it was said
    twelve = standing("likes", [SAID], [SAID + n for n in range(1, 13)])
    assert twelve is not None and twelve.tier == "core" and twelve.importance >= CORE
    # 0.995 a day: 86 points are below 60 after 72 days, and below 35 after 180.
    assert [twelve.tier_at(SAID + day * DAY) for day in (60, 80, 170, 190)] == [
        "core",
        "validated",
        "validated",
        "draft",
    ]
    # Once it fell, 65 does not make it core again, and what was validated stays so between 35 and 65.
    back = standing("likes", [SAID], [*(SAID + n for n in range(1, 13)), *days(80, 81)])
    assert back is not None and back.tier == "validated" and VALIDATED > back.importance > 35


def test_importance_never_passes_a_hundred() -> None:
    often = standing("likes", [SAID], [SAID + n for n in range(1, 90)])
    assert often is not None and often.importance == 100


def test_what_never_changes_does_not_grow_stale() -> None:
    born, lives, likes = (standing(one, [SAID]) for one in ("born_on", "lives_in", "likes"))
    year = SAID + 365 * DAY
    assert born and lives and likes
    assert born.salience_at(year) > FADING > FADED > lives.salience_at(year) > likes.salience_at(year)
    assert standing("allergic_to", [SAID]).salience_at(year) > FADING  # type: ignore[union-attr] # it was said


def test_a_curve_only_falls_and_ends_where_salience_is_then() -> None:
    one = Standing(80.0, SAID, "validated")
    curve = decay(one, SAID, 90)
    assert [day for day, _ in curve] == list(range(91))
    assert all(now > then for (_, now), (_, then) in pairwise(curve))
    assert curve[-1][1] == one.salience_at(SAID + 90 * DAY)


def test_opinions_lose_confidence_and_circumstances_do_not() -> None:
    year = SAID + 365 * DAY
    assert faded_confidence("likes", 0.9, [SAID], year) == pytest.approx(0.9 * 0.999**365)
    assert faded_confidence("favourite_colour", 0.9, [SAID], year) < 0.7
    assert faded_confidence("lives_in", 0.9, [SAID], year) == 0.9


@pytest.fixture
def settled(memory: Memory, say: Callable[..., None]) -> Memory:
    """A memory in which one thing fades, one is fresh, and one never fades."""
    say("2026-03-10", "I like rooibos.", "I was born on 12 May 1989.")
    say("2026-05-30", "I like climbing.")
    return memory


def named(facts: list[Fact]) -> list[str]:
    return [one.object for one in facts]


def test_a_fading_belief_is_listed_and_comes_back_when_it_is_used(settled: Memory) -> None:
    (fact,) = settled.salience.fading()
    assert fact.object == "rooibos" and FADED <= fact.salience < FADING
    assert settled.salience.use([fact]) == 1
    assert settled.salience.fading() == [] and settled.beliefs.fact(fact.id).salience > FADING
    assert named(settled.beliefs.facts(predicate="likes")) == ["climbing", "rooibos"]


def test_an_answer_counts_once_however_many_facts_it_has_of_a_slot(settled: Memory) -> None:
    answer = settled.answering.ask("What do I like?")
    assert answer.facts
    assert settled.salience.used(answer) == len({fact.slot for fact in answer.facts})
    assert settled.salience.used(answer) == 0


def test_a_pin_keeps_a_belief_in_view_and_makes_it_core(settled: Memory) -> None:
    (fact,) = settled.salience.fading()
    assert settled.salience.core() == []
    settled.by_hand.pin(fact.id)
    assert settled.salience.fading() == [] and named(settled.salience.core()) == ["rooibos"]
    settled.by_hand.pin(fact.id, off=True)
    assert named(settled.salience.fading()) == ["rooibos"] and settled.salience.core() == []


def test_weighing_twice_changes_nothing(settled: Memory) -> None:
    table = "select * from salience order by 1"
    before = rows(settled._database.reader(), table)
    with settled._database.writing() as connection:
        connection.execute("insert or ignore into salience_waits select id from facts")
        while salience.settle_some(connection, 2):
            pass
    assert rows(settled._database.reader(), table) == before and len(before) == 3


def test_what_is_stored_gives_the_salience_of_the_fact(settled: Memory) -> None:
    now = settled.latest()
    for fact in settled.beliefs.facts():
        stored = salience.standings(settled._database.reader(), [fact.id])[fact.id]
        assert stored.salience_at(now) == fact.salience
        assert settled.salience.decay(fact.id, 3)[0] == (0, fact.salience)


def test_what_is_believed_no_more_is_weighed_no_more(settled: Memory) -> None:
    (fact,) = settled.salience.fading()
    settled.by_hand.retract(fact.id)
    for _ in settled.sleeping.run():
        pass
    assert settled.salience.fading() == [] and settled.salience.decay(fact.id) == ()


def test_a_rebuild_weighs_everything_as_it_was(settled: Memory) -> None:
    settled.salience.use(settled.salience.fading())
    before = rows(settled._database.reader(), "select * from salience order by 1")
    for _ in settled.file.rebuild():
        pass
    assert rows(settled._database.reader(), "select * from salience order by 1") == before


def test_what_was_core_by_being_said_often_is_listed(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        start = NOW.us - 20 * DAY
        turns = [Turn("I like rooibos.", f"s{n}", said_at=Instant(start + n * DAY)) for n in range(10)]
        list(memory.episodes.ingest(turns))
        for _ in memory.sleeping.run():
            pass
        (fact,) = memory.salience.core()
        assert fact.object == "rooibos" and not fact.pinned


def test_began_to_fade_tells_each_once(settled: Memory) -> None:
    reader, now = settled._database.reader(), settled.latest()
    week = 7 * DAY
    told = [
        one
        for step in range(-40, 41)
        for one in salience.began_to_fade(reader, now + (step - 1) * week, now + step * week)
    ]
    assert len(told) == len(set(told)) == 2


def test_there_is_no_such_fact(settled: Memory) -> None:
    with pytest.raises(NotFound):
        settled.beliefs.fact("f0")
