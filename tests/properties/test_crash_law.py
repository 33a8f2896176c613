"""I8: killed at any moment of any writing, the file opens, passes its checks, and holds what was acknowledged."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.talk import memory_at

ROOT = Path(__file__).resolve().parent.parent.parent
WRITING = """
import os, sys
from pathlib import Path
import apsw
from store.records import Instant, Turn
from tests.properties.talk import START, memory_at
left = int(sys.argv[2])
with memory_at(Path(sys.argv[1])) as memory:
    def count(*_):
        global left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), 9)
        return True
    memory._database._writer.exec_trace = count
    for day in range(6):
        words = f"I moved to City{day} last month and my brother Paul lives in Berlin."
        turn = Turn(words, "s", said_at=Instant(START + day * 86_400_000_000, 0), external_id=str(day), place=day)
        episode = memory.episodes.remember(turn)
        print("said", flush=True)
        memory.reading.learn(episode.id)
    memory.by_hand.correct("me", "lives_in", "Faro")
    print("said", flush=True)
    for _ in memory.sleeping.run():
        pass
"""


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(1, 450))
def test_a_kill_before_any_statement_loses_nothing(statements: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "m.db"
        done = subprocess.run(
            [sys.executable, "-c", WRITING, str(db), str(statements)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, -9), done.stderr
        with memory_at(db) as memory:
            assert [one for one in memory.file.check() if not one.ok] == []
            assert sum(one.turns for one in memory.sessions.all()) >= done.stdout.count("said")
            for _ in memory.sleeping.run():
                pass
            assert memory.reading.pending() == 0
            assert [one for one in memory.file.check() if not one.ok] == []
