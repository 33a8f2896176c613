"""Who is spoken of is whom the words name, and no other; the sentences are in nobody's corpus."""

from __future__ import annotations

import pytest

from tests.store.reading.turns import said, triples


def test_a_gran_is_a_grandmother() -> None:
    assert ("me", "grandmother", "Assia") in triples(said("my gran assia lives in Tunis, shes 84"))


def test_what_was_weighed_in_a_month_gone_by_is_over() -> None:
    found = said("In February I still weighed 81 kilos, I only joined the gym in April.")
    weights = [one for one in found if one.predicate == "weight"]
    assert weights and all(not one.holds_now and one.valid.start is not None for one in weights)


def test_he_is_whom_the_message_names_again() -> None:
    told = ("My uncle Bogdan moved to Graz.", "Robin is my cousin.")
    found = triples(said("Robin came round, he works at Siemens now.", *told))
    assert ("robin", "works_at", "Siemens") in found


def test_what_who_tells_is_of_the_name_before_it() -> None:
    text = "We have two sons, Anton who is a welder in Malmo and Yusuf who lives in Bergen with his wife Petra."
    found = triples(said(text))
    wanted = {("anton", "job", "welder"), ("yusuf", "lives_in", "Bergen"), ("yusuf", "partner", "Petra")}
    assert wanted - set(found) == set() and not any(one[0] == "anton" and one[2] == "Yusuf" for one in found)


def test_a_small_name_that_ends_in_s_is_no_plural() -> None:
    found = triples(said("my sisters ilyas and noor live in Graz, my son is called amadis"))
    assert ("me", "son", "Amadis") in found and not any(one[2] == "amadis" for one in found)


def test_a_noun_alone_is_no_other_workplace() -> None:
    told = said("they gave me a rise at the nursery, 13 an hour", "I work at Little Acorns.")
    assert not any(one.predicate == "works_at" and one.modality == "fact" for one in told)


def test_a_name_before_her_birthday_needs_no_apostrophe() -> None:
    assert ("hilde", "born_on", "3rd of June") in triples(said("Hildes birthday is the 3rd of June"))


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("My boss is Adler, no sorry, Amsel.", ("me", "boss", "Amsel"), "Adler"),
        ("My rent is 700, sorry, 740 a month", ("me", "rent", "740 a month"), "700"),
    ],
)
def test_what_is_put_right_in_one_breath_is_what_was_meant(text: str, right: tuple[str, str, str], wrong: str) -> None:
    found = triples(said(text))
    assert right in found and not any(one[2] == wrong for one in found)


def test_who_is_only_named_after_a_sorry_puts_nothing_right() -> None:
    assert ("me", "boss", "Adler") in triples(said("my boss is Adler, sorry Amsel can't come"))


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("I take ramipril and atorvastatin. They switched me from ramipril to losartan.",
         {("atorvastatin", None), ("losartan", "ramipril")}),
        ("I'm on aspirin and metformin, but the doctor swapped me to gliclazide",
         {("aspirin", None), ("metformin", None), ("gliclazide", None)}),
        ("The doctor swapped me from the metformin to gliclazide", {("gliclazide", "metformin")}),
    ],
)  # fmt: skip
def test_only_the_medicine_that_is_meant_gives_way_to_another(text: str, taken: set[tuple[str, str | None]]) -> None:
    assert {(one.object, one.replaces) for one in said(text) if one.predicate == "takes"} == taken
