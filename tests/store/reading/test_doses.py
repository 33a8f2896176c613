"""Somebody takes the dose that was told last, whoever the medicine belongs to. The sentences are in nobody's corpus."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.memory import Memory
from store.reading.doses import dose_of
from store.records import Stretch

Say = Callable[..., None]


@pytest.mark.parametrize(
    ("told", "then", "whose", "takes"),
    [
        ("I take 25 micrograms of liothyronine every morning.", "The clinic put my liothyronine up to 40 micrograms.",
         "me", ["40 micrograms of liothyronine"]),
        ("my mum takes 16mg of candesartan", "the gp put mums candesartan up to 32mg", "my mother",
         ["32mg of candesartan"]),
        ("I'm on 20mg fluoxetine.", "I take 40mg of fluoxetine now.", "me", ["40mg of fluoxetine"]),
        ("I take 30mg of codeine.", "I take 5mg of bisoprolol as well.", "me",
         ["30mg of codeine", "5mg of bisoprolol"]),
        ("I take 300 mg of lithium.", "Last year I took 450 mg of lithium.", "me", ["300 mg of lithium"]),
        ("I take 2 mg of lorazepam at noon. In the evening I take 4 mg of lorazepam.", "Lovely day today.", "me",
         ["2 mg of lorazepam", "4 mg of lorazepam"]),
    ],
)  # fmt: skip
def test_the_dose_that_was_told_last_is_taken(
    memory: Memory, say: Say, told: str, then: str, whose: str, takes: list[str]
) -> None:
    say("2024-03-05", told)
    say("2024-03-09", then)
    facts = memory.beliefs.facts(as_of=Stretch(None, None), predicate="takes")
    now = [one.object for one in facts if one.valid_to is None and one.subject == whose]
    assert {one.subject for one in facts} <= {whose}
    assert sorted(now) == sorted(takes)


@pytest.mark.parametrize(
    ("value", "medicine"),
    [("75 micrograms of levothyroxine", "levothyroxine"), ("10mg amlodipine", "amlodipine"),
     ("folic acid, 5 mg", "folic acid"), ("vitamin D", ""), ("two paracetamol", "")],
)  # fmt: skip
def test_a_dose_names_its_medicine(value: str, medicine: str) -> None:
    assert dose_of(value) == medicine
