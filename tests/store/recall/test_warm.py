"""A warmed process gives the hits that a cold one gives."""

from __future__ import annotations

from collections.abc import Callable

from store.memory import Memory


def test_a_warmed_memory_gives_the_same_hits(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "We went to Lisbon last summer.", "My new bicycle is green.")
    asked = ("bicycle", "Where did we go last summer?")
    cold = [memory.recall.search(text).hits for text in asked]
    memory.recall.warm()
    assert [memory.recall.search(text).hits for text in asked] == cold


def test_an_empty_memory_is_warmed_too(memory: Memory) -> None:
    memory.recall.warm()
    assert memory.recall.search("bicycle").hits == ()
