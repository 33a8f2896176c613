"""A sleep is seen and stopped, its changes are read and taken back; what fades is rescued; the morning is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Event
from typing import Any, cast

import pytest

from app.core.fitness import SleepReader as Who
from app.core.settings import Settings
from app.tui.screens.beliefs import ChainScreen, FadingScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.sleep import BriefDialog, SleepScreen
from app.tui.services import Night
from store.memory import Memory
from store.protocols import Message
from store.records import Operation, Progress, Turn
from store.sleep.brief import Brief, Coming
from tests.store.sleep.test_listening import TEXT, reply
from tests.tui.acting import app_with, flashed, footer, screen_text, settle
from tests.tui.scripted import ScriptedMemory, fact, instant, lives, world
from tests.tui.test_attaching import app_of
from widgets.bars import StatusLine
from widgets.fact_rows import braille, days_left, fading_line
from widgets.sleep_rows import Phases
from widgets.welcome import Welcome


def run(number: int, reason: str = "FINISHED") -> Operation:
    detail: dict[str, object] = {"episodes": 3, "facts": 4, "seconds": {"extract": 1.2}}
    return Operation(number, number, "sleep", "run", instant(f"2025-03-{number:02d} 03:00"), reason, detail)


async def test_a_sleep_says_what_it_learned(memory: Memory) -> None:
    app = app_of(memory, None)
    async with app.run_test(size=(100, 30)) as pilot:
        for texts, said in (
            (("My sister is Nadia.", "I like tea.", "It rained."), "2 new beliefs; f4 shows them"),
            (("I live in Porto.",), "1 new belief; f4 shows it"),
            (("It rained again.",), "Slept: nothing new was learned"),
        ):
            list(memory.episodes.ingest(Turn(text, "imported") for text in texts))
            await settle(pilot)
            await pilot.press("ctrl+s")
            await settle(pilot)
            status = app.chat.query_one(StatusLine).status
            assert (status.note, status.sleep) == (said, "● rested")


async def test_a_sleep_shows_its_phases_and_escape_stops_it() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        assert isinstance(app.screen, SleepScreen)
        assert "3 turns to sleep on" in screen_text(app)
        assert not app.screen.query_one(Phases).display
        await pilot.press("s")
        while not app.services.night.known or not app.services.night._seen:
            await pilot.pause()
        await pilot.pause()
        assert "1 of 3" in screen_text(app)
        assert "stop" in footer(app)
        await pilot.press("escape")
        memory.gate.set()
        await settle(pilot)
        assert isinstance(app.screen, SleepScreen)
        assert not app.services.night.asleep
        assert memory.reading.pending() == 3
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)


async def test_a_run_shows_what_it_changed_and_is_taken_back() -> None:
    memory = ScriptedMemory(logged=[run(2), run(1, "STOPPED")])
    app = app_with(memory)
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        shown = screen_text(app)
        assert "2 March 2025 03:00  finished" in shown
        assert "stopped early" in shown
        assert "3 turns, 4 beliefs in 1.2 s" in shown
        assert "lives in Lisbon, Rua da Rosa" in shown
        await pilot.press("U")
        await settle(pilot)
        assert ("undo_run", 2) in memory.calls
        assert "taken back" in screen_text(app)
        assert "all that this sleep read and did" in flashed(app)


async def test_one_change_is_dropped() -> None:
    memory = ScriptedMemory(logged=[run(1)])
    app = app_with(memory)
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        await pilot.press("enter", "n")
        await settle(pilot)
        assert "retraction" in memory.names()


async def test_what_drops_next_is_on_top_and_space_rescues_it() -> None:
    faint = [replace(one, salience=level) for one, level in zip(world()[4:6], (0.2, 0.15), strict=True)]
    memory = ScriptedMemory(known=faint)
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f5")
        await settle(pilot)
        assert isinstance(app.screen, FadingScreen)
        assert app.screen.choices.pointed == faint[1]
        assert "in 23 days" in screen_text(app)
        await pilot.press("space")
        await settle(pilot)
        assert ("use", (faint[1].id,)) in memory.calls
        assert "Rescued" in flashed(app)
        await pilot.press("p")
        await settle(pilot)
        assert ("pin", faint[0].id) in memory.calls


async def test_nothing_fades_is_said_so() -> None:
    app = app_with(ScriptedMemory(known=[]))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f5")
        await settle(pilot)
        assert "Nothing is fading." in screen_text(app)


async def test_what_begins_to_fade_while_nothing_did_is_read_without_resizing() -> None:
    memory = ScriptedMemory(known=[])
    app = app_with(memory)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f5")
        await settle(pilot)
        faint = replace(world()[4], salience=0.2)
        memory.known = [faint]
        assert isinstance(app.screen, FadingScreen)
        app.screen.refetch()
        await settle(pilot)
        assert faint.object in screen_text(app)


def morning() -> Brief:
    home = lives()[0]
    dentist = fact("me", "happened", "dentist appointment", ("2025-03-18", None), ("2025-03-01", None))
    coming = Coming(dentist, instant("2025-03-18 11:00"), dentist.precision)
    return Brief(instant("2025-03-13 09:00"), instant("2025-03-14 21:40"), 2, ((home, lives()[2]),), (), (coming,), ())


async def test_the_morning_is_told_once_and_leads_to_its_beliefs() -> None:
    memory = ScriptedMemory(morning=morning(), logged=[run(1)])
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "2 things learned" in screen_text(app)
        assert "dentist appointment" in screen_text(app)
        await pilot.press("ctrl+e")
        await settle(pilot)
        assert isinstance(app.screen, BriefDialog)
        assert "COMING UP" in screen_text(app)
        assert "brief_read" in memory.names()
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)
        assert app.chat.query_one(Welcome).news == ()


async def test_the_morning_says_nothing_of_what_was_erased() -> None:
    memory = ScriptedMemory(morning=morning(), logged=[run(1)])
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "dentist appointment" in screen_text(app)
        memory.morning = None
        await app.run_action("forget_words")
        await settle(pilot)
        assert "dentist appointment" not in screen_text(app)
        await pilot.press("ctrl+e")
        await settle(pilot)
        assert "dentist appointment" not in screen_text(app)


async def test_before_the_first_sleep_there_is_no_morning() -> None:
    app = app_with(ScriptedMemory(morning=morning()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "things learned" not in screen_text(app)


def test_a_night_knows_how_far_it_is_and_how_long_it_will_take() -> None:
    clock: Any = iter([0.0, 30.0, 40.0])
    night = Night(seconds=lambda: next(clock))
    night.begin()
    night.advance(Progress("extract", 10, 40))
    assert [one.state for one in night.phases()][:2] == ["running", "waiting"]
    assert night.left == "2 min"
    night.advance(Progress("fold", 1, 1))
    assert [one.state for one in night.phases()][:4] == ["done", "done", "running", "waiting"]  # nothing was to settle
    night.end()
    assert night.left == ""
    assert all(one.state != "running" for one in night.phases())


def test_a_curve_falls() -> None:
    drawn = braille([1.0, 0.6, 0.3, 0.1], 2)
    assert len(drawn) == 2
    assert bin(ord(drawn[0])).count("1") > bin(ord(drawn[1])).count("1")
    assert braille([], 5) == ""
    assert days_left(((0, 0.3), (5, 0.2), (9, 0.1)), 0.15) == 9
    assert days_left(((0, 0.3),), 0.15) is None


# -- a model that reads


class SleepReader:
    """Bears out the first of two notes; with a gate, waits in the middle of its reply until it is told to stop."""

    name = "scripted"

    def __init__(self, *, slow: bool = False) -> None:
        self.slow, self.began = slow, Event()

    def chat(self, messages: Sequence[Message], *, stop: Event | None = None, **_how: Any) -> Iterator[str]:
        self.began.set()
        if self.slow and stop is not None:
            stop.wait(20)
            return
        yield reply("yes", "no")


def reading(monkeypatch: pytest.MonkeyPatch, model: SleepReader | None, sentence: str) -> Settings:
    monkeypatch.setattr("app.core.fitness.of_chat", lambda *_, **__: Who(model, sentence))
    return Settings(idle_seconds=0, model_invents=True, model_reads=True)


async def test_it_is_said_why_the_model_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "SmolLM2 did not pass extraction: what is unsure stays unsure."
    app = app_with(ScriptedMemory(), settings=reading(monkeypatch, None, sentence))
    async with app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        assert sentence in screen_text(app)


@pytest.mark.usefixtures("unsure_reader")
async def test_the_model_reads_last_and_its_part_is_told(monkeypatch: pytest.MonkeyPatch, memory: Memory) -> None:
    list(memory.episodes.ingest([Turn("I live in Porto.", "s"), Turn(TEXT, "s")]))
    settings = reading(monkeypatch, SleepReader(), "scripted checks what the reader is unsure of.")
    app = app_with(cast("Any", memory), settings=settings)
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot)
        shown = screen_text(app)
        assert "scripted checks what the reader is unsure of." in shown
        assert "have the model check the unsure" in shown
        assert "scripted: 1 claim of 1 turn" in " ".join(shown.split())
        assert {one.object for one in memory.beliefs.facts()} == {"Porto", "beekeeper"}


@pytest.mark.usefixtures("unsure_reader")
async def test_the_model_gives_way_to_a_key_though_the_sleep_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, memory: Memory
) -> None:
    list(memory.episodes.ingest([Turn("I live in Porto.", "s"), Turn(TEXT, "s")]))
    slow = SleepReader(slow=True)
    app = app_with(cast("Any", memory), settings=reading(monkeypatch, slow, ""))
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        while not slow.began.is_set():
            await pilot.pause()
        await pilot.press("x")
        await settle(pilot)
        assert not app.services.night.asleep
        assert [one.object for one in memory.beliefs.facts()] == ["Porto"]
        assert memory.reading.unheard() == 2 and memory.reading.pending() == 0


def test_what_fades_is_told_in_its_own_sentence() -> None:
    told = ("2024-01-01", None)
    plans = replace(fact("me", "plans", "be out", told, told), text="You plan to be out.")
    row = fading_line(plans, ((0, 0.2), (9, 0.1)), 0.15, 90).plain
    assert "in 9 days" in row and "You plan to be out  " in row and "plans be out" not in row
