"""What a person does on the way to where a key is tried: go to a row, say something, fill a field in, fall asleep."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from textual.pilot import Pilot
from textual.widgets import Input

from app.core.fitness import CaseResult
from app.core.fitness_cases import CASES
from app.core.shelf import Shelved
from app.llm.catalogue import FileToFetch
from app.llm.fetch import Step as FetchStep
from app.llm.halves import PartialFile, ResponseHeaders
from app.paths import models_dir
from app.tui.app import ErstwhileApp
from app.tui.screens.dialogs import ConsentDialog
from store.records import Fact
from tests.tui.acting import mark, say, search_results, settle, until_shown
from tests.tui.scripted import ScriptedMemory, ScriptedModel, fact
from widgets.choices import Choices
from widgets.messages import LinkChosen
from widgets.prompt import Prompt
from widgets.transcript import Transcript

Step = str | Callable[[Pilot[None]], Awaitable[None]]


def on_row(wanted: Callable[[object], bool]) -> Step:
    """Put the mark there."""

    async def step(pilot: Pilot[None]) -> None:
        mark(cast(ErstwhileApp, pilot.app), wanted)
        await settle(pilot)

    return step


def of(value: str) -> Step:
    return on_row(lambda record: isinstance(record, Fact) and record.object == value)


def saying(text: str) -> Step:
    async def step(pilot: Pilot[None]) -> None:
        await say(pilot, text)

    return step


def focusing(selector: str) -> Step:
    async def step(pilot: Pilot[None]) -> None:
        pilot.app.screen.query(selector).first().focus()
        await settle(pilot)

    return step


async def shelving(pilot: Pilot[None]) -> None:
    """Two models are there, and the first is in use."""
    found = [Shelved("mine", Path("m.gguf"), "ollama", 1, used=True), Shelved("other", Path("o.gguf"), "ollama", 1)]
    cast(ErstwhileApp, pilot.app).services.shelf = lambda: found


async def testing(pilot: Pilot[None]) -> None:
    """The test of a model is short."""

    def tester(path: Path, running: object, stop: threading.Event) -> Iterator[CaseResult]:
        yield CaseResult(CASES[0], "Yes.", "")
        yield CaseResult(CASES[1], "", "says nothing")

    cast(ErstwhileApp, pilot.app).services.tester = tester


async def holding_a_test(pilot: Pilot[None]) -> None:
    """The test of a model goes on until it is stopped."""

    def tester(path: Path, running: object, stop: threading.Event) -> Iterator[CaseResult]:
        yield CaseResult(CASES[0], "Yes.", "")
        stop.wait(20)

    cast(ErstwhileApp, pilot.app).services.tester = tester
    await shelving(pilot)
    await pilot.press("f3")
    await settle(pilot)
    await pilot.press("t")
    await until_shown(pilot, " · 1 right")


async def half_fetched(pilot: Pilot[None]) -> None:
    """A part of a model came on another day."""
    models = models_dir()
    models.mkdir(parents=True, exist_ok=True)
    part = PartialFile(FileToFetch("begun", "https://example.org/begun.gguf", "begun.gguf"), models)
    part.path.write_bytes(b"GGUF")
    part.remember(ResponseHeaders('"1"', None, 8))


async def holding_a_fetch(pilot: Pilot[None]) -> None:
    """A fetch that goes on until it is paused."""

    def slow(wanted: FileToFetch, folder: Path, stop: threading.Event) -> Iterator[FetchStep]:
        yield FetchStep("a little", 0.1)
        stop.wait(20)

    app = cast(ErstwhileApp, pilot.app)
    app.services.fetching.source = slow
    await pilot.press("f3")
    await settle(pilot)
    await pilot.press("1")
    while app.services.fetching.step is None:
        await pilot.pause()


async def without_an_engine(pilot: Pilot[None]) -> None:
    """Nothing can run a model, until the set-up is over."""
    app = cast(ErstwhileApp, pilot.app)
    missing = [True]

    def set_up(stop: threading.Event) -> Iterator[FetchStep]:
        yield FetchStep("building the engine", 0.5)
        missing[0] = False

    app._set_up = set_up
    app.services.engine_is_missing = lambda: missing[0]


def filling(words: str) -> Step:
    async def step(pilot: Pilot[None]) -> None:
        pilot.app.screen.query_one(Input).value = words
        await settle(pilot)

    return step


async def searched(pilot: Pilot[None]) -> None:
    await search_results(pilot)


async def link(pilot: Pilot[None]) -> None:
    pilot.app.post_message(LinkChosen("https://example.org"))
    await settle(pilot)


async def consent(pilot: Pilot[None]) -> None:
    """A model asks whether it may."""
    pilot.app.push_screen(ConsentDialog("Keep this"))
    await settle(pilot)


async def touring(pilot: Pilot[None]) -> None:
    """The first stop of the tour."""
    app = cast(ErstwhileApp, pilot.app)
    await app.visit_stop(0)
    await settle(pilot)


async def holding(pilot: Pilot[None]) -> None:
    """A reply that goes on until it is stopped."""
    app = cast(ErstwhileApp, pilot.app)
    assert app.services.voice is not None
    model = cast(ScriptedModel, app.services.voice.model)
    model.hold = threading.Event()
    pilot.app.screen.query_one(Prompt).text = "Hello"
    await pilot.press("enter")
    while not model.began.is_set():
        await pilot.pause()


async def stopping(pilot: Pilot[None]) -> None:
    """A reply that was stopped; the next one is whole."""
    await holding(pilot)
    await pilot.press("escape")
    await settle(pilot)
    voice = cast(ErstwhileApp, pilot.app).services.voice
    assert voice is not None
    cast(ScriptedModel, voice.model).hold = None


async def falling_asleep(pilot: Pilot[None]) -> None:
    app = cast(ErstwhileApp, pilot.app)
    memory = cast(ScriptedMemory, app.services.memory)
    memory.gate.clear()
    await pilot.press("s")
    while not app.services.night.asleep:
        await pilot.pause()
    await pilot.pause()


async def opening_the_drawer(pilot: Pilot[None]) -> None:
    await pilot.resize_terminal(80, 30)
    await pilot.press("ctrl+b")
    await settle(pilot)


async def forgetting(pilot: Pilot[None]) -> None:
    """Something that nobody has spoken of for long."""
    memory = cast(ScriptedMemory, cast(ErstwhileApp, pilot.app).services.memory)
    memory.known.append(fact("me", "owns", "an old kite", (None, None), ("2021-02-01", None), salience=0.05))


async def reading_earlier(pilot: Pilot[None]) -> None:
    """The long conversation, at its beginning; then at its end again."""
    cast(ErstwhileApp, pilot.app).chat.open_session("s1", "e0")
    await settle(pilot)
    transcript = pilot.app.screen.query_one(Transcript)
    for _ in range(3):
        transcript.scroll_end(animate=False)
        await settle(pilot)


async def reading_the_end(pilot: Pilot[None]) -> None:
    cast(ErstwhileApp, pilot.app).chat.open_session("s1")
    await settle(pilot)


async def reading_from_the_end(pilot: Pilot[None]) -> None:
    cast(ErstwhileApp, pilot.app).chat.open_session("s1")
    await settle(pilot)
    transcript = pilot.app.screen.query_one(Transcript)
    transcript.focus()
    for _ in range(2):
        transcript.scroll_home(animate=False)
        await settle(pilot)
    transcript.scroll_to(y=10, animate=False)
    await settle(pilot)


async def unsure_of_ellie(pilot: Pilot[None]) -> None:
    """Something unsure is known, before any screen has read it."""
    ellie = replace(fact("me", "roommate", "Ellie", (None, None), ("2024-11-20", None)), unsure=True)
    cast(ScriptedMemory, cast(ErstwhileApp, pilot.app).services.memory).known.append(ellie)


async def doubting(pilot: Pilot[None]) -> None:
    """A brief that asks about something unsure is open, with the mark on it."""
    from app.core.opening import Morning
    from app.tui.screens.sleep import BriefDialog
    from store.sleep.telling import BriefLine

    app = cast(ErstwhileApp, pilot.app)
    await unsure_of_ellie(pilot)
    ellie = cast(ScriptedMemory, app.services.memory).known[-1]
    morning = Morning("Since yesterday: 1 thing learned.", (BriefLine("unsure", "?", (ellie,)),))
    app.push_screen(BriefDialog(morning), app._chosen)
    await settle(pilot)
    app.screen.query_one(Choices).highlighted = 1
    await settle(pilot)
