"""How long the interface stands still while something goes on: a reply that streams, a sleep, an import.

    python -m tests.bench.ui_gaps [--tokens 600] [--rate 60] [--turns 2000]

The real app, headless, over a real file. A beat in the interface's own loop is due every 2 ms; a gap is how late it
comes, and no frame can be painted in it. Beside the wall time stands what a busy machine does not change: the
processor time that the interface's thread itself used in the gap (`own`), and that the whole process did (`process`:
a thread that holds the interpreter shows there). For the stream, the processor time for each token is told for the
first and the last quarter: what is new must cost, and not what is there already.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time, sleep, thread_time
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from app.core.settings import Settings
from app.tui.app import ErstwhileApp, warm
from app.tui.screens.chat import ChatScreen
from store.memory import Memory
from store.protocols import Message
from store.records import Instant
from tests.bench.slots import StillClock, WordlessEmbedder
from tests.tui.acting import settle, type_text
from widgets.transcript import TurnView

BEAT = 0.002
NOW = datetime(2026, 3, 1, tzinfo=UTC)
CLOCK = StillClock(Instant.of(NOW))
PLACES = ("Porto", "Lisbon", "Braga", "Faro", "Aveiro", "Évora", "Coimbra", "Sintra")
THINGS = ("a red bicycle", "an old piano", "two cats", "a sailing boat", "a film camera", "a garden in the back")
SYLLABLES = (
    "ba",
    "co",
    "di",
    "fe",
    "gu",
    "ha",
    "li",
    "mo",
    "nu",
    "pa",
    "re",
    "so",
    "ta",
    "vi",
    "zu",
    "lan",
    "ter",
    "mir",
)


class Slowly:
    """A model that says so many tokens a second, for so many tokens."""

    name = "scripted"

    def __init__(self, tokens: int, rate: float) -> None:
        self.tokens, self.rate = tokens, rate
        self.said = 0

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: threading.Event | None = None,
        temperature: float | None = None,
    ) -> Iterator[str]:
        pieces = _story()
        while self.said < self.tokens and not (stop is not None and stop.is_set()):
            sleep(1 / self.rate)
            self.said += 1
            yield next(pieces)

    def count_tokens(self, text: str) -> int:
        return len(text) // 4


def _story() -> Iterator[str]:
    """Markdown of every kind, in words that never come twice: a model that repeats itself would be stopped."""
    source = random.Random(7)

    def words(number: int) -> str:
        return " ".join("".join(source.choices(SYLLABLES, k=source.randint(1, 4))) for _ in range(number))

    while True:
        items = "\n".join(f"- {words(5)} *{words(1)}*" for _ in range(4))
        code = "\n".join(f"{words(1)} = {words(1)}()" for _ in range(5))
        rows = "\n".join(f"| {words(1)} | {words(2)} |" for _ in range(3))
        text = (
            f"## {words(3)}\n\n{words(30)} **{words(2)}** {words(25)}.\n\n{items}\n\n{words(40)} `{words(1)}`.\n\n"
            f"```python\n{code}\n```\n\n| a | b |\n|---|---|\n{rows}\n\n> {words(12)}\n\n"
        )
        yield from (text[place : place + 4] for place in range(0, len(text), 4))


class Beats:
    """The beat of the interface's loop, and what happened between two of them."""

    def __init__(self) -> None:
        self.gaps: list[tuple[float, float, float]] = []
        """(how late, own processor time, the process's), all in milliseconds."""
        self._task: asyncio.Task[None] | None = None

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, own, process = loop.time() + BEAT, thread_time(), process_time()
            await asyncio.sleep(BEAT)
            late = max(0.0, loop.time() - due)
            self.gaps.append((late * 1000, (thread_time() - own) * 1000, (process_time() - process) * 1000))

    @asynccontextmanager
    async def told(self, name: str) -> AsyncIterator[None]:
        """Print what the gaps were while it lasted."""
        self.gaps.clear()
        task = asyncio.create_task(self._beat())
        began = asyncio.get_running_loop().time()
        try:
            yield
        finally:
            task.cancel()
        took = asyncio.get_running_loop().time() - began
        parts = [
            f"{what} p50 {_at(gaps, 0.5):5.1f} p99 {_at(gaps, 0.99):6.1f} worst {max(gaps):6.1f}"
            for what, gaps in zip(("gap", "own", "process"), map(list, zip(*self.gaps, strict=True)), strict=True)
        ]
        print(f"{name:22} {took:5.1f} s  {'  |  '.join(parts)} ms", flush=True)


