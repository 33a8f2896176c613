"""A memory that may not be written to is read as it lies there; what would change it says so in one sentence.

Nothing is half-written or left beside it, and the right mode is enough.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

ROOT = Path(__file__).resolve().parents[3]
WRITING = (
    ("remember", "I like figs."),
    ("sleep",),
    ("backup",),
    ("rebuild",),
    ("correct", "me", "lives_in", "Braga"),
    ("erase", "--about", "Porto", "--yes"),
    ("brief", "--done"),
)
READING = {
    ("ask", "Where do I live?", "--no-model"): "Porto",
    ("ask", "Where do I live?", "--no-model", "--as-of", "2019"): "don't know",
    ("recall", "Porto"): "I live in Porto.",
    ("recall", "Porto", "--why"): "I live in Porto.",
    ("facts",): "Porto",
    ("facts", "--unsure"): "Nothing",
    ("timeline",): "Porto",
    ("chain", "me", "lives_in"): "Porto",
    ("changes", "--since", "2020"): "Porto",
    ("people",): "",
    ("profile",): "Porto",
    ("brief",): "Porto",
    ("summary", "--session", "s"): "dog called Rex",
    ("fading",): "",
    ("log",): "",
    ("log", "--kept-out"): "Nothing was set apart",
    ("sessions",): "1 turn",
    ("check",): "ok",
    ("where",): "m.db",
}
APP = """
import asyncio, sys
from datetime import UTC
from pathlib import Path
from app.tui.app import ErstwhileApp
from app.core.clock import SystemClock
from app.core.settings import Settings
from app.tui.start import _memory
from tests.tui.acting import screen_text

async def main():
    app = ErstwhileApp(lambda: _memory(Path(sys.argv[1]), UTC), lambda: None, clock=SystemClock(UTC), zone=UTC,
                       settings=Settings())
    async with app.run_test(size=(140, 30)) as pilot:
        while not app.is_running or any(worker.is_running for worker in app.workers):
            await pilot.pause(0.05)
        await pilot.pause(0.2)
        print(" ".join(word for line in screen_text(app).splitlines() for word in line[:90].split()))

asyncio.run(main())
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


def heed_modes() -> None:
    """In a child, before it runs: what files may be done with holds for root, too (prctl, PR_CAPBSET_DROP)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """python("-m", "app", "facts") runs it in a process of its own, for which the modes of files hold."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
            preexec_fn=heed_modes, env={**os.environ, "ERSTWHILE_HOME": str(tmp_path / "home")},
        )  # fmt: skip

    return run


@pytest.fixture
def memory_file(tmp_path: Path, python: Run) -> Iterator[Path]:
    """A memory in a folder of its own, which may be written to again afterwards."""
    path = tmp_path / "kept" / "m.db"
    assert python("-m", "app", "remember", "I live in Porto.", "--db", str(path)).returncode == 0
    yield path
    path.parent.chmod(0o700)


def told(python: Run, path: Path, *verb: str) -> str:
    """What a verb that is refused says: one sentence, and nothing else."""
    done = python("-m", "app", *verb, "--db", str(path))
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith(f"erstwhile: {path} ") and done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_would_change_it_says_so_and_writes_nothing(memory_file: Path, python: Run, kind: str) -> None:
    before = memory_file.read_bytes()
    read_only = memory_file if kind == "file" else memory_file.parent
    mode = read_only.stat().st_mode
    read_only.chmod(mode & ~0o222)
    for verb in WRITING:
        sentence = told(python, memory_file, *verb)
        assert "cannot be opened for writing" in sentence and "make it and its folder yours to write to" in sentence
    assert memory_file.read_bytes() == before
    assert [path.name for path in memory_file.parent.iterdir()] == ["m.db"]
    read_only.chmod(mode)
    done = python("-m", "app", "remember", "I like figs.", "--db", str(memory_file))
    assert done.returncode == 0, done.stderr
    facts = python("-m", "app", "facts", "--db", str(memory_file)).stdout
    assert "figs" in facts and "Porto" in facts


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_only_reads_answers(memory_file: Path, python: Run, kind: str) -> None:
    talk = memory_file.parent.parent / "talk.jsonl"
    turn = {"session": "s", "id": "1", "text": "We have a dog called Rex.", "said_at": "2026-03-02T09:00Z"}
    talk.write_text(json.dumps(turn) + "\n", encoding="utf-8")
    assert python("-m", "app", "import", str(talk), "--db", str(memory_file)).returncode == 0
    assert python("-m", "app", "sleep", "--db", str(memory_file)).returncode == 0
    before = memory_file.read_bytes()
    (memory_file if kind == "file" else memory_file.parent).chmod(0o400 if kind == "file" else 0o500)
    for verb, words in READING.items():
        done = python("-m", "app", *verb, "--db", str(memory_file))
        assert (done.returncode, done.stderr) == (0, ""), verb
        assert words in done.stdout, verb
    assert memory_file.read_bytes() == before
    assert [path.name for path in memory_file.parent.iterdir()] == ["m.db"]


