"""What the app says about a life without a model is mostly right and never made up: the cases of the benchmark."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.bench.chat_cases import KINDS, Result, app, people, table


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """One reply to each of the sixty."""
    folder: Path = tmp_path_factory.mktemp("lives")
    return [one for person in people() for one in app(None, person, folder)]


def test_there_are_fifteen_of_each_kind_and_the_held_out_ones_are_others() -> None:
    every, held_out = people(), people("held_out")
    assert Counter(kind for person in every for kind in person.questions) == dict.fromkeys(KINDS, 15)
    assert not {person.name for person in every} & {person.name for person in held_out}
    for person in (*every, *held_out):
        assert tuple(person.questions) == KINDS
        for case in person.questions.values():
            assert case.wanted
            assert all(re.compile(pattern) for pattern in (*case.wanted, *case.unwanted))


def test_without_a_model_four_in_five_are_right(results: list[Result]) -> None:
    assert sum(not one.why for one in results) >= 48, table(results, "app")


def test_what_was_never_told_is_never_made_up(results: list[Result]) -> None:
    assert [(one.question, one.said) for one in results if one.made_up] == []
