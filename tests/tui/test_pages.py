"""The page of somebody, and what differs between two moments: both lead on to where it came from."""

from __future__ import annotations

from app.tui.screens.beliefs import ChainScreen, EntityScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import EraseDialog, WhenDialog
from app.tui.screens.timeline import DifferenceDialog
from tests.tui.acting import app_with, beliefs, mark, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, fact, turns, world
from widgets.fact_rows import RelationBranch, Subject

SISTER = fact("me", "sister", "Ana", (None, None), ("2024-01-01", None))


async def test_a_page_says_what_holds_what_was_and_who_they_are_to_others() -> None:
    app = app_with(ScriptedMemory(known=[*world(), SISTER], said=turns(4)))
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await beliefs(pilot)
        mark(app, lambda record: isinstance(record, Subject) and record.name == "Ana")
        await pilot.press("o")
        await settle(pilot)
        assert isinstance(app.screen, EntityScreen)
        shown = screen_text(app)
        assert "EB Telheiras" in shown
        assert "└─ sister of ─ you" in shown
        assert "BEFORE" in shown
        assert "Colégio Moderno" in shown
        mark(app, lambda record: isinstance(record, RelationBranch))
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, EntityScreen)
        assert app.screen.subject == "me"
        await pilot.press("escape", "escape")
        await settle(pilot)


async def test_a_belief_that_names_somebody_leads_to_their_page_and_what_is_to_come_stands_among_what_is() -> None:
    ahead = fact("me", "event", "the notary", ("2090-03-05", "2090-03-06"), ("2024-01-01", None))
    app = app_with(ScriptedMemory(known=[*world(), SISTER, ahead]))
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await beliefs(pilot)
        assert "the notary" in screen_text(app)
        mark(app, lambda record: getattr(record, "predicate", "") == "sister")
        await pilot.press("o")
        await settle(pilot)
        assert isinstance(app.screen, EntityScreen)
        assert app.screen.subject == "Ana"


async def test_from_a_page_one_goes_to_a_chain_and_erases_a_person() -> None:
    app = app_with(ScriptedMemory(known=[*world(), SISTER]))
    async with app.run_test(size=(120, 44)) as pilot:
        await settle(pilot)
        await beliefs(pilot)
        mark(app, lambda record: isinstance(record, Subject) and record.name == "Ana")
        await pilot.press("o")
        await settle(pilot)
        mark(app, lambda record: isinstance(record, RelationBranch))
        await pilot.press("x")
        await settle(pilot)
        assert isinstance(app.screen, EraseDialog)
        assert "Erase everything about Ana?" in screen_text(app)
        await pilot.press("escape")
        mark(app, lambda record: getattr(record, "object", "") == "EB Telheiras")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)


async def test_what_differs_from_the_cursor_to_now_is_listed() -> None:
    app = app_with()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press(*["left_square_bracket"] * 5, "equals_sign")
        await settle(pilot)
        assert isinstance(app.screen, DifferenceDialog)
        shown = screen_text(app)
        assert "~ lives in Lisbon, Rua da Rosa  was Porto, Rua das Flores" in shown
        assert "to now" in shown
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)


async def test_with_both_cursors_on_now_a_date_is_asked_for() -> None:
    app = app_with()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("equals_sign")
        await settle(pilot)
        assert isinstance(app.screen, WhenDialog)
        await type_text(pilot, "2024-06-20")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, DifferenceDialog)
        assert "From 20 June 2024 to now" in screen_text(app)
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
