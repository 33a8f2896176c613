"""Every key does what it is there for, and every message is on its way at some time: none is without its case."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from app.tui import jobs, keys
from app.tui.jobs import Job
from store.errors import StoreError
from tests.tui.acting import app_with, screen_text, settle
from tests.tui.cases import CASES, everything, told
from tests.tui.keyless import KEYLESS
from tests.tui.scripted import ScriptedMemory
from tests.tui.steps import Step


def key_of(name: str) -> str:
    known = next(one for one in keys.bindings() if one.id == name)
    return CASES[name].key or known.keys.split(",")[0]


def test_every_binding_has_an_id_and_every_id_a_case() -> None:
    ids = set()
    for one in keys.classes():
        for binding in vars(one).get("BINDINGS", ()):
            assert isinstance(binding, Binding) and binding.id, (one, binding)
            ids.add(binding.id)
    assert ids == set(CASES)


def messages() -> set[str]:
    """Every message of ours."""
    found: set[str] = set()
    left = list(Message.__subclasses__())
    while left:
        one = left.pop()
        left += one.__subclasses__()
        found |= {one.__name__} if one.__module__.startswith(("app.", "widgets.")) else set()
    return found


def test_every_message_is_posted_in_a_case() -> None:
    assert keys.classes()  # imports them all
    with_keys = {name for case in CASES.values() for name in case.posts}
    assert messages() == with_keys | (set(KEYLESS) - set(Job.__members__))


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> set[str]:
    """The names of the messages that were posted so far, and of the jobs that were done."""
    monkeypatch.setenv("ERSTWHILE_HOME", str(tmp_path))
    names: set[str] = set()
    post = MessagePump.post_message

    def spy(pump: MessagePump, message: Message) -> bool:
        names.add(type(message).__name__)
        return post(pump, message)

    def done(node: DOMNode, app: App[Any], job: Job, *rest: Any) -> None:
        names.add(job.name)
        supervised(node, app, job, *rest)

    supervised = jobs._supervised
    monkeypatch.setattr(MessagePump, "post_message", spy)
    monkeypatch.setattr(jobs, "_supervised", done)
    return names


async def walk(pilot: Pilot[None], steps: Iterable[Step]) -> None:
    await settle(pilot)
    for step in steps:
        if isinstance(step, str):
            await pilot.press(step)
            await settle(pilot)
        else:
            await step(pilot)


@pytest.mark.parametrize("name", CASES)
async def test_a_key_does_something(name: str, posted: set[str]) -> None:
    case, app = CASES[name], app_with(everything(), told())
    app.services.shelf = list
    async with app.run_test(size=(120, 30)) as pilot:
        await walk(pilot, case.start)
        before = case.seen(app)
        await pilot.press(key_of(name))
        await settle(pilot)
        after = case.seen(app)
        assert after
        assert after != before
        assert set(case.posts) <= posted


@pytest.mark.parametrize("name", KEYLESS)
async def test_a_message_or_a_job_that_no_key_has_is_on_its_way_and_something_comes_of_it(
    name: str, posted: set[str]
) -> None:
    case, app = KEYLESS[name], app_with(everything(), told())
    async with app.run_test(size=(120, 30)) as pilot:
        await walk(pilot, case.start)
        assert case.seen(app)
        assert name in posted


async def test_a_memory_that_cannot_be_opened_is_said(posted: set[str]) -> None:
    def broken() -> ScriptedMemory:
        raise StoreError("The file is no memory.")

    app = app_with()
    app._memory_source = broken
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert "The file is no memory." in screen_text(app)
        assert "JobFailed" in posted
