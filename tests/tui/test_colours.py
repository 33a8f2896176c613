"""What is drawn can be read: each word on each screen stands out from its ground, and means the same without colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen

from app.core.settings import THEMES
from app.core.shelf import Shelved
from tests.tui.acting import QUIET, app_with, footer, screen_text, settle
from tests.tui.cases import everything, told
from tests.tui.steps import Step, link, saying
from tests.widgets.test_contrast import ENOUGH, contrast
from widgets.bars import TopLine

PLACES: dict[str, tuple[Step, ...]] = {
    "chat": (saying("Where do I live?"), saying("I moved to Lisbon.")),
    "off the record": ("ctrl+r", saying("Hello")),
    "timeline": ("ctrl+t",),
    "then": ("ctrl+t", "left_square_bracket", "left_square_bracket", "left_curly_bracket"),
    "swapped": ("ctrl+t", "b"),
    "map": ("ctrl+t", "v", "up", "up", "left"),
    "beliefs": ("ctrl+l", "1"),
    "chain": ("ctrl+l", "down", "down", "enter"),
    "page": ("ctrl+l", "o"),
    "why": (saying("Where do I live?"), "f2"),
    "sleep": ("f4",),
    "fading": ("f5",),
    "diary": ("f7",),
    "month": ("f7", *["down"] * 5, "tab"),
    "doctor": ("f9",),
    "settings": ("f6",),
    "models": ("f3",),
    "search": ("ctrl+o",),
    "import": ("f8",),
    "brief": ("ctrl+e",),
    "help": ("f1",),
    "link": (link,),
    "erase": ("ctrl+l", "down", "x"),
}


EVERY_PAIR = ("off the record", "timeline", "map", "fading", "link", "erase", "help")
"""Between them, these show every colour on every ground that the others show."""


def drawn(pilot: Pilot[None]) -> Iterator[Segment]:
    """Every piece of text of the screen; of a dialog only its box, for what lies behind it is dimmed."""
    screen = pilot.app.screen
    box = Region(0, 0, *screen.size)
    if isinstance(screen, ModalScreen):
        box = screen.query(".box").first().region
    for strip in screen._compositor.render_strips()[box.y : box.bottom]:
        yield from strip.crop(box.x, box.right)


async def walk(pilot: Pilot[None], steps: tuple[Step, ...]) -> None:
    await settle(pilot)
    for step in steps:
        if isinstance(step, str):
            await pilot.press(step)
            await settle(pilot)
        else:
            await step(pilot)


def faint(pilot: Pilot[None]) -> Iterator[tuple[str, str, str]]:
    """The words that cannot be read, each with its colour and its ground; fails where nothing can be judged."""
    seen = 0
    for text, style, _control in drawn(pilot):
        if style is None or not any(character.isalnum() for character in text):
            continue
        assert style.color is not None and style.bgcolor is not None, text
        ink, ground = (Color(*one.get_truecolor()) for one in (style.color, style.bgcolor))
        if contrast(ink, ground) < ENOUGH:
            yield text, ink.hex, ground.hex
        seen += 1
    assert seen > 1


@pytest.mark.parametrize("name", PLACES)
async def test_words_stand_out_from_their_ground(name: str, tmp_path: Path) -> None:
    """The themes take turns on one screen, for a screen takes long to come to."""
    app = app_with(everything(), told(), settings=replace(QUIET, theme="textual-dark"))
    app.services.shelf = lambda: [Shelved("small", tmp_path, "ollama", 9, fitness=(("chat", 0.9), ("tools", 0.1)))]
    async with app.run_test(size=(110, 34)) as pilot:
        await walk(pilot, PLACES[name])
        assert not list(faint(pilot)), "textual-dark, from the start"
        for theme in THEMES if name in EVERY_PAIR else ("dark", "light"):
            app.wear(theme)
            await pilot.pause()
            assert not list(faint(pilot)), theme


async def test_without_colour_the_state_of_a_belief_and_of_time_is_still_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_with(everything(), told())
    async with app.run_test(size=(110, 40)) as pilot:
        assert app.no_color
        await walk(pilot, ("ctrl+l", "1"))
        shown = {line.strip()[:1] for line in screen_text(app).splitlines()}
        assert {"●", "○", "✗", "?"} <= shown
        assert "▪" in screen_text(app)
        await walk(pilot, ("escape", "ctrl+t", "left_curly_bracket"))
        assert app.screen.query_one(TopLine).past
        assert "◀ true now · believed on" in screen_text(app)
        await walk(pilot, ("escape", "ctrl+r"))
        assert "OFF THE RECORD" in screen_text(app)


@pytest.mark.parametrize("name", PLACES)
async def test_help_is_there_for_what_has_the_focus(name: str) -> None:
    """On every screen but a dialog, which says its keys itself."""
    app = app_with(everything(), told())
    app.services.shelf = list
    async with app.run_test(size=(110, 34)) as pilot:
        await walk(pilot, PLACES[name])
        if isinstance(app.screen, ModalScreen):
            assert "esc" in screen_text(app)
            return
        assert "f1 help" in footer(app)
        assert app.screen.focused is not None
        await walk(pilot, ("f1",))
        heads = [line.strip() for line in screen_text(app).splitlines()]
        assert type(app.screen).__name__ == "HelpDialog"
        assert sum(bool(line) for line in heads) > 6
