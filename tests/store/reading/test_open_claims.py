"""What is hearsay, borrowed, of many, or denied at times only is unsure, and ends nothing."""

from __future__ import annotations

import pytest

from store.records import Claim
from tests.store.reading.turns import said


def certain(text: str) -> list[Claim]:
    return [one for one in said(text) if one.modality == "fact"]


@pytest.mark.parametrize(
    "text",
    [
        "You told me I live in Bern.",
        "According to the form, I was born in Turin.",
        "The letter says: I work at Siemens.",
        "I'm driving a courtesy Golf until Friday.",
        "The median salary at my level is 48,000 euros.",
        "I don't take aspirin before a run.",
        "I don't drink coffee after four.",
    ],
)
def test_an_open_claim_is_not_certain(text: str) -> None:
    assert [(one.predicate, one.object) for one in certain(text) if one.predicate not in ("detail", "event")] == []


@pytest.mark.parametrize(
    ("text", "over"),
    [("I sold a van for my cousin.", False), ("I sold my van.", True), ("My old car was a Lada.", True)],
)
def test_what_is_sold_is_what_one_had(text: str, over: bool) -> None:
    assert any(one.cue == "stop" for one in certain(text)) is over
