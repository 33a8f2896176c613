"""What differs between two moments is told once for each slot, in the order of the lists."""

from __future__ import annotations

from store.records import Fact
from tests.rectangles import index_of
from tests.tui.scripted import fact, instant, lives, world
from widgets.fact_rows import RelationBranch, relation_line, relations
from widgets.lane_diff import Difference, difference_line, differences


def held(facts: list[Fact], true_at: str, believed: str | None = None) -> list[Fact]:
    """What was believed at the one moment to be true at the other."""
    view = index_of(facts).matching("")
    return view.holding(instant(true_at).us, instant(believed or true_at).us)


def test_what_held_at_a_moment_is_what_was_believed_then_to_be_true_then() -> None:
    assert [one.object for one in held(lives(), "2023-11-01")] == ["Porto, Rua de Cedofeita"]
    assert [one.object for one in held(lives(), "2023-11-01", "2025-01-01")] == ["Porto, Rua das Flores"]
    assert held(lives(), "2019-01-01") == []


def test_a_slot_that_became_another_is_one_difference() -> None:
    found = differences(held(world(), "2024-01-15", "2025-03-14"), held(world(), "2025-03-14 21:40"))
    told = {(one.fact.predicate, one.before.object if one.before else None, one.after.object if one.after else None)
            for one in found}  # fmt: skip
    assert ("lives_in", "Porto, Rua das Flores", "Lisbon, Rua da Rosa") in told
    assert ("works_at", "Acme", "Feedzai") in told
    assert ("school", None, "EB Telheiras") in told
    assert [one.fact.subject for one in found] == sorted(
        (one.fact.subject for one in found), key=lambda one: one != "me"
    )


def test_between_a_moment_and_itself_nothing_differs() -> None:
    assert differences(held(world(), "2024-06-01"), held(world(), "2024-06-01")) == []


def test_each_kind_has_its_sign() -> None:
    new, old = lives()[0], lives()[2]
    assert difference_line(Difference(None, new), 80).plain.startswith("+ lives in Lisbon")
    assert difference_line(Difference(old, None), 80).plain.startswith("− lives in Porto")
    changed = difference_line(Difference(old, new), 90).plain
    assert changed.startswith("~ lives in Lisbon")
    assert "was Porto" in changed
    assert len(difference_line(Difference(old, new), 30).plain) <= 30


def test_relations_run_both_ways_and_name_only_who_is_known() -> None:
    brother = fact("me", "brother", "Miguel", (None, None), ("2024-01-01", None))
    lives_in = fact("Miguel", "lives_in", "Ghent", (None, None), ("2024-01-01", None))
    age = fact("Miguel", "age", "40", (None, None), ("2024-01-01", None))
    found = relations("Miguel", [brother, lives_in, age], {"me", "miguel", "ghent"})
    assert found == [RelationBranch("brother", "me", back=True), RelationBranch("lives in", "Ghent")]
    assert relation_line(found[0], last=False, width=60).plain == "├─ brother of ─ you"
    assert relation_line(found[1], last=True, width=60).plain == "└─ lives in ─ Ghent"
