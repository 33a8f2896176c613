"""From the key to the stopped reply, in the real app with a real model: each time, what it had said so far is on disk.

    python -m tests.bench.cancel_app MODEL.gguf [--times 50] [--threads N]

Half of the replies are stopped while they are written, half while the prompt is read. Times in milliseconds, from the
press of escape to the end of the turn on screen, which comes after the words are saved.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

from textual import events
from textual.pilot import Pilot

from app.core.clock import SystemClock
from app.core.settings import Settings
from app.llm.kept import ReopeningModel
from app.tui.app import ErstwhileApp
from store.memory import Memory

ZONE = ZoneInfo("Europe/Brussels")
LONG = " ".join(
    f"On day {day} the tide was {day * 37 % 11}, the wind from the {day * 7 % 13}th pier." for day in range(150)
)


async def until(pilot: Pilot[None], done: Callable[[], object], seconds: float = 120.0) -> None:
    """Let the app run until a condition holds; raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not done() and pilot.app._exception is None:
        if time.monotonic() > deadline:
            raise TimeoutError
        await asyncio.sleep(0.002)
    if pilot.app._exception is not None:
        raise pilot.app._exception
    await pilot.pause(0)


async def stopped(pilot: Pilot[None], app: ErstwhileApp, memory: Memory, text: str, wait: float | None) -> float | None:
    """Send a text, press escape (once words come, or after `wait` seconds), and say how long the end took in ms; None
    where the model had ended by itself."""
    before = app.chat.busy
    assert not before
    await pilot.press("ctrl+n")
    pilot.app.post_message(events.Paste(text))
    await pilot.pause(0)
    await pilot.press("enter")
    await until(pilot, lambda: app.chat.busy)
    reply = app.chat._reply
    assert reply is not None
    if wait is None:
        await until(pilot, lambda: reply._pieces >= 3 or not app.chat.busy)
    else:
        await until(pilot, lambda: reply._found is not None or not app.chat.busy)
        await asyncio.sleep(wait)
    if not app.chat.busy:
        return None
    began = time.monotonic()
    app.post_message(events.Key("escape", None))  # `pilot.press` would wait until the screen is idle
    while app.chat.busy and time.monotonic() < began + 60:  # `until` would wait until the screen is idle, too
        await asyncio.sleep(0.002)
    took = (time.monotonic() - began) * 1000
    await pilot.pause()
    last = memory.episodes.of(app.chat._key)[-1]
    if last.role == "assistant" and not last.cut and app.chat._reply is None:
        return None  # it had said its last word before it was stopped
    assert wait is not None or last.role == "assistant"
    return took


async def measure(model: ReopeningModel, memory: Memory, times: int) -> dict[str, list[float | None]]:
    """The times by what the model was doing."""
    app = ErstwhileApp(
        memory, model, clock=SystemClock(ZONE), zone=ZONE, settings=Settings(idle_seconds=0, model_invents=True)
    )
    found: dict[str, list[float | None]] = {"writing": [], "reading": []}
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.services.voice is not None and app.services.memory is not None)
        for number in range(times // 2):
            tutorial = f"Write me Python code for a complete game of chess, version {number}"
            found["writing"].append(await stopped(pilot, app, memory, tutorial, None))
            found["reading"].append(
                await stopped(pilot, app, memory, f"Write a summary of text {number}: {LONG}", 0.15)
            )
    return found


def main() -> None:
    """Parse the arguments, run, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            Memory.open(folder / "m.db", clock=SystemClock(ZONE), zone=ZONE) as memory,
            ReopeningModel(
                given.model, memory=memory.path, crashes=folder / "crashes.json", threads=given.threads
            ) as model,
        ):
            model.start()
            found = asyncio.run(measure(model, memory, given.times))
    for doing, taken in found.items():
        values = sorted(one for one in taken if one is not None)
        middle, late = values[len(values) // 2], values[int(0.99 * (len(values) - 1))]
        print(f"{doing}: {len(values)} times, median {middle:.0f}, p99 {late:.0f}, worst {values[-1]:.0f} ms")


if __name__ == "__main__":
    main()
