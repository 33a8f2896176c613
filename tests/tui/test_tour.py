"""A new person's first ten minutes, over the real memory: what they say is kept, put right, looked back at, erased."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app.tui.app import ErstwhileApp
from app.tui.screens.beliefs import BeliefsScreen, ChainScreen, EntityScreen, FadingScreen
from app.tui.screens.bring import ImportDialog
from app.tui.screens.dialogs import EraseDialog, WhenDialog
from app.tui.screens.diary import DiaryScreen
from app.tui.screens.doctor import DoctorScreen
from app.tui.screens.models import ModelsScreen
from app.tui.screens.reply import WhyScreen
from app.tui.screens.search import SearchDialog, SessionsDialog
from app.tui.screens.settings import SettingsScreen
from app.tui.screens.sleep import BriefDialog, SleepScreen
from app.tui.screens.timeline import DifferenceDialog, TimelineScreen
from store.memory import Memory
from store.records import Fact, Instant
from tests.tui.acting import QUIET, say, screen_text, settle, type_text, until_shown
from tests.tui.scripted import ZONE, ScriptedModel, instant
from widgets.bars import StatusLine, TopLine
from widgets.choices import Choices
from widgets.fact_rows import Subject
from widgets.lane_index import At
from widgets.lanes import Lanes

LINES = (
    '{"session": "s", "id": "1", "speaker": "me", "role": "user", "text": "I used to live in Faro.", '
    '"said_at": "2024-01-01T10:00:00+01:00"}\n'
)


class WalkingClock:
    """Each look at it is a second later: things that are said one after another have an order."""

    def __init__(self) -> None:
        self.at = instant("2025-03-14 21:40")

    def now(self) -> Instant:
        self.at = Instant.of(self.at.local() + timedelta(seconds=1))
        return self.at


async def visit(pilot: Pilot[None], key: str) -> None:
    await pilot.press(key)
    await settle(pilot)


async def meets_the_chat(pilot: Pilot[None]) -> None:
    await settle(pilot)
    assert "Say something worth remembering" in screen_text(pilot.app)
    await say(pilot, "I live in Porto.")
    assert "LEARNED" in screen_text(pilot.app)
    await say(pilot, "My sister Inês works at the hospital.")
    await say(pilot, "Where do I live?")
    assert "You live in Porto" in screen_text(pilot.app)
    assert "from memory" in screen_text(pilot.app)


async def corrects_a_belief(pilot: Pilot[None]) -> None:
    await visit(pilot, "ctrl+l")
    assert isinstance(pilot.app.screen, BeliefsScreen)
    mark_fact(pilot, "Porto")
    await visit(pilot, "e")
    await type_text(pilot, "Braga")
    await visit(pilot, "enter")
    assert "Corrected: lives in Braga, not Porto" in screen_text(pilot.app)
    await visit(pilot, "escape")
    await say(pilot, "Where do I live now?")
    assert "You live in Braga" in screen_text(pilot.app)


async def looks_back(pilot: Pilot[None], before: int) -> None:
    """What was believed before is asked for in the timeline, and seen in the chain."""
    await visit(pilot, "ctrl+t")
    assert isinstance(pilot.app.screen, TimelineScreen)
    lanes = pilot.app.screen.query_one(Lanes)
    await visit(pilot, "left_curly_bracket")
    assert lanes.believed_at is not None
    assert pilot.app.screen.query_one(TopLine).has_class("-past")
    lanes.go("believed", before)
    lanes._go_to(At(next(n for n, slot in enumerate(lanes.view.lanes) if slot.key == ("me", "lives_in"))))
    await settle(pilot)
    assert lanes.pointed is not None and lanes.pointed.object == "Porto"
    await visit(pilot, "enter")
    assert isinstance(pilot.app.screen, ChainScreen)
    assert "corrected ─ the belief changed" in screen_text(pilot.app)
    assert "never true" in screen_text(pilot.app)
    await visit(pilot, "escape")
    await visit(pilot, "a")
    await say(pilot, "Where do I live?")
    assert "Porto" in screen_text(pilot.app).split("Where do I live?")[-1]
    await pilot.app.run_action("back_to_now")
    assert not pilot.app.screen.query_one(TopLine).has_class("-past")


async def asks_why(pilot: Pilot[None]) -> None:
    await visit(pilot, "f2")
    assert isinstance(pilot.app.screen, WhyScreen)
    assert "Answered from what you told me" in screen_text(pilot.app)
    await visit(pilot, "escape")


async def scrubs_the_timeline(pilot: Pilot[None]) -> None:
    """From now back to before anything was known, a step at a time, and forward again."""
    await visit(pilot, "ctrl+t")
    lanes = pilot.app.screen.query_one(Lanes)
    seen = []
    for key in ("left_curly_bracket",) * 3 + ("right_curly_bracket",) * 3:
        await visit(pilot, key)
        seen.append(lanes.believed_at)
    back, forth = seen[:3], seen[3:]
    assert back == sorted(back, key=lambda at: at or 0, reverse=True)
    assert [*reversed(back[:2]), None] == forth
    await visit(pilot, "equals_sign")
    assert isinstance(pilot.app.screen, WhenDialog)
    await type_text(pilot, "yesterday")
    await visit(pilot, "enter")
    assert isinstance(pilot.app.screen, DifferenceDialog)
    assert "+ lives in Braga" in screen_text(pilot.app)
    await visit(pilot, "escape")
    await visit(pilot, "escape")


async def watches_a_sleep(pilot: Pilot[None]) -> None:
    """One goes on while its screen is open; what it read stands there."""
    await visit(pilot, "f4")
    assert isinstance(pilot.app.screen, SleepScreen)
    assert "to sleep on" in screen_text(pilot.app)
    await visit(pilot, "s")
    shown = await until_shown(pilot, "● read what is new")
    assert "rested; nothing waits" in shown
    assert "finished" in shown
    await visit(pilot, "escape")
    assert "rested" in pilot.app.screen.query_one(StatusLine).status.sleep


async def undoes_an_edit(pilot: Pilot[None]) -> None:
    await visit(pilot, "ctrl+l")
    await visit(pilot, "u")
    assert "Undone: put right by hand: lives in: Braga" in screen_text(pilot.app)
    mark_fact(pilot, "Porto")


async def meets_a_person(pilot: Pilot[None]) -> None:
    mark_subject(pilot, "Inês")
    await visit(pilot, "o")
    assert isinstance(pilot.app.screen, EntityScreen)
    shown = screen_text(pilot.app)
    assert "sister of ─ you" in shown
    assert "My sister Inês works at the hospital." in shown
    await visit(pilot, "escape")


async def erases_a_person(pilot: Pilot[None]) -> None:
    mark_subject(pilot, "Inês")
    await visit(pilot, "x")
    assert isinstance(pilot.app.screen, EraseDialog)
    assert "Erase everything about Inês?" in screen_text(pilot.app)
    pilot.app.screen.query_one(Input).value = "erase"
    await visit(pilot, "enter")
    assert "Erased for good" in screen_text(pilot.app)
    await visit(pilot, "escape")
    await settle(pilot)
    assert "Inês" not in screen_text(pilot.app)
    assert "I live in Porto." in screen_text(pilot.app)


async def looks_around(pilot: Pilot[None], folder: Path) -> None:
    """The other screens, each with what it has for somebody who is new."""
    for key, kind, words in (
        ("f5", FadingScreen, "Nothing is fading"),
        ("f7", DiaryScreen, "Who you are"),
        ("ctrl+e", BriefDialog, "told once"),
        ("f9", DoctorScreen, "none yet; b makes one"),
        ("f3", ModelsScreen, "No model yet"),
        ("f6", SettingsScreen, "sleeps when quiet for"),
        ("ctrl+o", SessionsDialog, "I live in Porto."),
        ("ctrl+f", SearchDialog, "search all turns and beliefs"),
    ):
        await visit(pilot, key)
        assert isinstance(pilot.app.screen, kind)
        assert words in screen_text(pilot.app)
        await visit(pilot, "escape")
    (folder / "chat.jsonl").write_text(LINES, encoding="utf-8")
    await visit(pilot, "f8")
    assert isinstance(pilot.app.screen, ImportDialog)
    pilot.app.screen.query_one(Input).value = str(folder / "chat.jsonl")
    await visit(pilot, "enter")
    assert "1 turn in 1 conversation" in screen_text(pilot.app)
    await visit(pilot, "escape")


def mark_subject(pilot: Pilot[None], name: str) -> None:
    choices = pilot.app.screen.query_one(Choices)
    choices.highlighted = next(
        n for n, row in enumerate(choices.rows) if isinstance(row.record, Subject) and row.record.name == name
    )


def mark_fact(pilot: Pilot[None], value: str) -> None:
    choices = pilot.app.screen.query_one(Choices)
    choices.highlighted = next(
        n for n, row in enumerate(choices.rows) if isinstance(row.record, Fact) and row.record.object == value
    )


async def test_the_first_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERSTWHILE_HOME", str(tmp_path / "home"))
    path, clock = tmp_path / "memory.db", WalkingClock()
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        app = ErstwhileApp(memory, ScriptedModel(), clock=clock, zone=ZONE, settings=QUIET)
        app.services.shelf = list
        async with app.run_test(size=(120, 40)) as pilot:
            await meets_the_chat(pilot)
            before = clock.now().us
            await corrects_a_belief(pilot)
            await asks_why(pilot)
            await looks_back(pilot, before)
            await scrubs_the_timeline(pilot)
            await watches_a_sleep(pilot)
            await looks_around(pilot, tmp_path)
            await undoes_an_edit(pilot)
            await meets_a_person(pilot)
            await erases_a_person(pilot)
            await pilot.press("ctrl+q")
        assert not app.is_running
        assert [(one.predicate, one.object) for one in memory.beliefs.facts()] == [("lives_in", "Porto")]
    with Memory.open(path, clock=clock, zone=ZONE) as again:
        assert [one.object for one in again.beliefs.facts()] == ["Porto"]
        assert all(finding.ok for finding in again.file.check())
    left = b"".join(one.read_bytes() for one in tmp_path.glob("memory.db*"))
    assert "Inês".encode() not in left
    assert b"hospital" not in left
