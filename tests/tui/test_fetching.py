"""A model is fetched from inside the app, in a process of its own, from a server that plays the host; whatever that
does, the chat goes on, one sentence says what is wrong, and what has come is kept.
"""

from __future__ import annotations

import json
import resource
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app import paths
from app.core import settings
from app.core.opening import SetUp
from app.core.shelf import Fetching, Shelved, apart
from app.llm.catalogue import FileToFetch
from app.llm.fetch import SMOLLM2, Step
from app.llm.halves import halves
from app.llm.process import Limits, ModelProcess
from app.tui.app import ErstwhileApp
from app.tui.screens.models import AddressDialog, ModelsScreen
from store.errors import ModelUnavailable
from tests.app.llm.host import Host, serving
from tests.app.llm.making import gguf
from tests.tui.acting import app_with, flashed, say, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel

FAKE = Path(__file__).parents[1] / "app" / "llm" / "fake_worker.py"
SIZE = (120, 40)
MODEL = gguf(elements=500_000)


@pytest.fixture
def host() -> Iterator[Host]:
    with serving(Host(MODEL)) as one:
        yield one


@pytest.fixture
def opened() -> Iterator[list[ModelProcess]]:
    """The model processes that an app of these tests has opened."""
    found: list[ModelProcess] = []
    yield found
    for one in found:
        one.close()


def app_of(opened: list[ModelProcess], memory: ScriptedMemory | None = None, **script: Any) -> ErstwhileApp:
    """The app with the real fetch and proof; in place of llama.cpp stands a scripted worker."""

    def chosen() -> ModelProcess | None:
        path = settings.chosen_path(settings.MODEL)
        if path is None:
            return None
        command = (sys.executable, str(FAKE), json.dumps(script or {"pieces": ["Well", " done"]}))
        limits = Limits(load=20, silence=20, reply=30, cancel=5, quit=1)
        process = ModelProcess(
            path, crashes=paths.machine_state(), command=command, limits=limits, available_memory=lambda: None
        )
        opened.append(process)
        process.start()
        return process

    app = app_with(memory, chosen)
    app.services.fetching.source, app.services.shelf = apart, list
    return app


async def ask_for(pilot: Pilot[None], address: str) -> None:
    """On the screen of the models, by its address."""
    await pilot.press("f3")
    await settle(pilot)
    await pilot.press("a")
    assert isinstance(pilot.app.screen, AddressDialog)
    pilot.app.screen.query_one(Input).value = address
    await pilot.press("enter")


async def until(pilot: Pilot[None], so: Callable[[], object]) -> None:
    for _ in range(1000):
        if so():
            return
        await pilot.pause(0.02)
    raise AssertionError(screen_text(pilot.app))


def words(app: ErstwhileApp) -> str:
    return " ".join(screen_text(app).split())


async def test_it_is_fetched_checked_tried_and_speaks(host: Host, opened: list[ModelProcess]) -> None:
    app = app_of(opened)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "f3 recommends some" in screen_text(app)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: app.services.voice is not None)
        assert (paths.models_dir() / "tiny-q4.gguf").read_bytes() == MODEL
        await pilot.press("escape")
        await say(pilot, "Good morning")
        assert "Well done" in screen_text(app)


async def test_the_list_follows_a_fetch_that_ends_while_it_is_open(host: Host, opened: list[ModelProcess]) -> None:
    app, path = app_of(opened), paths.models_dir() / "tiny-q4.gguf"
    app.services.shelf = lambda: [Shelved("tiny-q4", path, "checkout", 1, used=True)] if path.exists() else []
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: "being loaded" in screen_text(app))
        await until(pilot, lambda: app.services.voice is not None)
        await settle(pilot)
        assert isinstance(app.screen, ModelsScreen)
        assert "● tiny-q4  erstwhile · 0 MB · in use" in screen_text(app)


async def test_that_a_fetch_failed_can_be_dismissed(host: Host, opened: list[ModelProcess]) -> None:
    host.digest = "0" * 64
    app = app_of(opened)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: "its SHA-256 differs" in words(app))
        await settle(pilot)
        assert "x throw away" in words(app)
        await pilot.press("x")
        await settle(pilot)
        assert "SHA-256" not in words(app) and "tiny-q4" not in words(app)
        assert "x throw away" not in words(app)


