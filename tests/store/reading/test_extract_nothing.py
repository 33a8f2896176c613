"""What is not plainly asserted teaches nothing: questions, conditions, wishes, quotations, pasted text, jokes,
secrets, the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.reading.turns import said

TURNS = [
    line.replace("\\n", "\n")
    for line in (Path(__file__).parent / "cases_nothing.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


def test_there_are_enough_turns() -> None:
    assert len(TURNS) >= 80


@pytest.mark.parametrize("text", TURNS)
def test_a_turn_that_asserts_nothing_teaches_nothing(text: str) -> None:
    role, _, words = text.partition("assistant: ")
    claims = said(words, role="assistant") if words and not role else said(text)
    assert [(claim.subject, claim.predicate, claim.object) for claim in claims if claim.modality == "fact"] == []
