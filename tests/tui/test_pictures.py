"""The screens look as they were approved: in the sizes and themes of `tests.tui.views`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app.core.settings import Settings
from app.core.shelf import Shelved
from app.tui.app import ErstwhileApp
from store.records import Fact, Hit, Operation
from tests.tui.acting import app_with, say, settle
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, changed, fact, instant, lives, world
from tests.tui.views import View, all_views, two_views
from widgets.lanes import Lanes
from widgets.prompt import Prompt

REPLY = (
    "Good to know! How is **Rua da Rosa** treating you?\n\n",
    "1. the light\n2. the hill\n\n",
    "> quoted\n\n`code` and [a map](https://example.org/map).",
)


@pytest.fixture(autouse=True)
def standing_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cursor that blinks, a row that lights up or a speed that is measured makes two pictures of one screen."""
    monkeypatch.setattr(Prompt, "cursor_blink", False)
    monkeypatch.setattr(Lanes, "FLASH_SECONDS", 0.0)
    monkeypatch.setattr("app.core.turn.monotonic", lambda: 0.0)


def pictured(theme: str = "dark", *known: Fact) -> ErstwhileApp:
    """The app over a scripted memory in which everything happens once, and over what else is known."""
    home = lives()
    hit = Hit(
        "episode", "e0", None, "s1", "me", "we sign on the 1st of September, keys the same day",
        instant("2024-08-19 21:40"), 1.0, (("lexical", 1), ("dense", 3)),
    )  # fmt: skip
    memory = ScriptedMemory(
        known=[*world(), *known],
        answers={"Where do I live?": answered(home[:2], "You live in Lisbon, Rua da Rosa, since 1 September 2024.")},
        taught={"I moved to Lisbon.": (changed(home[0], home[2]), changed(world()[6]))},
        hits=(hit,),
    )
    settings = Settings(theme=theme, idle_seconds=0, model_invents=True)
    return app_with(memory, ScriptedModel(pieces=REPLY), settings=settings)


async def chatting(pilot: Pilot[None]) -> None:
    await say(pilot, "Where do I live?")
    await say(pilot, "I moved to Lisbon.")


async def looking_back(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("ctrl+t")
    await settle(pilot)
    lanes = pilot.app.screen.query_one(Lanes)
    lanes.go("true", instant("2024-10-01").us)
    lanes.go("believed", instant("2024-05-20").us)
    await settle(pilot)


async def chained(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("ctrl+t")
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)


async def believed(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("ctrl+l")
    await settle(pilot)
    await pilot.press("1", "end", "up")
    await settle(pilot)


async def erasing(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("ctrl+l")
    await settle(pilot)
    await pilot.press("x")
    await settle(pilot)
    pilot.app.screen.query_one(Input).cursor_blink = False


@all_views
def test_beliefs(snap_compare: Any, view: View) -> None:
    tea = fact("me", "likes", "green tea", (None, None), ("2024-02-01", None), pinned=True)
    cats = [
        fact("Ana", "cat", name, ("2024-01-01", None), ("2024-02-01", None), disputed=True, quote=f"her cat {name}")
        for name in ("Mia", "Lua")
    ]
    assert snap_compare(pictured(view.theme, tea, *cats), terminal_size=view.size, run_before=believed)


def test_erase(snap_compare: Any) -> None:
    assert snap_compare(pictured(), terminal_size=(80, 24), run_before=erasing)


@all_views
def test_chat(snap_compare: Any, view: View) -> None:
    assert snap_compare(pictured(view.theme), terminal_size=view.size, run_before=chatting)


@all_views
def test_timeline(snap_compare: Any, view: View) -> None:
    assert snap_compare(pictured(view.theme), terminal_size=view.size, run_before=looking_back)


@all_views
def test_chain(snap_compare: Any, view: View) -> None:
    assert snap_compare(pictured(view.theme), terminal_size=view.size, run_before=chained)


def test_welcome(snap_compare: Any) -> None:
    assert snap_compare(pictured(), terminal_size=(100, 30), run_before=settle)


def told() -> ErstwhileApp:
    """The app whose memory has slept."""
    app = pictured()
    detail: dict[str, object] = {"episodes": 6, "facts": 11, "seconds": {"extract": 1.2}}
    memory = app._memory_source
    assert isinstance(memory, ScriptedMemory)
    memory.logged = [Operation(1, 1, "sleep", "run", instant("2025-03-14 03:00"), "FINISHED", detail)]
    return app


async def visit(pilot: Pilot[None], *keys: str) -> None:
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
        await settle(pilot)
    for field in pilot.app.screen.query(Input):
        field.cursor_blink = False


async def asked_why(pilot: Pilot[None]) -> None:
    await say(pilot, "I moved to Lisbon.")
    await visit(pilot, "f2")


SCREENS: dict[str, tuple[str, ...]] = {
    "sleep": ("f4",),
    "fading": ("f5",),
    "page": ("ctrl+l", "end", "o"),
    "differences": ("ctrl+t", *["left_square_bracket"] * 5, "equals_sign"),
    "sessions": ("ctrl+o",),
}


@two_views
@pytest.mark.parametrize("name", SCREENS)
def test_screen(snap_compare: Any, name: str, view: View) -> None:
    app = told()
    app.wear(view.theme)
    assert snap_compare(app, terminal_size=view.size, run_before=lambda pilot: visit(pilot, *SCREENS[name]))


@all_views
def test_why(snap_compare: Any, view: View) -> None:
    assert snap_compare(pictured(view.theme), terminal_size=view.size, run_before=asked_why)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_models(snap_compare: Any, theme: str) -> None:
    app = pictured(theme)
    app.services.shelf = lambda: [
        Shelved("qwen3-4b", Path("q.gguf"), "ollama", 2_500_000_000, True, "", (("chat", 0.9), ("extract", 0.5))),
        Shelved("broken", Path("b.gguf"), "lm studio", 10, False, "It is cut off."),
    ]
    assert snap_compare(app, terminal_size=(100, 20), run_before=lambda pilot: visit(pilot, "f3"))
