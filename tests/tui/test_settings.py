"""Settings are changed where they are read: in the file at once, in the app at once, and never by half."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input

from app.tui import start as starting
from app.tui.app import ErstwhileApp
from app.tui.screens.chat import ChatScreen
from app.tui.screens.doctor import DoctorScreen
from app.tui.screens.models import ModelsScreen
from app.tui.screens.settings import KeyChosen, SettingsScreen, ValueDialog
from tests.tui.acting import app_with, flashed, footer, mark, screen_text, settle, type_text
from widgets.choices import Choices


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings of this test are."""
    monkeypatch.setenv("ERSTWHILE_HOME", str(tmp_path))
    for name in ("ERSTWHILE_MODEL", "ERSTWHILE_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "config" / "settings.toml"


def named(name: str) -> Callable[[object], bool]:
    """The row of that setting, or of that key."""
    return lambda record: (
        record.binding.id == name
        if isinstance(record, KeyChosen)
        else getattr(getattr(record, "option", None), "key", "") == name
    )


async def visit(pilot: Pilot[None]) -> ErstwhileApp:
    app = pilot.app
    assert isinstance(app, ErstwhileApp)
    await settle(pilot)
    await pilot.press("f6")
    await settle(pilot)
    assert isinstance(app.screen, SettingsScreen)
    return app


async def change(pilot: Pilot[None], name: str, value: str | None = None) -> None:
    """Enter on a row, and what it then asks for."""
    app = pilot.app
    assert isinstance(app, ErstwhileApp)
    mark(app, named(name))
    await pilot.press("enter")
    await settle(pilot)
    if value is not None:
        assert isinstance(app.screen, ValueDialog)
        app.screen.query_one(Input).value = value
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)


async def pick(pilot: Pilot[None], value: str) -> None:
    """Of a list of values."""
    assert isinstance(pilot.app.screen, CommandPalette)
    await type_text(pilot, value)
    while not pilot.app.screen.query_one(CommandList).option_count:
        await pilot.pause(0.05)
    await pilot.press("enter")
    await settle(pilot)


async def test_a_theme_is_picked_from_a_list_written_and_taken_back(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("# mine\n[sleep]\nat_exit = true  # always\n", encoding="utf-8")
    async with app_with().run_test(size=(120, 50)) as pilot:
        app = await visit(pilot)
        assert "undo" not in footer(app)
        await change(pilot, "theme")
        await pick(pilot, "light")
        assert app.theme == "erstwhile-light"
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# mine\n[sleep]\nat_exit = true  # always\n")
        assert 'theme = "light"' in text
        await pilot.press("u")
        await settle(pilot)
        assert app.theme == "erstwhile-dark"
        assert file.read_text(encoding="utf-8") == "# mine\n[sleep]\nat_exit = true  # always\n"
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)


async def test_how_long_it_waits_holds_at_once_and_what_will_not_do_is_refused(file: Path) -> None:
    async with app_with().run_test(size=(120, 50)) as pilot:
        app = await visit(pilot)
        await change(pilot, "after_seconds", "soon")
        assert isinstance(app.screen, ValueDialog)
        assert "Say a number of seconds" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert not file.exists()
        await change(pilot, "after_seconds", "120")
        assert app.services.settings.idle_seconds == 120
        assert app._idle is not None
        await change(pilot, "after_seconds", "0")
        assert app._idle is None
        assert "never" in screen_text(app)
        await pilot.press("r")
        await settle(pilot)
        assert app.services.settings.idle_seconds == 60
        assert "after_seconds" not in file.read_text(encoding="utf-8")
        assert "as it comes" not in footer(app)


async def test_a_key_of_ones_own_does_what_the_old_one_did(file: Path) -> None:
    async with app_with().run_test(size=(120, 50)) as pilot:
        app = await visit(pilot)
        await change(pilot, "go.doctor", "f4")
        assert "does something there already: sleep (go.sleep)" in screen_text(app)
        app.screen.query_one(Input).value = "ctlr+y"
        await settle(pilot)
        assert "is no modifier" in screen_text(app)
        app.screen.query_one(Input).value = "f12"
        await pilot.press("enter")
        await settle(pilot)
        assert '"go.doctor" = "f12"' in file.read_text(encoding="utf-8")
        await pilot.press("escape", "f12")
        await settle(pilot)
        assert isinstance(app.screen, DoctorScreen)
        await pilot.press("s")
        await settle(pilot)
        mark(app, named("go.doctor"))
        await pilot.press("r", "escape", "f12")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)


async def test_the_filter_narrows_to_settings_and_keys(file: Path) -> None:
    async with app_with().run_test(size=(120, 50)) as pilot:
        app = await visit(pilot)
        await pilot.press("slash")
        app.screen.query_one(Input).value = "sleep"
        await settle(pilot)
        shown = screen_text(app)
        assert "sleeps when quiet for" in shown
        assert "go.sleep" in shown
        assert "theme" not in shown
        app.screen.query_one(Input).value = "xyzzy"
        await settle(pilot)
        assert "Nothing matches" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "theme" in screen_text(app)
        assert app.screen.query_one(Choices).has_focus


async def test_the_model_is_picked_where_models_are(file: Path) -> None:
    app = app_with()
    app.services.shelf = list
    async with app.run_test(size=(120, 50)) as pilot:
        await visit(pilot)
        await change(pilot, "path")
        assert isinstance(app.screen, ModelsScreen)


async def test_a_file_that_is_not_one_is_said_and_left_alone(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("[lok]\ntheme = 1\n", encoding="utf-8")
    async with app_with().run_test(size=(120, 50)) as pilot:
        app = await visit(pilot)
        assert "did you mean look" in " ".join(screen_text(app).split())
        await change(pilot, "theme")
        await pick(pilot, "nord")
        assert "✗" in flashed(app)
        assert file.read_text(encoding="utf-8") == "[lok]\ntheme = 1\n"


@pytest.mark.parametrize(
    ("flag", "said", "held"), [(True, "false", True), (False, "true", True), (False, "false", False)]
)
def test_the_first_chat_is_off_the_record_if_the_flag_or_the_file_says_so(
    file: Path, monkeypatch: pytest.MonkeyPatch, flag: bool, said: str, held: bool
) -> None:
    file.parent.mkdir()
    file.write_text(f"[chat]\noff_the_record = {said}\n", encoding="utf-8")
    begun: list[bool] = []
    monkeypatch.setattr(starting, "load_model", lambda path: None)
    monkeypatch.setattr(starting, "sleep_at_exit", lambda memory, settings: None)
    monkeypatch.setattr(ErstwhileApp, "run", lambda app: begun.append(app.chat.services.settings.off_the_record))
    starting.start(file.parent / "memory.db", None, "UTC", demo=False, off_the_record=flag)
    assert begun == [held]
