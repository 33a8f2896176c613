"""What a key costs on a large memory: the real app, headless, over a real file; every figure ends at a painted screen.

    python -m tests.bench.ui_scale [--facts 100000] [--turns 10000] [--keys 40]

`key` is from the key to the last paint that it causes (p50, p95, worst). `opens` is from the wish to the painted
screen: a first page, and everything. The file holds one turn for each fact, and one conversation of --turns.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from app.core.settings import Settings
from app.tui.app import ErstwhileApp
from store.memory import Memory
from store.records import Instant
from tests.bench.asof_scale import DAY, SPAN, START, fill
from tests.bench.slots import StillClock, WordlessEmbedder
from tests.bench.terminal import Terminal
from tests.tui.acting import settle
from tests.tui.scripted import ScriptedModel
from widgets.chips import Chips
from widgets.messages import SessionChosen

CLOCK = StillClock(Instant(START + (SPAN + 200) * DAY))
LONG = "long"
_LONG = "insert into sessions (id, key, source, title) values (2, ?, 'bench', 'a long one')"
_TURN = (
    "insert into episodes (id, session_id, position, speaker, role, text, said_at, said_offset, recorded_at, "
    "recorded_offset, source) values (?, 2, ?, ?, ?, ?, ?, 0, ?, 0, 'bench')"
)


def build(path: Path, facts: int, turns: int) -> None:
    """The file."""
    with (
        Memory.open(path, clock=CLOCK, zone=UTC, embedder=WordlessEmbedder()) as memory,
        memory._database.writing() as connection,
    ):
        fill(connection, facts)
        connection.execute(_LONG, (LONG,))
        connection.executemany(_TURN, [_turn(place) for place in range(turns)])
        connection.execute("insert into readings select row, 'bench', 0 from episodes")


def _turn(place: int) -> tuple[object, ...]:
    mine = place % 2 == 0
    words = f"This is what was said in turn {place}." if mine else f"And this is **what came back**, in turn {place}."
    at = START + place * 60_000_000
    return f"long-{place}", place, "me" if mine else "model", "user" if mine else "assistant", words, at, at


class Watch:
    """When the screen was last painted."""

    def __init__(self, app: ErstwhileApp) -> None:
        self.painted = 0.0
        self.spent: list[float] = []
        """Milliseconds of the interface's own thread for each act: what a busy machine does not change."""
        shown: Callable[..., Any] = app._display

        def display(screen: Any, renderable: Any) -> Any:
            # Headless, Textual leaves out turning what it shows into bytes.
            if hasattr(renderable, "render_segments"):
                renderable.render_segments(app.console)
            result = shown(screen, renderable)
            self.painted = perf_counter()
            return result

        vars(app)["_display"] = display

    async def cost(self, pilot: Pilot[None], act: Callable[[], Any]) -> float:
        """Milliseconds from the act to the last paint after it."""
        began, worked = perf_counter(), thread_time()
        result = act()
        if result is not None:
            await result
        await pilot.pause()
        await pilot.pause()
        self.spent.append((thread_time() - worked) * 1000)
        return (self.painted - began) * 1000 if self.painted > began else (perf_counter() - began) * 1000


def said(name: str, times: Sequence[float], spent: Sequence[float] = ()) -> None:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    own = f"  processor p50 {statistics.median(spent):6.1f} worst {max(spent):6.1f}" if spent else ""
    print(
        f"{name:34} p50 {statistics.median(ordered):7.1f}  p95 {p95:7.1f}  worst {ordered[-1]:7.1f} ms{own}", flush=True
    )


async def keys(pilot: Pilot[None], watch: Watch, name: str, pressed: Sequence[str], times: int) -> None:
    watch.spent.clear()
    found = [await watch.cost(pilot, partial(pilot.press, pressed[number % len(pressed)])) for number in range(times)]
    said(name, found, watch.spent)


async def opened(pilot: Pilot[None], watch: Watch, name: str, action: str, there: Callable[[], bool]) -> None:
    """From the wish to the first rows, and to all of them."""
    began = perf_counter()
    await pilot.app.run_action(action)
    while not there():
        await asyncio.sleep(0.005)
    await pilot.pause()
    first = watch.painted - began
    await settle(pilot)
    print(f"{name:34} first rows {first * 1000:7.0f}  everything {(watch.painted - began) * 1000:7.0f} ms", flush=True)


async def typed(pilot: Pilot[None], watch: Watch, name: str, words: str) -> None:
    field = pilot.app.screen.query_one("#filter", Input)
    await pilot.press("slash")
    watch.spent.clear()
    found = [await watch.cost(pilot, partial(pilot.press, letter)) for letter in words]
    said(name, found, watch.spent)
    assert field.value == words
    await pilot.press("escape")


