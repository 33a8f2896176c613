"""For every job of the background: what leads to it, what breaks in it, and what must then be so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from app.core.draft import Draft
from app.paths import memory_file
from app.tui.app import ErstwhileApp
from app.tui.jobs import Job
from app.tui.screens.bring import AttachDialog, ImportDialog
from app.tui.screens.chat import EVERY, ChatScreen
from app.tui.screens.search import SessionsDialog
from app.tui.screens.timeline import MapScreen, TimelineScreen
from tests.tui.acting import screen_text, settle
from tests.tui.cases import ANSWERED, BACK, BELIEFS, TIMELINE, Seen, on, shown
from tests.tui.keyless import naming_a_file, naming_a_text, without_sources
from tests.tui.steps import Step, filling, half_fetched, of, reading_the_end, saying, searched, shelving
from widgets.lanes import Lanes
from widgets.transcript import Transcript

Raiser = Callable[..., Any]
Breaking = Callable[[ErstwhileApp, pytest.MonkeyPatch, Raiser], None]


@dataclass(frozen=True)
class Crash:
    """What raises is put in its place after the steps of `before`; those of `then` start the job."""

    breaking: Breaking
    honest: Seen
    then: tuple[Step, ...] = ()
    before: tuple[Step, ...] = ()
    at_start: bool = False
    """The app starts the job by itself."""


def memory(name: str) -> Breaking:
    """A method of one of the memory's parts: "episodes.page"."""
    part, _, method = name.partition(".")
    return lambda app, patch, broken: patch.setattr(getattr(app._memory_source, part), method, broken)


def function(path: str) -> Breaking:
    return lambda _app, patch, broken: patch.setattr(path, broken)


def part(name: str) -> Breaking:
    """What the app opens one of its parts with."""
    return lambda app, patch, broken: patch.setattr(app, name, broken)


def shelf(app: ErstwhileApp, patch: pytest.MonkeyPatch, broken: Raiser) -> None:
    patch.setattr(app.services, "shelf", broken)


def fetching(app: ErstwhileApp, patch: pytest.MonkeyPatch, broken: Raiser) -> None:
    patch.setattr(app.services.fetching, "source", broken)


def tester(app: ErstwhileApp, patch: pytest.MonkeyPatch, broken: Raiser) -> None:
    patch.setattr(app.services, "tester", broken)


def copying(app: ErstwhileApp, patch: pytest.MonkeyPatch, broken: Raiser) -> None:
    patch.setattr(app.services, "copy", broken)


def top(words: str, *never: str) -> Seen:
    """The first line ends in the words, before the two times; what would be untrue stands nowhere."""

    def seen(app: ErstwhileApp) -> bool:
        text = screen_text(app)
        return words in text.splitlines()[0] and not any(one in text for one in never)

    return seen


def both(*all_of: Seen) -> Seen:
    return lambda app: all(one(app) for one in all_of)


def hidden(words: str) -> Seen:
    return lambda app: words not in screen_text(app)


def awake(app: ErstwhileApp) -> bool:
    return not app._sleeper.asleep and not app.services.night.asleep and "◐ asleep" not in screen_text(app)


def mute(app: ErstwhileApp) -> bool:
    return app.services.voice is None and app.services.model_state == "○ no model"


def idle(app: ErstwhileApp) -> bool:
    return isinstance(app.screen, ImportDialog) and not app.screen._busy


async def dozing(pilot: Pilot[None]) -> None:
    app = cast(ErstwhileApp, pilot.app)
    app._stirred_at -= 10_000
    app._doze()


async def backing_up(pilot: Pilot[None]) -> None:
    app = cast(ErstwhileApp, pilot.app)
    assert app.services.memory is not None
    app._back_up(app.services.memory)


async def drafting(pilot: Pilot[None]) -> None:
    """A draft is read, and from then on what is typed is kept."""
    app = cast(ErstwhileApp, pilot.app)
    app.services.draft = Draft(memory_file())
    app.chat.read_draft()
    await settle(pilot)


