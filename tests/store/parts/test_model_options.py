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
        memory.sessions.set_model_options("s1", PIRATE)
    memory.episodes.remember(Turn("Hello", "s1"))
    assert memory.sessions.model_options("s1") is None
    memory.sessions.set_model_options("s1", PIRATE)
    assert memory.sessions.model_options("s1") == PIRATE
    memory.sessions.set_model_options("s1", ModelOptions())
    assert memory.sessions.model_options("s1") == ModelOptions()
    assert memory.sessions.model_options("s2") is None


def test_a_file_of_the_version_before_opens_with_nothing_said(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.episodes.remember(Turn("Hello", "s1"))
        for _ in memory._database._writer.execute(BACK):
            pass
    with opened(tmp_path / "m.db") as memory:
        assert memory.sessions.model_options("s1") is None
        memory.sessions.set_model_options("s1", PIRATE)
    with opened(tmp_path / "m.db") as memory:
        assert memory.sessions.model_options("s1") == PIRATE


def test_a_merge_takes_it_over_and_leaves_what_was_said_here(memory: Memory, tmp_path: Path) -> None:
    with opened(tmp_path / "other.db") as other:
        for key in ("s1", "s2"):
            other.episodes.remember(Turn("Hello", key))
            other.sessions.set_model_options(key, PIRATE)
    memory.episodes.remember(Turn("Good day", "s2"))
    memory.sessions.set_model_options("s2", ModelOptions(reply=32))
    memory.file.merge(tmp_path / "other.db")
    assert memory.sessions.model_options("s1") == PIRATE
    assert memory.sessions.model_options("s2") == ModelOptions(reply=32)


def test_an_erase_takes_a_system_prompt_with_erased_words_along(memory: Memory, tmp_path: Path) -> None:
    memory.episodes.remember(Turn("Quixotania is my home", "s1"))
    memory.episodes.remember(Turn("Hello", "s2"))
    memory.sessions.set_model_options("s2", ModelOptions("You come from Quixotania.", reply=64))
    memory.erasing.erase(memory.erasing.selection(session="s1"))
    assert memory.sessions.model_options("s2") == ModelOptions(reply=64)
    memory.sessions.set_model_options("s2", PIRATE)
    memory.erasing.erase(memory.erasing.selection(session="s2"))
    assert memory.sessions.model_options("s2") is None
    assert b"pirate" not in memory.path.read_bytes()
