"""What costs most is done only where it is needed: the screen is laid out when something takes another place, and a
reply is a document when it holds what needs one.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from app.tui.jobs import Job, JobAdvanced
from app.tui.theme import FALLBACK
from store.records import Progress
from tests.tui.acting import app_with, screen_text, settle
from tests.tui.scripted import ScriptedMemory, lives
from widgets.choices import Choices, Row
from widgets.speech import Speech, paragraphs
from widgets.transcript import Transcript, TurnHead, TurnView

SIMPLE = (
    "and this is **what came back**, *in turn* and ***both***",
    "a first paragraph with **bold**\n\nthe second *one*\nsoftly broken",
    "a hard  \nbreak, **bold**",
    "**unclosed, and snake_case_words",
    "an escape \\* and &amp; **two**\n\n\n\nthree   ",
    "long **bold words that go on and on over the edge** " * 4,
)
DOCUMENTS = (
    "- a list", "1. one", "`code` here", "# head", "> quote", "see www.example.org", "[a](http://x)", "~~gone~~",
    "| a |\n|---|\n| 1 |", "    code", "***", "![i](http://x)", "",
)  # fmt: skip


class Layouts:
    """How often a screen was laid out."""

    def __init__(self, screen: Screen[object]) -> None:
        self.number = 0
        screen.screen_layout_refresh_signal.subscribe(screen, self._count, immediate=True)

    def _count(self, _screen: Screen[object]) -> None:
        self.number += 1


@pytest.mark.parametrize("name", ["timeline", "beliefs"])
async def test_a_letter_of_a_filter_lays_nothing_out(name: str) -> None:
    app = app_with(ScriptedMemory(known=lives()))
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await app.run_action(name)
        await settle(pilot)
        await pilot.press("slash", "l")
        await settle(pilot)
        layouts = Layouts(app.screen)
        await pilot.press("i")
        await settle(pilot)
        assert layouts.number == 0
        assert app.screen.query_one("#filter", Input).value == "li"
        assert " li" in screen_text(app)


async def test_a_long_filter_is_scrolled_to_its_cursor() -> None:
    app = app_with(ScriptedMemory(known=lives()))
    async with app.run_test(size=(60, 24)) as pilot:
        await settle(pilot)
        await app.run_action("timeline")
        await settle(pilot)
        await pilot.press("slash", *("x" * 70), "y", "z")
        await settle(pilot)
        assert "xyz" in screen_text(app)
        await pilot.press("home")
        await settle(pilot)
        assert "xyz" not in screen_text(app)


class Bare(App[None]):
    """Knows the names of our colours, and nothing else of ours."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(FALLBACK)


class Listed(Bare):
    """A list that has its place."""

    CSS = "Choices { height: 8; }"

    def compose(self) -> ComposeResult:
        yield Choices(_rows(50))


def _rows(number: int) -> list[Row]:
    return [Row(Content(f"row {place}"), place) for place in range(number)]


async def test_other_rows_take_the_place_of_those_before_without_a_layout() -> None:
    app = Listed()
    async with app.run_test(size=(30, 10)) as pilot:
        await pilot.pause()
        layouts, choices = Layouts(app.screen), app.query_one(Choices)
        choices.show_rows(_rows(9000), 8999)
        await pilot.pause()
        assert layouts.number == 0
        assert "row 8999" in screen_text(app)
        assert choices.max_scroll_y == 9000 - 8


async def test_a_list_that_no_longer_scrolls_loses_its_scrollbar() -> None:
    app = Listed()
    async with app.run_test(size=(30, 10)) as pilot:
        await pilot.pause()
        choices = app.query_one(Choices)
        assert choices.show_vertical_scrollbar
        choices.show_rows(_rows(3))
        await pilot.pause()
        await pilot.pause()
        assert not choices.show_vertical_scrollbar
        assert choices.scrollable_content_region.width == 28
        choices.show_rows(_rows(50), 49)
        await pilot.pause()
        await pilot.pause()
        assert choices.show_vertical_scrollbar
        assert "row 49" in screen_text(app)


class Said(Bare):
    """One turn."""

    def compose(self) -> ComposeResult:
        yield Transcript()


def _looks(app: App[None]) -> list[tuple[str, bool, bool]]:
    """Every character on the screen with its weight and slant; blanks have none."""
    return [
        (one, bool(style.bold) and one != " ", bool(style.italic) and one != " ")
        for strip in app.screen._compositor.render_strips()
        for text, style, _control in strip
        if style is not None
        for one in text
    ]


async def _shown(pilot: Pilot[None], turn: TurnView) -> TurnView:
    """The turn, alone on the screen."""
    transcript = pilot.app.query_one(Transcript)
    await transcript.clear()
    await transcript.add(turn)
    await settle(pilot)
    return turn


@pytest.mark.parametrize("text", SIMPLE)
async def test_a_reply_of_paragraphs_looks_as_the_document_would(text: str) -> None:
    head = TurnHead("model", lives()[0].believed_from, False)
    app = Said()
    async with app.run_test(size=(60, 24)) as pilot:
        assert paragraphs(text) is not None
        await _shown(pilot, TurnView(head, text))
        assert not app.query(Speech)
        simple = _looks(app)
        document = await _shown(pilot, TurnView(head))
        await document.rewrite(text)
        await settle(pilot)
        assert app.query(Speech)
        assert simple == _looks(app)


@pytest.mark.parametrize("text", DOCUMENTS)
def test_what_holds_more_than_paragraphs_is_a_document(text: str) -> None:
    assert paragraphs(text) is None


def test_a_busy_interface_leaves_out_steps_of_a_sleep_and_never_a_phase() -> None:
    step, next_step, next_phase = (
        JobAdvanced(Job.SLEEP, Progress(*one)) for one in (("a", 1, 9), ("a", 2, 9), ("b", 1, 1))
    )
    assert step.can_replace(next_step)
    assert not next_step.can_replace(next_phase)


@pytest.mark.parametrize(("given", "frames"), [(None, "240"), ("30", "30")])
def test_the_frames_that_a_person_set_are_kept(given: str | None, frames: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"}
    environment |= {"TEXTUAL_FPS": given} if given else {}
    act = "import app; from textual.constants import MAX_FPS; print(MAX_FPS)"
    done = subprocess.run([sys.executable, "-c", act], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == frames
