"""A text file is attached by its path, leads to the document, and is given to the model in that chat alone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input

from app.core import bringing
from app.core.clock import FrozenClock
from app.core.opening import ModelSource
from app.core.settings import Settings
from app.tui.app import ErstwhileApp
from app.tui.screens.bring import AttachDialog, Existing
from app.tui.screens.chat import BUSY, OFF_RECORD
from store.memory import Memory
from store.records import DOCUMENT
from tests.conftest import NOW, ZONE
from tests.tui.acting import QUIET, app_with, say, screen_text, settle
from tests.tui.scripted import ScriptedMemory, ScriptedModel
from widgets.transcript import SourceLine

LEASE = "The deposit is 1,900 euros and is due on 1 March.\n\nPets are not allowed in the flat or on the balcony.\n"


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    path = tmp_path / "lease.txt"
    path.write_text(LEASE, encoding="utf-8")
    return path


def app_of(memory: Memory, model: ModelSource, settings: Settings = QUIET) -> ErstwhileApp:
    """The real app over a real memory."""
    return ErstwhileApp(memory, model, clock=FrozenClock(NOW), zone=ZONE, settings=settings)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press some keys, and wait for what they do."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def documents(app: ErstwhileApp) -> tuple[str, ...]:
    """What is attached to the chat that is open."""
    return app.chat.documents


def note(app: ErstwhileApp) -> str:
    """What the status line says."""
    return app.chat._status.note


def test_a_document_that_was_erased_is_only_named_again(memory: Memory, lease: Path) -> None:
    first = bringing.attach(memory, bringing.Attachment(str(lease)), "chat", "", ZONE)
    memory.erasing.erase(memory.erasing.selection(session=first.sources[0].session))
    again = bringing.attach(memory, bringing.Attachment(str(lease)), "chat", "", ZONE)
    assert again.text == first.text and not again.sources


async def attach(pilot: Pilot[None], path: Path | str, *, own: bool = False) -> None:
    """Open the dialog, name a file, and take it."""
    await press(pilot, "alt+a")
    pilot.app.screen.query_one(Checkbox).value = own
    pilot.app.screen.query_one(Input).value = str(path)
    await press(pilot, "enter")


async def test_a_file_is_attached_and_asked_about(memory: Memory, lease: Path) -> None:
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await attach(pilot, lease)
        assert "lease.txt, 22 words" in screen_text(app)
        assert note(app) == "lease.txt is attached: ask about it."
        await say(pilot, "Are pets allowed?")
        assert "Pets are not allowed in the flat" in screen_text(app)
        assert memory.beliefs.facts() == []


async def test_the_line_below_it_leads_to_the_document(memory: Memory, lease: Path) -> None:
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await attach(pilot, lease)
        app.screen.query_one(SourceLine).action_open()
        await settle(pilot)
        assert app.chat._key.startswith(DOCUMENT)
        assert "Pets are not allowed" in screen_text(app)


async def test_a_model_is_given_it_in_this_chat_also_when_it_is_resumed(
    memory: Memory, lease: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.composing.is_small", lambda _: False)
    model = ScriptedModel()
    app = app_of(memory, model, Settings(idle_seconds=0, model_invents=False))
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await attach(pilot, lease)
        await say(pilot, "Write a friendly letter about the balcony")
        assert "on the balcony" in model.prompts[-1][-1].content
        key = app.chat._key
        await press(pilot, "ctrl+n")
        assert documents(app) == ()
        app.chat.open_session(key)
        await settle(pilot)
        (document,) = documents(app)
        assert document.startswith(DOCUMENT)


async def test_what_the_person_wrote_is_read_by_the_next_sleep(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "me.txt"
    path.write_text("My sister Petra is a nurse in Graz.", encoding="utf-8")
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await attach(pilot, path, own=True)
        assert note(app) == "me.txt is attached: the next sleep reads it."
        assert memory.reading.pending()
        await press(pilot, "ctrl+s")
        assert "Petra works as a nurse." in [fact.text for fact in memory.beliefs.facts()]


@pytest.mark.parametrize("name", ["gone.txt", ""])
async def test_what_cannot_be_attached_is_told_in_the_dialog(memory: Memory, tmp_path: Path, name: str) -> None:
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await attach(pilot, tmp_path / name)
        assert isinstance(app.screen, AttachDialog)
        assert "✗ " in screen_text(app)
        assert memory.sessions.all() == []


async def test_nothing_is_attached_off_the_record_nor_under_a_reply() -> None:
    model = ScriptedModel()
    app = app_with(ScriptedMemory(said=[]), model)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+r", "alt+a")
        assert note(app) == OFF_RECORD
        await press(pilot, "ctrl+r")
        model.hold = threading.Event()
        app.chat.prompt.text = "Tell me something"
        await pilot.press("enter")
        while not app.chat.busy:
            await pilot.pause()
        await pilot.press("alt+a")
        assert note(app) == BUSY
        model.hold.set()
        await settle(pilot)


async def test_a_path_is_completed_by_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "lease.txt").write_text("x", encoding="utf-8")
    suggest = Existing(use_cache=False, case_sensitive=True).get_suggestion
    assert await suggest(f"{tmp_path}/le") == f"{tmp_path}/lease.txt"
    assert await suggest(f"{tmp_path}/let") == f"{tmp_path}/letters/"
    assert await suggest(f"{tmp_path}/none") is None
    assert await suggest(f"{tmp_path}/") is None
    assert await suggest("/no/such/folder/x") is None
