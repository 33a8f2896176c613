"""A table of sentences says what each must teach, no more and no less; every quote is the turn's own characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.records import Claim, Precision
from tests.store.reading.turns import said

LINES = [
    line
    for line in (Path(__file__).parent / "cases_claims.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def shown(claim: Claim) -> str:
    """A claim as the table writes it."""
    valid = claim.valid
    cells = [claim.subject, claim.predicate, claim.object, claim.cue + (" not" if claim.negative else "")]
    if valid.precision is not Precision.OPEN:
        first, last = valid.first(), valid.last()
        cells.append(f"{first.iso()[:10] if first else ''}..{last.iso()[:10] if last else ''} {valid.precision}")
    if claim.replaces and claim.replaces != claim.object:
        cells.append(f"was {claim.replaces}")
    if claim.qualifiers:
        cells.append(", ".join(f"{name}: {text}" for name, text in claim.qualifiers))
    return " | ".join(cells)


def test_the_table_is_long_enough() -> None:
    assert len(LINES) >= 120


@pytest.mark.parametrize("line", LINES, ids=[line.split(" => ")[0] for line in LINES])
def test_a_sentence_teaches_what_the_table_says(line: str) -> None:
    text, _, wanted = line.partition(" => ")
    claims = said(text)
    assert [shown(claim) for claim in claims] == wanted.split(" ;; ")
    for claim in claims:
        quote = text[claim.start : claim.end]
        assert quote
        assert quote == quote.strip()
        assert claim.modality == "fact"


def test_the_object_is_quoted_in_the_persons_own_words() -> None:
    made = {"smoking", "running"}
    for line in LINES:
        text = line.partition(" => ")[0]
        for claim in said(text):
            if claim.predicate == "born_on":
                continue  # a day that is told as "yesterday" is written out, or it would not stay true
            own = claim.object.casefold() in text.casefold() or claim.object in made or claim.predicate == "commute"
            assert own, (text, claim.object)
