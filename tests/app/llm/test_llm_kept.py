"""What a model has read is kept for the reopening of its conversation only, and an erase leaves none of it."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.turn import Prompted, Request, Voice, take_turn
from app.llm.kept import ReopeningModel, StateFolder
from app.llm.process import ModelProcess
from store.database import beside
from store.memory import Memory
from store.protocols import LanguageModel, Message
from store.records import Turn

FAKE = Path(__file__).with_name("fake_worker.py")
Make = Callable[..., ReopeningModel]


@pytest.fixture
def make(closing: Callable[[ModelProcess], ModelProcess], gguf_path: Path, tmp_path: Path) -> Make:
    """A model that keeps its states beside a memory."""

    def build(**script: object) -> ReopeningModel:
        model = ReopeningModel(
            gguf_path,
            memory=tmp_path / "memory.db",
            crashes=tmp_path / "crashes.json",
            command=(sys.executable, str(FAKE), json.dumps(script)),
            available_memory=lambda: None,
        )
        closing(model)
        return model

    return build


def reply(model: ReopeningModel, conversation: str | None) -> int:
    """One reply in a conversation; gives how much of it was known already."""
    known = model.take_up(conversation)
    assert list(model.chat([Message("user", "Hello?")]))
    return known


def kept(tmp_path: Path) -> list[Path]:
    return sorted(beside.folder(tmp_path / "memory.db").glob("*.state"))


def test_what_was_read_is_there_again_after_a_restart(make: Make, tmp_path: Path) -> None:
    first = make()
    assert reply(first, "a chat") == 0
    first.close()
    (file,) = kept(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert "chat" not in file.name
    again = make()
    assert again.take_up("another chat") == 0
    assert again.take_up("a chat") > 0
    assert again.take_up("a chat") == 0, "it is taken up already"


def test_leaving_a_conversation_keeps_it_and_coming_back_takes_it_up(make: Make, tmp_path: Path) -> None:
    model = make()
    reply(model, "one")
    assert reply(model, "two") == 0
    assert len(kept(tmp_path)) == 1
    assert reply(model, "one") > 0
    assert len(kept(tmp_path)) == 2


def test_off_the_record_nothing_is_written(make: Make, tmp_path: Path) -> None:
    model = make()
    reply(model, None)
    reply(model, None)
    model.close()
    assert not beside.folder(tmp_path / "memory.db").exists()


def test_off_the_record_does_not_end_up_in_the_conversation_before(make: Make, tmp_path: Path) -> None:
    model = make()
    reply(model, "one")
    reply(model, None)
    (file,) = kept(tmp_path)
    file.write_text("as it was")
    model.close()
    assert file.read_text() == "as it was"


def test_an_erase_drops_all_of_it_and_what_was_read_before_is_not_written_again(make: Make, tmp_path: Path) -> None:
    model = make()
    reply(model, "one")
    reply(model, "two")
    beside.drop(tmp_path / "memory.db")
    reply(model, "two")
    model.close()
    assert not kept(tmp_path)


def test_a_model_that_has_died_leaves_what_was_kept(make: Make, tmp_path: Path) -> None:
    model = make()
    reply(model, "one")
    reply(model, "two")
    assert model.pid is not None
    os.kill(model.pid, 9)
    while model.running:
        threading.Event().wait(0.005)
    model.close()
    assert len(kept(tmp_path)) == 1
    assert not list(beside.folder(tmp_path / "memory.db").glob("*.new"))


def test_few_and_small(gguf_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.llm.kept.MOST_FILES", 3)
    monkeypatch.setattr("app.llm.kept.MOST_BYTES", 250)
    states = StateFolder(tmp_path / "memory.db", gguf_path, 512)
    beside.mark(tmp_path / "memory.db", make=True)
    for number in range(5):
        file = states.file(f"chat {number}")
        file.write_bytes(b"x" * 100)
        os.utime(file, (number, number))
    states.tidy()
    assert set(kept(tmp_path)) == {states.file("chat 4"), states.file("chat 3")}


def test_another_model_or_another_context_has_its_own(gguf_path: Path, tmp_path: Path) -> None:
    memory, other = tmp_path / "memory.db", tmp_path / "other.gguf"
    other.write_bytes(gguf_path.read_bytes())
    files = {
        StateFolder(memory, path, n_ctx).file("a chat") for path, n_ctx in ((gguf_path, 1), (gguf_path, 2), (other, 1))
    }
    assert len(files) == 3


def test_a_chat_turn_takes_its_conversation_up_and_the_memory_s_erase_reaches_it(
    memory: Memory, gguf_path: Path, tmp_path: Path
) -> None:
    def compose(_model: LanguageModel, request: Request, *_rest: object) -> Prompted:
        return Prompted(messages=(Message("user", request.turn.text),))

    command = (sys.executable, str(FAKE), "{}")
    with ReopeningModel(
        gguf_path, memory=memory.path, crashes=tmp_path / "c.json", command=command, available_memory=lambda: None
    ) as model:
        voice = Voice(model, compose, invents=False)
        for session, off_record in (("s1", False), ("s2", False), ("s3", True)):
            request = Request(Turn("What is a fjord?", session), off_record=off_record)
            list(take_turn(memory, voice, request, threading.Event()))
        assert len(kept(tmp_path)) == 2
        memory.erasing.erase(memory.erasing.selection(session="s1"))
        assert not beside.folder(memory.path).exists()
    assert not beside.folder(memory.path).exists()
