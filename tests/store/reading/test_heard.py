"""Plain sentences that rules were once written for are heard without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from store.beliefs.values import value_key
from store.reading.extract import read
from tests.store.reading.turns import SPEAKERS, turn

LINES = [
    line
    for line in Path(__file__).with_name("cases_heard.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
MISSED = {"My daughter Zoe has piano lessons with Mrs. Brandt on Tuesdays."}
"""What the reader that ships passes over: one that it hears must leave the list."""


def marked(line: str) -> Any:
    """A line as a parameter of the test."""
    text = line.split(" => ")[0]
    return pytest.param(line, id=text, marks=[pytest.mark.xfail(strict=True)] if text in MISSED else [])


@pytest.mark.parametrize("line", map(marked, LINES))
def test_a_value_is_heard(line: str) -> None:
    text, _, wanted = line.partition(" => ")
    heard = {word for claim in read(turn(text), [], SPEAKERS) for word in value_key(claim.object).split()}
    for value in wanted.split(" ;; "):
        assert heard & set(value_key(value).split()), (value, heard)
