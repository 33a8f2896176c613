"""A program that is run for its lines ends with whoever runs it, however that ends, and so does all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.llm.running import lines

ROOT = Path(__file__).resolve().parents[3]
BEATS = 0.02
"""Seconds between two signs of life."""

BUILD = """
import os, subprocess, sys, time
beat = "import sys, time\\nwhile True: open(sys.argv[1], 'a').write('.'); time.sleep({beats})"
for name in sys.argv[1:]:
    # As ninja starts compilers: each in a process group of its own.
    subprocess.Popen([sys.executable, "-c", beat, name], process_group=0)
print("building", flush=True)
time.sleep(60)
"""
RUN = "import sys\nfrom app.llm.running import lines\nfor line in lines(sys.argv[1:]): print(line, flush=True)"


@pytest.fixture
def build(tmp_path: Path) -> tuple[list[str], list[Path]]:
    """A command that starts two compilers, and the files in which they say that they are alive."""
    script, files = tmp_path / "build.py", [tmp_path / "one", tmp_path / "two"]
    script.write_text(BUILD.replace("{beats}", str(BEATS)))
    return [sys.executable, str(script), *map(str, files)], files


def until(wanted: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not wanted():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def alive(files: list[Path]) -> bool:
    """Whether any of them says so."""
    before = [file.stat().st_size if file.exists() else 0 for file in files]
    time.sleep(BEATS * 15)
    return before != [file.stat().st_size if file.exists() else 0 for file in files]


def begun(files: list[Path]) -> bool:
    return until(lambda: all(file.exists() and file.stat().st_size for file in files))


def test_what_it_started_in_groups_of_their_own_ends_when_it_is_stopped(build: tuple[list[str], list[Path]]) -> None:
    command, files = build
    stop = threading.Event()
    running = lines(command, stop)
    assert next(running) == "building"
    assert begun(files)
    stop.set()
    assert list(running) == []
    assert until(lambda: not alive(files), 10)


def test_and_when_nobody_listens_any_more(build: tuple[list[str], list[Path]]) -> None:
    command, files = build
    running = lines(command)
    assert next(running) == "building"
    assert begun(files)
    running.close()
    assert until(lambda: not alive(files), 10)


@pytest.mark.parametrize("how", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_and_when_the_one_who_runs_it_dies(build: tuple[list[str], list[Path]], how: signal.Signals) -> None:
    command, files = build
    runner = subprocess.Popen(
        [sys.executable, "-c", RUN, *command], stdout=subprocess.PIPE, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert runner.stdout is not None
    assert runner.stdout.readline() == b"building\n"
    assert begun(files)
    runner.send_signal(how)
    runner.wait(10)
    assert until(lambda: not alive(files), 10)


def test_its_lines_come_from_both_streams_and_its_code_is_given() -> None:
    said, running = (
        list[str](),
        lines([sys.executable, "-c", "import sys; print('a'); print('b', file=sys.stderr); sys.exit(3)"]),
    )
    with pytest.raises(subprocess.CalledProcessError) as ended:
        said.extend(running)
    assert sorted(said) == ["a", "b"]
    assert ended.value.returncode == 3


def test_it_reads_nothing_from_the_terminal() -> None:
    assert list(lines([sys.executable, "-c", "print(len(input.__name__)); print(repr(open(0).read()))"])) == ["5", "''"]


def test_a_program_that_is_not_there_cannot_be_started() -> None:
    with pytest.raises(OSError, match="no-such-program"):
        list(lines(["no-such-program-at-all"]))
