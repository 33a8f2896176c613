"""Four doors to one file, and a process that is stopped in its tracks: nothing is lost, and nobody is told of a lock.

The small twin of tests/bench/two_processes.py, which goes on for minutes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from store.memory import Memory
from store.records import Turn
from tests.bench.two_processes import Journal, run
from tests.properties.talk import memory_at

ROOT = Path(__file__).resolve().parents[2]
STOPPED = """
import sys
from pathlib import Path
from store.records import Turn
from tests.properties.talk import memory_at
with memory_at(Path(sys.argv[1])) as memory:
    if sys.argv[2] == "write":
        with memory._database.writing() as connection:
            memory.episodes.remember(Turn("I live in Braga.", "stopped"))
            print("in it", flush=True)
            sys.stdin.readline()
    else:
        steps = memory.sleeping.run()
        next(steps)
        print("in it", flush=True)
        sys.stdin.readline()
        for _ in steps:
            pass
"""


def test_all_doors_of_one_file_at_once(tmp_path: Path) -> None:
    found = run(tmp_path, seconds=5, seed=1)
    assert found["wrong"] == []
    assert found["turns"] > 0 and {"app turn", "sleep"} <= set(found["done"])
    assert found["acknowledged"] == len({one["name"] for one in Journal(tmp_path / "x").everything()
                                         if one["kind"] == "kept"})  # fmt: skip


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="the system cannot stop a process in its tracks")
@pytest.mark.parametrize("doing", ["write", "sleep"])
def test_a_process_that_is_stopped_and_goes_on_has_lost_nothing(tmp_path: Path, doing: str) -> None:
    """As a laptop does to all of them when its lid is closed, or ctrl+z to one."""
    path = tmp_path / "m.db"
    with memory_at(path) as memory:
        memory.episodes.remember(Turn("I live in Porto.", "s"))
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED, str(path), doing], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "in it\n"
    os.kill(process.pid, signal.SIGSTOP)
    with memory_at(path) as memory:
        saying = Thread(target=memory.episodes.remember, args=(Turn("I like tea.", "s"),))
        saying.start()
        saying.join(0.5)
        assert saying.is_alive() == (doing == "write"), "a sleep that stands still keeps nobody waiting"
        sleeping = doing == "sleep" and _waits(memory)
        os.kill(process.pid, signal.SIGCONT)
        process.communicate("\n")
        saying.join()
        assert process.returncode == 0 and sleeping == (doing == "sleep")
        for _ in memory.sleeping.run(wait=True):
            pass
        assert {one.text for one in memory.episodes.of("s")} == {"I live in Porto.", "I like tea."}
        assert [one.text for one in memory.episodes.of("stopped")] == ["I live in Braga."] * (doing == "write")
        assert memory.reading.pending() == 0 and all(one.ok for one in memory.file.check())
        assert {one.reason for one in memory.log.operations(phase="sleep")} == {"FINISHED"}


def _waits(memory: Memory) -> bool:
    """Whether a sleep here waits for the one that stands still."""
    steps = memory.sleeping.run(wait=True)
    found = {next(steps).phase for _ in range(3)}
    steps.close()
    return found == {"wait"}
