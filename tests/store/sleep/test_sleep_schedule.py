"""A sleep that nobody asked for has a reason, and never one while the battery runs low or nothing waits."""

from __future__ import annotations

import pytest

from store.memory import Memory
from store.records import Turn
from store.sleep.schedule import PAUSE, Reason, Rules, SleepConditions, reason_to_sleep


@pytest.mark.parametrize(
    ("rules", "moment", "reason"),
    [
        (Rules(), SleepConditions(5, 1, quiet=61), "quiet"),
        (Rules(), SleepConditions(5, 1, quiet=59), None),
        (Rules(), SleepConditions(0, 0, quiet=600), None),
        (Rules(after_seconds=0), SleepConditions(5, 1, quiet=600), None),
        (Rules(), SleepConditions(5, 3, quiet=PAUSE), "sessions"),
        (Rules(), SleepConditions(5, 3, quiet=1), None),
        (Rules(every_sessions=0), SleepConditions(5, 30, quiet=PAUSE), None),
        (Rules(), SleepConditions(5, 1, quiet=61, charge=0.2), None),
        (Rules(), SleepConditions(5, 1, quiet=61, charge=0.8), "quiet"),
        (Rules(least_charge=0), SleepConditions(5, 1, quiet=61, charge=0.01), "quiet"),
        (Rules(), SleepConditions(5, 1, leaving=True), None),
        (Rules(at_exit=True), SleepConditions(5, 1, leaving=True), "exit"),
        (Rules(at_exit=True), SleepConditions(0, 0, leaving=True), None),
    ],
)
def test_when_to_sleep(rules: Rules, moment: SleepConditions, reason: Reason | None) -> None:
    assert reason_to_sleep(rules, moment) == reason


def test_a_turn_that_was_read_at_once_still_waits_for_a_sleep(memory: Memory) -> None:
    assert memory.sleeping.restless() == (0, 0)
    for session in ("a", "b"):
        memory.reading.learn(memory.episodes.remember(Turn("I like figs.", session)).id)
    assert (memory.reading.pending(), memory.sleeping.restless()) == (0, (2, 2))
    for _ in memory.sleeping.run():
        pass
    assert memory.sleeping.restless() == (0, 0)
