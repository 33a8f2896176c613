"""A figure is named by what it measures, and a pronoun means whom it can; the sentences are in nobody's corpus."""

from __future__ import annotations

import pytest

from tests.store.reading.turns import said, triples


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We're at 71.4% recall on the new set.", []),
        ("The BLEU dropped from 41 to 38.5 overnight.", [("bleu", "measured", "38.5")]),
        ("Our bounce rate went from 61% to 44%.", [("bounce rate", "measure", "44%")]),
        ("Backup time is 40 minutes now.", [("backup time", "measure", "40 minutes")]),
        ("I'm down to 77 kilos.", [("me", "weight", "77 kilos")]),
    ],
)  # fmt: skip
def test_a_figure_is_named_by_what_it_measures(text: str, wanted: list[tuple[str, str, str]]) -> None:
    found = triples(said(text))
    assert [one for one in wanted if one not in found] == []
    assert not any(predicate == "works_at" for _, predicate, _ in found)


def test_what_changes_from_one_figure_to_another_is_each_its_own() -> None:
    found = triples(said("Bounce rate fell from 61% to 44% and our score went from 3.9 to 4.6 stars."))
    assert ("bounce rate", "measure", "44%") in found and ("score", "measure", "4.6 stars") in found


@pytest.mark.parametrize(
    ("text", "before", "value"),
    [
        ("I ring her every Sunday.", "My aunt Petra moved to Bergen.", "ring Petra"),
        ("I ring her every Sunday.", "Petra and Agnes are my sisters.", None),
    ],
)
def test_what_is_done_to_her_is_done_to_whom_it_means(text: str, before: str, value: str | None) -> None:
    known = [one.object for one in said(text, before) if one.modality == "fact"]
    assert known == [] if value is None else known == [value]


def test_who_is_back_from_a_town_does_not_live_there() -> None:
    assert not any(one.predicate == "lives_in" for one in said("Our niece Kirsty is back from Cardiff."))


def test_a_figure_that_i_leads_to_is_of_whoever_speaks() -> None:
    found = triples(said("I was born in 1977. My aunt is called Odile, she paid for the car."))
    assert ("me", "birth_year", "1977") in found


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Jonas isnt my cousin", ("me", "cousin", "Jonas")),
        ("Rafael isn't Ingrid's son.", ("ingrid", "son", "Rafael")),
        ("Odile was not my boss, she ran the shop next door.", ("me", "boss", "Odile")),
    ],
)
def test_whose_relation_somebody_is_not_is_denied(text: str, denied: tuple[str, str, str]) -> None:
    found = said(text)
    assert denied in [(one.subject, one.predicate, one.object) for one in found if one.negative]
    assert not any(one.object == denied[2] and one.predicate == denied[1] and not one.negative for one in found)


def test_a_brother_in_law_is_no_brother() -> None:
    assert ("me", "brother_in_law", "Tomas") in triples(said("Tomas is my brother in law"))


def test_who_hates_a_food_is_not_harmed_by_it() -> None:
    found = triples(said("Tilly's allergic to sesame and she hates leeks"))
    assert ("tilly", "allergic_to", "sesame") in found and ("tilly", "dislikes", "leeks") in found


def test_an_age_before_what_else_is_told_is_no_part_of_the_name() -> None:
    found = triples(said("dereks 52 and hes diabetic", "my brother is Derek"))
    assert {("derek", "age", "52")} <= set(found) and ("derek", "has_condition", "diabetic") in found
