"""The status line says what matters whole: a model's name is shortened first, and then its speed is left out."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from app.tui.theme import FALLBACK
from tests.tui.acting import screen_text
from widgets.bars import Status, StatusLine

STATUS = Status(
    model="SmolLM2-135M-Instruct.Q4_1", speed="66 tok/s", room="197 of 4,096 tokens", sleep="◔ 7 to sleep on"
)


class Line(App[None]):
    """Nothing but the line."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(FALLBACK)

    def compose(self) -> ComposeResult:
        yield StatusLine()


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (100, "SmolLM2-135M-Instruct.Q4_1 · 66 tok/s · 197 of 4,096 tokens"),
        (72, "SmolLM2-135M-Instr… · 66 tok/s · 197 of 4,096 tokens ◔ 7 to sleep on"),
        (60, "SmolLM2-135M-Inst… · 197 of 4,096 tokens ◔ 7 to sleep on"),
    ],
)
async def test_a_name_is_shortened_before_what_stands_beside_it(width: int, shown: str) -> None:
    app = Line()
    async with app.run_test(size=(width, 3)) as pilot:
        app.query_one(StatusLine).status = STATUS
        await pilot.pause()
        text = screen_text(app)
        assert shown in text
        assert text.rstrip().endswith("◔ 7 to sleep on")
