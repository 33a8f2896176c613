"""Whatever is typed, pasted, undone and resized, the prompt stands, and what was typed is in it."""

from __future__ import annotations

import random

import pytest
from textual import events
from textual.app import App, ComposeResult

from widgets.prompt import Prompt

LINES = "\n".join(f"line {number} of something rather long" for number in range(14))
KEYS = (
    "ctrl+z",
    "ctrl+y",
    "ctrl+j",
    "a",
    "space",
    "backspace",
    "up",
    "down",
    "ctrl+k",
    "ctrl+u",
    "home",
    "end",
    "paste",
)


class Alone(App[None]):
    """The prompt, and nothing else."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"rule": "white", "border": "white", "quiet": "white"}

    def compose(self) -> ComposeResult:
        yield Prompt()


async def test_a_paste_of_many_lines_is_undone_and_comes_back() -> None:
    app = Alone()
    async with app.run_test(size=(100, 30)) as pilot:
        prompt = app.query_one(Prompt)
        prompt.focus()
        app.post_message(events.Paste(LINES))
        await pilot.pause()
        await pilot.press("ctrl+z")
        assert prompt.text == ""
        await pilot.press("ctrl+y")
        assert prompt.text == LINES


@pytest.mark.parametrize("seed", range(3))
async def test_any_keys_leave_it_standing(seed: int) -> None:
    chance, app = random.Random(seed), Alone()
    async with app.run_test(size=(100, 30)) as pilot:
        prompt = app.query_one(Prompt)
        prompt.focus()
        for _ in range(60):
            key = chance.choice(KEYS)
            if key == "paste":
                app.post_message(events.Paste(LINES[: chance.randrange(len(LINES))]))
                await pilot.pause()
            elif chance.random() < 0.1:
                await pilot.resize_terminal(chance.choice((40, 60, 100, 160)), chance.choice((12, 30)))
            else:
                await pilot.press(key)
        assert prompt.cursor_location[0] < prompt.document.line_count
