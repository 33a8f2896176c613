"""Every model process that a test starts is ended with the test, and no test of this folder can hang."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.llm.process import ModelProcess

SECONDS = 180
"""The real model on a busy machine is the slowest thing here."""


@pytest.fixture(autouse=True)
def never_hangs() -> Iterator[None]:
    """A test that takes too long fails with a TimeoutError where it stands."""

    def overdue(_number: int, _frame: object) -> None:
        faulthandler.dump_traceback()
        raise TimeoutError(f"the test took longer than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, overdue)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def closing() -> Iterator[Callable[[ModelProcess], ModelProcess]]:
    """Close what is handed in at the end of the test, whatever becomes of the test."""
    opened: list[ModelProcess] = []

    def keep(process: ModelProcess) -> ModelProcess:
        opened.append(process)
        return process

    yield keep
    for process in opened:
        process.close()
        assert process.pid is None or not exists(process.pid)


def exists(pid: int) -> bool:
    """Also true for a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def gguf_path(tmp_path: Path) -> Path:
    """A well-formed GGUF file without weights."""
    from tests.app.llm.making import gguf

    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    return path
