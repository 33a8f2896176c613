"""What was believed when is asked by typing whom or what, or a question, and seen as one map of both times."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from app.tui.screens.timeline import MapScreen, PictureScreen
from store.records import Answer, Fact
from tests.tui.acting import app_with, flashed, screen_text, settle
from tests.tui.scripted import ScriptedMemory, answered, fact, lives, world
from widgets.belief_map import BeliefMap
from widgets.lanes import Lanes


async def test_both_times_of_what_was_typed_are_shown_and_the_sentence_says_what_lies_there() -> None:
    app = app_with(ScriptedMemory(known=world()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("map")
        await settle(pilot)
        assert "Type whom or what" in screen_text(app)
        await pilot.press(*"lives", "enter")
        await settle(pilot)
        assert app.screen.query_one(BeliefMap).has_focus
        shown = screen_text(app)
        assert "You live in Lisbon, Rua da Rosa, since 1 September 2024" in shown
        assert "Porto, Rua das Flores" in shown
        for _ in range(12):
            await pilot.press("up")
        await settle(pilot)
        assert "you believed that you lived in Porto, Rua das Flores; today you know" in " ".join(
            screen_text(app).split()
        )


async def test_a_question_that_no_lane_is_called_is_asked_of_the_memory() -> None:
    answer: Answer = answered(lives()[:1], "You live in Lisbon.")
    app = app_with(ScriptedMemory(known=world(), answers={"where is my bed?": answer}))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("map")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, MapScreen)
        for words, told in (("where is my bed?", "lives in"), ("who is Zorro?", "Nothing that was believed answers")):
            await pilot.press("slash") if not screen.query_one("#question").has_focus else None
            screen.query_one("#question", Input).value = words
            await settle(pilot)
            await pilot.press("enter")
            await settle(pilot)
            assert told in screen_text(app) or told in flashed(app)


@pytest.mark.parametrize("question", ["where did I work", "Where did I work?"])
async def test_a_question_is_shown_by_what_it_asks_for_even_where_it_has_no_answer(question: str) -> None:
    """The one of its own hint, with and without its sign."""
    app = app_with(ScriptedMemory(known=world()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("map")
        await settle(pilot)
        app.screen.query_one("#question", Input).value = question
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "works at   2 beliefs" in screen_text(app)


async def test_from_the_timeline_it_opens_at_the_times_that_stand_there() -> None:
    app = app_with(ScriptedMemory(known=world()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("left_square_bracket", "left_square_bracket", "left_curly_bracket")
        lanes = app.screen.query_one(Lanes)
        stood = (lanes.true_at, lanes.believed_at)
        assert None not in stood
        await pilot.press("v")
        await settle(pilot)
        both = app.screen.query_one(BeliefMap)
        assert (both.true_at, both.believed_at) == stood


async def test_the_names_of_pictures_sort_by_day_and_have_no_spaces() -> None:
    app = app_with(ScriptedMemory(known=world()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        named = []
        for key in ("ctrl+t", "v"):
            await pilot.press(key)
            await settle(pilot)
            assert isinstance(app.screen, PictureScreen)
            shown = app.screen.shown()
            named.append("" if shown is None else shown.name)
        assert named == ["erstwhile-timeline-2025-03-14", "erstwhile-map-2025-03-14"]


def of_odete() -> list[Fact]:
    known = ("2024-01-01", None)
    mine = [fact("me", "relative", name, ("2023-01-01", None), known) for name in ("Leonor", "Avó Odete")]
    hers = [fact("Odete", "birth_year", year, (None, None), known, disputed=True) for year in ("1934", "1936")]
    return [*mine, *hers, fact("Odete", "lives_in", "Lamego", ("2010-01-01", "2024-02-01"), known)]


async def test_by_a_name_come_the_facts_of_whoever_has_it_and_what_is_in_dispute_says_so() -> None:
    app = app_with(ScriptedMemory(known=of_odete()))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("map")
        await settle(pilot)
        await pilot.press(*"odete", "enter")
        await settle(pilot)
        pages = []
        for _ in range(5):
            pages.append(" ".join(screen_text(app).split()))
            await pilot.press("n")
            await settle(pilot)
        assert "Odete · lives in 1 belief 1 of 5" in pages[0]
        assert "Nothing was believed here" not in pages[0], "the cursor stands on what there is"
        assert "Lamego" in pages[0].partition("1 of 5")[2]
        assert "Odete · birth year 1 belief · in dispute 2 of 5" in pages[1]
        assert "in dispute with 1936." in pages[1] and "in dispute with 1934." in pages[2]
        assert all("relative" in page for page in pages[3:])
