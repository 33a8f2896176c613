"""What the app says about a life without a model is mostly right and never made up: the cases of the benchmark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from store.memory import Memory
from tests.bench.chat_cases import KINDS, Result, app, people, table


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """One reply to each of the sixty."""
    folder: Path = tmp_path_factory.mktemp("lives")
    return [one for person in people() for one in app(None, person, folder)]


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """One reply to each of sixty others, which were written before any rule was looked at for them."""
    folder: Path = tmp_path_factory.mktemp("others")
    return [one for person in people("unseen") for one in app(None, person, folder)]


def test_there_are_fifteen_of_each_kind_and_the_held_out_ones_are_others() -> None:
    every, held_out = people(), people("held_out")
    assert Counter(kind for person in people("unseen") for kind in person.questions) == dict.fromkeys(KINDS, 15)
    assert Counter(kind for person in every for kind in person.questions) == dict.fromkeys(KINDS, 15)
    assert not {person.name for person in every} & {person.name for person in held_out}
    for person in (*every, *held_out, *people("unseen")):
        assert tuple(person.questions) == KINDS
        for case in person.questions.values():
            assert case.wanted
            assert all(re.compile(pattern) for pattern in (*case.wanted, *case.unwanted))


def test_without_a_model_four_in_five_are_right(results: list[Result]) -> None:
    assert sum(not one.why for one in results) >= 48, table(results, "app")


def test_of_what_was_never_told_at_most_two_are_answered(results: list[Result]) -> None:
    assert len([(one.question, one.said) for one in results if one.made_up]) <= 2


def test_of_lives_that_no_rule_was_made_for_two_in_three_are_right_and_little_is_made_up(unseen: list[Result]) -> None:
    assert sum(not one.why for one in unseen) >= 40, table(unseen, "app")
    made_up = [(one.question, one.said) for one in unseen if one.made_up]
    assert len(made_up) <= 2, made_up  # the ukulele's teacher for the banjo's


@pytest.mark.parametrize(
    ("question", "needed"),
    [("When did I give up the ukulele?", "12 June 2023"), ("When did I give the ukulele up?", "12 June 2023")],
)
def test_what_was_given_up_ended(memory: Memory, say: Callable[..., None], question: str, needed: str) -> None:
    say("2021-10-05", "I picked up the ukulele, it's ridiculously fun.")
    say("2023-06-12", "I've given up the ukulele.")
    assert needed in memory.answering.ask(question).text
