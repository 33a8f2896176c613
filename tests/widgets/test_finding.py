"""Matches are numbered through a conversation: each has its turn, and its place among those of the turn."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from widgets.finding import Matches, pattern_of

TEXTS = st.lists(st.text("ab \n", max_size=12), max_size=12)


@given(TEXTS, st.sampled_from(["a", "A", "ab", "b a"]))
def test_every_match_has_its_number(texts: list[str], query: str) -> None:
    pattern = pattern_of(query)
    assert pattern is not None
    every = [(turn, nth) for turn, text in enumerate(texts) for nth, _ in enumerate(pattern.finditer(text))]
    matches = Matches.of(texts, pattern)
    assert matches.total == len(every)
    assert [matches.turn(number) for number in range(matches.total)] == every


@given(TEXTS, st.integers(0, 12))
def test_one_begins_where_one_reads(texts: list[str], turn: int) -> None:
    pattern = re.compile("a")
    matches = Matches.of(texts, pattern)
    if matches.total:
        number = matches.first_from(turn)
        later = [one for one in range(matches.total) if matches.turn(one)[0] >= turn]
        assert number == (later[0] if later else matches.total - 1)


def test_what_is_typed_is_found_in_any_case_and_over_line_ends() -> None:
    pattern = pattern_of("  rua  da.ROSA ")
    assert pattern is not None
    assert pattern.search("in Rua\nda.Rosa, they said")
    assert not pattern.search("rua daXrosa")
    assert pattern_of("straße") and re.search("STRASSE", "x") is None
    assert pattern_of(" \n") is None
