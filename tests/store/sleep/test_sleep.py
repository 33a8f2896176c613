"""Sleep reads what is pending, once, and a turn that its rules fail on stays pending and keeps nobody else waiting."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from store.errors import Busy
from store.memory import Memory
from store.reading import extract
from store.records import Episode, Turn
from store.sleep import reading


def test_a_turn_that_cannot_be_read_stays_pending_and_is_recorded(
    memory: Memory, say: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_on_one(episode: Episode, *rest: Any) -> Any:
        if "boom" in episode.text:
            raise KeyError("boom")
        return extract.read(episode, *rest)

    monkeypatch.setattr(reading, "read", fails_on_one)
    say("2024-03-03", "I live in Porto.", "boom", "I like figs.")
    assert memory.reading.pending() == 1
    assert {fact.object for fact in memory.beliefs.facts()} == {"Porto", "figs"}
    (failed,) = [one for one in memory.log.operations() if one.kind == "failed"]
    assert failed.reason == "EXTRACT_FAILED" and "KeyError" in str(failed.detail["error"])
    monkeypatch.undo()
    for _ in memory.sleeping.run():
        pass
    assert memory.reading.pending() == 0


def test_sleeping_again_reads_nothing_again(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    before = memory.beliefs.timeline()
    run = memory.sleeping.run()
    with pytest.raises(StopIteration) as ended:
        while True:
            next(run)
    assert (ended.value.value.episodes, ended.value.value.claims, ended.value.value.finished) == (0, 0, True)
    assert memory.beliefs.timeline() == before


def test_one_sleeps_at_a_time(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    memory.episodes.remember(Turn("I live in Braga now.", "s"))
    first = memory.sleeping.run()
    next(first)
    with pytest.raises(Busy, match="asleep already"):
        next(memory.sleeping.run())
    second = memory.sleeping.run(wait=True)
    assert [next(second).phase, next(second).phase] == ["wait", "wait"]
    list(first)
    list(second)
    assert [one.reason for one in memory.log.operations(phase="sleep")] == ["FINISHED"] * 3
    assert [one.run for one in memory.log.operations(phase="sleep")] == [3, 2, 1]


def test_who_waits_for_a_sleep_is_stopped_like_one_who_sleeps(memory: Memory) -> None:
    memory.episodes.remember(Turn("I live in Braga now.", "s"))
    first, stop = memory.sleeping.run(), Event()
    next(first)
    second = memory.sleeping.run(stop, wait=True)
    next(second)
    stop.set()
    with pytest.raises(Busy):
        next(second)
    with pytest.raises(Busy):
        list(memory.sleeping.run(budget=0.01, wait=True))


def test_a_dead_process_does_not_sleep_though_another_has_its_number(memory: Memory, say: Callable[..., None]) -> None:
    """After a power cut some other program has the number that the app had."""
    with memory._database.writing() as connection:
        connection.execute("insert into lease values (1, '7:of the dead', ?, 0)", (os.getppid(),))
    say("2024-03-03", "I live in Porto.")
    assert [fact.object for fact in memory.beliefs.facts()] == ["Porto"]
    assert [(one.run, one.reason) for one in memory.log.operations(phase="sleep")] == [(8, "FINISHED"), (7, "KILLED")]
    assert not list(memory.path.parent.glob("*.asleep"))


def test_a_live_turn_teaches_at_once_and_is_not_read_again(memory: Memory) -> None:
    from store.records import Turn

    episode = memory.episodes.remember(Turn("I moved to Lisbon last month.", "s"))
    (change,) = memory.reading.learn(episode.id)
    assert change.new is not None and change.new.object == "Lisbon"
    assert memory.reading.learn(episode.id) == ()
    assert memory.reading.pending() == 0


def test_no_budget_stops_before_the_first_turn(memory: Memory) -> None:
    from store.records import Turn

    memory.episodes.remember(Turn("I moved to Lisbon last month.", "s"))
    run = memory.sleeping.run(budget=0)
    with pytest.raises(StopIteration) as ended:
        while True:
            next(run)
    assert not ended.value.value.finished and memory.reading.pending() == 1


def test_a_sleep_that_is_stopped_looks_at_no_more_turns(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2 * reading.AHEAD):
        memory.episodes.remember(Turn(f"Number {number} is green.", "s"))
    looked, stop = list[int](), Event()
    monkeypatch.setattr(reading, "read_ahead", lambda turns: looked.append(len(turns)))
    run = memory.sleeping.run(stop)
    next(run)
    stop.set()
    assert not list(run) and looked == [reading.AHEAD] and memory.reading.pending() == reading.AHEAD
