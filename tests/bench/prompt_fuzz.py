"""Whatever is typed, pasted, undone and resized, in whatever order, the chat stands and the prompt holds its text.

    python -m tests.bench.prompt_fuzz [--minutes 60] [--seed 1]

Drives the real app, over a scripted memory and model, in rounds of their own seed: keys of the prompt (sending, new
lines, undo, what was sent before, pages, another reply, other words, esc), pastes of several lines, wide and combining
characters, and terminals of other sizes. A round that raises, or after which a letter does not arrive in the prompt, is
printed with its seed and its keys. Each round is bounded, so that the last keys before a fault are few.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from time import monotonic

from textual import events
from textual.pilot import Pilot

from app.tui.app import ErstwhileApp
from tests.tui.acting import app_with, settle
from tests.tui.scripted import ScriptedModel

KEYS = (
    "a", "b", "space", "ctrl+j", "shift+enter", "enter", "backspace", "delete", "ctrl+z", "ctrl+z", "ctrl+y",
    "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+x", "ctrl+v", "ctrl+a", "home", "end", "ctrl+home", "ctrl+end", "up", "up",
    "down", "left", "right", "ctrl+left", "ctrl+right", "shift+left", "shift+up", "shift+down", "pageup", "pagedown",
    "tab", "shift+tab", "escape", "slash", "question_mark", "alt+r", "alt+e", "alt+c", "alt+o", "alt+m", "ctrl+slash",
)  # fmt: skip
LINES = (
    "a line of something rather long that wraps in a narrow terminal", "", "short", "家に帰りました", "e\u0301te\u0301",
    "👩‍👩‍👧 and \t tabs", "x" * 300,
)  # fmt: skip
STEPS = 150
"""Of one round."""
COLUMNS, ROWS = (20, 40, 60, 99, 100, 160), (6, 12, 30)


async def one_step(pilot: Pilot[None], chance: random.Random) -> str:
    """Do one thing; says what."""
    if chance.random() < 0.08:
        columns, rows = chance.choice(COLUMNS), chance.choice(ROWS)
        await pilot.resize_terminal(columns, rows)
        return f"{columns}x{rows}"
    if chance.random() < 0.15:
        lines = [chance.choice(LINES) for _ in range(chance.randrange(1, 30))]
        pilot.app.post_message(events.Paste("\n".join(lines)))
        if chance.random() < 0.5:
            await pilot.pause()
        return f"paste of {len(lines)}"
    key = chance.choice(KEYS)
    await pilot.press(key)
    return key


async def round_of(seed: int) -> str:
    """What went wrong, or nothing."""
    chance, did = random.Random(seed), list[str]()
    app = app_with(model=ScriptedModel())
    try:
        async with app.run_test(size=(100, 30)) as pilot:
            await settle(pilot)
            for _ in range(STEPS):
                did.append(await one_step(pilot, chance))
            return await _types(app, pilot)
    except Exception as error:  # noqa: BLE001 # counting what breaks is what this is for
        return f"{type(error).__name__}: {error}, after {', '.join(did[-12:])}"


async def _types(app: ErstwhileApp, pilot: Pilot[None]) -> str:
    """Back in the prompt, a letter arrives."""
    while app.screen is not app.chat:
        await pilot.press("escape")
    await settle(pilot)
    app.chat.prompt.focus()
    app.chat.prompt.text = "so far"
    app.chat.prompt.move_cursor(app.chat.prompt.document.end)
    await pilot.press("z")
    return "" if app.chat.prompt.text == "so farz" else f"the prompt holds {app.chat.prompt.text!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began, seed, bad = monotonic(), given.seed, 0
    while monotonic() - began < given.minutes * 60:
        if wrong := asyncio.run(round_of(seed)):
            bad += 1
            print(f"seed {seed}: {wrong}", flush=True)
        seed += 1
        if (seed - given.seed) % 100 == 0:
            print(f"{seed - given.seed} rounds of {STEPS} steps, {bad} went wrong", flush=True)
    print(f"{seed - given.seed} rounds of {STEPS} steps in {given.minutes:g} min, {bad} went wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
