"""A quote that answers when something was opens with the date that its words mean, where they do not say it."""

from __future__ import annotations

import pytest

from store.records import Entity
from tests.store.recall.remembered import Remembered, ask, turn

# Said on a Thursday, 19 March 2026.
SAID = [
    turn("Lumi lost her first tooth at breakfast on Tuesday. The tooth fairy has been told.", "2026-03-19"),
    turn("The allotment man is called Rasmus, ginger beard and no teeth.", "2026-03-12"),
    turn("Swept the chimney yesterday, black as a boot afterwards.", "2026-02-02"),
    turn("the osteopath has rung, it's Monday now, same time", "2026-03-05"),
    turn("The hens get fed at six, the brown ones again at noon.", "2026-01-05"),
]
MEMORY = Remembered([], [Entity("me", "me", "person", ("me",))], SAID)


@pytest.mark.parametrize(
    ("question", "date"),
    [("When did Lumi lose her first tooth?", "17 March 2026"), ("When did I sweep the chimney?", "1 February 2026")],
)
def test_the_date_that_is_meant_is_said(question: str, date: str) -> None:
    assert date in ask(MEMORY, question).text


def test_now_is_no_date_beside_a_day() -> None:
    text = ask(MEMORY, "When is the osteopath?").text
    assert "9 March 2026" in text and "(9 March 2026, " not in text


def test_what_is_added_to_a_question_is_not_answered_by_itself() -> None:
    text = ask(MEMORY, "Who is the man at the allotment? The one with the ginger beard, I mean.").text
    assert "Rasmus" in text and "I mean" not in text
