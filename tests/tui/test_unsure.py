"""What is unsure has a question mark, and one key says whether it is so; a receipt says what was noted."""

from __future__ import annotations

from dataclasses import replace

from textual.pilot import Pilot
from textual.widgets import Input

from app.core.opening import Morning
from app.core.turn import NO_MODEL
from app.tui.app import ErstwhileApp
from app.tui.screens.sleep import BriefDialog
from store.records import Change, Fact, Precision
from store.sleep.telling import BriefLine
from tests.tui.acting import (
    app_with,
    beliefs,
    flashed,
    footer,
    mark,
    mark_value,
    marked,
    say,
    screen_text,
    settle,
    until_shown,
)
from tests.tui.scripted import ScriptedMemory, changed, fact, world
from tests.tui.scripted_parts import ScriptedAnswering
from widgets.choices import Choices, words_of
from widgets.receipt import receipt, told_back


def flatmate() -> Fact:
    ellie = fact("me", "roommate", "Ellie", (None, None), ("2024-11-20", None), quote="Ellie has the small room now")
    return replace(ellie, unsure=True)


def heard() -> ScriptedMemory:
    """A turn teaches where one works, and perhaps whom one lives with."""
    work, ellie = world()[5], flatmate()
    return ScriptedMemory(known=[*world(), ellie], taught={"News.": (changed(work), changed(ellie))})


class Listening(ScriptedAnswering):
    """Whatever is said to it tells something."""

    def tells(self, text: str) -> bool:
        return True


async def to_unsure(pilot: Pilot[None], app: ErstwhileApp) -> None:
    await say(pilot, "News.")
    app.chat.query_one("#memory-rows").focus()
    mark(app, lambda one: "Ellie" in str(words_of(one)))
    await settle(pilot)


async def test_a_yes_confirms_it() -> None:
    memory = heard()
    app = app_with(memory)
    async with app.run_test(size=(120, 36)) as pilot:
        await to_unsure(pilot, app)
        assert "? roommate Ellie" in screen_text(app) and "+ works at Feedzai" in screen_text(app)
        await pilot.press("y")
        await settle(pilot)
        assert ("confirmation", flatmate().id) in memory.calls
        assert "✓ kept" in screen_text(app)


async def test_a_no_drops_it() -> None:
    memory = heard()
    app = app_with(memory)
    async with app.run_test(size=(120, 36)) as pilot:
        await to_unsure(pilot, app)
        await pilot.press("n")
        await settle(pilot)
        assert ("retraction", flatmate().id) in memory.calls
        assert "✗ dropped" in screen_text(app)


async def test_a_narrow_screen_has_a_receipt_under_the_words_and_a_wide_one_the_panel() -> None:
    for width, shown in ((60, True), (120, False)):
        app = app_with(heard())
        async with app.run_test(size=(width, 30)) as pilot:
            await say(pilot, "News.")
            text = await until_shown(pilot, "Noted: works at Feedzai" if shown else "? roommate Ellie")
            assert ("Noted: works at Feedzai" in text) is shown, width


async def test_what_was_told_is_told_back_where_no_model_speaks() -> None:
    memory = ScriptedMemory(known=world(), taught={"News.": (changed(world()[5]), changed(flatmate()))})
    memory.recast(answering=Listening(memory))
    app = app_with(memory)
    async with app.run_test(size=(60, 30)) as pilot:
        await say(pilot, "News.")
        shown = " ".join((await until_shown(pilot, "Unsure: ")).split())
        assert "from memory" in shown and "Noted: you work at Feedzai" in shown and NO_MODEL not in shown
        await say(pilot, "It rained.")
        assert NO_MODEL in await until_shown(pilot, NO_MODEL)


def test_a_reply_says_one_thing_of_one_value() -> None:
    sold = world()[4]
    again = replace(sold, id="again", predicate="happened", text="You sold Acme.")
    assert told_back([changed(sold), changed(again)]) == told_back([changed(sold)])
    gone = Change(sold.believed_from, "retract", None, sold)
    assert told_back([gone]).startswith("Noted: no longer: you ")
    assert told_back([]) == ""


def test_an_end_is_told_back_with_its_day_and_no_doubt_repeats_what_is_known() -> None:
    sold = world()[4]
    day = sold.believed_from
    ended = replace(sold, text="You drank coffee.", valid_to=day, precision_to=Precision.DAY)
    assert told_back([Change(day, "stop", ended, None)]).startswith("Noted: you drank coffee, until ")
    ruth = replace(sold, predicate="accountant", object="Ruth", text="Your accountant is Ruth.")
    again = replace(flatmate(), subject="Ruth", predicate="job", object="accountant", unsure=True)
    assert "Unsure" not in told_back([changed(ruth), changed(again)])


