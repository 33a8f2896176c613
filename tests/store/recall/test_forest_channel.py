"""Browsing finds turns by the tree that they stand in, and gives rows in an order of its own."""

from __future__ import annotations

from collections.abc import Callable

from store.episodes.terms import query_terms
from store.memory import Memory
from tests.bench import browsing


def found(memory: Memory, query: str, k: int = 5) -> list[str]:
    rows = browsing.candidates(
        memory._database.reader(), memory.recall._embedder.embed([query])[0], query_terms(query), k
    )
    texts = {one.row: one.text for session in memory.sessions.all() for one in memory.episodes.of(session.key)}
    return [texts[row] for row in rows]


def test_a_turn_is_found_by_way_of_its_session(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-03-01", "The tomatoes in my garden have blight.", "I sprayed the tomato plants with copper.")
    say("2026-04-02", "My train to Berlin was late.", "The conductor shrugged.")
    say("2026-05-03", "I bought a violin.", "The bow needs new hair.")
    assert "tomato" in found(memory, "What is wrong with the tomatoes?")[0]
    assert found(memory, "violin bow", 2)[0] in ("I bought a violin.", "The bow needs new hair.")


def test_a_name_leads_to_the_tree_of_whom_it_means(memory: Memory, say: Callable[..., None]) -> None:
    for day in range(1, 13):
        say(f"2026-03-{day:02}", f"We talked about turbines and poems again, for {day} hours.")
    say("2026-04-02", "My sister Ana lives in Braga.")
    assert found(memory, "Ana", 3)[0] == "My sister Ana lives in Braga."


def test_an_empty_memory_and_a_memory_without_trees_give_nothing(memory: Memory) -> None:
    assert found(memory, "anything") == []


def test_no_more_than_k_and_each_turn_once(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-03-01", *(f"I visited place number {n} with Ana." for n in range(20)))
    told = found(memory, "place", 7)
    assert len(told) == 7 == len(set(told))
