"""What every test of the interface does: build the app over scripted parts, type, and wait until nothing moves."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerState

from app.app import ErstwhileApp
from app.ports import ModelSource
from app.services import Settings
from tests.tui.scripted import ZONE, FrozenClock, ScriptedMemory, ScriptedModel

QUIET = Settings(idle_seconds=0, model_invents=True)


def app_with(
    memory: ScriptedMemory | None = None,
    model: ModelSource | None = None,
    *,
    settings: Settings = QUIET,
    open_url: Callable[[str], object] = lambda _url: None,
) -> ErstwhileApp:
    """The real app; its clock stands still, and it never sleeps by itself."""
    return ErstwhileApp(
        memory or ScriptedMemory(), model or ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=settings,
        open_url=open_url,
    )  # fmt: skip


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


async def search_results(pilot: Pilot[None]) -> None:
    """Wait out the pause between the last keystroke and the search."""
    await pilot.pause(0.3)
    await settle(pilot)
