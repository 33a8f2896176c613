"""Whatever raises in the background, a sentence tells of it, the log has more, and the next key is answered."""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.worker import WorkerFailed

from app.core.settings import Settings
from app.paths import log_file
from app.tui import jobs
from app.tui.app import ErstwhileApp
from app.tui.jobs import Job
from store.errors import Busy, StoreError
from tests.tui.acting import app_with, screen_text
from tests.tui.cases import everything, told
from tests.tui.crashes import CRASHES, FEEDZAI, Raiser, awake, top
from tests.tui.scripted import ScriptedMemory
from tests.tui.steps import Step
from widgets.prompt import Prompt

Make = Callable[[], Exception]
ROOT = Path(__file__).resolve().parents[2]
FULL = "The disk is full."
LOCKED = "Another process writes."


def fault() -> Exception:
    return RuntimeError("it broke")


def known() -> Exception:
    return StoreError(FULL)


def raising(error: Make) -> Raiser:
    def broken(*_args: object, **_options: object) -> Any:
        raise error()

    return broken


async def settle(pilot: Pilot[None]) -> None:
    """Until no job runs and every message is handled, however the jobs ended."""
    quiet = 0
    while quiet < 3:
        await pilot.pause(0.01)
        quiet = 0 if any(worker.is_running for worker in pilot.app.workers) else quiet + 1


async def walk(pilot: Pilot[None], steps: Iterable[Step]) -> None:
    for step in steps:
        with suppress(WorkerFailed):  # a step that waits for the jobs hears of their faults
            await (pilot.press(step) if isinstance(step, str) else step(pilot))
        await settle(pilot)


def notified(app: ErstwhileApp) -> set[str]:
    """What notifications say, each of them in the style of an error."""
    assert all(one.severity == "error" for one in app._notifications)
    return {one.message for one in app._notifications}


async def answers_a_key(pilot: Pilot[None]) -> bool:
    """Esc leads back to the chat, and what is typed there stands there."""
    app = cast(ErstwhileApp, pilot.app)
    for _ in range(4):
        if app.screen is not app.chat:
            await pilot.press("escape")
            await pilot.pause()
    prompt = app.chat.query_one(Prompt)
    prompt.focus()
    before = prompt.text
    await pilot.press("z")
    await pilot.pause()
    return prompt.text == f"{before}z"


def test_every_job_has_its_crash() -> None:
    assert set(CRASHES) == set(Job)
    assert len({job.doing for job in Job}) == len(Job)


