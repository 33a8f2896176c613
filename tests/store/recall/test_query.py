"""Words that only frame a question count less than those that name its matter, and draw no candidates beside them."""

from __future__ import annotations

import pytest

from store.recall import lexical
from store.recall.query import LIGHT, read


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Can you recommend some good books about whales?", ("book", "whale")),
        ("I've been feeling stuck with my paintings lately. Any ideas?", ("stuck", "paint")),
        ("How many weddings did I attend in the past three months?", ("wed", "attend")),
        ("any tips?", ()),
    ],
)
def test_the_matter_of_a_question(text: str, matter: tuple[str, ...]) -> None:
    query = read(text)
    assert query.matter() == matter
    assert dict(zip(query.terms, query.emphasis, strict=True)) == {
        term: 1.0 if term in matter else LIGHT for term in query.terms
    }


def test_candidates_are_drawn_by_the_matter_unless_nobody_speaks_of_it() -> None:
    known = lexical.Frequencies(100, {"tip": 9, "whale": 2, "narwhal": 0})
    assert known.among(("whale", "narwhal")).counts == {"whale": 2}
    assert known.among(("narwhal",)) == known
    assert known.among(()) == known


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (
            "Can you recommend some recent publications that I might find interesting?",
            "Can you some publications that I might",
        ),
        ("What did Ana find interesting lately?", "What did find interesting lately?"),
        ("Do I need any tips?", "Do I need any tips?"),
    ],
)
def test_what_only_frames_a_question_about_oneself_is_no_part_of_its_meaning(text: str, bare: str) -> None:
    assert read(text, ("Ana",)).bare == bare


def test_a_question_is_vague_as_far_as_its_words_only_frame_it() -> None:
    assert read("Where do whales sleep?").vagueness == 0
    assert read("").vagueness == 1
    assert 0 < read("Any tips about whales?").vagueness < read("Any good tips about whales?").vagueness < 1
