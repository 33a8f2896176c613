"""The other screens look as they were approved, in the sizes and themes of `tests.tui.views`; what is empty teaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app.core import settings
from app.core.settings import Settings
from app.core.shelf import Shelved
from app.tui.app import ErstwhileApp
from app.tui.screens import doctor as health
from app.tui.screens.doctor import Health
from store.records import Precision
from store.sleep.brief import Brief, Coming
from tests.tui.acting import app_with, search_results, settle
from tests.tui.cases import everything, told
from tests.tui.keyless import LINE
from tests.tui.scripted import ScriptedMemory, fact, instant, lives, world
from tests.tui.steps import Step, filling, link, saying
from tests.tui.views import View, two_views
from widgets.prompt import Prompt

BODY = [
    Health("memory", "file", "/home/ana/.local/share/erstwhile/memory.db"),
    Health("memory", "size", "1.9 MB"),
    Health("memory", "holds", "494 turns in 95 conversations"),
    Health("memory", "last backup", "none yet; b makes one", False),
    Health("checks", "the pages", "fine", True),
    Health("checks", "the index of words", "2 turns are missing: erstwhile rebuild makes it anew", False),
    Health("model", "in use", "qwen3-4b", True),
    Health("settings", "theme", "dark (as it comes)"),
    Health("versions", "textual", "8.2.8"),
]
FILE = '[sleep]\nafter_seconds = 120\n[keys]\n"app.jump" = "f12"\n'
MODELS = [
    Shelved("qwen3-4b", Path("q.gguf"), "ollama", 2_500_000_000, True, "",
            (("chat", 0.9), ("extract", 0.5), ("rewrite", 0.8), ("summary", 1.0), ("tools", 0.3)), 3_600_000_000, 31.0),
    Shelved("SmolLM2-135M-Instruct", Path("s.gguf"), "erstwhile", 92_000_000, memory=550_000_000),
    Shelved("broken", Path("b.gguf"), "lm studio", 10, problem="It is cut off: download it again."),
]  # fmt: skip


@pytest.fixture(autouse=True)
def standing_still(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine, of this moment or of its speed is in a picture."""
    monkeypatch.setattr(Prompt, "cursor_blink", False)
    monkeypatch.setattr("app.core.turn.monotonic", lambda: 0.0)
    monkeypatch.setattr(health, "report", lambda _services, checked: BODY)
    monkeypatch.setattr(settings, "read", lambda: settings.parse(FILE, settings.FILE))
    monkeypatch.setenv("ERSTWHILE_HOME", "/home/ana")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat.jsonl").write_text(LINE, encoding="utf-8")


def memory() -> ScriptedMemory:
    one = everything()
    birthday = fact("Ana", "born_on", "16 March", ("1990-03-16", None), ("2024-02-01", None))
    coming = (Coming(birthday, instant("2025-03-16"), Precision.DAY),)
    changed = ((lives()[0], lives()[1]), (world()[7], None))
    one.morning = Brief(None, one.clock.now(), 3, changed, (tuple(one.known[-2:]),), coming, (world()[4],))
    return one


async def looking(pilot: Pilot[None]) -> None:
    await pilot.press("f8")
    field = pilot.app.screen.query_one(Input)
    field.value = "chat.jsonl"
    await pilot.press("enter")
    await settle(pilot)


async def searching(pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+f")
    pilot.app.screen.query_one(Input).value = "lisbon"
    await search_results(pilot)


async def walked(pilot: Pilot[None], steps: tuple[Step, ...]) -> None:
    await settle(pilot)
    for step in steps:
        if isinstance(step, str):
            await pilot.press(step)
            await settle(pilot)
        else:
            await step(pilot)
    for field in pilot.app.screen.query(Input):
        field.cursor_blink = False
    await settle(pilot)


SCREENS: dict[str, tuple[Step, ...]] = {
    "welcome": (),
    "off-record": ("ctrl+r", saying("Hello there")),
    "drawer": (saying("Where do I live?"), "ctrl+b"),
    "brief": ("ctrl+e",),
    "doctor": ("f9",),
    "diary": ("f7",),
    "days": ("f7", *["down"] * 5, "d", "tab", "down"),
    "settings": ("f6",),
    "setting": ("f6", "down", "down", "enter", filling("soon")),
    "models": ("f3",),
    "import": (looking,),
    "search": (searching,),
    "help": ("ctrl+t", "f1"),
    "jump": ("ctrl+l", "ctrl+g"),
    "date": ("ctrl+t", "g", filling("last Friday")),
    "correct": ("ctrl+l", "down", "e"),
    "erase": ("ctrl+l", "down", "x"),
    "link": (link,),
}


def pictured(theme: str, one: ScriptedMemory) -> ErstwhileApp:
    app = app_with(one, told(), settings=Settings(theme=theme, idle_seconds=0, model_invents=True))
    app.services.shelf = lambda: MODELS
    return app


@two_views
@pytest.mark.parametrize("name", SCREENS)
def test_screen(snap_compare: Any, name: str, view: View) -> None:
    app = pictured(view.theme, memory())
    assert snap_compare(app, terminal_size=view.size, run_before=lambda pilot: walked(pilot, SCREENS[name]))


EMPTY: dict[str, tuple[Step, ...]] = {
    "welcome": (),
    "timeline": ("ctrl+t",),
    "beliefs": ("ctrl+l",),
    "sleep": ("f4",),
    "fading": ("f5",),
    "diary": ("f7",),
    "brief": ("ctrl+e",),
    "models": ("f3",),
    "sessions": ("ctrl+o",),
    "search": ("ctrl+f",),
}


@pytest.mark.parametrize("name", EMPTY)
def test_what_is_empty(snap_compare: Any, name: str) -> None:
    app = pictured("dark", ScriptedMemory(known=[], said=[], logged=[], waiting=0))
    app.services.shelf = list
    assert snap_compare(app, terminal_size=(100, 24), run_before=lambda pilot: walked(pilot, EMPTY[name]))
