"""Beliefs lead from what a question names to the turns that they rest on, and to no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from store.database.connections import Database
from store.memory import Memory
from store.recall import graph
from store.recall.query import Query, read
from store.recall.scope import Scope
from store.records import Instant, Stretch, Turn
from tests.properties.talk import START, hear, memory_at

DAY = 86_400_000_000
SAID = (
    "I live in Lisbon.",
    "My brother Paul lives in Porto.",
    "What should I cook tonight?",
    "I like climbing.",
    "Paul has a dog called Ana.",
    "I moved to Berlin in January.",
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memory_at(tmp_path / "m.db") as opened:
        days = (Instant(START + 30 * number * DAY, 0) for number in range(len(SAID)))
        hear(opened, [Turn(text, "s", said_at=at, external_id=text) for text, at in zip(SAID, days, strict=True)])
        yield opened


def told(memory: Memory, rows: list[int]) -> list[str]:
    found = dict(memory._database.reader().execute("select row, text from episodes"))
    return [str(found[row]) for row in rows]


def linked(memory: Memory, question: str, scope: Scope | None = None, limit: int = 8) -> list[str]:
    return told(memory, graph.graph(memory._database.reader(), read(question), scope or Scope(), limit))


def asked(memory: Memory, query: Query, scope: Scope | None = None, limit: int = 8) -> list[str]:
    return told(memory, graph.beliefs(memory._database.reader(), query, scope or Scope(), limit))


def test_whoever_is_named_leads_to_what_is_believed_of_them(memory: Memory) -> None:
    assert set(linked(memory, "What about Paul?")) == {SAID[1], SAID[4]}


def test_a_relation_leads_one_step_on(memory: Memory) -> None:
    found = linked(memory, "What pet does my brother have?")
    assert SAID[4] in found
    assert SAID[2] not in found


def test_the_slot_that_is_asked_for_comes_first_and_no_other(memory: Memory) -> None:
    assert set(asked(memory, read("Where is my home?"))) == {SAID[0], SAID[5]}
    assert asked(memory, read("Where does Paul live?")) == [SAID[1]]


def test_a_question_that_asks_for_no_slot_or_names_nobody_finds_nothing(memory: Memory) -> None:
    assert asked(memory, read("Zanzibarium, me?")) == []
    assert asked(memory, read("Where does Zoe live?")) == []
    assert linked(memory, "What is the weather?") == []


def test_what_was_not_yet_believed_leads_nowhere(memory: Memory) -> None:
    assert asked(memory, read("Where do I live?"), Scope(believed=START + DAY)) == [SAID[0]]
    assert linked(memory, "Paul", Scope(believed=START)) == []


def test_a_belief_outside_the_time_asked_for_leads_nowhere(memory: Memory) -> None:
    query = replace(read("Where do I live?"), stretch=Stretch(START + DAY, START + 2 * DAY))
    assert asked(memory, query) == [SAID[0]]


def test_the_limit_and_the_scope_bound_the_turns(memory: Memory) -> None:
    assert len(linked(memory, "What about Paul and me?", limit=2)) == 2
    assert linked(memory, "Paul", Scope(speaker="nobody")) == []


def test_a_memory_without_beliefs_finds_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "bare.db")
    connection: apsw.Connection = database.reader()
    assert graph.graph(connection, read("Where does Paul live?"), Scope(), 8) == []
    assert graph.beliefs(connection, read("Where does Paul live?"), Scope(), 8) == []
    database.close()


def test_hits_say_that_a_belief_led_to_them(memory: Memory) -> None:
    (best, *_) = memory.recall.search("Where does my brother live?", k=3).hits
    assert best.text == SAID[1]
    assert {"graph", "beliefs"} <= {name for name, _ in best.channels}


def test_slots_are_asked_for_by_any_word_of_the_registry(memory: Memory) -> None:
    assert "lives_in" in graph.asked_for(memory._database.reader(), "me", read("Where is my home?").terms)
    assert graph.asked_for(memory._database.reader(), "me", ("zanzibarium",)) == []
    assert graph.asked_for(memory._database.reader(), "nobody", read("Where is my home?").terms) == []
