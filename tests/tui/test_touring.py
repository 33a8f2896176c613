"""The tour shows the demo's memory stop by stop, and leaves the person's own memory and draft as they were."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from app.tui import start as starting
from app.tui.app import ErstwhileApp
from app.tui.screens.beliefs import BeliefsScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.sleep import BriefDialog
from app.tui.screens.timeline import MapScreen, TimelineScreen
from app.tui.screens.tour import STOPS, TourScreen
from tests.tui.acting import QUIET, app_with, say, screen_text, settle
from tests.tui.scripted import ZONE, FrozenClock, ScriptedMemory, ScriptedModel

SHOWN = (ChatScreen, ChatScreen, TimelineScreen, MapScreen, BeliefsScreen, BriefDialog, ChatScreen)


def demo_app(*, tour: bool) -> ErstwhileApp:
    return ErstwhileApp(
        ScriptedMemory(), ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=QUIET, demo=True, tour=tour
    )


async def press(pilot: Pilot[None], key: str) -> None:
    await pilot.press(key)
    await settle(pilot)


def place(app: ErstwhileApp) -> int:
    assert isinstance(app.screen, TourScreen)
    return app.screen.place


@pytest.mark.parametrize("size", [(60, 24), (100, 30), (160, 45)])
async def test_each_stop_says_all_of_its_words_over_the_screen_that_it_speaks_of(size: tuple[int, int]) -> None:
    app = demo_app(tour=True)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for number, stop in enumerate(STOPS):
            assert place(app) == number
            assert isinstance(app.screen_stack[-2], SHOWN[number])
            box = " ".join(line.strip("│ \n") for line in screen_text(app).splitlines() if "│" in line)
            shown = " ".join(box.replace("│", " ").split())
            assert f"{stop.title} {number + 1} of {len(STOPS)}" in shown
            assert all(word in shown for word in stop.words.split())
            card = app.screen.query_one(VerticalScroll).region
            told = app.screen_stack[-2].query(".box, Choices, Lanes, BeliefMap, #detail")
            assert stop.on_top or not any(card.overlaps(one.region) for one in told), "nothing is covered"
            await press(pilot, "enter")
        assert app.toured


async def test_one_goes_back_and_leaves_at_any_stop() -> None:
    app = demo_app(tour=False)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "alt+t")
        await press(pilot, "left")
        assert place(app) == 0
        await press(pilot, "right")
        await press(pilot, "space")
        await press(pilot, "left")
        assert place(app) == 1
        await press(pilot, "escape")
        assert app.screen is app.chat
        assert app.is_running and not app.toured


async def test_one_comes_back_to_the_chat_as_it_was() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "I live in Porto now")
        await press(pilot, "alt+t")
        assert app.left_at == memory.said[-1].session
    after = app_with(memory)
    after.chat.reopens = app.left_at
    async with after.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert "I live in Porto now" in screen_text(after) and after.chat.shown == app.left_at
        await say(pilot, "And I like it")
        assert memory.said[-1].session == app.left_at


async def test_in_the_demo_one_comes_back_to_the_chat_too() -> None:
    app = demo_app(tour=False)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "I live in Porto now")
        mine = app.chat.shown
        for key in ("alt+t", "enter", "escape"):
            await press(pilot, key)
        assert app.chat.shown == mine and "I live in Porto now" in screen_text(app)


async def test_a_chat_off_the_record_is_not_written_down_for_it() -> None:
    app = app_with(ScriptedMemory())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+r")
        await say(pilot, "I live in Porto now")
        assert app.chat.shown == ""


async def test_on_the_persons_own_memory_the_app_ends_for_it() -> None:
    memory = ScriptedMemory(said=[])
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert "New here?  alt+t shows you around" in screen_text(app)
        await press(pilot, "alt+t")
        assert app.wants_tour and app.next is None
    assert memory.said == []


async def test_whoever_has_a_memory_is_not_offered_it() -> None:
    app = app_with(ScriptedMemory())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert "shows you around" not in screen_text(app)


@dataclass
class Ended:
    """An app that has ended."""

    wants_tour: bool = False
    toured: bool = False
    left_at: str = ""
    next: Path | None = None


@pytest.mark.parametrize("toured", [True, False])
def test_the_own_memory_opens_again_after_the_tour_unless_one_quits_in_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toured: bool
) -> None:
    ends = [Ended(wants_tour=True, left_at="chat-1"), Ended(toured=toured), Ended()]
    opened = list[tuple[Path | None, bool, bool, str]]()

    def run(path: Path | None, *_: object, **given: Any) -> Ended:
        opened.append((path, given.get("tour", False), given.get("set_up_first", False), given.get("reopens", "")))
        return ends.pop(0)

    monkeypatch.setattr(starting, "_run", run)
    own = tmp_path / "memory.db"
    starting.start(own, None, str(UTC), demo=False, off_the_record=False, set_up_first=True)
    again = (own, False, True, "chat-1")  # what is set up goes on
    assert opened == [(own, False, True, ""), (None, True, False, ""), *([again] if toured else [])]
