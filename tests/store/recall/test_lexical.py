"""How common a word is, is counted in the index as it is now, and of a belief time as it was then."""

from __future__ import annotations

from store.memory import Memory
from store.recall import lexical
from store.records import Turn


def count_of(memory: Memory, term: str) -> int:
    return lexical.frequencies(memory._database.reader(), [term]).counts[term]


def test_what_comes_and_goes_is_counted(memory: Memory) -> None:
    memory.episodes.remember(Turn("I like figs.", "a"))
    assert (count_of(memory, "fig"), count_of(memory, "tea")) == (1, 0)
    gone = memory.episodes.remember(Turn("Figs and tea.", "b"))
    assert (count_of(memory, "fig"), count_of(memory, "tea")) == (2, 1)
    memory.erasing.erase(memory.erasing.selection(episode=gone.id))
    assert (count_of(memory, "fig"), count_of(memory, "tea")) == (1, 0)
    memory.episodes.remember(Turn("Tea, with figs.", "c"))
    assert (count_of(memory, "fig"), count_of(memory, "tea")) == (2, 1)


def test_a_memory_that_is_made_anew_is_counted_anew(memory: Memory) -> None:
    memory.episodes.remember(Turn("I like figs.", "a"))
    assert count_of(memory, "fig") == 1
    for _ in memory.file.rebuild():
        pass
    assert count_of(memory, "fig") == 1


def test_what_was_believed_then_is_counted_by_itself(memory: Memory) -> None:
    first = memory.episodes.remember(Turn("I like figs.", "a"))
    count_of(memory, "fig")
    memory.episodes.remember(Turn("Figs again.", "a"))
    then = lexical.frequencies(memory._database.reader(), ["fig"], first.said_at.us - 1)
    assert (then.total, then.counts) == (0, {"fig": 0})