def test_what_is_exported_comes_in_elsewhere(memory_file: Path, python: Run, tmp_path: Path) -> None:
    memory_file.parent.chmod(0o500)
    out, here = tmp_path / "out.jsonl", tmp_path / "here.db"
    assert python("-m", "app", "export", str(out), "--db", str(memory_file)).returncode == 0
    assert python("-m", "app", "import", str(out), "--db", str(here)).returncode == 0
    assert "Porto" in python("-m", "app", "facts", "--db", str(here)).stdout


WRITER = """
import os, sys
from datetime import UTC
from pathlib import Path
from app.tui.start import _memory
from store.records import Turn
memory = _memory(Path(sys.argv[1]), UTC)
memory.episodes.remember(Turn("I have a dog called Rex.", "s"))
print("kept", flush=True)
sys.stdin.readline()
os._exit(9)
"""


def test_what_another_process_is_writing_is_read(memory_file: Path, python: Run) -> None:
    """Its words are in the WAL yet, and there they stay when it dies."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(memory_file)], cwd=ROOT, text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert writer.stdout is not None and writer.stdout.readline() == "kept\n"
    memory_file.parent.chmod(0o500)
    assert "Rex" in python("-m", "app", "recall", "dog", "--db", str(memory_file)).stdout
    writer.communicate("\n")
    before = {path.name: path.read_bytes() for path in memory_file.parent.iterdir() if path.suffix != ".db-shm"}
    assert "Rex" in python("-m", "app", "recall", "dog", "--db", str(memory_file)).stdout
    assert before == {path.name: path.read_bytes() for path in memory_file.parent.iterdir() if path.suffix != ".db-shm"}


def test_a_wal_that_can_only_be_read_by_writing_is_told(memory_file: Path, python: Run) -> None:
    """As on a disk that was copied without the file that all who read share."""
    memory_file.with_name("m.db-wal").write_bytes(b"what was written last")
    memory_file.parent.chmod(0o500)
    done = python("-m", "app", "facts", "--db", str(memory_file))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"erstwhile: {memory_file} cannot be read where it lies (what was written last is in m.db-wal), and cannot be "
        "written to: copy it, with the files beside it that begin with its name, to a folder that is yours, and name "
        "the copy with --db.\n"
    )


def test_a_memory_of_an_older_version_is_to_be_copied(memory_file: Path, python: Run) -> None:
    connection = apsw.Connection(str(memory_file))
    connection.pragma("user_version", 1)
    connection.close()
    memory_file.chmod(0o400)
    done = python("-m", "app", "facts", "--db", str(memory_file))
    assert (done.returncode, done.stdout) == (1, "") and "(an older Erstwhile wrote it)" in done.stderr


def test_the_check_sees_damage_that_it_cannot_write_to(memory_file: Path, python: Run) -> None:
    connection = apsw.Connection(str(memory_file))
    connection.execute("update episode_terms_data set block = zeroblob(8) where id > 10")
    connection.close()
    memory_file.chmod(0o400)
    done = python("-m", "app", "check", "--db", str(memory_file))
    assert done.returncode == 1 and "BAD" in done.stdout and "checks failed" in done.stderr


@pytest.mark.parametrize(("verb", "making"), [("restore", "backup"), ("import", "export")])
def test_a_copy_may_lie_where_nobody_may_write(memory_file: Path, python: Run, verb: str, making: str) -> None:
    given = memory_file.with_name("then.db" if verb == "restore" else "then.jsonl")
    made = python("-m", "app", making, str(given), "--db", str(memory_file))
    assert made.returncode == 0, made.stderr
    memory_file.parent.chmod(0o500)
    here = memory_file.parent.parent / "here.db"
    done = python("-m", "app", verb, str(given), "--db", str(here))
    assert done.returncode == 0, done.stderr
    assert "Porto" in python("-m", "app", "recall", "Porto", "--db", str(here)).stdout


def test_a_memory_to_merge_is_to_be_copied_first(memory_file: Path, python: Run) -> None:
    memory_file.parent.chmod(0o500)
    done = python("-m", "app", "merge", str(memory_file), "--db", str(memory_file.parent.parent / "here.db"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"erstwhile: {memory_file} cannot be read as a memory (")
    assert done.stderr.endswith(
        "): copy it to a folder that is yours, see that its disk has room, and name the copy.\n"
    )


def test_a_file_that_cannot_be_made_is_told_and_leaves_nothing(tmp_path: Path, python: Run) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    for path in (folder / "m.db", folder / "below" / "m.db"):
        sentence = told(python, path, "remember", "I like figs.")
        assert "cannot be created: Permission denied. Name another file." in sentence
    assert list(folder.iterdir()) == []


def test_a_file_below_a_file_is_told(tmp_path: Path, python: Run) -> None:
    (tmp_path / "notes").touch()
    path = tmp_path / "notes" / "m.db"
    assert "cannot be created" in told(python, path, "remember", "I like figs.")


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_app_says_so_when_it_starts(memory_file: Path, python: Run, kind: str) -> None:
    before = memory_file.read_bytes()
    (memory_file if kind == "file" else memory_file.parent).chmod(0o400 if kind == "file" else 0o500)
    done = python("-c", APP, str(memory_file))
    assert done.returncode == 0, done.stderr
    assert f"{memory_file.name} cannot be opened for writing" in done.stdout
    assert "or name another file with --db." in done.stdout and "The memory is not open." in done.stdout
    assert memory_file.read_bytes() == before and len(list(memory_file.parent.iterdir())) == 1
