"""Plain sentences that rules were once written for are heard without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.belief.extract import read
from store.belief.values import value_key
from tests.store.belief.turns import SPEAKERS, turn

LINES = [
    line
    for line in Path(__file__).with_name("cases_heard.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("line", LINES, ids=[line.split(" => ")[0] for line in LINES])
def test_a_value_is_heard(line: str) -> None:
    text, _, wanted = line.partition(" => ")
    heard = {word for claim in read(turn(text), [], SPEAKERS) for word in value_key(claim.object).split()}
    for value in wanted.split(" ;; "):
        assert heard & set(value_key(value).split()), (value, heard)
