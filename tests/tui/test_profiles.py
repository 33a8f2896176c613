"""Who goes to another profile leaves nothing open behind: the system's own list of open files and locks says so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from app import paths
from app.core.clock import FrozenClock
from app.tui.app import ErstwhileApp
from app.tui.screens.search import SessionsDialog
from app.tui.start import start
from store.memory import Memory
from tests.conftest import NOW, ZONE
from tests.tui.acting import app_with, say, screen_text, settle, type_text, until_shown
from tests.tui.scripted import ScriptedModel
from widgets.bars import TopLine
from widgets.choices import Choices
from widgets.prompt import Prompt

Visit = Callable[[Pilot[None]], Coroutine[Any, Any, None]]

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the open files are read from /proc")


def open_files(name: str) -> set[str]:
    """Those files of a profile that this process has open: the memory, its WAL, its index of that, caches."""
    folder, found = paths.profile_file(name).parent, set()
    for number in Path("/proc/self/fd").iterdir():
        try:
            target = number.readlink()
        except FileNotFoundError:  # the one that lists them
            continue
        if target.parent == folder:
            found.add(target.name)
    return found


def locks(name: str) -> list[str]:
    """The locks on a profile's memory, of whichever process."""
    inode = str(paths.profile_file(name).stat().st_ino)
    return [line for line in Path("/proc/locks").read_text().splitlines() if f":{inode} " in line]


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """visits(first, second, ...): start the app for real but for the terminal; each is on one app that it opens."""
    real = ErstwhileApp.run
    models: list[ScriptedModel] = []

    def load(memory: Path | None) -> ScriptedModel:
        models.append(ScriptedModel())
        vars(models[-1])["close"] = lambda: None
        return models[-1]

    monkeypatch.setattr("app.tui.start.load_model", load)

    def visit(*each: Visit, **flags: Any) -> None:
        left = iter(each)
        monkeypatch.setattr(
            ErstwhileApp, "run", lambda app: real(app, headless=True, size=(120, 40), auto_pilot=cast(Any, next(left)))
        )
        start(None, flags.get("profile"), "UTC", demo=False, off_the_record=False)
        assert next(left, None) is None
        assert len(models) == len(each)

    yield visit


async def ready(pilot: Pilot[None], *, profile: str) -> ErstwhileApp:
    app = cast(ErstwhileApp, pilot.app)
    await settle(pilot)
    while app.services.memory is None or app.services.voice is None:
        await settle(pilot)
    assert app.services.memory.path == paths.profile_file(profile)
    return app


async def go_to(pilot: Pilot[None], name: str) -> None:
    """Whatever goes on meanwhile."""
    await pilot.app.run_action("profiles")
    await pilot.pause()
    await type_text(pilot, name)
    await pilot.pause()
    await pilot.press("enter")


def test_the_file_of_the_profile_that_was_left_is_not_open_nor_anything_of_it_to_be_seen(
    visits: Callable[..., None],
) -> None:
    async def at_home(pilot: Pilot[None]) -> None:
        app = await ready(pilot, profile="default")
        await say(pilot, "I live in Porto.")
        assert "memory.db" in open_files("default")
        assert locks("default")
        assert app.screen.query_one(TopLine).profile == ""
        await type_text(pilot, "half a sentence about home")
        await go_to(pilot, "work")

    async def at_work(pilot: Pilot[None]) -> None:
        app = await ready(pilot, profile="work")
        assert open_files("default") == set()
        assert locks("default") == []
        assert not paths.profile_file("default").with_name("memory.db-wal").exists()
        assert "memory.db" in open_files("work")
        assert app.chat.query_one(Prompt).text == ""
        assert "work · erstwhile" in screen_text(app).splitlines()[0]
        assert "Porto" not in screen_text(app)
        await say(pilot, "Where do I live?")
        assert "Porto" not in screen_text(app)
        model = cast(Any, app.services.voice).model
        assert "Porto" not in repr(model.prompts)
        await pilot.press("ctrl+o")
        await settle(pilot)
        dialog = app.screen
        assert isinstance(dialog, SessionsDialog)
        assert len([row for row in dialog.query_one(Choices).rows if row.record is not None]) == 1
        await pilot.press("escape")
        await go_to(pilot, "default")

    async def at_home_again(pilot: Pilot[None]) -> None:
        app = await ready(pilot, profile="default")
        assert open_files("work") == set()
        assert locks("work") == []
        assert app.chat.query_one(Prompt).text == "half a sentence about home"
        assert cast(Memory, app.services.memory).reading.pending() >= 1
        await pilot.press("ctrl+q")

    visits(at_home, at_work, at_home_again)
    assert open_files("default") == open_files("work") == set()
    assert not any(thread.name.startswith("asyncio_") for thread in threading.enumerate())


