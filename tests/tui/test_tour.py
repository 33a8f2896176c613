"""A new person's first ten minutes, over the real memory: what they say is kept, put right, looked back at, erased."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from app.app import ErstwhileApp
from app.screens.beliefs import BeliefsScreen
from app.screens.by_hand import EraseDialog
from app.screens.chain import ChainScreen
from app.screens.timeline import TimelineScreen
from store.memory import Memory
from store.records import Fact, Instant
from tests.tui.acting import QUIET, say, screen_text, settle, type_text
from tests.tui.scripted import ZONE, ScriptedModel, instant
from widgets.bars import StatusLine, TopLine
from widgets.choices import Choices
from widgets.fact_rows import Subject
from widgets.lanes import Lanes


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
    lanes.choose("me", "lives_in")
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


async def sleeps_and_undoes(pilot: Pilot[None]) -> None:
    await visit(pilot, "ctrl+s")
    assert "rested" in pilot.app.screen.query_one(StatusLine).status.sleep
    await visit(pilot, "ctrl+l")
    await visit(pilot, "u")
    assert "Undone: Correction: me, lives in: Braga" in screen_text(pilot.app)
    mark_fact(pilot, "Porto")


async def erases_a_person(pilot: Pilot[None]) -> None:
    choices = pilot.app.screen.query_one(Choices)
    choices.highlighted = next(
        n for n, row in enumerate(choices.rows) if isinstance(row.record, Subject) and row.record.name == "Inês"
    )
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


def mark_fact(pilot: Pilot[None], value: str) -> None:
    choices = pilot.app.screen.query_one(Choices)
    choices.highlighted = next(
        n for n, row in enumerate(choices.rows) if isinstance(row.record, Fact) and row.record.object == value
    )


async def test_the_first_ten_minutes(tmp_path: Path) -> None:
    path, clock = tmp_path / "memory.db", WalkingClock()
    with Memory.open(path, clock=clock, zone=ZONE) as memory:
        app = ErstwhileApp(memory, ScriptedModel(), clock=clock, zone=ZONE, settings=QUIET)
        async with app.run_test(size=(120, 40)) as pilot:
            await meets_the_chat(pilot)
            before = clock.now().us
            await corrects_a_belief(pilot)
            await looks_back(pilot, before)
            await sleeps_and_undoes(pilot)
            await erases_a_person(pilot)
            await pilot.press("ctrl+q")
        assert not app.is_running
        assert [(one.predicate, one.object) for one in memory.facts()] == [("lives_in", "Porto")]
    with Memory.open(path, clock=clock, zone=ZONE) as again:
        assert [one.object for one in again.facts()] == ["Porto"]
        assert all(finding.ok for finding in again.check())
    left = b"".join(one.read_bytes() for one in tmp_path.glob("memory.db*"))
    assert "Inês".encode() not in left
    assert b"hospital" not in left