def _at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def paints_for_real(app: ErstwhileApp) -> None:
    """Headless, Textual leaves out turning what it shows into bytes; here that is done, and thrown away."""
    shown: Callable[..., Any] = app._display

    def display(screen: Any, renderable: Any) -> Any:
        if hasattr(renderable, "render_segments"):
            renderable.render_segments(app.console)
        return shown(screen, renderable)

    vars(app)["_display"] = display


def memory_at(folder: Path, name: str) -> Memory:
    return Memory.open(folder / name, clock=CLOCK, zone=UTC, embedder=WordlessEmbedder())


def conversations(path: Path, turns: int) -> None:
    """A file of made-up conversations, in which people move, buy and like things."""
    source, at = random.Random(5), NOW - timedelta(days=900)
    with path.open("w", encoding="utf-8") as file:
        for number in range(turns):
            at += timedelta(minutes=source.randint(3, 900))
            mine = number % 2 == 0
            words = (
                f"I moved to {source.choice(PLACES)} last week, and I bought {source.choice(THINGS)}. "
                f"My friend {source.choice(('Ana', 'Rui', 'Inês', 'Miguel'))} lives in {source.choice(PLACES)} now."
                if mine else f"How is {source.choice(PLACES)}? Tell me more about it when you have settled."
            )  # fmt: skip
            turn = {
                "session": f"s{number // 40}", "id": f"t{number}", "speaker": "me" if mine else "model",
                "role": "user" if mine else "assistant", "text": words, "said_at": at.isoformat(),
            }  # fmt: skip
            file.write(json.dumps(turn) + "\n")


async def streamed(pilot: Pilot[None], model: Slowly, beats: Beats) -> None:
    """A long reply, a token at a time; the processor time for a token, early and late."""
    marks: list[tuple[int, float]] = []
    chat = pilot.app.screen
    assert isinstance(chat, ChatScreen)
    async with beats.told("a reply streams"):
        await type_text(pilot, "Tell me a long story about a lighthouse, please.")
        await pilot.press("enter")
        while not model.said or chat.busy:
            marks.append((model.said, thread_time()))
            await asyncio.sleep(0.25)
        await settle(pilot)
    print(f"{'':22} {len(pilot.app.screen.query(TurnView).last().text):,} characters were shown", flush=True)
    quarter = model.tokens // 4
    for name, low, high in (("first quarter", 1, quarter), ("last quarter", model.tokens - quarter, model.tokens)):
        part = [mark for mark in marks if low <= mark[0] <= high] or marks[:1]
        each = (part[-1][1] - part[0][1]) * 1000 / max(1, part[-1][0] - part[0][0])
        print(f"{'':22} {name}: {each:.2f} ms of the interface's thread a token", flush=True)


async def imported(pilot: Pilot[None], path: Path, beats: Beats) -> None:
    """A file comes in by the import dialog, looked through first."""
    await pilot.app.run_action("import")
    await settle(pilot)
    pilot.app.screen.query_one("#path", Input).value = str(path)
    async with beats.told("an import is looked at"):
        await pilot.press("enter")
        await settle(pilot)
    async with beats.told("an import"):
        await pilot.press("enter")
        await settle(pilot)
    await pilot.press("escape")
    await settle(pilot)


async def slept(pilot: Pilot[None], beats: Beats) -> None:
    """A sleep that was asked for, watched on its screen; then what the lists cost that it changed."""
    await pilot.app.run_action("night")
    await settle(pilot)
    async with beats.told("a sleep"):
        await pilot.app.run_action("sleep")
        await settle(pilot)
    await pilot.press("escape")
    await settle(pilot)


async def measured(folder: Path, given: argparse.Namespace) -> None:
    warm()
    beats, model, path = Beats(), Slowly(given.tokens, given.rate), folder / "conversations.jsonl"
    conversations(path, given.turns)
    with memory_at(folder, "gaps.db") as memory:
        settings = Settings(idle_seconds=0, model_invents=False)
        app = ErstwhileApp(memory, model, clock=CLOCK, zone=UTC, settings=settings)
        paints_for_real(app)
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await streamed(pilot, model, beats)
            await imported(pilot, path, beats)
            await slept(pilot, beats)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=600)
    parser.add_argument("--rate", type=float, default=60.0)
    parser.add_argument("--turns", type=int, default=2000)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(Path(folder), parser.parse_args()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
