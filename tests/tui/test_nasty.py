"""Whatever a text holds, nothing breaks, nothing of it acts on the terminal, and nothing of it hides."""

from __future__ import annotations

import pytest

from store.records import Operation
from tests.tui.acting import app_with, say, screen_text, settle
from tests.tui.nasty import HARMFUL, nasty, nasty_memory
from tests.tui.scripted import ScriptedModel, instant
from tests.tui.showing import shown

SCREENS = ("timeline", "beliefs", "search", "sessions", "night", "fading", "doctor", "models", "brief", "import")


@pytest.mark.parametrize("width", [24, 60, 100])
def test_no_text_reaches_the_screen_with_what_acts_or_hides(width: int) -> None:
    for text in nasty(120, seed=width):
        for line in shown(text, width):
            assert not HARMFUL.search(line), (text, line)


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_screen_survives_every_text(seed: int) -> None:
    texts = list(nasty(40, seed))
    memory = nasty_memory(texts)
    memory.logged = [Operation(1, 1, "sleep", "run", instant("2025-03-01"), "FINISHED", {"episodes": 3})]
    app = app_with(memory, ScriptedModel(pieces=tuple(texts[:6])))
    async with app.run_test(size=(100, 40)) as pilot:
        await say(pilot, "hello")
        await say(pilot, "Where do I live?")
        assert not HARMFUL.search(screen_text(app).replace("\n", ""))
        app.chat.open_session("s1", "e5")
        await settle(pilot)
        await pilot.press("f2")
        await settle(pilot)
        for name in SCREENS:
            await app.run_action(name)
            await settle(pilot)
            await pilot.press("down", "end")
            await settle(pilot)
            assert not HARMFUL.search(screen_text(app).replace("\n", "")), name
            await pilot.press("escape")
            await settle(pilot)