def test_a_step_that_does_not_say_how_far_it_is_leaves_that_as_it_was() -> None:
    fetching = Fetching()
    fetching.begin(FileToFetch("tiny", "https://example.org/tiny.gguf", "tiny.gguf"))
    fetching.advance(Step("nothing yet"))
    assert fetching.words == "fetching tiny"
    fetching.advance(Step("half", 0.5))
    fetching.advance(Step("cut"))
    assert fetching.words == "fetching tiny 50%"


async def test_the_chat_goes_on_while_a_server_dawdles(host: Host, opened: list[ModelProcess]) -> None:
    host.hangs, memory = threading.Event(), ScriptedMemory()
    app = app_of(opened, memory)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: app.services.fetching.step)
        await pilot.press("escape")
        await until(pilot, lambda: "fetching tiny-q4.gguf" in screen_text(app))
        await type_text(pilot, "I bought a bike.")
        await pilot.press("enter")
        await until(pilot, lambda: "remember that" in screen_text(app))
        assert [one.text for one in memory.said][-2] == "I bought a bike."
        for key in ("ctrl+t", "escape", "ctrl+l", "escape", "f3"):
            await pilot.press(key)
        assert isinstance(app.screen, ModelsScreen)
        await until(pilot, lambda: "TO FETCH" in screen_text(app))
        await pilot.press("1")
        assert "One model at a time" in flashed(app)
        host.hangs.set()


async def test_a_pause_and_the_end_of_the_app_keep_what_came(host: Host, opened: list[ModelProcess]) -> None:
    host.hangs = threading.Event()
    app = app_of(opened)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: app.services.fetching.step)
        await pilot.press("space")
        await until(pilot, lambda: "paused; space goes on" in screen_text(app))
        await pilot.press("space")
        await until(pilot, lambda: app.services.fetching.running)
    (half,) = halves(paths.models_dir())
    assert half.done == len(MODEL) // 2
    host.hangs.set()
    app = app_of(opened)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        assert "50%" in screen_text(app) and "paused; space goes on" in screen_text(app)
        await pilot.press("space")
        await until(pilot, lambda: app.services.voice is not None)
    assert (paths.models_dir() / "tiny-q4.gguf").read_bytes() == MODEL
    assert [span for path, span in host.asked if path.startswith("/cdn/")][-1] == f"bytes={half.done}-"


async def cut(host: Host) -> None:
    host.cuts = [len(MODEL) // 3, 50_000]


async def ignoring(host: Host) -> None:
    host.cuts, host.ignores_range = [len(MODEL) // 3], True


@pytest.mark.parametrize("fault", [cut, ignoring])
async def test_a_fault_that_another_attempt_mends(
    host: Host, opened: list[ModelProcess], fault: Callable[[Host], Awaitable[None]]
) -> None:
    await fault(host)
    app = app_of(opened)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: "another attempt" in screen_text(app))
        await until(pilot, lambda: app.services.voice is not None)
    assert (paths.models_dir() / "tiny-q4.gguf").read_bytes() == MODEL


async def test_a_wrong_digest_is_said_and_leaves_nothing(host: Host, opened: list[ModelProcess]) -> None:
    host.digest = "0" * 64
    app = app_of(opened)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: "its SHA-256 differs" in words(app))
        await settle(pilot)
        assert list(paths.models_dir().iterdir()) == []
        await pilot.press("escape")
        await say(pilot, "I bought a bike.")
        assert "remember that" in screen_text(app)


async def test_a_full_disk_is_said_and_it_goes_on_when_there_is_room(host: Host, opened: list[ModelProcess]) -> None:
    app, before = app_of(opened), resource.getrlimit(resource.RLIMIT_FSIZE)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
        try:
            await ask_for(pilot, host.address)
            await until(pilot, lambda: "make room" in words(app))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        await settle(pilot)
        assert halves(paths.models_dir())[0].done == 1_000_000
        await pilot.press("space")
        await until(pilot, lambda: app.services.voice is not None)
    assert (paths.models_dir() / "tiny-q4.gguf").read_bytes() == MODEL