def test_what_goes_on_is_ended_before_the_other_memory_opens(visits: Callable[..., None]) -> None:
    async def replying(pilot: Pilot[None]) -> None:
        app = await ready(pilot, profile="default")
        model = cast(ScriptedModel, cast(Any, app.services.voice).model)
        model.hold = threading.Event()
        app.chat.query_one(Prompt).text = "Write me a poem about rain."
        await pilot.press("enter")
        while not model.began.is_set():
            await pilot.pause()
        assert app.chat.busy
        await go_to(pilot, "work")

    async def elsewhere(pilot: Pilot[None]) -> None:
        await ready(pilot, profile="work")
        assert open_files("default") == set()
        await pilot.press("ctrl+q")

    visits(replying, elsewhere)
    with _opened("default") as memory:
        said = [one.text for session in memory.sessions.all() for one in memory.episodes.of(session.key)]
    assert said[0] == "Write me a poem about rain."
    assert said[1:] == ["Noted: "]


def test_what_was_typed_off_the_record_is_nowhere_afterwards(visits: Callable[..., None]) -> None:
    async def off(pilot: Pilot[None]) -> None:
        await ready(pilot, profile="default")
        await pilot.press("ctrl+r")
        await type_text(pilot, "nobody may know")
        await go_to(pilot, "work")

    async def elsewhere(pilot: Pilot[None]) -> None:
        app = await ready(pilot, profile="work")
        assert not app.chat.off_record
        await go_to(pilot, "default")

    async def again(pilot: Pilot[None]) -> None:
        app = await ready(pilot, profile="default")
        assert app.chat.query_one(Prompt).text == ""
        await pilot.press("ctrl+q")

    visits(off, elsewhere, again)
    kept = [file for file in paths.data_dir().rglob("*") if file.is_file()]
    assert kept and not any(b"nobody may know" in file.read_bytes() for file in kept)


def test_a_profile_that_cannot_be_opened_says_why_and_one_can_go_back(visits: Callable[..., None]) -> None:
    broken = paths.profile_file("broken")
    broken.parent.mkdir(parents=True)
    broken.write_text("no database, and longer than a header of one, so that it is looked at" * 30)

    async def there(pilot: Pilot[None]) -> None:
        await settle(pilot)
        await until_shown(pilot, "is not a database")
        await go_to(pilot, "default")

    async def back(pilot: Pilot[None]) -> None:
        await ready(pilot, profile="default")
        await pilot.press("ctrl+q")

    visits(there, back, profile="broken")


async def test_a_bad_name_is_refused_where_it_is_typed_and_the_present_profile_is_no_other() -> None:
    app = app_with()
    app.services.profile = "work"
    for name in ("work", "art"):
        paths.profile_file(name).parent.mkdir(parents=True)
        paths.profile_file(name).touch()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await go_to(pilot, "My work")
        await settle(pilot)
        assert "cannot be the name of a profile" in screen_text(app)
        await pilot.press("escape")
        await app.run_action("profiles")
        await settle(pilot)
        assert "art  0 kB" in screen_text(app)
        assert "work  0 kB · open now" in screen_text(app)
        await type_text(pilot, "work")
        await pilot.press("enter")
        await settle(pilot)
        assert app.is_running and app.next is None
        assert app.screen is app.chat


def _opened(profile: str) -> Memory:
    return Memory.open(paths.profile_file(profile), clock=FrozenClock(NOW), zone=ZONE)
