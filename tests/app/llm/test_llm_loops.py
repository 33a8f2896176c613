"""A loop is found soon after it began and nothing of it is kept; what only looks like one is left alone."""

from __future__ import annotations

import random
import time

import pytest

from app.llm.repeats import LoopGuard, whole_sentences

ROUND = "The sea is blue and the sky is wide and clear today. "


def fed(text: str, size: int = 3) -> LoopGuard:
    """A guard that heard the text in pieces, up to where it said that it loops."""
    guard = LoopGuard()
    for start in range(0, len(text), size):
        if guard.feed(text[start : start + size]):
            break
    return guard


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I am glad. " + ROUND * 8, "I am glad. " + ROUND.strip()),
        ("Yes. " + "very " * 30, "Yes."),
        ("Good. No. " + "I don't know. " * 12, "Good. No. I don't know."),
        ("Hi! " + "🙂" * 200, "Hi!"),
        ("So. " + "a" * 200, "So."),
        ("One line.\n" + "\n" * 100, "One line."),
        ("我喜欢猫。" + "我喜欢大海和山。" * 20, "我喜欢猫。我喜欢大海和山。"),
        ("w " * 40, ""),
    ],
)
def test_what_loops_is_cut_back_to_the_last_whole_sentence(text: str, kept: str, size: int) -> None:
    guard = fed(text, size)
    assert guard.looped_at is not None
    assert guard.kept == kept or (kept and guard.kept.startswith(kept) and len(guard.kept) < len(text) / 3)


def test_it_is_found_long_before_the_screen_is_full() -> None:
    assert len(fed("I am glad. " + ROUND * 100, 4).text) < 3 * len(ROUND)


def test_a_refrain_with_other_words_in_it_is_found() -> None:
    verse = "And I was in a small town of {}, which was not more difficult to find, but at what they were. "
    assert fed("".join(verse.format(year) for year in range(2014, 2030))).looped_at is not None


@pytest.mark.parametrize(
    "text",
    [
        "If you would like to know more about X, ask me. If you would like to know more about Y, ask Ben.",
        "No no no, not at all! Ha ha ha ha ha!",
        "| a | b |\n|---|---|\n| 1 | 2 |\n" + "-" * 100 + "\n",
        "Look:\n```\n" + "0, 0, 0, 0, 0, 0, 0, 0,\n" * 4 + "}\n}\n}\n```\nThat is it.",
        "1. First, you should try to drink more water.\n2. Second, you should try to drink less coffee.\n"
        "3. Third, you should try to drink some tea.",
        "",
    ],
)
def test_what_only_looks_like_a_loop_is_left_alone(text: str) -> None:
    guard = fed(text)
    assert (guard.looped_at, guard.kept) == (None, text)


def test_a_line_that_comes_over_and_over_in_code_is_one_too() -> None:
    guard = fed("Look:\n```\n" + "x = 1\n" * 60)
    assert guard.looped_at is not None
    assert guard.kept.count("x = 1") < 13


def test_it_costs_next_to_nothing() -> None:
    chance = random.Random(3)
    text = " ".join(f"w{chance.randrange(5000)}" for _ in range(3000))
    began = time.process_time()
    assert fed(text, 4).looped_at is None
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    ("text", "kept"),
    [("One. Two thr", "One."), ("“One.” Two", "“One.”"), ("No end", ""), ("3.5 is", ""), ("A\nB", "A"), ("Up.", "Up.")],
)
def test_whole_sentences(text: str, kept: str) -> None:
    assert whole_sentences(text) == kept