async def test_what_does_not_run_here_is_said(host: Host, opened: list[ModelProcess]) -> None:
    app = app_of(opened, load="crash")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, host.address)
        await until(pilot, lambda: "crash on this machine" in words(app))


async def test_without_a_model_the_small_one_is_named_too() -> None:
    app = app_with()
    app.services.shelf = list
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        assert f"(SmolLM2, {SMOLLM2.size / 1e6:.0f} MB) with `erstwhile models get`" in words(app)


async def test_recommended_are_those_that_fit_each_with_a_key() -> None:
    app = app_with()
    app.services.shelf = list
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        shown = words(app)
        assert "for a machine with 16 GB of memory" in shown
        assert "2 Qwen3 4B Instruct 2507 good answers on most laptops" in shown
        assert "2.5 GB to fetch · needs 3.7 GB of memory · Apache-2.0 · reads 262,144 tokens" in shown
        await pilot.press("2")
        await settle(pilot)
        wanted = app.services.fetching.wanted
        assert wanted is not None and wanted.name == "qwen3-4b"


async def test_a_file_here_is_used_where_it_lies(tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(gguf())
    app = app_with()
    app.services.shelf = list
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await ask_for(pilot, str(file))
        await settle(pilot)
        assert settings.chosen_path(settings.MODEL) == file
    (tmp_path / "no.gguf").write_bytes(b"no model")
    app = app_with()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for bad, why in (
            (str(tmp_path / "no.gguf"), "not a GGUF"),
            (str(tmp_path / "gone.gguf"), "There is no file /"),
            ("./gone/away/m.gguf", "There is no file ./gone"),
            (str(tmp_path), "is a folder"),
            ("http://example.org/m.gguf", "https addresses"),
            ("", "no model called"),
        ):
            await ask_for(pilot, bad)
            await settle(pilot)
            assert why in words(app)
            await pilot.press("escape", "escape")


def scripted_set_up(release: threading.Event, problem: str = "") -> SetUp:
    def set_up(stop: threading.Event) -> Iterator[Step]:
        yield Step("building the model's engine 12%, about 4 min; the memory works already", 0.12)
        while not (release.wait(0.02) or stop.is_set()):
            continue
        if problem:
            raise ModelUnavailable(problem)

    return set_up


async def test_the_engine_is_built_beside_the_app() -> None:
    release, models = threading.Event(), list[ScriptedModel]()

    def model() -> ScriptedModel:
        models.append(ScriptedModel(pieces=("Here I am.",)))
        return models[-1]

    app = app_with(ScriptedMemory(), model, set_up=scripted_set_up(release))
    app._set_up_first = True
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "about 4 min; the memory works already" in screen_text(app))
        await type_text(pilot, "I bought a bike.")
        await pilot.press("enter")
        await until(pilot, lambda: "remember that" in screen_text(app))
        assert not models
        await pilot.press("f3")
        await until(pilot, lambda: "12%, about 4 min" in screen_text(app))
        await pilot.press("escape")
        release.set()
        await settle(pilot)
        await say(pilot, "Good morning")
        assert "Here I am." in screen_text(app)


async def test_a_build_that_fails_in_the_middle_of_a_chat_is_told() -> None:
    release = threading.Event()
    app = app_with(ScriptedMemory(), set_up=scripted_set_up(release, "No C++ compiler is here."))
    app._set_up_first = True
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: "about 4 min" in screen_text(app))
        await type_text(pilot, "I bought a bike.")
        await pilot.press("enter")
        await until(pilot, lambda: "remember that" in screen_text(app))
        release.set()
        await until(pilot, lambda: "No C++ compiler is here." in words(app))


async def test_without_a_compiler_the_app_works_and_says_one_sentence() -> None:
    release = threading.Event()
    release.set()
    app = app_with(ScriptedMemory(), set_up=scripted_set_up(release, "No C++ compiler is here."))
    app._set_up_first = True
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert words(app).count("No C++ compiler is here.") == 1
        await say(pilot, "I bought a bike.")
        assert "remember that" in screen_text(app)
