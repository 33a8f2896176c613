"""An encrypted memory opens in the app when its passphrase was typed, which nobody sees; escape leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from app.tui.app import ErstwhileApp
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import PassphraseDialog
from store.database import opening
from store.database.opening import Passphrase
from store.memory import Memory
from tests.support.encrypted import PORTO, WORDS, encrypted, looks_encrypted, needs_ciphers, opened
from tests.tui.acting import QUIET, screen_text, settle, type_text, until_shown
from tests.tui.scripted import ZONE, FrozenClock, ScriptedMemory, ScriptedModel

pytestmark = pytest.mark.usefixtures("no_keys")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that this passphrase opens, as far as the app can tell."""
    monkeypatch.setattr(opening, "ciphers", lambda: "scripted 1")
    file = looks_encrypted(tmp_path / "m.db")

    def offer(path: Path, passphrase: Passphrase) -> bool:
        if not passphrase.is_same(Passphrase(WORDS)):
            return False
        opening.keep(passphrase.key(path.read_bytes()[:16]))
        return True

    monkeypatch.setattr(opening, "offer", offer)
    return file


def app_on(path: Path) -> ErstwhileApp:
    def memory() -> ScriptedMemory:
        opening.connect(path).close()
        return ScriptedMemory()

    return ErstwhileApp(memory, ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=QUIET)


async def test_it_asks_says_what_is_wrong_and_opens(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await until_shown(pilot, "This memory is encrypted")
        assert app.services.memory is None
        await type_text(pilot, "wrong words")
        shown = await until_shown(pilot, "•••••")
        assert "wrong words" not in shown
        await pilot.press("enter")
        await settle(pilot)
        await until_shown(pilot, PassphraseDialog.WRONG)
        assert app.screen.query_one(Input).value == ""
        await pilot.press("enter")  # nothing typed: nothing tried
        assert isinstance(app.screen, PassphraseDialog)
        await type_text(pilot, WORDS)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
        assert app.services.memory is not None


async def test_a_click_beside_it_stays_and_escape_leaves(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await until_shown(pilot, "This memory is encrypted")
        await pilot.click(offset=(1, 1))
        assert isinstance(app.screen, PassphraseDialog) and app.is_running
        await pilot.press("escape")
        await settle(pilot)
    assert app.return_code == 0 and app.next is None and app.services.memory is None


async def test_without_the_library_the_sentence_stands_in_the_chat(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ciphers", lambda: None)
    app = app_on(path)
    async with app.run_test(size=(140, 40)) as pilot:
        await settle(pilot)
        assert app.screen is app.chat
        assert "has no encryption" in " ".join(screen_text(app).split())


@needs_ciphers
async def test_a_real_memory_opens_in_the_app(tmp_path: Path) -> None:
    path = encrypted(tmp_path / "m.db")
    held: list[Memory] = []

    def memory() -> Memory:
        held.append(opened(path))
        return held[-1]

    app = ErstwhileApp(memory, ScriptedModel(), clock=FrozenClock(), zone=ZONE, settings=QUIET)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for words in ("wrong", WORDS):
            await until_shown(pilot, "passphrase")
            await type_text(pilot, words)
            await pilot.press("enter")
            await settle(pilot)
        assert app.services.memory is held[0]
        assert [one.text for one in held[0].episodes.of("s")] == [PORTO]
    for one in held:
        one.close()
