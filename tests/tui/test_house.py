"""Doctor, models, import, the list of conversations, remapped keys: each says what is so before it does anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from app.core.settings import Settings
from app.core.shelf import Shelved
from app.tui import keys
from app.tui.screens.bring import ImportDialog
from app.tui.screens.chat import ChatScreen
from app.tui.screens.doctor import DoctorScreen, Health
from app.tui.screens.models import ModelsScreen
from app.tui.screens.search import SessionsDialog
from store.errors import BadInput
from tests.tui.acting import app_with, flashed, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel, turns
from widgets.choices import Choices


async def test_the_doctor_says_what_is_not_well_and_backs_up() -> None:
    memory = ScriptedMemory(sound=False)
    app = app_with(memory)
    async with app.run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        await pilot.press("f9")
        await settle(pilot)
        assert isinstance(app.screen, DoctorScreen)
        shown = screen_text(app)
        assert "memory.db" in shown
        assert "none yet; b makes one" in shown
        assert "CHECKS" not in shown
        await pilot.press("c")
        await settle(pilot)
        assert "✗ facts" in screen_text(app)
        assert "2 differ" in screen_text(app)
        assert "not as it should be" in flashed(app)
        await pilot.press("b")
        await settle(pilot)
        assert ("backup", Path("memory-20250314-214000.backup.db")) in memory.calls
        await pilot.press("Y")
        await settle(pilot)
        assert "memory file: memory.db" in app.clipboard
        app.screen.query_one(Choices).highlighted = 1
        await pilot.press("y")
        await settle(pilot)
        assert app.clipboard == "memory.db"


async def test_the_doctor_cuts_no_name_and_breaks_a_path_at_its_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/home/somebody/.local/share/erstwhile/profiles/work/memory.db"
    found = [Health("model", "comments on what you tell", "yes"), Health("model", "file", path)]
    monkeypatch.setattr("app.tui.screens.doctor.report", lambda *_given, **_named: found)
    app = app_with()
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f9")
        await settle(pilot)
        shown = screen_text(app).splitlines()
        assert any("comments on what you tell  yes" in line for line in shown)
        begins = next(row for row, line in enumerate(shown) if " file " in line)
        parts = [line.split()[-1] for line in shown[begins : begins + 3]]
        assert "".join(parts) == path and all(one.endswith("/") for one in parts[:-1])


async def test_the_memory_is_backed_up_of_itself_and_a_failure_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.tui.app.LOOK_EVERY", 0.5)  # time enough for one to end before the next takes its place
    memory = ScriptedMemory(sound=False)
    app = app_with(memory)
    async with app.run_test(size=(120, 50)) as pilot:
        await settle(pilot)
        for _ in range(100):
            if "2 differ" in screen_text(app):
                break
            await pilot.pause(0.02)
        assert "The backup failed its check (facts: 2 differ)" in screen_text(app)
    assert ("back_up_when_due", False) in memory.calls


def shelved(path: Path) -> list[Shelved]:
    return [
        Shelved("qwen3-4b", path / "q.gguf", "ollama", 2_500_000_000, True, "", (("chat", 0.9), ("extract", 0.5))),
        Shelved("small", path / "s.gguf", "erstwhile", 92_000_000),
        Shelved("broken", path / "b.gguf", "lm studio", 10, False, "It is cut off."),
    ]


async def test_a_model_is_picked_and_the_old_one_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERSTWHILE_HOME", str(tmp_path))
    loaded: list[int] = []

    def model() -> ScriptedModel:
        loaded.append(1)
        return ScriptedModel(name="small" if len(loaded) > 1 else "qwen3-4b")

    app = app_with(ScriptedMemory(), model)
    app.services.shelf = lambda: shelved(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        assert isinstance(app.screen, ModelsScreen)
        shown = screen_text(app)
        assert "in use" in shown
        assert "90%" in shown
        assert "not tested yet" in shown
        assert "It is cut off." in shown
        await pilot.press("down", "down", "enter")
        await settle(pilot)
        assert len(loaded) == 1
        await pilot.press("up", "enter")
        await settle(pilot)
        assert len(loaded) == 2
        assert app.services.voice is not None and app.services.voice.model.name == "small"
        assert f'path = "{tmp_path}/s.gguf"' in (tmp_path / "config" / "settings.toml").read_text()


async def test_without_a_model_it_says_how_to_get_one() -> None:
    app = app_with()
    app.services.shelf = list
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        assert "No model yet" in screen_text(app)


LINES = (
    '{"session": "s", "id": "1", "speaker": "me", "role": "user", "text": "I live in Porto.", '
    '"said_at": "2024-01-01T10:00:00+01:00"}\n'
)


async def test_an_import_says_what_it_would_take_and_then_takes_it(tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_text(LINES, encoding="utf-8")
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f8")
        await settle(pilot)
        assert isinstance(app.screen, ImportDialog)
        app.screen.query_one(Input).value = str(tmp_path / "chat.jsonl")
        await pilot.press("enter")
        await settle(pilot)
        assert "1 turn in 1 conversation, 1 January 2024 to 1 January 2024" in screen_text(app)
        assert "ingest" not in memory.names()
        await pilot.press("enter")
        await settle(pilot)
        assert ("ingest", 1) in memory.calls
        assert "1 new, 0 known before" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
        assert "1 turn to read from the import" in screen_text(app)


async def test_what_cannot_be_read_is_said_and_nothing_is_taken(tmp_path: Path) -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f8")
        await settle(pilot)
        app.screen.query_one(Input).value = str(tmp_path / "nowhere.json")
        await pilot.press("enter")
        await settle(pilot)
        assert "✗" in screen_text(app)
        await pilot.press("enter", "escape")
        await settle(pilot)
        assert "ingest" not in memory.names()


async def test_a_conversation_is_renamed_and_pinned() -> None:
    memory = ScriptedMemory(said=turns(4))
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+o")
        await settle(pilot)
        await pilot.press("ctrl+t")
        await settle(pilot)
        assert ("pin_session", ("s1", False)) in memory.calls
        assert "▪" in screen_text(app)
        await pilot.press("ctrl+r")
        await settle(pilot)
        app.screen.query_one(Input).value = ""
        await type_text(pilot, "The flat")
        await pilot.press("enter")
        await settle(pilot)
        assert ("rename", ("s1", "The flat")) in memory.calls
        assert isinstance(app.screen, SessionsDialog)
        assert "The flat" in screen_text(app)


async def test_a_key_is_remapped_by_its_id() -> None:
    app = app_with(settings=Settings(idle_seconds=0, keymap={"go.doctor": "f12"}))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f9")
        await settle(pilot)
        assert app.screen is app.chat
        await pilot.press("f12")
        await settle(pilot)
        assert isinstance(app.screen, DoctorScreen)


def test_an_id_that_nothing_has_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"no timeline.tday; did you mean timeline.today"):
        keys.refuse_unknown({"timeline.tday": "x"}, "settings.toml")
    keys.refuse_unknown({"timeline.today": "x", "learned.keep": "k", "app.quit": "ctrl+d"}, "settings.toml")
