"""Words that no file, tokenizer or sentence can hold as they are become such as can, and nothing else changes."""

from __future__ import annotations

from datetime import datetime

import pytest

from store.errors import BadTime
from store.memory import Memory
from store.records import Turn
from store.text.cleaning import LONGEST_QUOTE, quoted, whole
from store.time.expressions import parse_iso, parse_when, read_times
from tests.conftest import NOW, ZONE


@pytest.mark.parametrize("text", ["I live in Porto.", "Olá! 🐟\u2028 \t\r\n", "a\x07\x1b[2J", "\ufeff\u202e"])
def test_a_turn_is_kept_to_the_character_but_for_what_no_file_can_hold(memory: Memory, text: str) -> None:
    assert memory.episodes.remember(Turn(text, "s")).text == text
    assert memory.episodes.remember(Turn(f"{text}\x00\ud800", "s")).text == f"{text}\ufffd?"


def test_a_turn_with_nul_has_its_quotes_where_they_stand(memory: Memory) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("Well\x00 hm. I live in Porto.", "s\x00", speaker="me")).id)
    assert [one.object for one in memory.beliefs.facts()] == ["Porto"]
    assert not [one.name for one in memory.file.check() if not one.ok]


def test_a_question_may_hold_half_a_character(memory: Memory) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("I live in Porto.", "s")).id)
    assert "Porto" in memory.answering.ask("Where do I live?\udcff").text
    assert memory.recall.search("Porto \ud83d").hits


def test_words_are_quoted_on_one_line_and_not_at_length() -> None:
    assert quoted("a\n\x1b[2Jb\u202e" + "c" * 10_000).startswith("a \ufffd[2Jb\ufffdccc")
    assert len(quoted("é" * 10_000)) == LONGEST_QUOTE and quoted(10**100)[:3] == "100" and whole("é\x00") == "é\ufffd"
    for read in (lambda text: parse_iso(text, ZONE), lambda text: parse_when(text, NOW.local())):
        with pytest.raises(BadTime) as told:
            read("x\n" * 5_000)
        assert "\n" not in str(told.value) and len(str(told.value)) < 400


def test_a_long_text_is_read_in_parts_with_every_time_at_its_place() -> None:
    anchor = datetime(2026, 6, 1, 12, tzinfo=ZONE)
    text = "We met on 3 May 2021. " * 1_000
    found = read_times(text, anchor)
    assert len(found) == 1_000 and {text[one.start : one.end] for one in found} == {found[0].text}
    assert [one.start for one in found] == list(range(found[0].start, len(text), 22))
