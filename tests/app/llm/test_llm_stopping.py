"""A turn that the person stops is over within 100 ms and saved, whatever its model does, and the next turn is answered.

The models are processes that are stopped (SIGSTOP) or that compute and listen to nothing, before and during the reply.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.core.composing import compose
from app.core.models import stoppable
from app.core.turn import Closed, Prompted, ReplyPiece, Request, TurnEvent, Voice, take_turn
from app.llm.kept import ReopeningModel
from app.llm.process import Limits, ModelProcess
from store.records import Turn
from tests.app.llm.conftest import exists
from tests.tui.scripted import ScriptedMemory

FAKE = Path(__file__).with_name("fake_worker.py")
LIMITS = Limits(load=20, silence=20, reply=30, cancel=1.0, quit=0.5)
SOON = 0.1
"""Seconds."""

Make = Callable[..., ReopeningModel]


@pytest.fixture
def make(closing: Callable[[ModelProcess], ModelProcess], gguf_path: Path, tmp_path: Path) -> Make:
    """A model over a scripted child."""

    def build(**script: Any) -> ReopeningModel:
        command = (sys.executable, str(FAKE), json.dumps(script))
        model = ReopeningModel(
            gguf_path, memory=tmp_path / "memory.db", crashes=tmp_path / "crashes.json", limits=LIMITS, command=command,
            available_memory=lambda: None,
        )  # fmt: skip
        closing(model)
        model.start()
        return model

    return build


class Taken:
    """A turn that is taken in a thread, as the app takes it."""

    def __init__(self, model: ModelProcess, text: str = "Tell me about the sea") -> None:
        self.memory, self.stop = ScriptedMemory(), threading.Event()
        self.events: list[TurnEvent] = []
        self.ended_at = 0.0
        self._voice = Voice(model, compose, invents=False)
        self._request = Request(Turn(text, "chat-1", said_at=self.memory.clock.now()))
        self._thread = threading.Thread(target=self._take)
        self._thread.start()

    def _take(self) -> None:
        for event in take_turn(self.memory, self._voice, self._request, self.stop):
            self.events.append(event)
        self.ended_at = time.monotonic()

    def until(self, kind: type[TurnEvent]) -> None:
        """Wait for an event of this kind."""
        deadline = time.monotonic() + 10
        while not any(isinstance(event, kind) for event in self.events):
            assert time.monotonic() < deadline
            time.sleep(0.002)

    def stopped(self) -> tuple[Closed, float]:
        """Stop it: how it ended, and the seconds that this took."""
        began = time.monotonic()
        self.stop.set()
        return self.ended(), self.ended_at - began

    def ended(self) -> Closed:
        """Wait for the end of it."""
        self._thread.join(20)
        closed = self.events[-1]
        assert isinstance(closed, Closed)
        return closed


@contextmanager
def at_a_standstill(model: ModelProcess) -> Iterator[int]:
    """The child is stopped, as by a machine that swaps; it is let go on at the end, if it is still there."""
    pid = model.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        yield pid
    finally:
        if exists(pid):
            os.kill(pid, signal.SIGCONT)


def gone(pid: int) -> bool:
    """The process has ended, at the latest when it was given all the time that it is given."""
    deadline = time.monotonic() + 2 * LIMITS.cancel
    while exists(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not exists(pid)


def test_a_model_that_stands_still_before_the_prompt_is_made(make: Make) -> None:
    model = make(pieces=["Blue."])
    with at_a_standstill(model) as pid:
        turn = Taken(model)
        time.sleep(0.3)
        closed, took = turn.stopped()
        assert took < SOON
        assert closed.cut
        assert not closed.problem
        assert gone(pid)
    assert Taken(model).ended().text == "Blue."


def test_a_model_that_stands_still_in_its_reply(make: Make) -> None:
    model = make(pieces=["The sea", " is"], then="forever")
    turn = Taken(model)
    turn.until(ReplyPiece)
    with at_a_standstill(model) as pid:
        time.sleep(0.3)
        closed, took = turn.stopped()
        assert took < SOON
        assert closed.cut
        assert not closed.problem
        assert closed.text.startswith("The sea is")
        assert turn.memory.said[-1].text == closed.text
        assert gone(pid)
    again = Taken(model)
    again.until(ReplyPiece)
    assert again.stopped()[0].text.startswith("The sea is")


@pytest.mark.parametrize("pieces", [[], ["The sea"]])
def test_a_model_that_computes_and_listens_to_nothing(make: Make, pieces: list[str]) -> None:
    model = make(pieces=pieces, then="hang")
    turn = Taken(model)
    turn.until(ReplyPiece if pieces else Prompted)
    time.sleep(0.1)
    pid = model.pid
    closed, took = turn.stopped()
    assert took < SOON
    assert closed.cut
    assert closed.text == "".join(pieces)
    assert pid is not None
    assert gone(pid), "it was given its time, and then killed"


def test_a_state_that_is_never_written(make: Make) -> None:
    model = make(pieces=["Blue."])
    assert Taken(model).ended().text == "Blue."
    with at_a_standstill(model) as pid:
        stop, ended = threading.Event(), threading.Event()

        def leave() -> None:
            with stoppable(model, stop):
                model.take_up("chat-2")  # which keeps what was read of the first
            ended.set()

        threading.Thread(target=leave).start()
        time.sleep(0.2)
        stop.set()
        assert ended.wait(2 * LIMITS.sign + SOON)
        assert gone(pid)
    assert Taken(model).ended().text == "Blue."


def test_a_model_that_is_started_again_and_never_loads(make: Make, tmp_path: Path) -> None:
    script = tmp_path / "how"
    script.write_text("fine")
    model = make(pieces=["Blue."], load_as=str(script))
    assert model.pid is not None
    os.kill(model.pid, signal.SIGKILL)
    while model.running:
        time.sleep(0.01)
    script.write_text("hang")
    turn = Taken(model)
    time.sleep(1.0)
    hung = model.pid
    closed, took = turn.stopped()
    assert took < SOON
    assert not closed.problem
    assert hung is not None
    assert gone(hung)
    script.write_text("fine")
    assert Taken(model).ended().text == "Blue."


def test_a_model_that_works_is_stopped_and_not_ended(make: Make) -> None:
    model = make(pieces=["The sea"], then="forever")
    pid = model.pid
    for _time in range(3):
        turn = Taken(model)
        turn.until(ReplyPiece)
        assert turn.stopped()[1] < SOON
    assert model.pid == pid
