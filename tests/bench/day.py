"""A day of sixty messages and questions through the real app with a real model: what a person would read.

    python -m tests.bench.day [--model FILE] [--messages tests/bench/day.txt]

Prints the transcript as Markdown: each message, who replied, and the reply as it stood on the screen. The memory is new
and lies in a folder that is removed; without --model, the model is the one that the app would choose.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from time import monotonic

from textual.pilot import Pilot

from app.core.clock import SystemClock
from app.core.models import load_model
from app.core.settings import Settings
from app.llm.process import ModelProcess
from app.paths import machine_state
from app.tui.app import ErstwhileApp
from store.memory import Memory
from widgets.transcript import TurnView

LONGEST = 240
"""Seconds that a reply may take."""


async def day(app: ErstwhileApp, messages: list[str]) -> None:
    """Say all of it, and print what comes back."""
    async with app.run_test(size=(100, 36)) as pilot:
        await _until(pilot, lambda: app.services.memory is not None and app.services.voice is not None)
        for number, message in enumerate(messages, 1):
            began = monotonic()
            app.chat.prompt.text = message
            await pilot.press("enter")
            await pilot.pause()
            await _until(pilot, lambda: not app.chat.busy)
            reply = list(app.chat.query(TurnView))[-1]
            words = " ".join(reply.text.split()) or "(nothing)"
            print(f"{number}. **{message}**  \n   _{reply.head.who}, {monotonic() - began:.1f} s:_ {words}", flush=True)


async def _until(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    """Wait. Raises TimeoutError."""
    end = monotonic() + LONGEST
    while not is_so():
        if monotonic() > end:
            raise TimeoutError(f"nothing came in {LONGEST} s")
        await pilot.pause(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--messages", type=Path, default=Path(__file__).with_name("day.txt"))
    given = parser.parse_args()
    messages = given.messages.read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.open(Path(folder, "memory.db"), clock=SystemClock(UTC), zone=UTC)
        model = (
            ModelProcess(given.model, crashes=machine_state(), name=given.model.name) if given.model else load_model()
        )
        if model is None:
            raise SystemExit("No model is here; name one with --model.")
        model.start()
        try:
            asyncio.run(
                day(ErstwhileApp(memory, model, clock=SystemClock(UTC), zone=UTC, settings=Settings()), messages)
            )
        finally:
            model.close()
            memory.close()


if __name__ == "__main__":
    main()
