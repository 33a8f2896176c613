"""An import asks who of those who speak is the person, and nothing that is typed while a dialog is open is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from app.core.bringing import ImportPreview, who_may_be_me
from app.core.deeds import Radius
from app.tui.app import ErstwhileApp
from app.tui.screens.bring import WHO, ImportDialog
from app.tui.screens.dialogs import ConsentDialog, EraseDialog
from store.formats.report import Options
from store.maintenance.erase import Selection
from store.memory import Memory
from store.records import Ingested, Turn
from tests.tui.acting import app_with, screen_text, settle, type_text
from tests.tui.scripted import ZONE, ScriptedMemory, fact, instant
from tests.tui.scripted_parts import ScriptedEpisodes
from tests.tui.test_attaching import app_of
from widgets.choices import Choices
from widgets.prompt import Prompt

CHAT = """12/03/2026, 18:04 - Mara: I have moved to Ghent.
12/03/2026, 18:05 - Tom: Well done!
12/03/2026, 18:06 - Mara: My new flat has a balcony.
"""


PREVIEW = ImportPreview((), Options(ZONE, instant("2026-03-12")), 6, 1, None, None, ("whatsapp",), ())


async def looked(pilot: Pilot[None], path: Path) -> None:
    """Open the import, and look into this file."""
    await settle(pilot)
    await pilot.press("f8")
    await settle(pilot)
    pilot.app.screen.query_one(Input).value = str(path)
    await pilot.press("enter")
    await settle(pilot)


def whatsapp(tmp_path: Path, name: str) -> Path:
    (path := tmp_path / f"{name}.txt").write_text(CHAT, encoding="utf-8")
    return path


def offered(app: ErstwhileApp) -> list[object]:
    return [row.record for row in app.screen.query_one(Choices).rows]


@pytest.mark.parametrize(
    ("name", "called", "first"),
    [
        ("WhatsApp Chat with Tom", "", "Mara"),
        ("WhatsApp Chat with Mara", "", "Tom"),
        ("chat", "Tom Baker", "Tom"),
        ("chat of Tom", "Tom Mara Baker", "Mara"),
        ("chat", "", "Mara"),
    ],
)
async def test_of_two_who_speak_one_is_asked_who_is_oneself(tmp_path: Path, name: str, called: str, first: str) -> None:
    known = [fact("me", "name", called, (None, None), ("2026-01-01", None))] if called else []
    memory = ScriptedMemory(known=known)
    app = app_with(memory)
    async with app.run_test(size=(110, 40)) as pilot:
        await looked(pilot, whatsapp(tmp_path, name))
        assert WHO in screen_text(app)
        assert offered(app)[0] == app.screen.query_one(Choices).pointed == first
        await pilot.press("enter")
        await settle(pilot)
        assert ("name_person", (first,)) in memory.calls
        shown = screen_text(app)
        assert "3 new, 0 known before" in shown and f"You are {first} there" in shown


async def test_a_chat_is_named_after_the_others_in_it(tmp_path: Path, memory: Memory) -> None:
    app = app_of(memory, None)
    async with app.run_test(size=(110, 40)) as pilot:
        await looked(pilot, whatsapp(tmp_path, "wa"))
        me = offered(app)[0]
        await pilot.press("enter")
        await settle(pilot)
        assert {one.title for one in memory.sessions.all()} == {"Mara", "Tom"} - {me}


@pytest.mark.parametrize(("down", "named"), [(1, ["Mara"]), (2, [])])
async def test_another_one_can_be_chosen_or_none(tmp_path: Path, down: int, named: list[str]) -> None:
    memory = ScriptedMemory(known=[])
    app = app_with(memory)
    async with app.run_test(size=(110, 40)) as pilot:
        await looked(pilot, whatsapp(tmp_path, "with Mara"))
        await pilot.press(*["down"] * down, "enter")
        await settle(pilot)
        assert [said for name, said in memory.calls if name == "name_person"] == [tuple(named)]
        assert "ingest" in memory.names()


async def test_enter_on_the_path_leads_to_the_question_and_imports_nothing_without_an_answer(tmp_path: Path) -> None:
    memory = ScriptedMemory(known=[])
    app = app_with(memory)
    async with app.run_test(size=(60, 30)) as pilot:
        await looked(pilot, whatsapp(tmp_path, "with Mara"))
        await pilot.press("tab", "enter")
        await settle(pilot)
        choices = app.screen.query_one(Choices)
        assert "ingest" not in memory.names() and choices.has_focus and choices.highlighted == 0
        await pilot.press("enter")
        await settle(pilot)
        assert [said for name, said in memory.calls if name == "name_person"] == [("Tom",)]


async def test_who_was_taken_before_is_offered_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptedMemory, "person", frozenset({"me", "tom"}))
    app = app_with(ScriptedMemory(known=[]))
    async with app.run_test(size=(110, 40)) as pilot:
        await looked(pilot, whatsapp(tmp_path, "with Tom"))
        assert offered(app)[0] == "Tom"
        await pilot.press("enter")
        await settle(pilot)
        assert "3 new, 0 known before" in screen_text(app)


@pytest.mark.parametrize("names", [("Gerald Pennock", "Clive Pennock"), ("Clive Pennock", "Gerald Pennock")])
def test_of_two_of_one_family_the_one_called_as_the_person_is_comes_first(names: tuple[str, str]) -> None:
    memory = ScriptedMemory(known=[fact("me", "name", "Gerald Pennock", (None, None), ("2026-01-01", None))])
    found = replace(PREVIEW, speakers=tuple((name, 3) for name in names))
    assert who_may_be_me(memory, found)[0] == "Gerald Pennock"


# -- what is typed meanwhile


class Slow(ScriptedEpisodes):
    """Takes turns only once it is let."""

    def __init__(self, script: ScriptedMemory) -> None:
        super().__init__(script)
        self.let = threading.Event()

    def ingest(self, turns: Iterable[Turn], total: int | None = None) -> Iterator[Ingested]:
        self.let.wait(5)
        yield from super().ingest(turns, total)


async def test_what_is_typed_while_an_import_runs_stands_in_the_prompt(tmp_path: Path) -> None:
    memory = ScriptedMemory(known=[])
    slow = Slow(memory)
    memory.recast(episodes=slow)
    app = app_with(memory)
    async with app.run_test(size=(110, 40)) as pilot:
        await looked(pilot, whatsapp(tmp_path, "chat"))
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("H", "i", "space", "M", "o")
        app.post_message(events.Paste(", it runs"))
        await pilot.pause()
        slow.let.set()
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == "Hi Mo, it runs"
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen is app.chat
        assert app.chat.query_one(Prompt).text == "Hi Mo, it runs"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("I met Ana at the fair", "I met Ana at the fair"),
        ("tea and/or milk", "tea and/or milk"),
        ("~/Downlo", ""),
        ("/tmp/nothing there", ""),
        ("pyproject.toml", ""),
        ("", ""),
    ],
)
async def test_what_is_no_path_stands_in_the_prompt_when_the_import_is_left(
    typed: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    app = app_with()
    async with app.run_test(size=(110, 40)) as pilot:
        await settle(pilot)
        await type_text(pilot, "So: ")
        await pilot.press("f8")
        await settle(pilot)
        assert isinstance(app.screen, ImportDialog)
        app.screen.query_one(Input).value = typed
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == f"So: {kept}"


async def test_f1_says_how_an_import_goes() -> None:
    app = app_with()
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f8", "f1")
        await settle(pilot)
        assert "Type the path of a file" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, ImportDialog)


@pytest.mark.parametrize(("typed", "kept"), [("yes and by the way", "yes and by the way"), ("era", "")])
async def test_what_was_typed_as_an_erase_asked_its_question_is_not_lost(typed: str, kept: str) -> None:
    app = app_with()
    async with app.run_test(size=(110, 40)) as pilot:
        await settle(pilot)
        app.push_screen(EraseDialog(Radius("Erase it?", Selection((), 0, 0, 0), ())))
        await settle(pilot)
        await type_text(pilot, typed)
        await pilot.press("escape")
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == kept


async def test_a_letter_that_was_on_its_way_to_the_prompt_is_no_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    agreed = list[bool | None]()
    app = app_with()
    monkeypatch.setattr(ConsentDialog, "PAUSE", 600.0)
    async with app.run_test(size=(110, 40)) as pilot:
        await settle(pilot)
        await pilot.press("m", "a")
        app.push_screen(ConsentDialog("Note: the camel is mine."), agreed.append)
        await settle(pilot)
        await pilot.press("y", "b", "e", "enter")
        assert isinstance(app.screen, ConsentDialog)
        monkeypatch.setattr(ConsentDialog, "PAUSE", 0.0)
        await pilot.press("y")
        await settle(pilot)
        assert agreed == [True]
        assert app.chat.query_one(Prompt).text == "maybe"