async def beliefs(pilot: Pilot[None], watch: Watch, times: int) -> None:
    from app.tui.screens.beliefs import BeliefsScreen
    from widgets.choices import Choices

    def there() -> bool:
        return isinstance(pilot.app.screen, BeliefsScreen) and any(one.rows for one in pilot.app.screen.query(Choices))

    await opened(pilot, watch, "beliefs open", "beliefs", there)
    await keys(pilot, watch, "beliefs now or ever (1)", ["1"], 6)
    await pilot.press("1") if not pilot.app.screen.query_one(Chips).wanted.ever else None
    print(f"{'beliefs rows':34} {len(pilot.app.screen.query_one(Choices).rows):,}")
    await keys(pilot, watch, "beliefs down, page down", ["j", "j", "pagedown"], times)
    await keys(pilot, watch, "beliefs end, home", ["end", "home"], times // 2)
    await keys(pilot, watch, "beliefs fold (enter)", ["enter"], 6)
    await typed(pilot, watch, "beliefs filter, a letter", "person 12 lives")
    await pilot.press("escape")


async def timeline(pilot: Pilot[None], watch: Watch, times: int) -> None:
    from app.tui.screens.timeline import TimelineScreen
    from widgets.lanes import Lanes

    def there() -> bool:
        screen = pilot.app.screen
        return isinstance(screen, TimelineScreen) and any(one.pointed is not None for one in screen.query(Lanes))

    await opened(pilot, watch, "timeline open", "timeline", there)
    await keys(pilot, watch, "timeline down, page down", ["j", "pagedown"], times)
    await keys(pilot, watch, "timeline end, home", ["end", "home"], times // 2)
    await keys(pilot, watch, "timeline change in the world [ ]", ["left_square_bracket", "right_square_bracket"], times)
    await keys(pilot, watch, "timeline change of mind { }", ["left_curly_bracket"] * 3 + ["right_curly_bracket"], times)
    await pilot.press("b")
    await keys(pilot, watch, "timeline a year of belief (Y y)", ["Y", "Y", "y"], times // 2)
    await keys(pilot, watch, "timeline zoom, today", ["plus", "minus", "t"], times)
    await typed(pilot, watch, "timeline filter, a letter", "person 12 lives")
    await pilot.press("escape")


async def chat(pilot: Pilot[None], watch: Watch) -> None:
    from widgets.transcript import TurnView

    took = []
    for _ in range(5):
        await pilot.app.run_action("chat('new_chat')")
        await settle(pilot)
        began = perf_counter()
        pilot.app.post_message(SessionChosen(LONG))
        while not pilot.app.screen.query(TurnView):
            await asyncio.sleep(0.002)
        await pilot.pause()
        took.append((watch.painted - began) * 1000)
    said("a long conversation opens", took)


async def measured(path: Path, times: int) -> None:
    with Memory.open(path, clock=CLOCK, zone=UTC, embedder=WordlessEmbedder()) as memory:
        app = ErstwhileApp(memory, ScriptedModel(), clock=CLOCK, zone=UTC, settings=Settings(idle_seconds=0))
        async with app.run_test(size=(120, 40)) as pilot:
            watch = Watch(app)
            await settle(pilot)
            await chat(pilot, watch)
            await beliefs(pilot, watch, times)
            await timeline(pilot, watch, times)


TOLD = """
import sys, time
from textual.app import App
told, shown = sys.argv.pop(), App._display
def display(self, screen, renderable):
    shown(self, screen, renderable)
    if renderable is not None and type(screen).__name__ == "ChatScreen":
        App._display = shown
        open(told, "w").write(str(time.process_time() * 1000))
App._display = display
from app.cli.commands import main
main()
"""
"""The app as `python -m app` starts it; when it has painted the first frame, it says how much processor it took."""


def first_frame(path: Path, scratch: Path) -> tuple[float, float]:
    """Milliseconds from the command to a frame with the prompt in it, in a terminal of its own; and those of the
    processor. The bytecode is there, as it is from the second start on."""
    told = scratch / "processor"
    act = ["-c", TOLD, "--db", str(path), str(told)]
    terminal = Terminal(act, ERSTWHILE_MODEL="/nowhere.gguf", PYTHONPYCACHEPREFIX=str(scratch / "bytecode"))
    try:
        return terminal.until(b"worth remembering"), float(told.read_text())
    finally:
        terminal.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=40)
    parser.add_argument("--file", type=Path, help="keep the file here, and use it if it is there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = given.file or Path(scratch) / "memory.db"
        if not path.exists():
            build(path, given.facts, given.turns)
        first_frame(path, Path(scratch))
        frames = [first_frame(path, Path(scratch)) for _ in range(5)]
        said("first frame after the command", [wall for wall, _own in frames], [own for _wall, own in frames])
        asyncio.run(measured(path, given.keys))
    return 0


if __name__ == "__main__":
    sys.exit(main())
