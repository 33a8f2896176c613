"""The notes of a prompt are the best that fit, counted by the model's own tokenizer, told in the order of time."""

from __future__ import annotations

import pytest

from app.core.composing import FRAME, compose, in_room, memory_line
from app.core.prompts import MEMORY_SHARE, MOST_MEMORIES
from app.core.prompts import memory_line as line
from app.core.turn import Request
from store.records import Hit, Recollection, Turn
from tests.tui.scripted import ScriptedModel, instant


def hit(number: int, text: str = "I walked along the river") -> Hit:
    return Hit("episode", f"e{number}", None, "s", "me", f"{text} {number}", instant(f"2024-0{9 - number}-01"), 1.0)


def words(text: str) -> int:
    return len(text.split())


def test_the_best_are_chosen_and_the_oldest_told_first() -> None:
    hits = [hit(number) for number in range(8)]
    each = words(line(memory_line(hits[0])))
    budget = round((3 * each + FRAME) / MEMORY_SHARE)
    assert [one.id for one in in_room(hits, words, budget)] == ["e2", "e1", "e0"]
    assert in_room(hits, words, 0) == []
    assert len(in_room([*hits, *hits], words, 100_000)) == MOST_MEMORIES


def test_what_does_not_fit_makes_room_for_what_does() -> None:
    long = hit(0, "word " * 60)
    budget = round((2 * words(line(memory_line(hit(1)))) + FRAME) / MEMORY_SHARE)
    assert [one.id for one in in_room([long, hit(1), hit(2)], words, budget)] == ["e2", "e1"]


def test_a_prompt_tells_the_notes_in_order_and_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.composing.is_small", lambda _: False)
    fact = Hit("fact", "f", None, "", "", "You live in Lisbon. (since January 2024)", instant("2024-03-01"), 0.0)
    summary = Hit("summary", "e9", None, "s", "Ana", "The castle is steep.", instant("2024-01-01"), 0.0)
    hits = (fact, hit(0), *(hit(number) for number in range(1, 8)), summary)
    request = Request(Turn("Where to?", "s9", said_at=instant("2025-03-14 21:40")))
    composed = compose(ScriptedModel(), request, Recollection("", hits, 1.0))
    told = composed.messages[-1].content
    assert told.index("Lisbon") < told.index("river 0")
    assert [one.id for one in composed.given][-1] == "e0"
    assert composed.note == "Left out for want of room: 2 memories."


def test_a_sentence_of_a_summary_says_who_said_it() -> None:
    told = memory_line(Hit("summary", "e9", None, "s", "Ana", "It is steep.", instant("2024-01-01"), 0.0))
    assert told.text == "Ana said: It is steep."
