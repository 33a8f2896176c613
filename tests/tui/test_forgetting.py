"""Asked to forget somebody, the chat shows what would go, and writes the request down nowhere."""

from __future__ import annotations

import pytest
from textual.fuzzy import Matcher

from app.core.stock_replies import FORGET
from app.core.turn import NO_MODEL
from app.tui.palette import COMMANDS
from app.tui.screens.base import still_kept
from app.tui.screens.dialogs import ONLY_HERE, EraseDialog
from store.memory import Memory
from store.records import Turn
from tests.tui.acting import say, screen_text, settle
from tests.tui.scripted import ScriptedModel
from tests.tui.test_attaching import app_of
from widgets.choices import Choices, words_of
from widgets.transcript import TurnView
from widgets.wording import count


async def test_it_shows_what_goes_and_erases_it(memory: Memory) -> None:
    for text in ("My flatmate is Petra.", "I live in Leeds."):
        memory.reading.learn(memory.episodes.remember(Turn(text, "then")).id)
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "please forget everything about Petra")
        assert isinstance(app.screen, EraseDialog)
        assert [one.text for one in app.screen.radius.turns] == ["My flatmate is Petra."]
        await pilot.press(*"erase", "enter")
        await settle(pilot)
        assert [one.object for one in memory.beliefs.facts()] == ["Leeds"]
        assert memory.recall.search("Petra").hits == () or all(
            "Petra" not in one.text for one in memory.recall.search("Petra").hits
        )


async def test_what_the_turns_that_stay_taught_is_still_told(memory: Memory) -> None:
    app = app_of(memory, lambda: None)
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        for text in ("My flatmate is Petra.", "I live in Leeds.", "Marta and Tom went to Paris last week."):
            await say(pilot, text)
        told = ("Noted: you live in Leeds.", "Marta visited Paris")
        before = " ".join(" ".join(view.text for view in app.screen.query(TurnView)).split())
        assert all(one in before for one in told), before
        await say(pilot, "forget everything about Petra")
        await pilot.press(*"erase", "enter")
        await settle(pilot)
        shown = [view.text for view in app.screen.query(TurnView)]
        assert "My flatmate is Petra." not in shown
        assert all(any(one in text for text in shown) for one in told), shown
        assert NO_MODEL not in shown


async def test_it_names_what_else_only_those_turns_say(memory: Memory) -> None:
    for text in ("My flatmate is Petra and my rent is 700 euros.", "I live in Leeds."):
        memory.reading.learn(memory.episodes.remember(Turn(text, "then")).id)
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "forget petra, don't want her in here")
        assert isinstance(app.screen, EraseDialog)
        assert [one.object for one in app.screen.radius.others] == ["700 euros"]
        assert ONLY_HERE in screen_text(app)
        assert "Your rent is 700 euros." in screen_text(app)


async def test_it_names_who_has_the_same_name_and_stays(memory: Memory) -> None:
    for text in ("My friend Dorte likes tea.", "Dorte Lund lives in Randers.", "Dorte Lund likes figs."):
        memory.reading.learn(memory.episodes.remember(Turn(text, "then")).id)
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 36)) as pilot:
        await settle(pilot)
        await say(pilot, "Forget Dorte too, all of it")
        assert isinstance(app.screen, EraseDialog)
        believed = count(len(memory.beliefs.facts(about="Dorte Lund")), "belief")
        assert app.screen.radius.stays == f"Dorte Lund, who may be the same, stays: {believed}."
        assert app.screen.radius.stays in screen_text(app)
        await pilot.press("escape")
        await say(pilot, "forget everything about Dorte Lund")
        assert isinstance(app.screen, EraseDialog) and app.screen.radius.stays == ""


async def test_it_is_asked_in_any_words(memory: Memory) -> None:
    memory.reading.learn(memory.episodes.remember(Turn("My friend Tove Lind plays the tuba.", "then")).id)
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "pls forget tove entirely")
        assert isinstance(app.screen, EraseDialog)
        assert [one.turns for one in memory.sessions.all()] == [1]


@pytest.mark.parametrize("typed", ["forget", "forget a person", "erase a person", "erase person"])
def test_the_palette_finds_it(typed: str) -> None:
    (title,) = (title for title, _, action in COMMANDS if action == "chat('forget')")
    assert Matcher(typed).match(title) > 0


@pytest.mark.parametrize("said", [("I live in Leeds.", "I have a cat."), ("I have a cat.",)])
async def test_a_conversation_has_one_title_everywhere_after_an_erase(memory: Memory, said: tuple[str, ...]) -> None:
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for text in ("My flatmate is Petra.", *said):
            await say(pilot, text)
        gone = memory.erasing.selection(episode=memory.recall.search("My flatmate is Petra.").hits[0].id)
        memory.erasing.erase(gone)
        await app.run_action("forget_words")
        await settle(pilot)
        await say(pilot, "Who is Petra?")
        assert said[0] in screen_text(app).splitlines()[0]
        await pilot.press("ctrl+o")
        await settle(pilot)
        listed = [str(words_of(row.record)) for row in app.screen.query_one(Choices).rows if row.record is not None]
        assert listed == [said[0]]
        await pilot.press(*"leeds")
        await settle(pilot)
        assert len(app.screen.query_one(Choices).rows) == (2 if "Leeds" in said[0] else 0)


async def test_the_palette_begins_the_request(memory: Memory) -> None:
    app = app_of(memory, ScriptedModel())
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await app.run_action("chat('forget')")
        await settle(pilot)
        assert app.chat.prompt.text == FORGET


@pytest.mark.parametrize(
    ("copies", "file", "named"),
    [(1, "Delete this backup", 1), (2, "Delete these 2 backups", 2), (9, "Delete these 9", 3)],
)
def test_it_says_what_one_can_do_about_the_copies_that_still_have_the_words(copies: int, file: str, named: int) -> None:
    told = still_kept([f"/home/ana/m-{number}.auto.backup.db" for number in range(copies)])
    assert file in told.splitlines()[0] and told.count(".backup.db") == named
    assert (f"and {copies - named} more" in told) is (copies > named)


@pytest.mark.parametrize(
    ("copies", "told"),
    [
        (["the-boss-chat.md"], "Delete this export, too:"),
        (["a.md", "all.jsonl"], "Delete these 2 exports, too:"),
        (["memory.backup.db", "a.md"], "Delete these 2 backups and exports, too:"),
    ],
)
def test_an_export_is_not_called_a_backup(copies: list[str], told: str) -> None:
    assert still_kept([f"/home/ana/{one}" for one in copies]).splitlines()[0] == told
