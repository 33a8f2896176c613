"""Whatever happens to a model, the app says one sentence, keeps what was said, and the chat goes on."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from app.core.fitness import CaseResult, Fitness, remember, remembered
from app.core.fitness_cases import CASES
from app.core.models import load
from app.core.settings import Settings
from app.core.shelf import Shelved
from app.llm.find import examine
from app.llm.process import Limits, ModelProcess
from app.paths import fitness_file
from app.tui.app import ErstwhileApp
from store.protocols import LanguageModel
from tests.app.llm.making import gguf
from tests.tui.acting import app_with, flashed, say, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel

FAKE = Path(__file__).parents[1] / "app" / "llm" / "fake_worker.py"
SIZE = (120, 40)
Make = Callable[..., ModelProcess]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A model process over a scripted model."""
    opened: list[ModelProcess] = []

    def build(free: int | None = None, silence: float = 20, **script: Any) -> ModelProcess:
        path = tmp_path / "tiny.gguf"
        path.write_bytes(gguf())
        command = (sys.executable, str(FAKE), json.dumps(script))
        limits = Limits(load=20, silence=silence, reply=30, cancel=5, quit=1)
        opened.append(
            ModelProcess(
                path, crashes=tmp_path / "crashes.json", command=command, limits=limits, available_memory=lambda: free
            )
        )
        return opened[-1]

    yield build
    for one in opened:
        one.close()


def file_of(tmp_path: Path, content: bytes) -> Callable[[], LanguageModel]:
    """What opens the model in a file with this content."""
    path = tmp_path / "chosen.gguf"
    path.write_bytes(content)
    return lambda: load(examine(path))


def started(model: ModelProcess) -> Callable[[], LanguageModel]:
    def start() -> LanguageModel:
        model.start()
        return model

    return start


async def one_sentence_and_on(pilot: Pilot[None], app: ErstwhileApp, memory: ScriptedMemory, words: str) -> None:
    """The sentence stands on the screen, and what is said next is kept and answered without a model."""
    await settle(pilot)
    shown = " ".join(screen_text(app).split())
    assert words in shown, shown
    await say(pilot, "I bought a bike.")
    assert "I bought a bike." in [one.text for one in memory.said]
    assert "remember that" in screen_text(app)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"Dear diary, this is no model.", "not a GGUF"), (gguf(weights=100), "not complete"), (b"", "not a GGUF")],
)
async def test_a_file_that_is_no_model(tmp_path: Path, content: bytes, words: str) -> None:
    memory = ScriptedMemory()
    app = app_with(memory, file_of(tmp_path, content))
    async with app.run_test(size=SIZE) as pilot:
        await one_sentence_and_on(pilot, app, memory, words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"free": 10_000_000}, "10 MB are free"),
        ({"load": "refuse"}, "The template is hostile."),
        ({"load": "crash"}, "crash on this machine"),
        ({"load": "exit"}, "could not be loaded"),
    ],
)
async def test_a_model_that_cannot_be_loaded(make: Make, options: dict[str, Any], words: str) -> None:
    memory = ScriptedMemory()
    app = app_with(memory, started(make(**options)))
    async with app.run_test(size=SIZE) as pilot:
        await one_sentence_and_on(pilot, app, memory, words)


@pytest.mark.parametrize(("by", "words"), [(signal.SIGKILL, "ended in the middle"), (signal.SIGSTOP, "gave no sign")])
async def test_killed_or_stopped_in_a_reply(make: Make, by: signal.Signals, words: str) -> None:
    memory, model = ScriptedMemory(), make(silence=5.0, pieces=["So", " far"], then="hang")
    app = app_with(memory, started(model))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await type_text(pilot, "Good morning")
        await pilot.press("enter")
        while "So far" not in screen_text(app):
            await pilot.pause(0.01)
        assert model.pid is not None
        os.kill(model.pid, by)
        await settle(pilot)
        assert words in screen_text(app)
        assert (memory.said[-1].text, memory.said[-1].cut) == ("So far", True)
        first = model.pid
        await type_text(pilot, "Good evening")
        await pilot.press("enter")
        while screen_text(app).count("So far") < 2:
            await pilot.pause(0.01)
        assert model.pid != first
        await pilot.press("escape")
        await settle(pilot)


@dataclass
class Chosen(ScriptedModel):
    """A model in a file."""

    path: Path = Path("m.gguf")


async def test_a_model_is_tested_from_the_list_and_speaks_as_it_was_found_fit_for(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf())
    app = app_with(model=Chosen(path=path), settings=Settings(idle_seconds=0))

    def tester(asked: Path, running: object, stop: Event) -> Iterator[CaseResult]:
        assert asked == path and isinstance(running, Chosen)
        yield CaseResult(CASES[0], "Yes.", "")
        remember(fitness_file(), path, Fitness({"chat": 1.0, "absent": 1.0}))

    def shelf() -> list[Shelved]:
        known = remembered(fitness_file(), path)
        return [Shelved("m", path, "checkout", 1, True, fitness=tuple(known.shares.items()) if known else ())]

    app.services.tester, app.services.shelf = tester, shelf
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert app.services.voice is not None and not app.services.voice.honest
        await pilot.press("f3")
        await settle(pilot)
        assert "not tested yet: t tests it" in screen_text(app)
        await pilot.press("t")
        await settle(pilot)
        assert "Tested: 1 of 1 answer right" in flashed(app)
        assert "chats" in screen_text(app) and "not tested yet" not in screen_text(app)
        assert app.services.voice.honest


async def test_who_leaves_the_list_stops_the_test() -> None:
    app, began, stops = app_with(), Event(), list[Event]()

    def tester(_path: Path, _running: object, stop: Event) -> Iterator[CaseResult]:
        stops.append(stop)
        began.set()
        stop.wait(20)
        yield from ()

    app.services.tester = tester
    app.services.shelf = lambda: [Shelved("m", Path("m.gguf"), "checkout", 1)]
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        await pilot.press("t")
        assert began.wait(10)
        assert "being tested…" in screen_text(app)
        app.screen.dismiss()
        await settle(pilot)
        assert stops[0].is_set() and app.screen is app.chat


async def test_a_reply_without_a_word_ends_and_the_chat_goes_on() -> None:
    model = ScriptedModel(pieces=())
    app = app_with(model=model)
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, "Hello")
        assert not app.chat.busy
        model.pieces = ("I am back.",)
        await say(pilot, "Hello again")
        assert "I am back." in screen_text(app)
