"""What the machine does not let the program do is said in one sentence, and is no fault of the program."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from app.cli.commands import cli
from app.cli.session import run
from store.memory import Memory
from store.parts.beliefs import Beliefs
from tests.faults.failing import FailingDisk

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def file(memory: Memory) -> str:
    """A memory of one turn, which nobody has open."""
    memory.close()
    assert run(cli, ["remember", "I live in Porto.", "--db", str(memory.path)]) == 0
    return str(memory.path)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_cannot_be_printed_is_told(file: str, unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", "facts", "--db", file], cwd=ROOT, stdout=full, stderr=subprocess.PIPE,
            text=True, check=False, timeout=60, env=environment,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("erstwhile: The disk that holds standard output is full: make room on it")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (apsw.IOError("disk I/O error"), "{} cannot be read or written (disk I/O error): check the disk"),
        (apsw.FullError("full"), "The disk that holds {} is full: make room on it"),
        (OSError(errno.EIO, "Input/output error"), "{} cannot be read or written (Input/output error): check the disk"),
        (OSError(errno.ENOSPC, "No space left", "/a/b"), "The disk that holds /a/b is full: make room on it"),
        (OSError(errno.EROFS, "Read-only", "/a/b"), "/a/b cannot be used (Read-only): make it and its folder yours"),
    ],
)
def test_a_disk_that_fails_while_one_reads_is_told(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, said: str
) -> None:
    def fails(*_given: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr(Beliefs, "facts", fails)
    capsys.readouterr()
    assert run(cli, ["facts", "--db", file]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"erstwhile: {said.format(file)}") and told.count("\n") == 1


def test_another_error_of_the_system_is_a_fault_of_the_program(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_given: object, **_named: object) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(Beliefs, "facts", fails)
    assert run(cli, ["facts", "--db", file]) == 1
    assert "a fault of the program" in capsys.readouterr().err


def test_an_export_has_its_name_when_it_is_whole(file: str, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    (tmp_path / "out.part.jsonl").write_text("of an export that was killed", encoding="utf-8")
    at = 0
    while not target.exists():
        at += 1
        with FailingDisk("broken", at):
            code = run(cli, ["export", str(target), "--db", file])
        assert target.exists() or code == 1
    assert code == 0 and at > 5
    assert not (tmp_path / "out.part.jsonl").exists()
    assert [json.loads(line).get("kind") for line in target.read_text(encoding="utf-8").splitlines()][-1] == "end"
    assert target.stat().st_mode & 0o777 == 0o600