async def kept(pilot: Pilot[None]) -> None:
    await pilot.pause(EVERY + 0.1)


def draftless(app: ErstwhileApp) -> bool:
    return app.services.draft is None


async def setting_up(pilot: Pilot[None]) -> None:
    cast(ErstwhileApp, pilot.app).action_set_up()


async def scrolling_up(pilot: Pilot[None]) -> None:
    pilot.app.screen.query_one(Transcript).focus()
    pilot.app.screen.query_one(Transcript).scroll_home(animate=False)


REMEMBERED = shown("70 turns in 1 conversation remembered")
FEEDZAI = (*BELIEFS, of("Feedzai"))

CRASHES: dict[Job, Crash] = {
    Job.OPEN_MEMORY: Crash(
        part("_memory_source"), both(shown("✗"), shown("The memory is not open."), hidden("opening the memory…")),
        at_start=True,
    ),
    Job.OPEN_MODEL: Crash(part("_model_source"), both(mute, shown("No model chats yet."), REMEMBERED), at_start=True),
    Job.CHANGE_MODEL: Crash(function("app.core.settings.remember_model"), mute, ("enter",), (shelving, "f3", "down")),
    Job.SET_UP: Crash(part("_set_up"), both(mute, shown("No model chats yet.")), (setting_up,)),
    Job.FETCH_MODEL: Crash(fetching, both(shown("✗"), lambda app: not app.services.fetching.running), ("1",), ("f3",)),
    Job.DROP_MODEL: Crash(function("app.llm.halves.drop"), shown("begun"), ("x",), (half_fetched, "f3")),
    Job.TEST_MODEL: Crash(tester, both(shown("t test it"), hidden("being tested")), ("t",), (shelving, "f3")),
    Job.READ_MORNING: Crash(
        memory("overview.brief"), both(REMEMBERED, lambda app: app.services.morning is None), at_start=True
    ),
    Job.END_MORNING: Crash(memory("overview.brief_read"), lambda app: app.screen is not app.chat, ("ctrl+e",)),
    Job.LOOK_AROUND: Crash(function("app.core.synced.untold"), REMEMBERED, at_start=True),
    Job.PREPARE_SCREENS: Crash(function("app.tui.app.warm"), REMEMBERED, at_start=True),
    Job.PREPARE_SEARCH: Crash(memory("recall.warm"), REMEMBERED, at_start=True),
    Job.COUNT: Crash(memory("reading.pending"), hidden("opening the memory…"), at_start=True),
    Job.SLEEP: Crash(memory("sleeping.run"), both(awake, shown("◔ 3 to sleep on")), ("ctrl+s",)),
    Job.DOZE: Crash(memory("sleeping.restless"), awake, (dozing,)),
    Job.BACK_UP: Crash(memory("backups.make_when_due"), REMEMBERED, (backing_up,)),
    Job.ANSWER: Crash(memory("episodes.remember"), lambda app: not app.chat.busy, (saying("I moved."),)),
    Job.READ_DRAFT: Crash(function("app.core.draft.Draft.read"), draftless, (drafting,)),
    Job.KEEP_DRAFT: Crash(function("app.core.draft.Draft.keep"), draftless, (drafting, "z", kept)),
    Job.OPEN_SESSION: Crash(memory("episodes.page"), both(on(ChatScreen), REMEMBERED), ("enter",), ("ctrl+o",)),
    Job.READ_ON: Crash(memory("episodes.page"), shown("(60)"), (scrolling_up,), (reading_the_end,)),
    Job.READ_EXCHANGE: Crash(memory("episodes.page"), hidden("thinking…"), ("alt+r",), (reading_the_end,)),
    Job.FIND: Crash(
        memory("episodes.page"), both(lambda app: app.chat.find_bar.is_open, hidden(" of 35")),
        ("ctrl+slash", filling("keys"), searched), (reading_the_end,),
    ),
    Job.COPY: Crash(copying, lambda app: bool(app.clipboard), ("y",), FEEDZAI),
    Job.CHANGE: Crash(memory("by_hand.retract"), shown("Feedzai"), ("r",), FEEDZAI),
    Job.MEASURE_ERASE: Crash(memory("erasing.selection"), shown("Feedzai"), ("x",), FEEDZAI),
    Job.READ_TIMELINE: Crash(memory("beliefs.outline"), top("timeline · not read"), TIMELINE),
    Job.READ_MAP: Crash(memory("beliefs.outline"), top("what did I believe when · not read"), ("v",), TIMELINE),
    Job.READ_MEANING: Crash(
        memory("answering.ask"), on(MapScreen), ("enter",), (*TIMELINE, "v", "slash", filling("where am I"))
    ),
    Job.SAVE_PICTURE: Crash(
        function("app.tui.screens.timeline.write"), on(TimelineScreen), ("enter",), (*TIMELINE, "x")
    ),
    Job.READ_SOURCES: Crash(
        memory("beliefs.fact"),
        lambda app: app.screen.query_one(Lanes).pointed is not None,
        TIMELINE,
        (without_sources,),
    ),
    Job.LIST_NAMES: Crash(memory("people.entities"), shown("chat: new"), ("ctrl+p",)),
    Job.COMPARE: Crash(
        function("app.tui.screens.timeline.differences"), on(TimelineScreen), ("equals_sign",), (*TIMELINE, *BACK)
    ),
    Job.READ_BELIEFS: Crash(memory("beliefs.timeline"), top(" subjects · not read", "reading on…"), BELIEFS),
    Job.READ_CHAIN: Crash(memory("beliefs.chain"), top("works at · not read", "0 steps"), ("enter",), FEEDZAI),
    Job.READ_PAGE: Crash(memory("people.entities"), top("you · not read", "Nothing is known"), ("o",), FEEDZAI),
    Job.READ_FADING: Crash(memory("salience.fading"), top("fading · not read", "Nothing is fading"), ("f5",)),
    Job.READ_DIARY: Crash(memory("overview.diary"), top("diary · not read", "Nothing was said"), ("f7",)),
    Job.READ_ENTRY: Crash(memory("beliefs.profile"), both(shown("▏ not read"), hidden("Nothing is believed")), ("f7",)),
    Job.READ_SLEEPS: Crash(memory("log.operations"), top("sleep · not read", "nothing waits", "No sleep yet"), ("f4",)),
    Job.READ_SLEEP: Crash(memory("log.records"), both(shown("not read"), hidden("CHANGES")), ("f4",)),
    Job.READ_ASKED: Crash(memory("episodes.cited"), on(ChatScreen), ("f2",), (reading_the_end,)),
    Job.READ_WHY: Crash(memory("recall.explain"), top(" · not read"), ("f2",), ANSWERED),
    Job.EXAMINE: Crash(function("app.tui.screens.doctor.report"), top("doctor · not read", "looking…"), ("f9",)),
    Job.LIST_MODELS: Crash(shelf, top("models · not read", "looking…", "No model yet"), ("f3",)),
    Job.SEARCH: Crash(memory("recall.search"), hidden("nothing found"), ("ctrl+f", filling("we"), searched)),
    Job.LIST_SESSIONS: Crash(memory("sessions.all"), hidden("no conversation yet"), ("ctrl+o",)),
    Job.CHANGE_SESSION: Crash(memory("sessions.pin"), both(on(SessionsDialog), hidden("▪")), ("ctrl+t",), ("ctrl+o",)),
    Job.READ_IMPORT: Crash(
        function("app.core.bringing.look"), both(idle, shown("✗"), hidden("looking…")), ("enter",),
        ("f8", naming_a_file),
    ),
    Job.ATTACH: Crash(
        memory("episodes.ingest"), both(on(AttachDialog), shown("✗"), hidden("taking it in…")), ("enter",),
        ("alt+a", naming_a_text),
    ),
    Job.IMPORT: Crash(memory("episodes.ingest"), both(idle, shown("✗")), ("enter",), ("f8", naming_a_file, "enter")),
}  # fmt: skip
