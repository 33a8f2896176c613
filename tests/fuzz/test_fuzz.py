"""What hours of fuzzing found stays mended, and a little of it is tried anew (tests/bench/fuzz_parsers.py goes on)."""

from __future__ import annotations

import logging
import os
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.law import Target, fault
from tests.fuzz.mutating import LONGEST, mutated
from tests.fuzz.targets import targets

CORPUS = Path(__file__).with_name("corpus")
KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())
NAMES = ("import-jsonl", "import-chatgpt", "import-claude", "import-openwebui", "import-markdown", "import-claude-code",
         "import-codex", "export-staged", "reply-verdicts", "reply-wire", "settings", "state-files", "gguf", "time-one",
         "time-written", "backup-name", "sanitiser", "mcp")  # fmt: skip
"""Those that take milliseconds."""
FEW = settings(
    max_examples=max(4, int(os.environ.get("ERSTWHILE_EXAMPLES", "0")) // 4), suppress_health_check=list(HealthCheck)
)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Parsers of others log what they dislike."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@cache
def known() -> dict[str, Target]:
    return {one.name: one for one in targets()}


def said_of(name: str, data: bytes) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        return fault(known()[name], data, Path(folder))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_was_a_fault_is_none(path: Path) -> None:
    assert said_of(path.parent.name, path.read_bytes()) is None


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(chance=st.randoms(use_true_random=False))
def test_whatever_comes_in_there_is_a_result_or_a_sentence(name: str, chance: random.Random) -> None:
    target = known()[name]
    data = mutated(target.examples, chance, target.words)
    assert len(data) <= LONGEST
    assert said_of(name, data) is None


def test_the_same_seed_gives_the_same_input() -> None:
    for target in known().values():
        first, second = (mutated(target.examples, random.Random("7"), target.words) for _ in range(2))
        assert first == second


def test_a_fault_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.law.SECONDS", 0.2)

    def broken(data: bytes, _folder: Path) -> None:
        if data == b"loop":
            while True:
                pass
        raise ZeroDivisionError

    target = Target("broken", (b"x",), broken)
    assert "ZeroDivisionError" in str(fault(target, b"x", tmp_path))
    assert "Overdue" in str(fault(target, b"loop", tmp_path))