async def test_the_brief_asks_and_takes_one_key_for_an_answer() -> None:
    memory, ellie = heard(), flatmate()
    app = app_with(memory)
    async with app.run_test(size=(120, 36)) as pilot:
        line = BriefLine("unsure", f"? {ellie.text}", (ellie,))
        app.push_screen(BriefDialog(Morning("Since yesterday: 1 thing learned.", (line,))), app._chosen)
        await settle(pilot)
        assert "HEARD, AND NOT SURE" in screen_text(app) and "y or n says whether" in screen_text(app)
        app.screen.query_one(Choices).highlighted = 1
        await pilot.press("y")
        await settle(pilot)
        assert ("confirmation", ellie.id) in memory.calls
        assert "it is so" not in footer(app)


async def test_the_brief_stays_open_until_all_that_is_unsure_is_judged() -> None:
    memory, ellie = heard(), flatmate()
    gus = replace(ellie, id="gus", object="Gus", text="Your roommate is Gus.")
    memory.known = [*memory.known, gus]
    app = app_with(memory)
    async with app.run_test(size=(120, 36)) as pilot:
        both = tuple(BriefLine("unsure", f"? {one.text}", (one,)) for one in (ellie, gus))
        app.push_screen(BriefDialog(Morning("Since yesterday: 2 things learned.", both)), app._chosen)
        await settle(pilot)
        app.screen.query_one(Choices).highlighted = 1
        await pilot.press("y")
        await settle(pilot)
        assert isinstance(app.screen, BriefDialog) and ("confirmation", ellie.id) in memory.calls
        assert "Gus" in screen_text(app) and "roommate is Ellie" not in screen_text(app)
        await pilot.press("n")
        await settle(pilot)
        assert not isinstance(app.screen, BriefDialog)


def test_a_receipt_says_what_ended_and_counts_what_is_too_much() -> None:
    gone = changed(replace(world()[4], change="stop"))
    assert receipt([gone]).startswith("Noted: no longer works at Acme")
    assert receipt([gone] * 8).count("no longer works at Acme") == 8 and "more" not in receipt([gone] * 8)
    assert receipt([gone] * 10).endswith("; and 2 more")
    children = [replace(flatmate(), unsure=False, object=name, text=f"Your child is {name}.") for name in "ABCDEFGHIJ"]
    assert "child is H." in told_back([changed(one) for one in children[:8]])
    assert told_back([changed(one) for one in children]).endswith("; and 2 more.")
    assert receipt([]) == ""


async def test_all_that_is_unsure_stands_behind_a_chip_of_the_beliefs() -> None:
    memory, ellie = heard(), flatmate()
    memory.known = world()
    app = app_with(memory)
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("ctrl+l")
        await settle(pilot)
        await pilot.press("5")
        assert "Nothing is unsure." in await until_shown(pilot, "Nothing is unsure.")
        await pilot.press("escape")
        memory.known = [*world(), ellie]
        await pilot.press("ctrl+l")
        await settle(pilot)
        await pilot.press("5")
        text = await until_shown(pilot, "Ellie")
        assert "5 ● unsure" in text and "Feedzai" not in text
        mark(app, lambda one: isinstance(one, Fact))
        await settle(pilot)
        assert "y it is so" in footer(app) and "p pin" not in footer(app)
        await pilot.press("y")
        await settle(pilot)
        assert ("confirmation", ellie.id) in memory.calls


async def test_what_is_unsure_is_put_right_where_the_help_says_so() -> None:
    memory, ellie = heard(), flatmate()
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await beliefs(pilot, "5")
        mark(app, lambda one: isinstance(one, Fact))
        await settle(pilot)
        assert "e correct" in footer(app) and "y it is so" in footer(app)
        await pilot.press("f1")
        shown = " ".join(screen_text(app).split())
        assert "y says that it is so" in shown and "s says that" not in shown
        await pilot.press("escape", "e")
        app.screen.query_one("#right", Input).value = "Elsa"
        await pilot.press("enter")
        await settle(pilot)
        assert ("correct", ("me", "roommate", "Elsa", None, "Ellie")) in memory.calls
        assert ellie.id not in [one.id for one in memory.known if one.unsure and one.believed_to is None]


async def test_what_is_answered_stays_in_its_row_so_that_the_next_key_hits_no_other() -> None:
    heard_of = [replace(flatmate(), id=f"u{name}", object=name, slot="") for name in ("Ann", "Bea", "Cat", "Dot")]
    app = app_with(memory := ScriptedMemory(known=heard_of))
    async with app.run_test(size=(100, 36)) as pilot:
        await beliefs(pilot, "5")
        mark_value(app, "Ann")
        await pilot.press("y")
        await settle(pilot)
        assert (marked(app).object, marked(app).unsure) == ("Ann", False)
        await pilot.press("down", "r")
        await settle(pilot)
        assert (marked(app).object, marked(app).believed_to is None) == ("Bea", False)
        assert "✗ roommate" in screen_text(app)
        for key in ("e", "r"):
            await pilot.press(key)
            await settle(pilot)
            assert flashed(app) == "✗ You said that this is not so: u takes that back."
        assert [one.object for one in memory.known if one.unsure and one.believed_to is None] == ["Cat", "Dot"]
        await pilot.press("u")
        await settle(pilot)
        assert (marked(app).object, marked(app).believed_to, marked(app).unsure) == ("Bea", None, True)
        assert screen_text(app).count("roommate  ") == 5, "four rows, and the details of one"
