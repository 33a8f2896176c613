"""What takes place is put right by hand in its words and in its date, each alone, and the turn says which."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory
from store.records import Fact, Precision, Stretch
from tests.conftest import at

Say = Callable[..., None]
DAY = 86_400_000_000


def events(memory: Memory) -> list[Fact]:
    return memory.beliefs.facts(about="me", predicate="event", as_of=Stretch(None, None))


def days(memory: Memory) -> list[tuple[str, str]]:
    return [(one.object, one.valid_from.iso()[:16] if one.valid_from else "") for one in events(memory)]


def day(text: str) -> tuple[Stretch, Stretch]:
    """The day, and the end of it."""
    start = at(f"{text}T00:00+01:00")
    return Stretch(start, start + DAY, Precision.DAY, 3600), Stretch(start + DAY, None, Precision.DAY, 3600)


def said(memory: Memory) -> str:
    return memory.episodes.of("by hand")[-1].text


@pytest.fixture
def runs(memory: Memory, say: Say) -> Memory:
    """Two runs of one name, and a third that is ahead."""
    say("2026-05-01", "I ran the parkrun on 3 April 2026.", "I ran the parkrun on 17 April 2026.")
    say("2026-05-20", "My dentist appointment is on 14 June.")
    assert len(events(memory)) == 3
    return memory


def coming(memory: Memory) -> Fact:
    return next(one for one in events(memory) if "dentist" in one.object)


def test_other_words_for_an_event_keep_its_date_and_take_the_place_of_the_wrong_ones(runs: Memory) -> None:
    before, wrong, others = runs.state_hash(), coming(runs), len(events(runs))
    assert wrong.object != "dentist"
    right = runs.by_hand.correct("me", "event", "dentist", instead_of=wrong)
    assert (right.object, right.valid_from, right.precision) == ("dentist", wrong.valid_from, wrong.precision)
    assert [one.object for one in events(runs) if "dentist" in one.object] == ["dentist"]
    assert len(events(runs)) == others
    assert said(runs) == f"Correction: me, event: dentist (instead of {wrong.object})"
    runs.log.undo(runs.log.operations(limit=1)[0].id)
    assert runs.state_hash() == before


def test_the_words_and_the_date_are_put_right_at_once(runs: Memory) -> None:
    begins, ends = day("2026-06-21")
    runs.by_hand.correct("me", "event", "dentist", begins=begins, ends=ends, instead_of=coming(runs).object)
    assert ("dentist", "2026-06-21T00:00") in days(runs)
    assert "event: dentist, 21 June 2026 (instead of dentist appointment)" in said(runs)


def test_a_date_alone_is_named_before_and_after(runs: Memory) -> None:
    begins, ends = day("2026-06-21")
    wrong = coming(runs)
    right = runs.by_hand.correct("me", "event", wrong.object, begins=begins, ends=ends, instead_of=wrong)
    assert right.object == wrong.object and right.id != wrong.id
    assert said(runs) == f"Correction: me, event: {wrong.object}, 21 June 2026 (instead of 14 June 2026)"


def test_of_two_events_of_one_name_the_one_that_was_pointed_at_is_dated_anew(runs: Memory) -> None:
    begins, ends = day("2026-04-04")
    first = next(one for one in events(runs) if one.valid_from and one.valid_from.iso()[:10] == "2026-04-03")
    runs.by_hand.correct("me", "event", first.object, begins=begins, ends=ends, instead_of=first)
    assert [at[:10] for what, at in days(runs) if what == first.object] == ["2026-04-04", "2026-04-17"]


def test_only_the_writing_of_a_value_is_put_right_too(runs: Memory, say: Say) -> None:
    wrong = coming(runs)
    right = runs.by_hand.correct("me", "event", wrong.object.upper(), instead_of=wrong)
    assert (right.object, right.valid_from) == (wrong.object.upper(), wrong.valid_from)
    say("2026-05-21", "I live in porto.")
    runs.by_hand.correct("me", "lives_in", "Porto", instead_of="porto")
    assert [one.object for one in runs.beliefs.facts(about="me", predicate="lives_in")] == ["Porto"]


def test_when_it_began_is_named_before_and_after(memory: Memory, say: Say) -> None:
    say("2026-05-20", "I have lived in Porto since 2020.")
    (wrong,) = memory.beliefs.facts(about="me", predicate="lives_in")
    memory.by_hand.correct("me", "lives_in", "Porto", since=day("2021-05-01")[0], instead_of=wrong)
    assert said(memory) == "Correction: me, lives in: Porto, since 1 May 2021 (instead of since 2020)"
