"""Beliefs stand under whom they are about, each value once; what is narrowed is narrowed by words and by chips."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store.records import Fact, Source
from tests.tui.scripted import fact, instant, lives, world
from widgets.chips import BeliefFilter
from widgets.fact_rows import FactTree, Subject, each_value_once, fact_details, fact_rows, in_order

NOW = instant("2025-03-14").us


def shown(facts: list[Fact], width: int = 60) -> list[str]:
    tree = FactTree(in_order(facts))
    return [row.shown.plain for row in fact_rows(tree.found(BeliefFilter(), ""), tree.label, NOW, width)]


def test_oneself_comes_first_and_what_is_pinned_first_of_its_subject() -> None:
    pinned = fact("me", "zodiac", "Leo", (None, None), ("2024-01-01", None), pinned=True)
    ordered = in_order([*world(), pinned])
    assert ordered[0] == pinned
    assert [one.subject for one in ordered] == sorted((one.subject for one in ordered), key=lambda name: name != "me")


def test_what_was_only_noted_comes_last_of_its_subject() -> None:
    noted = fact("me", "detail", "A2", ("2024-01-01", None), ("2024-01-01", None))
    kept = replace(noted, id="kept", object="B1", pinned=True)
    about = [one.predicate for one in in_order([*world(), noted, kept]) if one.subject == "me"]
    assert about[0] == about[-1] == "detail", "unless it is pinned"
    assert about.count("detail") == 2


def test_each_value_stands_once_though_it_was_dated_anew() -> None:
    assert [one.object for one in each_value_once(lives(), NOW)] == [
        "Lisbon, Rua da Rosa", "Porto, Rua das Flores", "Porto, Rua de Cedofeita",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "words", "values"),
    [
        (BeliefFilter(), "lisbon", {"Lisbon, Rua da Rosa"}),
        (BeliefFilter(), "ana telheiras", {"EB Telheiras"}),
        (BeliefFilter(pinned=True), "", {"tea"}),
        (BeliefFilter(disputed=True), "", {"Mia"}),
        (BeliefFilter(by_me=True), "mia", set()),
    ],
)
def test_chips_and_words_narrow(wanted: BeliefFilter, words: str, values: set[str]) -> None:
    mia = fact("Ana", "cat", "Mia", (None, None), ("2024-01-01", None), disputed=True)
    theirs: tuple[Source, ...] = tuple(replace(one, speaker="Ana") for one in mia.sources)
    tea = fact("me", "likes", "tea", (None, None), ("2024-01-01", None), pinned=True)
    found = FactTree(in_order([*world(), replace(mia, sources=theirs), tea])).found(wanted, words)
    assert {one.object for one in found.records if isinstance(one, Fact)} == values
    assert found.beliefs == len(values)


def test_a_value_is_worth_more_than_its_date_and_no_row_is_too_long() -> None:
    long = fact("me", "lives_in", "x" * 90, ("2024-01-01", None), ("2024-01-01", None))
    for width in (24, 40, 56, 100):
        assert all(len(line) <= width for line in shown([long, *world()], width))
    assert "since 1 February 2024" in "\n".join(shown(world(), 60))
    assert "never true" in "\n".join(shown(world(), 60))


def test_the_date_of_an_event_stands_beside_however_long_a_name() -> None:
    long = fact("me", "event", "training for the Bath Half", ("2026-03-14", "2026-03-15"), ("2025-01-01", None))
    for width in (40, 52, 90):
        row = next(line for line in shown([long, *world()], width) if "training" in line)
        assert row.rstrip().endswith("14 March 2026") and len(row) <= width
    assert "training for…" in next(line for line in shown([long], 40) if "training" in line)


def test_a_folded_subject_shows_only_its_name() -> None:
    rows = fact_rows(FactTree(in_order(world())).found(BeliefFilter(), "", {"me"}), 9, NOW, 60)
    assert rows[0].record == Subject("me", 9, True)
    assert [type(row.record) for row in rows] == [Subject, Subject, Fact, Fact]


def test_of_a_very_long_list_only_what_is_looked_at_is_drawn() -> None:
    many = [replace(world()[0], id=str(number), object=f"town {number}") for number in range(50_000)]
    rows = fact_rows(FactTree(many).found(BeliefFilter(), ""), 8, NOW, 60)
    assert len(rows) == 50_001
    assert "town 49999" in rows[50_000].shown.plain


def test_details_quote_the_words_and_name_the_rival() -> None:
    mia, lua = (
        fact("Ana", "cat", name, ("2024-01-01", None), ("2024-02-01", None), disputed=True, quote=f"her cat {name}")
        for name in ("Mia", "Lua")
    )
    text = fact_details(mia, [lua], NOW, 40).plain
    assert "“her cat Mia”" in text
    assert "in dispute with Lua" in text


@pytest.mark.parametrize("name", ["of", "when", "frequency", "departure_time", "x" * 30])
def test_what_is_said_beside_a_belief_stands_in_one_column_apart_from_its_name(name: str) -> None:
    told = replace(lives()[0], qualifiers=((name, "every other Sunday"),))
    rows = fact_details(told, (), NOW, 40).plain.splitlines()
    said = next(row for row in rows if "every other Sunday" in row)
    at = said.index("every")
    assert said[at - 1] == " " and said.split()[0].startswith(name[:9])
    assert all(row[at - 1] == " " and row[at] != " " for row in rows if row.startswith(("believed", "sure")))
