"""I8: killed at any moment, the file opens, passes its checks, and holds every turn that was acknowledged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.memory import Memory
from tests.conftest import NOW, ZONE

ROOT = Path(__file__).resolve().parent.parent.parent
IMPORT = """
import os, sys
from pathlib import Path
from app.core.clock import FrozenClock
from store.memory import Memory
from store.parts import episodes as module
from store.formats.jsonl import Report, read
from tests.conftest import NOW, ZONE
module.BATCH = 20
with Memory.open(Path(sys.argv[1]), clock=FrozenClock(NOW), zone=ZONE) as memory:
    for step in memory.episodes.ingest(read(Path(sys.argv[2]), ZONE, Report())):
        print(step.new, flush=True)
    for step in memory.sleeping.run():
        print("slept", step.phase, step.done, flush=True)
"""


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.jsonl"
    lines = [
        {"session": f"s{n // 10}", "id": str(n), "text": f"I like tea number {n} and I live in City{n % 7}.",
         "said_at": f"2024-01-{n % 28 + 1:02d}T10:{n % 60:02d}:00Z"}
        for n in range(300)
    ]  # fmt: skip
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


@pytest.mark.parametrize("after", [1, 4, 9, 16])
def test_a_killed_import_or_sleep_loses_nothing_that_was_acknowledged(tmp_path: Path, chat: Path, after: int) -> None:
    db = tmp_path / "m.db"
    process = subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(db), str(chat)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    acknowledged = 0
    for _, line in zip(range(after), process.stdout, strict=False):
        acknowledged = acknowledged if line.startswith("slept") else int(line)
    process.kill()
    process.wait()
    process.stdout.close()
    with Memory.open(db, clock=FrozenClock(NOW), zone=ZONE) as memory:
        assert [finding for finding in memory.file.check() if not finding.ok] == []
        assert sum(one.turns for one in memory.sessions.all()) >= acknowledged
        from store.formats.jsonl import Report, read

        *_, last = memory.episodes.ingest(read(chat, ZONE, Report()))
        assert last.new + last.seen == 300
        for _ in memory.sleeping.run():
            pass
        assert memory.reading.pending() == 0
        assert [finding for finding in memory.file.check() if not finding.ok] == []
        resumed = memory.beliefs.timeline()
    with Memory.open(tmp_path / "whole.db", clock=FrozenClock(NOW), zone=ZONE) as whole:
        list(whole.episodes.ingest(read(chat, ZONE, Report())))
        for _ in whole.sleeping.run():
            pass
        assert whole.beliefs.timeline() == resumed


def test_an_interrupted_sleep_goes_on_where_it_was(tmp_path: Path, chat: Path) -> None:
    from threading import Event

    from store.formats.jsonl import Report, read

    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        list(memory.episodes.ingest(read(chat, ZONE, Report())))
        stop = Event()
        run = memory.sleeping.run(stop)
        next(run)
        stop.set()
        with pytest.raises(StopIteration) as ended:
            while True:
                next(run)
        report = ended.value.value
        assert not report.finished and 0 < memory.reading.pending() < 300
        for _ in memory.sleeping.run():
            pass
        assert memory.reading.pending() == 0
        assert [one.reason for one in memory.log.operations(phase="sleep")] == ["FINISHED", "STOPPED"]
