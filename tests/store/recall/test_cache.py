"""Two questions share an answer only if they mean the same, at the same times, over the same memory."""

from __future__ import annotations

import pytest

from store.recall.cache import KEPT, Cache, CachedTimes, State
from store.records import Answer, Stretch

NOW = 1_000_000
STATE = State(7, (1, 1))
TIMES = CachedTimes(None, None, 3600)
ANSWER = Answer("You live in Porto.", 2, False, 1.0)


def kept(question: str = "Where do I live?", *, read_turns: bool = False, until: int = NOW + 100) -> Cache:
    cache = Cache()
    cache.keep(question, STATE, TIMES, NOW, until, ANSWER, read_turns=read_turns)
    return cache


def tier(cache: Cache, question: str, state: State = STATE, times: CachedTimes = TIMES, now: int = NOW) -> int | None:
    found = cache.find(question, state, times, now)
    return None if found is None else found.tier


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where do I live?", 0),
        ("where do I live", 1),
        ("Hey, please, where do I actually live?", 1),
        ("where do i live?", 1),
        ("Where do I live again?", None),
        ("Where did I live?", None),
        ("Where don't I live?", None),
        ("Where do I not live?", None),
        ("When do I live?", None),
        ("Where do I live now?", None),
        ("Where do I live in 2023?", None),
        ("Where does Paul live?", None),
        ("Where do I work?", None),
        ("Where do we live?", None),
        ("", None),
    ],
)
def test_only_fillers_may_differ(question: str, expected: int | None) -> None:
    assert tier(kept(), question) == expected


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("Does Paul know Ana?", "Does Ana know Paul?"),
        ("Do I like the Killers?", "Do I like Killers?"),
        ("Who gave me the lamp?", "Who gave the lamp?"),
        ("Is my code 4417?", "Is my code 4471?"),
        ("Did I meet May?", "Did I meet may?"),
        ("Do I like C++?", "Do I like C?"),
        ("Which came first, the move or the job?", "Which came first, a move or a job?"),
        ("What changed since 3 May?", "What changed since 4 May?"),
    ],
)
def test_what_differs_in_what_matters_is_another_question(asked: str, other: str) -> None:
    cache = kept(asked)
    assert tier(cache, asked) == 0
    assert tier(cache, other) is None


def test_other_times_are_other_questions() -> None:
    for times in (CachedTimes(None, 5, 3600), CachedTimes(Stretch(0, 1), None, 3600), CachedTimes(None, None, 0)):
        assert tier(kept(), "Where do I live?", times=times) is None


def test_an_answer_from_beliefs_outlives_a_commit_that_touched_none() -> None:
    assert tier(kept(), "Where do I live?", State(7, (1, 2))) == 0
    assert tier(kept(), "Where do I live?", State(8, (1, 1))) is None


def test_an_answer_that_looked_at_turns_does_not() -> None:
    assert tier(kept(read_turns=True), "Where do I live?") == 0
    assert tier(kept(read_turns=True), "Where do I live?", State(7, (1, 2))) is None


def test_without_a_stamp_any_commit_ends_it() -> None:
    cache = Cache()
    cache.keep("Who?", State(None, (1, 1)), TIMES, NOW, NOW + 100, ANSWER, read_turns=False)
    assert tier(cache, "Who?", State(None, (1, 1))) == 0
    assert tier(cache, "Who?", State(None, (1, 2))) is None


def test_time_ends_it() -> None:
    assert tier(kept(until=NOW + 100), "Where do I live?", now=NOW + 99) == 0
    assert tier(kept(until=NOW + 100), "Where do I live?", now=NOW + 100) is None
    assert tier(kept(), "Where do I live?", now=NOW - 1) is None


def test_it_forgets_the_oldest_and_all_when_told_to() -> None:
    cache = kept("first?")
    for number in range(KEPT):
        cache.keep(f"question {number}?", STATE, TIMES, NOW, NOW + 1, ANSWER, read_turns=False)
    assert tier(cache, "first?") is None
    assert tier(cache, "question 5?") == 0
    cache.clear()
    assert tier(cache, "question 5?") is None
