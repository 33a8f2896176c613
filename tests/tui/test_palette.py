"""The palette finds conversations, people and beliefs by name, and what Textual has of its own stays in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandList, CommandPalette
from textual.fuzzy import Matcher

from app.core.settings import THEMES
from app.paths import config_dir
from app.tui.palette import COMMANDS, commands, names
from app.tui.screens.beliefs import ChainScreen, EntityScreen, read_known
from store.memory import Memory
from store.records import Turn
from tests.tui.acting import app_with, flashed, screen_text, settle, type_text
from tests.tui.cases import everything, told

CHOICES = pytest.mark.parametrize(
    ("typed", "offered"), [("Ana", "person: Ana"), ("about s1", "conversation: about s1"), ("feedzai", "Feedzai")]
)


@CHOICES
async def test_a_name_is_found_and_gone_to(typed: str, offered: str) -> None:
    app = app_with(everything(), told())
    async with app.run_test(size=(110, 34)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        await type_text(pilot, typed)
        while not pilot.app.screen.query_one(CommandList).option_count:
            await pilot.pause(0.05)
        await pilot.pause(0.6)
        assert offered in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert not isinstance(app.screen, CommandPalette)
        if typed == "Ana":
            assert isinstance(app.screen, EntityScreen) and app.screen.subject == "Ana"
        elif typed == "feedzai":
            assert isinstance(app.screen, ChainScreen) and app.screen.fact.object == "Feedzai"
        else:
            assert app.screen is app.chat and app.chat._key == "s1"


async def test_a_kind_with_its_colon_finds_what_is_of_it() -> None:
    app = app_with(everything(), told())
    async with app.run_test(size=(110, 34)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        await type_text(pilot, "person: Ana")
        while not pilot.app.screen.query_one(CommandList).option_count:
            await pilot.pause(0.05)
        await pilot.pause(0.6)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, EntityScreen) and app.screen.subject == "Ana"


def test_a_company_is_no_person_in_it(memory: Memory) -> None:
    for text in ("I work at Tidewell.", "Tidewell's birthday is 3 May.", "My sister Ana lives in Leeds."):
        memory.reading.learn(memory.episodes.remember(Turn(text, "then")).id)
    offered = {name.title for name in names(memory)}
    assert {"organisation: Tidewell", "person: Ana"} <= offered
    read = read_known(memory, "Tidewell", memory.latest()).entity
    assert read is not None and read.kind == "organisation"


@pytest.mark.parametrize("typed", ["people", "go: people"])
def test_the_people_are_found(typed: str) -> None:
    best = max(COMMANDS, key=lambda one: Matcher(typed).match(one[0]))
    assert best[2] == "beliefs"


LISTS = ("ctrl+f", "ctrl+o", "ctrl+e")


@pytest.mark.parametrize(
    ("key", "wide"),
    [*((key, 60) for key in ("f1", "ctrl+p", *LISTS)), *((key, 100) for key in LISTS), *((key, 160) for key in LISTS)],
)
async def test_nothing_of_the_prompt_sticks_out_behind_what_covers_it(key: str, wide: int) -> None:
    """On a narrow screen everything does, on a wide one the lists."""
    app = app_with(everything(), told())
    async with app.run_test(size=(wide, 36)) as pilot:
        await settle(pilot)

        def below() -> str:
            return "".join(screen_text(app).splitlines()[-8:])

        assert "╮" in below()
        await pilot.press(key)
        await settle(pilot)
        assert app.screen is not app.chat
        assert not set("╭╮╰╯") & set(below())


async def test_the_theme_and_the_screenshot_of_textual_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with(everything(), told())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        offered = {command.title: command for command in commands(app, app.screen)}
        taken: list[str] = []
        monkeypatch.setattr(app, "deliver_screenshot", lambda: taken.append(app.export_screenshot()))
        await offered["look: screenshot"].callback()
        await pilot.pause(0.4)
        assert taken and "<svg" in taken[0]
        offered["look: theme"].callback()
        await settle(pilot)
        assert isinstance(app.screen, CommandPalette)
        shown = app.screen.query_one(CommandList)
        while not shown.option_count:
            await pilot.pause(0.05)
        assert [str(shown.get_option_at_index(at).prompt) for at in range(shown.option_count)] == list(THEMES)
        await pilot.press("escape")
        for name in THEMES:
            app.wear(name)
            await pilot.pause()
            assert app.current_theme.name.removeprefix("erstwhile-") == name


async def test_a_theme_that_is_picked_is_kept_and_told_to_the_settings_that_are_open() -> None:
    app = app_with(everything(), told())
    file = config_dir() / "settings.toml"
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f6")
        await settle(pilot)
        app.search_themes()
        await settle(pilot)
        await type_text(pilot, "nord")
        while not pilot.app.screen.query_one(CommandList).option_count:
            await pilot.pause(0.05)
        await pilot.press("enter")
        await settle(pilot)
        assert app.theme == app.services.settings.theme == "nord"
        assert file.read_text(encoding="utf-8") == '[look]\ntheme = "nord"\n'
        assert "● theme" in screen_text(app)
        file.write_text("[lok]\n", encoding="utf-8")
        await app.run_action("look('light')")
        await settle(pilot)
        assert app.theme == "erstwhile-light"
        assert "✗" in flashed(app) and file.read_text(encoding="utf-8") == "[lok]\n"


@pytest.mark.parametrize("there", [True, False])
async def test_a_screenshot_says_where_it_is_or_why_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    folder = tmp_path / "[bold]Down loads"
    if there:
        folder.mkdir()
    monkeypatch.setattr("textual.app.user_downloads_path", lambda: folder)
    app = app_with(everything(), told())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        app.action_shoot()
        for _ in range(40):
            await pilot.pause(0.05)
            if app._notifications:
                break
        (said,) = [one.message for one in app._notifications]
        saved = list(folder.glob("*.svg"))
        if there:
            assert said == f"Saved: {saved[0]}"
        else:
            assert said.startswith(f"The screenshot was not saved. No such file or directory: {folder}")
