"""What every test of the interface does: build the app over scripted parts, type, and wait until nothing moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerState

from app.core.opening import ModelSource, SetUp
from app.core.settings import Settings
from app.llm.catalogue import FileToFetch
from app.llm.fetch import Step
from app.tui.app import ErstwhileApp
from store.records import Fact
from tests.tui.scripted import ZONE, FrozenClock, ScriptedMemory, ScriptedModel
from widgets.bars import Flash
from widgets.choices import Choices

QUIET = Settings(idle_seconds=0, model_invents=True)


def app_with(
    memory: ScriptedMemory | None = None,
    model: ModelSource | None = None,
    *,
    settings: Settings = QUIET,
    open_url: Callable[[str], object] = lambda _url: None,
    set_up: SetUp | None = None,
) -> ErstwhileApp:
    """The real app; its clock stands still, and it never sleeps by itself."""
    app = ErstwhileApp(
        memory or ScriptedMemory(), model or ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=settings,
        open_url=open_url, set_up=set_up,
    )  # fmt: skip
    app.services.fetching.source = fetched_a_little
    app.services.copy = lambda _text: None  # the clipboard of whoever runs the tests is theirs
    app.services.total_memory, app.services.engine_is_missing = lambda: 16 * 2**30, lambda: False
    return app


def fetched_a_little(wanted: FileToFetch, folder: Path, stop: Event) -> Iterator[Step]:
    """A third of a model comes, without any network, and then its fetch is paused."""
    yield Step(f"Fetching {wanted.name}: a third.", 1 / 3)


async def settle(pilot: Pilot[None]) -> None:
    """Until no worker runs and every message is handled."""
    quiet = 0
    while quiet < 2:
        await pilot.pause()
        running = [worker for worker in pilot.app.workers if worker.state is WorkerState.RUNNING]
        if running:
            await pilot.app.workers.wait_for_complete(running)
        quiet = 0 if running else quiet + 1


async def type_text(pilot: Pilot[None], text: str) -> None:
    """The first letter as a key, the rest as a paste: many keys take long on a busy machine, and teach nothing more."""
    await pilot.press(text[0])
    pilot.app.post_message(events.Paste(text[1:]))
    await pilot.pause()


async def say(pilot: Pilot[None], text: str) -> None:
    """Type, send, and wait for the reply to end."""
    await type_text(pilot, text)
    await pilot.press("enter")
    await settle(pilot)


def screen_text(app: App[None]) -> str:
    """Every character on the screen, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


async def until_shown(pilot: Pilot[None], text: str) -> str:
    """The screen, once the text stands on it: what other threads bring may come after the last message."""
    for _ in range(100):
        if text in (shown := screen_text(pilot.app)):
            return shown
        await pilot.pause(0.05)
    raise AssertionError(f"{text!r} never came: {screen_text(pilot.app)}")


async def search_results(pilot: Pilot[None]) -> None:
    """Wait out the pause between the last keystroke and the search."""
    await pilot.pause(0.3)
    await settle(pilot)


async def beliefs(pilot: Pilot[None], *keys: str) -> None:
    """To the list of beliefs, and the keys there."""
    await pilot.press("ctrl+l")
    await settle(pilot)
    if keys:
        await pilot.press(*keys)
        await settle(pilot)


def mark(app: ErstwhileApp, wanted: Callable[[object], bool]) -> None:
    """Put the mark on the first row whose record is the wanted one."""
    choices = app.screen.query_one(Choices)
    choices.highlighted = next(n for n, row in enumerate(choices.rows) if wanted(row.record))


def mark_value(app: ErstwhileApp, value: str) -> None:
    """Put the mark on the first belief with a value."""
    mark(app, lambda one: isinstance(one, Fact) and one.object == value)


def marked(app: ErstwhileApp) -> Fact:
    found = app.screen.query_one(Choices).pointed
    assert isinstance(found, Fact)
    return found


def footer(app: ErstwhileApp) -> str:
    return screen_text(app).splitlines()[-1]


def flashed(app: ErstwhileApp) -> str:
    return str(app.screen.query_one(Flash).render())
