"""A letter leads to each thing on a screen: rows, chips, buttons, citations, fields; and escape leads nowhere."""

from __future__ import annotations

from string import ascii_lowercase

import pytest
from textual.geometry import Offset
from textual.widgets import Button, Input

from app.tui.app import ErstwhileApp
from app.tui.screens.beliefs import ChainScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import LinkDialog
from app.tui.screens.jump import JumpScreen, spots_of
from app.tui.screens.search import SessionsDialog
from tests.tui.acting import app_with, beliefs, marked, say, screen_text, settle
from tests.tui.scripted import ScriptedMemory, answered, lives, turns
from widgets.chips import Chips
from widgets.choices import Choices
from widgets.jump import JumpLabel, labels
from widgets.lanes import Lanes
from widgets.messages import LinkChosen
from widgets.prompt import Prompt
from widgets.transcript import Transcript


@pytest.mark.parametrize("count", [0, 1, 26, 27, 51, 52, 300, 676])
def test_no_label_begins_another(count: int) -> None:
    made = labels(count)
    assert len(set(made)) == count
    assert not [(one, two) for one in made for two in made if one != two and two.startswith(one)]
    assert set("".join(made)) <= set(ascii_lowercase)


def test_more_things_than_labels_get_as_many_as_there_are() -> None:
    assert len(labels(1000)) == 26 * 26


def label_at(app: ErstwhileApp, at: Offset) -> str:
    assert isinstance(app.screen, JumpScreen)
    return next(label for label, spot in app.screen.spots.items() if spot.at == at)


async def test_a_row_of_a_list_is_gone_to_and_with_shift_opened() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await beliefs(pilot)
        choices = app.screen.query_one(Choices)
        wanted = next(n for n, row in enumerate(choices.rows) if getattr(row.record, "object", "") == "Feedzai")
        at = Offset(choices.region.x, choices.scrollable_content_region.y + wanted)
        await pilot.press("ctrl+g")
        await settle(pilot)
        label = label_at(app, at)
        assert len(app.screen.query(JumpLabel)) == len(spots_of(app.screen_stack[-2]))
        await pilot.press(*label)
        await settle(pilot)
        assert marked(app).object == "Feedzai"
        assert choices.has_focus
        await pilot.press("ctrl+g", *label[:-1], label[-1].upper())
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)
        assert app.screen.fact.object == "Feedzai"


async def test_a_chip_and_a_button_are_pressed() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await beliefs(pilot)
        chips = app.screen.query_one(Chips)
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press(label_at(app, chips.query("Chip").first().region.offset))
        await settle(pilot)
        assert chips.wanted.ever
        app.post_message(LinkChosen("https://example.org"))
        await settle(pilot)
        assert isinstance(app.screen, LinkDialog)
        button = app.screen.query_one("#close", Button)
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press(label_at(app, button.region.offset))
        await settle(pilot)
        assert not isinstance(app.screen, LinkDialog)


async def test_a_turn_a_citation_and_the_prompt_are_gone_to() -> None:
    said = turns(4)
    question = "Where do I live?"
    memory = ScriptedMemory(said=said, answers={question: answered(lives()[:1], "You live in Lisbon.")})
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await say(pilot, question)
        transcript = app.chat.query_one(Transcript)
        first = transcript.query("TurnView").first()
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press(label_at(app, first.region.offset))
        await settle(pilot)
        assert transcript.marked is first
        assert transcript.has_focus
        prompt = app.chat.query_one(Prompt)
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press(label_at(app, prompt.region.offset + Offset(1, 0)))
        await settle(pilot)
        assert prompt.has_focus
        source = transcript.query("SourceLine").first()
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press(label_at(app, source.region.offset))
        await settle(pilot)
        assert "keys the same day" in screen_text(app)
        assert prompt.text == ""


async def test_a_lane_is_gone_to() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+t")
        await settle(pilot)
        lanes = app.screen.query_one(Lanes)
        before = lanes.at
        await pilot.press("ctrl+g")
        await settle(pilot)
        label = label_at(app, lanes.region.offset + Offset(0, 3))
        await pilot.press(label)
        await settle(pilot)
        assert lanes.at != before
        await pilot.press("ctrl+g", label.upper())
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)


@pytest.mark.parametrize("key", ["escape", "ctrl+g", "1"])
async def test_what_is_no_label_leaves_everything_as_it_was(key: str) -> None:
    app = app_with()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert isinstance(app.screen, JumpScreen)
        await pilot.press(key)
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
        assert app.chat.query_one(Prompt).has_focus


async def test_a_label_of_two_letters_narrows_first() -> None:
    app = app_with(ScriptedMemory(said=[one for n in range(40) for one in turns(1, f"s{n}")]))
    async with app.run_test(size=(100, 50)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+o")
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert isinstance(app.screen, JumpScreen)
        long = [one for one in app.screen.labels if len(one) == 2]
        assert long
        await pilot.press(long[-1][0])
        left = [one for one in app.screen.query(JumpLabel) if not one.has_class("-gone")]
        assert {one.label for one in left} == {one for one in long if one[0] == long[-1][0]}
        await pilot.press(long[-1][1])
        await settle(pilot)
        assert isinstance(app.screen, SessionsDialog)
        assert app.screen.query_one(Choices).has_focus
        assert app.screen.query_one(Input).value == ""


async def test_what_lies_under_a_drawer_gets_no_label() -> None:
    app = app_with(ScriptedMemory(answers={"Where do I live?": answered(lives()[:1], "You live in Lisbon.")}))
    async with app.run_test(size=(58, 30)) as pilot:
        await say(pilot, "Where do I live?")
        await pilot.press("ctrl+b")
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert isinstance(app.screen, JumpScreen)
        rows = app.chat.query_one("#memory-rows")
        assert all(rows.region.contains(*spot.at) for spot in app.screen.spots.values())
