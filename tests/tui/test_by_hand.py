"""Correct, take back, pin, settle, undo, erase: each key does what the footer says it does, and says that it did."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from app.tui.app import ErstwhileApp
from app.tui.screens.beliefs import BeliefsScreen, ChainScreen, CorrectDialog, EntityScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import EraseDialog
from store.records import Fact
from tests.tui.acting import (
    app_with,
    beliefs,
    flashed,
    footer,
    mark,
    mark_value,
    marked,
    screen_text,
    settle,
    type_text,
)
from tests.tui.scripted import ScriptedMemory, fact, instant, world
from widgets.bars import Flash
from widgets.chips import Chip, Chips
from widgets.choices import Choices
from widgets.fact_rows import Subject


def disputed() -> list[Fact]:
    cats = fact("Ana", "cat", "Mia", ("2024-01-01", None), ("2024-02-01", None), disputed=True, quote="her cat Mia")
    return [cats, fact("Ana", "cat", "Lua", ("2024-01-01", None), ("2024-02-02", None), disputed=True)]


# -- the list of beliefs


@pytest.mark.parametrize("size", [(60, 24), (100, 30), (160, 40)])
async def test_beliefs_stand_under_whom_they_are_about_with_their_words(size: tuple[int, int]) -> None:
    app = app_with()
    async with app.run_test(size=size) as pilot:
        await beliefs(pilot)
        shown = screen_text(app)
        assert "▾ me" in shown
        assert "▾ Ana" in shown or size[1] < 30
        assert "Feedzai" in shown
        mark(app, lambda one: isinstance(one, Fact) and one.object.startswith("Lisbon"))
        await settle(pilot)
        assert "we sign on the 1st" in screen_text(app)
        assert "now · " in shown or "now" in shown
        assert "enter open" in footer(app)


async def test_the_chips_choose_by_key_and_by_mouse() -> None:
    known = [*world(), *disputed(), fact("me", "likes", "tea", ("2024-01-01", None), ("2024-02-01", None), pinned=True)]
    app = app_with(ScriptedMemory(known=known))
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        assert "Rua de Cedofeita" not in screen_text(app)
        await pilot.press("1")
        await settle(pilot)
        assert "✗ lives in" in screen_text(app)
        assert "● ever" in screen_text(app)
        await pilot.press("3")
        await settle(pilot)
        objects = {row.record.object for row in app.screen.query_one(Choices).rows if isinstance(row.record, Fact)}
        assert objects == {"Mia", "Lua"}
        await pilot.press("3", "2")
        await settle(pilot)
        assert marked(app).object == "tea"
        assert "▪ pinned" in screen_text(app)
        await pilot.click(list(app.screen.query(Chip))[1])
        await settle(pilot)
        assert app.screen.query_one(Chips).wanted.pinned is False
        await pilot.press("4")
        await settle(pilot)
        assert "Feedzai" in screen_text(app)


async def test_the_filter_narrows_and_escape_clears_before_it_leaves() -> None:
    app = app_with()
    async with app.run_test(size=(100, 30)) as pilot:
        await beliefs(pilot, "slash")
        await type_text(pilot, "telheiras")
        await settle(pilot)
        assert "Feedzai" not in screen_text(app)
        await pilot.press("enter")
        assert app.screen.query_one(Choices).has_focus
        await pilot.press("slash")
        await type_text(pilot, " zzz")
        await settle(pilot)
        assert "Nothing matches" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, BeliefsScreen)
        assert "Feedzai" in screen_text(app)
        await pilot.press("escape")
        assert isinstance(app.screen, ChatScreen)


async def test_an_arrow_leads_from_the_filter_to_the_list() -> None:
    """A letter that is meant for the marked row is not typed into the field."""
    app = app_with()
    async with app.run_test(size=(100, 30)) as pilot:
        await beliefs(pilot, "slash")
        await type_text(pilot, "feedzai")
        await settle(pilot)
        await pilot.press("down", "e")
        await settle(pilot)
        assert isinstance(app.screen, CorrectDialog)
        assert app.screen.fact.object == "Feedzai"


async def test_no_beliefs_teach_what_to_do() -> None:
    app = app_with(ScriptedMemory(known=[]))
    async with app.run_test(size=(100, 30)) as pilot:
        await beliefs(pilot, "e", "r", "p", "s", "u", "x", "y", "enter")
        assert "Tell me something in the chat" in screen_text(app)
        assert isinstance(app.screen, BeliefsScreen)
        assert "correct" not in footer(app)


@pytest.mark.parametrize("keys", [("slash", "z", "z", "z", "escape"), ("5", "5"), ("3", "3")])
async def test_a_list_that_was_empty_has_its_whole_width_again(keys: tuple[str, ...]) -> None:
    app = app_with()
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        before = [line for line in screen_text(app).splitlines() if "●" in line]
        await pilot.press(*keys)
        await settle(pilot)
        assert [line for line in screen_text(app).splitlines() if "●" in line] == before
        await pilot.resize_terminal(160, 40)
        await settle(pilot)
        assert "…" not in "".join(line for line in screen_text(app).splitlines() if "  ● " in line)


async def test_what_a_filter_finds_is_marked_and_what_was_said_before_goes() -> None:
    app = app_with()
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        mark_value(app, "Feedzai")
        await pilot.press("p")
        await settle(pilot)
        assert flashed(app)
        await pilot.press("slash")
        await type_text(pilot, "telheiras")
        await pilot.press("enter")
        await settle(pilot)
        assert "Telheiras" in marked(app).object
        assert not app.screen.query_one(Flash).has_class("-said")
        mark(app, lambda one: isinstance(one, Subject))
        await pilot.press("slash", "backspace", "enter")
        await settle(pilot)
        assert marked(app)


async def test_a_key_that_can_do_nothing_says_why() -> None:
    sure = fact("Ana", "cat", "Mia", ("2024-01-01", None), ("2024-02-01", None))
    gone = fact("Ana", "dog", "Rex", ("2023-01-01", "2023-06-01"), ("2023-02-01", "2023-07-01"))
    app = app_with(ScriptedMemory(known=[sure, gone]))
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot, "1")
        mark(app, lambda one: isinstance(one, Subject))
        for key in "erps":
            app.screen.query_one(Flash).hush()
            await pilot.press(key)
            assert flashed(app) == "✗ That is a heading: mark one of the beliefs below it first.", key
        await pilot.press("u")
        assert flashed(app) == "✗ Nothing that was done by hand is left to undo."
        mark_value(app, "Mia")
        await pilot.press("s")
        assert flashed(app) == "✗ That is not in dispute, so there is nothing to settle."
        mark_value(app, "Rex")
        await pilot.press("e")
        assert flashed(app) == "✗ That is not believed any more: r brings it back."
        await pilot.press("r")
        await settle(pilot)
        assert flashed(app).startswith("✓ Brought back")


async def test_enter_folds_a_person_and_opens_a_chain() -> None:
    app = app_with()
    async with app.run_test(size=(100, 40)) as pilot:
        await beliefs(pilot)
        mark(app, lambda one: isinstance(one, Subject) and one.name == "Ana")
        await pilot.press("enter")
        await settle(pilot)
        assert "▸ Ana" in screen_text(app)
        assert "Telheiras" not in screen_text(app)
        assert "x erases" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "Telheiras" in screen_text(app)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, BeliefsScreen)


# -- its keys


async def test_what_is_believed_not_to_be_so_is_put_right_by_the_very_value() -> None:
    memory = ScriptedMemory()
    memory.known = [replace(one, negative=True) if one.object == "Feedzai" else one for one in memory.known]
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        mark_value(app, "Feedzai")
        await pilot.press("e")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert ("correct", ("me", "works_at", "Feedzai", None, "Feedzai")) in memory.calls


async def test_correcting_asks_for_the_right_value_and_undo_takes_it_back() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        assert "undo" not in footer(app)
        mark_value(app, "Feedzai")
        await pilot.press("e")
        await settle(pilot)
        assert isinstance(app.screen, CorrectDialog)
        await pilot.press("enter")
        assert isinstance(app.screen, CorrectDialog), "the same value corrects nothing"
        await type_text(pilot, "Talkdesk")
        await pilot.press("enter")
        await settle(pilot)
        assert ("correct", ("me", "works_at", "Talkdesk", None, "Feedzai")) in memory.calls
        assert flashed(app) == "✓ Corrected: works at Talkdesk, not Feedzai"
        assert marked(app).object == "Talkdesk"
        assert "u undo" in footer(app)
        await pilot.press("u")
        await settle(pilot)
        assert flashed(app).startswith("✓ Undone: correction")
        assert marked(app).object == "Feedzai"
        assert "undo" not in footer(app)


async def asks_for_the_time_of_feedzai(app: ErstwhileApp, pilot: Pilot[None]) -> None:
    """The dialog that corrects it, with the cursor in the field for its time."""
    await beliefs(pilot)
    mark_value(app, "Feedzai")
    await pilot.press("e", "tab")


async def test_a_correction_can_have_a_time_of_its_own_and_says_how_it_reads_it() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await asks_for_the_time_of_feedzai(app, pilot)
        app.screen.query_one("#since", Input).value = "blorp"
        await settle(pilot)
        await pilot.press("enter")
        assert isinstance(app.screen, CorrectDialog)
        app.screen.query_one("#since", Input).value = "2008 to 2004"
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, CorrectDialog), "it would end before it begins"
        assert "end before it begins" in str(app.screen.query_one("#reading", Static).render())
        app.screen.query_one("#since", Input).value = "2024-03-05"
        await settle(pilot)
        assert "→ since 5 March 2024" in str(app.screen.query_one("#reading", Static).render())
        await pilot.press("enter")
        await settle(pilot)
        name, what = memory.calls[-1] if memory.calls[-1][0] == "correct" else next(
            one for one in reversed(memory.calls) if one[0] == "correct"
        )  # fmt: skip
        assert isinstance(what, tuple)
        assert (name, what[3].start) == ("correct", instant("2024-03-05").us)


async def test_a_correction_says_until_when_it_was_so() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await asks_for_the_time_of_feedzai(app, pilot)
        app.screen.query_one("#since", Input).value = "from 2019 to May 2024"
        await settle(pilot)
        assert "→ since 2019 until May 2024" in str(app.screen.query_one("#reading", Static).render())
        await pilot.press("enter")
        await settle(pilot)
        assert not isinstance(app.screen, CorrectDialog)
        assert "correct" in {name for name, _ in memory.calls}


async def test_an_empty_field_holds_no_value_and_an_hour_is_read_back() -> None:
    visit = fact("me", "event", "dentist", ("2024-05-14", "2024-05-15"), ("2024-02-01", None))
    app = app_with(ScriptedMemory(known=[visit]))
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot, "1")
        mark_value(app, "dentist")
        await pilot.press("e", "tab")
        fields = [one.placeholder for one in app.screen.query(Input)]
        assert all(one.startswith("leave empty") for one in fields[1:])
        app.screen.query_one("#since", Input).value = "14 December 2026 at 9.30"
        await settle(pilot)
        assert "→ 09:30 on 14 December 2026" in str(app.screen.query_one("#reading", Static).render())


async def test_a_correction_can_say_whom_it_is_about() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        mark_value(app, "Feedzai")
        await pilot.press("e", "tab", "tab")
        await type_text(pilot, "Ana")
        await pilot.press("enter")
        await settle(pilot)
        assert ("correct", ("Ana", "works_at", "Feedzai", None, None)) in memory.calls
        assert flashed(app) == "✓ Corrected: Ana · works at Feedzai, and it is not yours"


async def test_take_back_bring_back_pin_and_unpin() -> None:
    app = app_with()
    async with app.run_test(size=(160, 40)) as pilot:
        await beliefs(pilot, "1")
        mark_value(app, "Kyoto")
        await pilot.press("p")
        await settle(pilot)
        assert marked(app).pinned
        assert "p unpin" in footer(app)
        await pilot.press("p")
        await settle(pilot)
        assert not marked(app).pinned
        await pilot.press("r")
        await settle(pilot)
        assert flashed(app) == "✓ Taken back: visited Kyoto"
        assert "✗ visited" in screen_text(app)
        assert "r bring back" in footer(app)
        assert "correct" not in footer(app)
        await pilot.press("r")
        await settle(pilot)
        assert flashed(app) == "✓ Brought back: visited Kyoto"
        assert marked(app).believed_to is None


async def test_what_is_taken_back_stays_marked_so_that_the_next_key_cannot_hit_another() -> None:
    likes = [fact("me", "likes", what, ("2024-01-01", None), ("2024-02-01", None)) for what in ("jazz", "rum", "tea")]
    likes = [replace(one, slot=f"me|likes|{one.object}") for one in likes]
    memory = ScriptedMemory(known=likes)
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        mark_value(app, "rum")
        await pilot.press("r")
        await settle(pilot)
        assert (marked(app).object, marked(app).believed_to is None) == ("rum", False)
        assert "✗ likes" in screen_text(app)
        assert "r bring back" in footer(app)
        mark_value(app, "tea")
        await pilot.press("u")
        await settle(pilot)
        assert (marked(app).object, marked(app).believed_to) == ("rum", None), "undo goes to what came back"
        await pilot.press("r", "1", "1", "r")
        await settle(pilot)
        assert [one.believed_to for one in memory.known] == [None, None, None], "twice r brings it back"
        mark_value(app, "jazz")
        await pilot.press("e")
        await settle(pilot)
        await type_text(pilot, "waltz")
        await pilot.press("enter")
        await settle(pilot)
        assert marked(app).object == "waltz"
        mark_value(app, "tea")
        await pilot.press("u")
        await settle(pilot)
        assert marked(app).object == "jazz"


async def test_settling_is_offered_only_in_a_dispute() -> None:
    memory = ScriptedMemory(known=[*world(), *disputed()])
    app = app_with(memory)
    async with app.run_test(size=(160, 40)) as pilot:
        await beliefs(pilot)
        assert "settle" not in footer(app)
        mark_value(app, "Mia")
        await settle(pilot)
        assert "in dispute with Lua" in screen_text(app)
        assert "s settle" in footer(app)
        await pilot.press("s")
        await settle(pilot)
        assert not marked(app).disputed
        assert "settled" in memory.names()


async def test_erasing_shows_how_much_goes_and_asks_for_the_word() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        app.chat.open_session("s1")
        await settle(pilot)
        await beliefs(pilot)
        mark(app, lambda one: isinstance(one, Fact) and one.subject == "me")
        await pilot.press("p")
        await settle(pilot)
        assert "u undo" in footer(app)
        mark(app, lambda one: isinstance(one, Subject) and one.name == "Ana")
        await pilot.press("x")
        await settle(pilot)
        assert isinstance(app.screen, EraseDialog)
        shown = screen_text(app)
        assert "Erase everything about Ana?" in shown
        assert "6 turns in 1 conversation" in shown
        assert "2 beliefs resting on them, present or past" in shown
        assert len(app.screen.radius.turns) == 6, "each turn that goes is listed"
        await type_text(pilot, "yes")
        await pilot.press("enter")
        assert isinstance(app.screen, EraseDialog)
        app.screen.query_one(Input).value = "erase"
        await pilot.press("enter")
        await settle(pilot)
        assert "erase" in memory.names()
        assert flashed(app).endswith("; 1 copy still has the words: old.backup.db")
        assert any("old.backup.db" in one.message for one in app._notifications)
        assert "Ana" not in screen_text(app).splitlines()[5]
        assert "undo" not in footer(app), "it would undo what was done before that"
        await pilot.press("escape")
        await settle(pilot)
        assert "keys the same day" not in screen_text(app), "an open conversation must not show what was erased"


async def test_escape_erases_nothing_and_a_refusal_is_said() -> None:
    memory = ScriptedMemory(busy=True)
    app = app_with(memory)
    async with app.run_test(size=(100, 24)) as pilot:
        await beliefs(pilot, "x")
        assert isinstance(app.screen, EraseDialog)
        await pilot.press("escape")
        await settle(pilot)
        assert "erase" not in memory.names()
        await pilot.press("x")
        await settle(pilot)
        await type_text(pilot, "ERASE")
        await pilot.press("enter")
        await settle(pilot)
        assert flashed(app).startswith("✗ Another reader keeps old pages")


# -- the chain


async def test_the_chain_pins_takes_back_and_undoes() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "p pin" in footer(app)
        await pilot.press("p")
        await settle(pilot)
        assert "p unpin" in footer(app)
        await pilot.press("r")
        await settle(pilot)
        assert flashed(app).startswith("✓ Taken back: lives in Lisbon")
        assert "r bring back" in footer(app)
        await pilot.press("u", "u")
        await settle(pilot)
        assert memory.known == world()
        assert "undo" not in footer(app)


async def test_a_screen_below_shows_what_was_done_on_the_one_above() -> None:
    memory = ScriptedMemory(known=world())
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot)
        mark_value(app, "Feedzai")
        await pilot.press("o")
        await settle(pilot)
        assert isinstance(app.screen, EntityScreen) and "Feedzai" in screen_text(app)
        mark_value(app, "Feedzai")
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        memory.known = [one for one in memory.known if one.object != "Feedzai"]
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, EntityScreen) and "Feedzai" not in screen_text(app)
