"""A sleep that is killed, again and again, loses nothing and comes to what it would have come to (I8).

The small twin of tests/bench/sleep_kill.py, which kills a hundred times on a larger file.
"""

from __future__ import annotations

from pathlib import Path

from store.database import runs
from store.memory import Memory
from tests.bench.sleep_kill import CLOCK, life, opened, run
from tests.bench.years import A_DAY, turns


def test_killed_at_any_statement_a_sleep_comes_to_the_same_state(tmp_path: Path) -> None:
    found = run(tmp_path, list(turns(30, years=1, each_day=A_DAY)), kills=4, seed=3, longest=900)
    assert found["wrong"] == [] and sum(found["kills"].values()) == 4


def test_the_log_says_that_a_sleep_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        list(memory.episodes.ingest(turns(10, years=1, each_day=A_DAY)))
    assert life(path, 60) is not None
    with opened(path) as memory:
        for _ in memory.sleeping.run():
            pass
        assert [(one.run, one.reason) for one in memory.log.operations(phase="sleep")] == [
            (2, "FINISHED"),
            (1, "KILLED"),
        ]
        assert memory.reading.pending() == 0


def test_a_run_has_a_number_that_no_other_left_a_trace_under(memory: Memory) -> None:
    with memory._database.writing() as connection:
        assert runs.next_run(connection) == 1
        runs.log(connection, 4, "listen", "claims", CLOCK.now(), "HEARD", {})
        assert runs.next_run(connection) == 5
