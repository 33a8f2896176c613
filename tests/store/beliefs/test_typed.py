"""Each belief has one kind of memory, and a view counts what it leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.beliefs.typed import KINDS, Kind, has_faded, kind_of
from store.memory import Memory


def shown(memory: Memory, kind: Kind, *, everything: bool = False) -> dict[str, list[str]]:
    found = memory.beliefs.profile(kind, everything=everything)
    return {one.title: [fact.object for fact in one.facts] for one in found}


@pytest.mark.parametrize(
    ("words", "predicate", "kind"),
    [
        ("I live in Porto.", "lives_in", "profile"),
        ("I like rooibos.", "likes", "profile"),
        ("My sister Ana lives in Braga.", "lives_in", "semantic"),
        ("I visited Kyoto in 2024.", "visited", "episodic"),
        ("I go to yoga three times a week.", "goes_to", "procedural"),
        ("I commute by bike.", "commute", "procedural"),
    ],
)
def test_a_belief_belongs_to_one_kind(
    memory: Memory, say: Callable[..., None], words: str, predicate: str, kind: Kind
) -> None:
    say("2026-05-30", words)
    (fact,) = (one for one in memory.beliefs.facts(everything=True) if one.predicate == predicate)
    assert kind_of(fact) == kind
    held = {one: {value for values in shown(memory, one).values() for value in values} for one in KINDS}
    assert [one for one in KINDS if fact.object in held[one]] == [kind]


def test_who_i_am_is_in_sections_the_most_salient_first(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-01", "I live in Porto.", "My sister is Ana.", "My name is Rita.")
    say("2026-05-30", "I work at Acme.", "I like rooibos.", "I like climbing.")
    say("2026-05-31", "I like rooibos.")
    found = shown(memory, "profile")
    assert list(found) == ["Who you are", "Home", "Work and study", "Your people", "What you like and think"]
    assert found["Who you are"] == ["Rita"] and found["Your people"] == ["Ana"]
    assert found["What you like and think"] == ["rooibos", "climbing"]


def test_what_has_faded_is_counted_and_shown_when_asked_for(memory: Memory, say: Callable[..., None]) -> None:
    say("2025-09-01", "I like rooibos.")
    say("2026-05-31", "I like climbing.")
    (section,) = memory.beliefs.profile()
    assert ([fact.object for fact in section.facts], section.faded) == (["climbing"], 1)
    assert shown(memory, "profile", everything=True)["What you like and think"] == ["climbing", "rooibos"]
    (old,) = (one for one in memory.beliefs.facts(predicate="likes") if one.object == "rooibos")
    assert has_faded(old)
    memory.by_hand.pin(old.id)
    assert shown(memory, "profile")["What you like and think"] == ["rooibos", "climbing"]


def test_what_happened_is_told_the_latest_first(memory: Memory, say: Callable[..., None]) -> None:
    say(
        "2026-05-31", "I visited Kyoto in March 2024.", "I visited Berlin in May 2025.", "I visited Rome on 3 May 2025."
    )
    assert list(shown(memory, "episodic").values()) == [["Rome", "Berlin"], ["Kyoto"]]


def test_routines_are_how_things_are_done(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-31", "I go to yoga three times a week.", "I live in Porto.")
    assert [fact.object for fact in memory.beliefs.routines()] == ["yoga"]
