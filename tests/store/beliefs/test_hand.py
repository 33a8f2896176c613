"""What is done by hand outranks what was read, and undoing it gives the identical state back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from store.errors import NotFound, UsageError
from store.memory import Memory
from store.records import Fact, Instant, Precision, Stretch, Turn
from tests.conftest import NOW, ZONE, at

Say = Callable[..., None]


def believed(memory: Memory, predicate: str, about: str = "me") -> list[Fact]:
    """What is believed now of all of time, by world time."""
    return memory.beliefs.facts(about=about, predicate=predicate, as_of=Stretch(None, None))


def values(facts: list[Fact]) -> list[tuple[str, str, str]]:
    """(object, from, to), to the month."""
    return [
        (one.object, one.valid_from.iso()[:7] if one.valid_from else "", one.valid_to.iso()[:7] if one.valid_to else "")
        for one in facts
    ]


def day(text: str, precision: Precision = Precision.DAY) -> Stretch:
    return Stretch(at(f"{text}T00:00+01:00"), at(f"{text}T00:00+01:00") + 86_400_000_000, precision, 3600)


class Days:
    """A clock that stands still until the test moves it on."""

    days = 0

    def now(self) -> Instant:
        return Instant.of(NOW.local() + timedelta(days=self.days))


def last(memory: Memory) -> int:
    return memory.log.operations(limit=1)[0].id


@pytest.fixture
def moved(memory: Memory, say: Say) -> Memory:
    """Porto since 2020, and Lisbon since January 2024."""
    say("2024-03-03", "I have lived in Porto since 2020.")
    say("2024-06-05", "I moved to Lisbon in January 2024.")
    assert values(believed(memory, "lives_in")) == [("Porto", "2020-01", "2024-01"), ("Lisbon", "2024-01", "")]
    return memory


@pytest.mark.parametrize("value", ["Lisbon", "Faro"])
def test_what_was_believed_of_the_wrong_one_is_of_another_for_the_same_time(moved: Memory, value: str) -> None:
    before = moved.state_hash()
    wrong = believed(moved, "lives_in")[1]
    moved.by_hand.correct("Ana", "lives_in", value, wrongly_of=wrong)
    assert values(believed(moved, "lives_in", "Ana")) == [(value, "2024-01", "")]
    assert "Lisbon" not in [one.object for one in believed(moved, "lives_in")]
    moved.log.undo(last(moved))
    assert moved.state_hash() == before


def test_a_correction_without_a_time_takes_the_place_of_what_was_wrong(moved: Memory) -> None:
    before = moved.state_hash()
    fact = moved.by_hand.correct("me", "lives_in", "Cascais")
    assert fact.change == "correct" and fact.supersedes
    assert values(believed(moved, "lives_in")) == [("Porto", "2020-01", "2024-01"), ("Cascais", "2024-01", "")]
    moved.log.undo(last(moved))
    assert moved.state_hash() == before


def test_a_correction_with_a_beginning_ends_where_the_next_state_began(moved: Memory) -> None:
    before = moved.state_hash()
    moved.by_hand.correct("me", "lives_in", "Braga", begins=day("2022-05-01"))
    assert values(believed(moved, "lives_in")) == [
        ("Porto", "2020-01", "2022-05"), ("Braga", "2022-05", "2024-01"), ("Lisbon", "2024-01", ""),
    ]  # fmt: skip
    moved.log.undo(last(moved))
    assert moved.state_hash() == before


def test_a_correction_since_a_time_reaches_until_now(moved: Memory) -> None:
    moved.by_hand.correct("me", "lives_in", "Braga", since=day("2022-05-01"))
    assert values(believed(moved, "lives_in")) == [("Porto", "2020-01", "2022-05"), ("Braga", "2022-05", "")]


def test_a_correction_from_and_to_leaves_what_is_outside(moved: Memory) -> None:
    moved.by_hand.correct("me", "lives_in", "Braga", begins=day("2021-05-01"), ends=day("2021-09-01"))
    assert values(believed(moved, "lives_in")) == [
        ("Porto", "2020-01", "2021-05"), ("Braga", "2021-05", "2021-09"), ("Porto", "2021-09", "2024-01"),
        ("Lisbon", "2024-01", ""),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="end before"):
        moved.by_hand.correct("me", "lives_in", "Faro", begins=day("2021-05-01"), ends=day("2020-05-01"))


def test_the_right_value_with_another_beginning_moves_the_boundary_both_ways(moved: Memory) -> None:
    moved.by_hand.correct("me", "lives_in", "Lisbon", begins=day("2024-02-10"))
    assert values(believed(moved, "lives_in")) == [("Porto", "2020-01", "2024-02"), ("Lisbon", "2024-02", "")]
    moved.log.undo(last(moved))
    moved.by_hand.correct("me", "lives_in", "Lisbon", begins=day("2023-11-10"))
    assert values(believed(moved, "lives_in")) == [("Porto", "2020-01", "2023-11"), ("Lisbon", "2023-11", "")]


def test_a_slot_that_the_registry_does_not_know_is_corrected_too(memory: Memory, say: Say) -> None:
    memory.by_hand.correct("me", "door code", "1234")
    memory.by_hand.correct("me", "door code", "9876")
    assert [one.object for one in believed(memory, "door_code")] == ["9876"]


def test_one_value_among_many_is_corrected_by_name(memory: Memory, say: Say) -> None:
    say("2024-03-03", "I like rooibos.", "I like climbing.")
    memory.by_hand.correct("me", "likes", "bouldering", instead_of="climbing")
    assert sorted(one.object for one in believed(memory, "likes")) == ["bouldering", "rooibos"]


def test_what_is_typed_holds_against_what_is_read_before_and_after_it(memory: Memory, say: Say) -> None:
    say("2024-03-03", "My birthday is 3 May 1990.")
    memory.by_hand.correct("me", "born_on", "4 May 1990")
    say("2024-03-04", "I was born on 3 May 1990.")
    assert [one.object for one in believed(memory, "born_on")] == ["4 May 1990"]


def test_a_retraction_takes_one_period_back_and_what_it_cut_short_goes_on(moved: Memory) -> None:
    before = moved.state_hash()
    porto, lisbon = believed(moved, "lives_in")
    gone = moved.by_hand.retract(lisbon.id)
    assert gone.believed_to == NOW and gone.ended == "retract"
    assert values(believed(moved, "lives_in")) == [("Porto", "2020-01", "")]
    with pytest.raises(UsageError, match="not believed any more"):
        moved.by_hand.retract(lisbon.id)
    moved.log.undo(last(moved))
    assert moved.state_hash() == before
    moved.by_hand.retract(porto.id)
    assert values(believed(moved, "lives_in")) == [("Lisbon", "2024-01", "")]


def test_one_of_two_periods_with_the_same_value_is_taken_back_alone(memory: Memory, say: Say) -> None:
    say("2024-03-03", "I lived in Porto from 2010 to 2012.", "I lived in Porto from 2018 to 2020.")
    early, late = believed(memory, "lives_in")
    memory.by_hand.retract(early.id)
    assert [one.id for one in believed(memory, "lives_in")] == [late.id]


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ("Harold", ("Harold died in 2018.", "Harold died in June 2021.")),
        ("Lorraine", ("Lorraine is my mother.", "Lorraine died of cancer in 2018.", "Lorraine died.")),
        ("me", ("I like tea.", "I like green tea.", "I like coffee.")),
        ("me", ("I have a cat called Mia.", "I have a cat called Lua.")),
        ("Ray", ("Ray lives in Toledo.", "Ray works at Landstar.", "Ray died in 2023.")),
    ],
)
def test_each_of_several_beliefs_holds_no_more_when_it_is_taken_back(
    tmp_path: Path, about: str, said: tuple[str, ...]
) -> None:
    clock, taken = Days(), 0
    with Memory.open(tmp_path / "m.db", clock=clock, zone=ZONE) as memory:
        for text in said:
            clock.days += 1
            memory.reading.learn(memory.episodes.remember(Turn(text, "s")).id)
        while facts := memory.beliefs.facts(about=about, as_of=Stretch(None, None)):
            clock.days += 1
            memory.by_hand.retract(facts[0].id)
            left = memory.beliefs.facts(about=about, as_of=Stretch(None, None))
            assert facts[0].id not in {one.id for one in left}, facts[0].text
            taken += 1
    assert taken >= len(said) - 2  # what is one death is taken back at once


def test_what_would_hold_for_all_that_is_said_not_to_be_taken_back(
    memory: Memory, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("2024-03-03", "I live in Porto.")
    before = memory.state_hash(), len(memory.log.operations())
    monkeypatch.setattr("store.beliefs.fold.retract", lambda *_: None)
    with pytest.raises(NotFound, match="still holds"):
        memory.by_hand.retract(believed(memory, "lives_in")[0].id)
    assert (memory.state_hash(), len(memory.log.operations())) == before


def test_what_was_taken_back_is_restored_with_its_time_and_leads_back_to_it(tmp_path: Path) -> None:
    clock = Days()
    with Memory.open(tmp_path / "m.db", clock=clock, zone=ZONE) as memory:
        fact = memory.by_hand.correct("me", "lives_in", "Porto", begins=day("2020-01-01"), ends=day("2022-01-01"))
        clock.days += 1
        memory.by_hand.retract(fact.id)
        assert believed(memory, "lives_in") == []
        clock.days += 1
        taken_back = memory.state_hash()
        again = memory.by_hand.restore(fact.id)
        assert values([again]) == [("Porto", "2020-01", "2022-01")] and again.supersedes == fact.id
        with pytest.raises(UsageError, match="believed now"):
            memory.by_hand.restore(again.id)
        memory.log.undo(last(memory))
        assert memory.state_hash() == taken_back


def test_a_superseded_value_is_brought_back_over_what_replaced_it(moved: Memory) -> None:
    before = moved.state_hash()
    old = next(one for one in moved.beliefs.timeline() if one.believed_to is not None)
    back = moved.by_hand.restore(old.id)
    assert values([back]) == [("Porto", "2020-01", "")]
    assert values(believed(moved, "lives_in")) == [("Porto", "2020-01", "")]
    moved.log.undo(last(moved))
    assert moved.state_hash() == before


def test_an_event_is_taken_back_and_restored(memory: Memory, say: Say) -> None:
    say("2024-03-03", "I visited Rome in 2019.", "I visited Rome in 2023.")
    early, late = believed(memory, "visited")
    memory.by_hand.retract(early.id)
    assert [one.id for one in believed(memory, "visited")] == [late.id]
    memory.by_hand.restore(early.id)
    assert values(believed(memory, "visited")) == values([early, late])


def test_a_dispute_is_settled(memory: Memory, say: Say) -> None:
    say("2024-03-03", "I was born in Porto.")
    say("2024-03-09", "I was born in Braga.")
    pair = believed(memory, "born_in")
    assert len(pair) == 2 and all(one.disputed for one in pair)
    before = memory.state_hash()
    right = next(one for one in pair if one.object == "Porto")
    settled = memory.by_hand.resolve(right.id)
    assert (settled.object, settled.disputed) == ("Porto", False)
    assert [one.object for one in believed(memory, "born_in")] == ["Porto"]
    with pytest.raises(UsageError, match="not disputed"):
        memory.by_hand.resolve(settled.id)
    memory.log.undo(last(memory))
    assert memory.state_hash() == before


def test_taking_one_side_of_a_dispute_back_settles_it_too(memory: Memory, say: Say) -> None:
    say("2024-03-03", "I was born in Porto.")
    say("2024-03-09", "I was born in Braga.")
    wrong = next(one for one in believed(memory, "born_in") if one.object == "Braga")
    memory.by_hand.retract(wrong.id)
    assert [(one.object, one.disputed) for one in believed(memory, "born_in")] == [("Porto", False)]


def test_a_pin_keeps_the_slot_and_can_be_taken_off_and_undone(moved: Memory) -> None:
    before = moved.state_hash()
    fact = believed(moved, "lives_in")[-1]
    assert moved.by_hand.pin(fact.id).pinned
    pinned = moved.state_hash()
    assert pinned != before
    with pytest.raises(UsageError, match="pinned already"):
        moved.by_hand.pin(fact.id)
    assert not moved.by_hand.pin(fact.id, off=True).pinned
    assert moved.state_hash() == before
    moved.log.undo(last(moved))
    assert moved.state_hash() == pinned
    moved.log.undo(next(one.id for one in moved.log.operations() if one.kind == "pin"))
    assert moved.state_hash() == before


def test_a_name_given_by_hand_is_undone_with_all_that_it_joined(memory: Memory, say: Say) -> None:
    say("2024-03-03", "My brother lives in Rome.", "Paul likes climbing.")
    before = memory.state_hash()
    memory.by_hand.correct("me", "brother", "Paul")
    assert values(believed(memory, "lives_in", "Paul")) == [("Rome", "2024-03", "")]
    memory.log.undo(last(memory))
    assert memory.state_hash() == before
    assert all(finding.ok for finding in memory.file.check())


def test_what_cannot_be_done_is_said_in_a_sentence(moved: Memory) -> None:
    with pytest.raises(NotFound, match="no fact"):
        moved.by_hand.retract("f0")
    with pytest.raises(NotFound, match="no operation"):
        moved.log.undo(99)
    with pytest.raises(UsageError, match="cannot be undone"):
        moved.log.undo(next(one.id for one in moved.log.operations() if one.kind == "run"))
    with pytest.raises(UsageError, match="empty"):
        moved.by_hand.correct("me", "lives_in", " ")
    moved.by_hand.correct("me", "lives_in", "Faro")
    number = last(moved)
    moved.log.undo(number)
    with pytest.raises(UsageError, match="undone already"):
        moved.log.undo(number)


def test_a_rebuild_keeps_what_was_done_by_hand(moved: Memory) -> None:
    moved.by_hand.correct("me", "lives_in", "Faro")
    moved.by_hand.correct("me", "works_at", "Acme", since=day("2021-02-01"))
    moved.by_hand.pin(believed(moved, "works_at")[0].id)
    moved.by_hand.correct("me", "lives_in", "Evora")
    moved.log.undo(last(moved))
    before = moved.state_hash()
    list(moved.file.rebuild())
    assert moved.state_hash() == before
    assert all(finding.ok for finding in moved.file.check())


def test_what_one_turn_taught_is_taken_back_and_its_words_stay(memory: Memory, say: Say) -> None:
    say("2024-03-03", "I work at Acme.")
    before = memory.state_hash()
    say("2024-03-04", "I live in Proto and I work at Acme.")
    slip = memory.episodes.of("s-2024-03-04")[0]
    learned = memory.state_hash()
    operation = memory.by_hand.unlearn(slip.id)
    assert memory.state_hash() == before
    assert memory.episodes.get(slip.id).text == slip.text
    list(memory.sleeping.run())
    assert memory.reading.learn(slip.id) == ()
    assert memory.state_hash() == before
    memory.log.undo(operation)
    assert memory.state_hash() == learned


def test_a_turn_that_nobody_had_read_waits_again_when_that_is_undone(memory: Memory) -> None:
    slip = memory.episodes.remember(Turn("I live in Proto.", "s1"))
    operation = memory.by_hand.unlearn(slip.id)
    assert memory.reading.learn(slip.id) == ()
    memory.log.undo(operation)
    assert memory.reading.pending() == 1
    assert [one.new.object for one in memory.reading.learn(slip.id) if one.new] == ["Proto"]
    with pytest.raises(NotFound):
        memory.by_hand.unlearn("e-none")


def test_a_turn_whose_teaching_was_taken_back_is_erased_without_a_trace(memory: Memory, say: Say) -> None:
    say("2024-03-04", "I live in Proto.")
    slip = memory.episodes.of("s-2024-03-04")[0]
    operation = memory.by_hand.unlearn(slip.id)
    memory.erasing.erase(memory.erasing.selection(episode=slip.id))
    assert memory.file.check() == [one for one in memory.file.check() if one.ok]
    with suppress(NotFound):
        memory.log.undo(operation)
    assert believed(memory, "lives_in") == []
