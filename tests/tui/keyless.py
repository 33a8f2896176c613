"""For every message that no key brings about, and some jobs: what does, and what then is so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.pilot import Pilot

from app import paths
from app.core.draft import Draft
from app.core.shelf import Shelved
from app.tui.app import ErstwhileApp
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import PassphraseDialog
from app.tui.screens.reply import WhyScreen
from store.errors import Locked, StoreError
from store.records import Episode, Turn
from tests.tui.acting import flashed, screen_text, settle
from tests.tui.cases import Case, chip, on, shown
from tests.tui.scripted import ScriptedMemory
from tests.tui.steps import filling, reading_the_end, saying, searched
from widgets.chips import Chip
from widgets.prompt import Prompt

if TYPE_CHECKING:
    from store.memory import Memory

LINE = (
    '{"session": "s", "id": "1", "speaker": "me", "role": "user", "text": "I live in Porto.", '
    '"said_at": "2024-01-01T10:00:00+01:00"}\n'
)


async def naming_a_file(pilot: Pilot[None]) -> None:
    file = paths.data_dir() / "chat.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(LINE, encoding="utf-8")
    await filling_in(pilot, str(file))


async def naming_a_text(pilot: Pilot[None]) -> None:
    file = paths.data_dir() / "lease.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("Pets are not allowed.", encoding="utf-8")
    await filling_in(pilot, str(file))


async def filling_in(pilot: Pilot[None], words: str) -> None:
    step = filling(words)
    assert not isinstance(step, str)
    await step(pilot)


async def naming_a_picture(pilot: Pilot[None]) -> None:
    await filling_in(pilot, str(paths.data_dir() / "timeline.svg"))


async def undoing_nothing(pilot: Pilot[None]) -> None:
    await pilot.app.run_action("undo")
    await settle(pilot)


async def with_a_model(pilot: Pilot[None]) -> None:
    cast(ErstwhileApp, pilot.app).services.shelf = lambda: [Shelved("small", Path("small.gguf"), "ollama", 9)]


async def clicking_a_chip(pilot: Pilot[None]) -> None:
    await pilot.click(Chip)
    await settle(pilot)


async def breaking_the_disk(pilot: Pilot[None]) -> None:
    memory = cast(ScriptedMemory, cast(ErstwhileApp, pilot.app).services.memory)

    def remember(turn: Turn) -> Episode:
        raise StoreError("The disk is full.")

    vars(memory.episodes)["remember"] = remember


async def bringing_a_draft(pilot: Pilot[None]) -> None:
    app = cast(ErstwhileApp, pilot.app)
    draft = app.services.draft = Draft(paths.memory_file())
    draft.path.parent.mkdir(parents=True, exist_ok=True)
    draft.path.write_text("half a thought", encoding="utf-8")
    app.chat.read_draft()
    await settle(pilot)


async def opening_what_is_encrypted(pilot: Pilot[None]) -> None:
    app = cast(ErstwhileApp, pilot.app)

    def locked() -> Memory:
        raise Locked("It is encrypted.", paths.memory_file())

    app._memory_source = locked
    app._open_parts()
    await settle(pilot)


async def turning_the_screen(pilot: Pilot[None]) -> None:
    await pilot.resize_terminal(70, 30)
    await settle(pilot)


async def without_sources(pilot: Pilot[None]) -> None:
    """A long timeline is read without the words that beliefs rest on."""
    memory = cast(ScriptedMemory, cast(ErstwhileApp, pilot.app).services.memory)
    whole = {one.id: one for one in memory.known}
    memory.known = [replace(one, sources=()) for one in memory.known]
    vars(memory.beliefs)["fact"] = whole.__getitem__


def nothing_answers(app: ErstwhileApp) -> bool:
    return "Nothing that was believed answers" in flashed(app)


KEYLESS: dict[str, Case] = {
    "READ_IMPORT": Case(("f8", naming_a_file, "enter"), shown("1 turn in 1 conversation")),
    "JobAdvanced": Case(("f8", naming_a_file, "enter", "enter"), shown("1 new, 0 known before")),
    "ATTACH": Case(("alt+a", naming_a_text, "enter"), shown("lease.txt, 4 words")),
    "READ_ASKED": Case((saying("Where do I live?"), "ctrl+n", "ctrl+o", "enter", "f2"), on(WhyScreen)),
    "READ_DRAFT": Case((bringing_a_draft,), lambda app: app.chat.query_one(Prompt).text == "half a thought"),
    "READ_SOURCES": Case((without_sources, "ctrl+t"), shown("“we sign on the 1st of September")),
    "NoChange": Case(
        ("ctrl+t", "right_square_bracket"), lambda app: "There is no later change in the world" in flashed(app)
    ),
    "JobFailed": Case(("ctrl+l", undoing_nothing), lambda app: "Nothing was done by hand" in flashed(app)),
    "READ_MEANING": Case(("ctrl+t", "v", "slash", filling("where am I"), "enter"), nothing_answers),
    "SAVE_PICTURE": Case(("ctrl+t", "x", naming_a_picture, "enter"), lambda app: "Saved: " in flashed(app)),
    "ModelPicked": Case((with_a_model, "f3", "enter"), lambda app: "small.gguf" in settings_text()),
    "ProfileChosen": Case(("f6", "p", filling("work"), "enter"), lambda app: app.next == paths.profile_file("work")),
    "OPEN_MEMORY": Case((opening_what_is_encrypted,), on(PassphraseDialog)),
    "SessionChosen": Case(("ctrl+o", "enter"), on(ChatScreen)),
    "TypedWanted": Case((saying("Hello"), "up"), lambda app: app.chat.query_one(Prompt).text == "Hello"),
    "Toggled": Case(("ctrl+l", clicking_a_chip), chip("ever")),
    "ANSWER": Case((breaking_the_disk, saying("I moved.")), lambda app: "The disk is full." in screen_text(app)),
    "READ_ON": Case((reading_the_end, "ctrl+slash", filling("(3)"), searched), shown("(3)")),
    "Widened": Case(("f4", turning_the_screen), shown("SLEEPS")),
}


def settings_text() -> str:
    return (paths.config_dir() / "settings.toml").read_text(encoding="utf-8")