def test_no_worker_is_started_elsewhere() -> None:
    found = []
    for path in [*(ROOT / "app").rglob("*.py"), *(ROOT / "widgets").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = isinstance(node, ast.Attribute) and node.attr in ("run_worker", "work", "_new_worker")
            imported = isinstance(node, ast.ImportFrom) and any(one.name == "work" for one in node.names)
            if called or imported:
                found.append(str(path.relative_to(ROOT)))
    assert found == ["app/tui/jobs.py"]


async def crashed(pilot: Pilot[None], job: Job, error: Make, patch: pytest.MonkeyPatch) -> None:
    """Until the job has raised the error, and the app has said what it says."""
    app, crash = cast(ErstwhileApp, pilot.app), CRASHES[job]
    if not crash.at_start:
        await settle(pilot)
        await walk(pilot, crash.before)
        crash.breaking(app, patch, raising(error))
    await settle(pilot)
    await walk(pilot, crash.then)


def app_for(job: Job, error: Make, patch: pytest.MonkeyPatch) -> ErstwhileApp:
    app = app_with(everything(), told())
    app.services.shelf = list
    if CRASHES[job].at_start:
        CRASHES[job].breaking(app, patch, raising(error))
    return app


@pytest.mark.parametrize("job", Job, ids=lambda job: job.name)
async def test_what_nobody_expected_is_told_and_logged(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_for(job, fault, monkeypatch)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await crashed(pilot, job, fault, monkeypatch)
        (sentence,) = notified(app)
        assert sentence.casefold().startswith(f"{job.doing} failed (runtimeerror: it broke): {job.value.advice}")
        assert str(log_file()) in sentence
        assert log_file().stat().st_mode & 0o777 == 0o600
        logged = log_file().read_text(encoding="utf-8")
        assert f"Z {job.doing}\nTraceback" in logged
        assert "RuntimeError: it broke" in logged
        assert "I moved." not in logged
        assert CRASHES[job].honest(app), screen_text(app)
        assert await answers_a_key(pilot)


@pytest.mark.parametrize("job", Job, ids=lambda job: job.name)
async def test_what_the_store_says_is_told_once_and_not_logged(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_for(job, known, monkeypatch)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await crashed(pilot, job, known, monkeypatch)
        assert screen_text(app).count(FULL) == 1, screen_text(app)
        assert not log_file().exists()
        assert CRASHES[job].honest(app), screen_text(app)
        assert await answers_a_key(pilot)


@pytest.mark.parametrize("job", [job for job in Job if job.value.by_itself], ids=lambda job: job.name)
async def test_what_nobody_asked_for_waits_for_another_process_in_silence(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is told is only what came of it in the end."""
    tried: list[Exception] = []

    def error() -> Exception:
        tried.append(Busy(LOCKED) if len(tried) < 2 else known())
        return tried[-1]

    monkeypatch.setattr(jobs, "AGAIN", 0.01)
    app = app_for(job, error, monkeypatch)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await crashed(pilot, job, error, monkeypatch)
        assert len(tried) >= 3
        assert LOCKED not in screen_text(app) and screen_text(app).count(FULL) == 1, screen_text(app)
        assert await answers_a_key(pilot)


async def test_what_a_person_asked_for_is_not_done_behind_their_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waited for the file as long as a turn does; then a sentence tells that it was not done."""

    def locked() -> Exception:
        return Busy(LOCKED)

    app = app_for(Job.CHANGE, locked, monkeypatch)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await crashed(pilot, Job.CHANGE, locked, monkeypatch)
        assert screen_text(app).count(LOCKED) == 1, screen_text(app)


async def test_a_notification_is_on_screen_whole_even_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERSTWHILE_HOME", "/tmp/erstwhile-not-there/home")
    monkeypatch.setattr("app.faults.record", lambda _doing, _error: None)
    app = app_for(Job.READ_FADING, fault, monkeypatch)
    async with app.run_test(size=(60, 24), notifications=True) as pilot:
        await crashed(pilot, Job.READ_FADING, fault, monkeypatch)
        shown = " ".join(screen_text(app).replace("▌", "").split())
        for words in ("Reading what fades failed", "it broke", "come back to try again", "erstwhile.log"):
            assert words in shown


async def test_what_is_read_anew_is_no_longer_called_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_for(Job.READ_CHAIN, fault, monkeypatch)
    async with app.run_test(size=(120, 30)) as pilot:
        with monkeypatch.context() as patch:
            await crashed(pilot, Job.READ_CHAIN, fault, patch)
            assert top("not read")(app)
        await walk(pilot, ("escape", "enter"))
        assert "chain · " in screen_text(app)
        assert "not read" not in screen_text(app)


async def test_a_sleep_that_broke_is_not_tried_again_at_every_pause() -> None:
    memory, tried = ScriptedMemory(), []

    def sleep(*_args: object, **_options: object) -> None:
        tried.append(1)
        raise fault()

    vars(memory.sleeping)["run"] = sleep
    app = app_with(memory, settings=Settings(idle_seconds=0.1))
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        while not tried:
            await pilot.pause(0.05)
        await pilot.pause(0.5)
        await settle(pilot)
        assert tried == [1]
        assert awake(app)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert tried == [1, 1]


class Held:
    """Raises once it is let go."""

    def __init__(self, error: Make) -> None:
        self.error, self.began, self.go = error, threading.Event(), threading.Event()

    def __call__(self, *_args: object, **_options: object) -> Any:
        self.began.set()
        self.go.wait(5)
        raise self.error()


async def left(pilot: Pilot[None], held: Held, key: str) -> None:
    """Press the key that starts the job, and leave its screen before it raises."""
    await pilot.press(key)
    while not held.began.is_set():
        await pilot.pause(0.01)
    await pilot.press("escape")
    await pilot.pause()
    held.go.set()
    await pilot.pause(0.2)
    await settle(pilot)


async def test_a_job_whose_screen_was_left_is_cancelled_which_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    held, app = Held(fault), app_for(Job.READ_FADING, fault, monkeypatch)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        assert app.services.memory is not None
        monkeypatch.setattr(app.services.memory.salience, "fading", held)
        await left(pilot, held, "f5")
        assert not notified(app)
        assert not log_file().exists()


@pytest.mark.parametrize("error", [fault, known])
async def test_a_change_that_failed_is_told_wherever_one_is_by_then(
    error: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, app = Held(error), app_for(Job.CHANGE, fault, monkeypatch)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await walk(pilot, FEEDZAI)
        assert app.services.memory is not None
        monkeypatch.setattr(app.services.memory.by_hand, "retract", held)
        await left(pilot, held, "r")
        assert app.screen is app.chat
        assert (FULL if error is known else "Doing what was asked failed") in screen_text(app)


def test_a_log_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ERSTWHILE_HOME", str(tmp_path / "file"))
    sentence = jobs._recorded(Job.COUNT, fault())
    assert sentence.endswith(f"the log {tmp_path}/file/erstwhile.log cannot be written (File exists).")
