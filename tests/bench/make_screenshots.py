"""The README's pictures are of the real app over the real demo memory: the clock stands still, so they never differ.

    python -m tests.bench.make_screenshots [FOLDER]      writes one SVG for each of PICTURES

Two things are written here by hand, because they would differ from run to run: the words of the model, and how long the
memory took (`TOOK`, what this takes on a laptop).
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path
from threading import Event
from typing import Any
from zoneinfo import ZoneInfo

from textual.pilot import Pilot
from textual.widgets import Input

import app.core.turn
from app.core.clock import FrozenClock
from app.core.opening import ModelSource
from app.core.settings import Settings
from app.demo import turns_path
from app.tui.app import ErstwhileApp
from store.database.connections import Database
from store.formats.jsonl import Report, read
from store.memory import Memory
from store.parts.answering import Answering
from store.parts.log import Log
from store.parts.recall import Recall
from store.protocols import Clock, Embedder, Message
from store.records import Answer, Instant, Operation, Recollection
from tests.tui.acting import settle
from widgets.lanes import Lanes
from widgets.messages import SubjectChosen
from widgets.prompt import Prompt

ZONE = ZoneInfo("Europe/Lisbon")
CLOCK = FrozenClock(Instant.of(datetime(2026, 11, 20, 21, 30, tzinfo=ZONE)))
SIZE = (100, 32)
ROOT = Path(__file__).resolve().parents[2]


TOOK = 12.0
"""Milliseconds."""
SLEPT = 1.6
"""Seconds."""


class PicturedRecall(Recall):
    def search(self, query: str, **more: Any) -> Recollection:
        return replace(super().search(query, **more), elapsed_ms=TOOK)


class PicturedAnswering(Answering):
    def ask(self, question: str, **more: Any) -> Answer:
        return replace(super().ask(question, **more), elapsed_ms=TOOK)


class PicturedLog(Log):
    def operations(self, *given: Any, **more: Any) -> list[Operation]:
        found = super().operations(*given, **more)
        timed = [(one, one.detail.get("seconds")) for one in found]
        return [replace(one, detail={**one.detail, "seconds": {"all": SLEPT}}) if took else one for one, took in timed]


class PicturedMemory(Memory):
    """The real memory; only the time that it took is always the same."""

    def __init__(self, database: Database, clock: Clock, zone: tzinfo, embedder: Embedder) -> None:
        super().__init__(database, clock, zone, embedder)
        self.recall = PicturedRecall(database, zone, embedder, self.latest)
        self.answering = PicturedAnswering(database, clock, zone, self.recall, self.latest)
        self.log = PicturedLog(database, clock)


class PicturedModel:
    """Says one sentence that fits what is said to it in the pictures."""

    name = "your model"

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
    ) -> Iterator[str]:
        yield "Good for him! Benfica is an easy ride from **Alvalade**, too. "
        yield "How does he like it so far?"

    def count_tokens(self, text: str) -> int:
        return len(text) // 4


def demo_file(folder: Path) -> Path:
    """The demo's year, read and slept over by a memory whose clock stands still."""
    path = folder / "demo.db"
    with Memory.open(path, clock=CLOCK, zone=ZONE) as memory:
        for _ in memory.episodes.ingest(read(turns_path(), ZONE, Report())):
            pass
        for _ in memory.sleeping.run():
            pass
    return path


async def say(pilot: Pilot[None], text: str) -> None:
    pilot.app.screen.query_one(Prompt).text = text
    await pilot.press("enter")
    await settle(pilot)


async def chat(pilot: Pilot[None]) -> None:
    await say(pilot, "Where did I live in January?")
    await say(pilot, "Callum works at a clinic in Benfica now.")


async def timeline(pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+t")
    await settle(pilot)


async def looked_back(pilot: Pilot[None]) -> None:
    await timeline(pilot)
    lanes = pilot.app.screen.query_one(Lanes)
    for axis, day in (("true", datetime(2026, 8, 1, tzinfo=ZONE)), ("believed", datetime(2026, 2, 1, tzinfo=ZONE))):
        lanes.go("true" if axis == "true" else "believed", Instant.of(day).us)
    await settle(pilot)


async def chain(pilot: Pilot[None]) -> None:
    await timeline(pilot)
    await pilot.press("slash")
    pilot.app.screen.query_one("#filter", Input).value = "me lives"
    await settle(pilot)
    await pilot.press("enter", "enter")
    await settle(pilot)


async def beliefs(pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+l")
    await settle(pilot)
    await pilot.press("slash")
    pilot.app.screen.query_one("#filter", Input).value = "in"
    await settle(pilot)
    await pilot.press("enter", "1")
    await settle(pilot)


async def why(pilot: Pilot[None]) -> None:
    await say(pilot, "Where did I live in January?")
    await pilot.press("f2")
    await settle(pilot)
    await pilot.press("down")
    await settle(pilot)


async def slept(pilot: Pilot[None]) -> None:
    await pilot.press("f4")
    await settle(pilot)


async def fading(pilot: Pilot[None]) -> None:
    await pilot.press("f5")
    await settle(pilot)


async def page(pilot: Pilot[None]) -> None:
    pilot.app.post_message(SubjectChosen("Callum"))
    await settle(pilot)


async def offline(pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+r")
    await say(pilot, "What is the door code?")


async def diary(pilot: Pilot[None]) -> None:
    await pilot.press("f7", *["down"] * 5, "tab", "down")
    await settle(pilot)


async def jump(pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+l")
    await settle(pilot)
    await pilot.press("ctrl+g")
    await settle(pilot)


async def settings(pilot: Pilot[None]) -> None:
    await pilot.press("f6")
    await settle(pilot)


async def brief(pilot: Pilot[None]) -> None:
    await pilot.press("ctrl+e")
    await settle(pilot)


PICTURES = {
    "chat": (chat, PicturedModel()),
    "timeline": (timeline, None),
    "then": (looked_back, None),
    "chain": (chain, None),
    "beliefs": (beliefs, None),
    "off-the-record": (offline, None),
    "why": (why, None),
    "sleep": (slept, None),
    "fading": (fading, None),
    "page": (page, None),
    "brief": (brief, None),
    "diary": (diary, None),
    "settings": (settings, None),
    "jump": (jump, None),
}
HOME = "/home/you/erstwhile"
"""The place that the pictures show; there is nothing."""


async def picture(path: Path, name: str, demo: Path) -> None:
    """Run the real app on its own copy of the demo memory and save one picture."""
    script, model = PICTURES[name]
    copy = demo.with_name(f"{name}.db")
    copy.write_bytes(demo.read_bytes())
    source: ModelSource = model
    with PicturedMemory.open(copy, clock=CLOCK, zone=ZONE) as memory:
        one = ErstwhileApp(
            memory, source, clock=CLOCK, zone=ZONE, demo=True, settings=Settings(idle_seconds=0, model_invents=True)
        )
        async with one.run_test(size=SIZE) as pilot:
            await settle(pilot)
            one.chat.query_one(Prompt).cursor_blink = False
            await script(pilot)
            await settle(pilot)
            path.write_text(one.export_screenshot(title="erstwhile"), encoding="utf-8")


def main(folder: Path) -> None:
    """Write every picture into `folder`."""
    vars(app.core.turn)["monotonic"] = lambda: 0.0
    Lanes.FLASH_SECONDS = 0.0
    os.environ["ERSTWHILE_HOME"] = HOME
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        demo = demo_file(Path(scratch))
        for name in PICTURES:
            asyncio.run(picture(folder / f"{name}.svg", name, demo))
            print(folder / f"{name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "screenshots")
