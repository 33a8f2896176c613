"""How a model speaks is kept with its conversation: through a reopening and a merge, and not after an erase."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.errors import NotFound
from store.memory import Memory
from store.records import ModelOptions, Turn
from tests.conftest import NOW, ZONE

BACK = (
    "alter table sessions drop column options; delete from _sqlite_migrations where name = 'm006_how_a_model_speaks'; "
    "pragma user_version = 5;"
)
PIRATE = ModelOptions("You are a pirate.", 0.7, 2048, 64)


def opened(path: Path) -> Memory:
    return Memory.open(path, clock=FrozenClock(NOW), zone=ZONE)


def test_it_is_kept_with_the_conversation(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.set_model_options("s1", PIRATE)
    memory.remember(Turn("Hello", "s1"))
    assert memory.model_options("s1") is None
    memory.set_model_options("s1", PIRATE)
    assert memory.model_options("s1") == PIRATE
    memory.set_model_options("s1", ModelOptions())
    assert memory.model_options("s1") == ModelOptions()
    assert memory.model_options("s2") is None


def test_a_file_of_the_version_before_opens_with_nothing_said(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.remember(Turn("Hello", "s1"))
        for _ in memory._database._writer.execute(BACK):
            pass
    with opened(tmp_path / "m.db") as memory:
        assert memory.model_options("s1") is None
        memory.set_model_options("s1", PIRATE)
    with opened(tmp_path / "m.db") as memory:
        assert memory.model_options("s1") == PIRATE


def test_a_merge_takes_it_over_and_leaves_what_was_said_here(memory: Memory, tmp_path: Path) -> None:
    with opened(tmp_path / "other.db") as other:
        for key in ("s1", "s2"):
            other.remember(Turn("Hello", key))
            other.set_model_options(key, PIRATE)
    memory.remember(Turn("Good day", "s2"))
    memory.set_model_options("s2", ModelOptions(reply=32))
    memory.merge(tmp_path / "other.db")
    assert memory.model_options("s1") == PIRATE
    assert memory.model_options("s2") == ModelOptions(reply=32)


def test_an_erase_takes_a_system_prompt_with_erased_words_along(memory: Memory, tmp_path: Path) -> None:
    memory.remember(Turn("Quixotania is my home", "s1"))
    memory.remember(Turn("Hello", "s2"))
    memory.set_model_options("s2", ModelOptions("You come from Quixotania.", reply=64))
    memory.erase(memory.selection(session="s1"))
    assert memory.model_options("s2") == ModelOptions(reply=64)
    memory.set_model_options("s2", PIRATE)
    memory.erase(memory.selection(session="s2"))
    assert memory.model_options("s2") is None
    assert b"pirate" not in memory.path.read_bytes()
