"""For every binding: where one is, and what is otherwise once its key was pressed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, cast

from textual.screen import Screen

from app.core.clock import Times
from app.tui.app import ErstwhileApp
from app.tui.screens.beliefs import BeliefsScreen, ChainScreen, CorrectDialog, EntityScreen, FadingScreen
from app.tui.screens.bring import AttachDialog, ImportDialog
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import EraseDialog, HelpDialog, OptionsDialog, SaveDialog, WhenDialog
from app.tui.screens.diary import DiaryScreen
from app.tui.screens.doctor import DoctorScreen
from app.tui.screens.jump import JumpScreen
from app.tui.screens.models import AddressDialog, ModelsScreen
from app.tui.screens.reply import WhyScreen
from app.tui.screens.search import ProfilesDialog, RenameDialog, SearchDialog, SessionsDialog
from app.tui.screens.settings import SettingsScreen
from app.tui.screens.sleep import BriefDialog, SleepScreen
from app.tui.screens.timeline import DifferenceDialog, MapScreen, TimelineScreen
from store.records import Change, Hit, Operation
from tests.tui.acting import flashed, screen_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, changed, fact, instant, lives, turns, world
from tests.tui.steps import (
    Step,
    consent,
    doubting,
    falling_asleep,
    filling,
    focusing,
    forgetting,
    half_fetched,
    holding,
    holding_a_fetch,
    holding_a_test,
    link,
    of,
    on_row,
    opening_the_drawer,
    reading_earlier,
    reading_from_the_end,
    saying,
    searched,
    shelving,
    stopping,
    testing,
    touring,
    unsure_of_ellie,
    without_an_engine,
)
from widgets.belief_map import BeliefMap
from widgets.chips import Chips
from widgets.choices import Choices
from widgets.lanes import Lanes
from widgets.prompt import Prompt
from widgets.transcript import Transcript

Seen = Callable[[ErstwhileApp], object]


@dataclass(frozen=True)
class Case:
    """From `start`, the binding's key makes of `seen` something else, that is true."""

    start: tuple[Step, ...]
    seen: Seen
    posts: tuple[str, ...] = ()
    """Messages that are on their way until then, by the names of their classes."""
    key: str = ""
    """Instead of the first of the binding's keys."""


QUESTION, NEWS = "Where do I live?", "I moved to Lisbon."
RUN: dict[str, object] = {"episodes": 6, "facts": 11, "seconds": {"extract": 1.2}}


def everything() -> ScriptedMemory:
    """A memory in which there is something for every key."""
    tea = fact("me", "likes", "green tea", (None, None), ("2024-02-01", None), pinned=True)
    cats = [
        fact("Ana", "cat", name, ("2024-01-01", None), ("2024-02-01", None), disputed=True) for name in ("Mia", "Lua")
    ]
    hit = Hit("episode", "e2", None, "s1", "me", "we sign on the 1st", instant("2024-08-19"), 1.0, (("lexical", 1),))
    log = [Operation(1, 1, "sleep", "run", instant("2025-03-14 03:00"), "FINISHED", RUN)]
    memory = ScriptedMemory(
        known=[*world(), tea, *cats],
        answers={QUESTION: answered(lives()[:2], "You live in Lisbon.")},
        taught={NEWS: (changed(lives()[0], lives()[2]),)},
        hits=(hit, replace(hit, id="e4")),
        said=turns(70),
        logged=log,
    )
    memory.gate.set()
    return memory


def told() -> ScriptedModel:
    return ScriptedModel(pieces=("Look:\n\n```\ncode\n```\n", "done. [a](https://example.org)"))


def on(screen: type[Screen[Any]]) -> Seen:
    return lambda app: isinstance(app.screen, screen)


def called(name: str) -> Seen:
    return lambda app: cast(ScriptedMemory, app._memory_source).names().count(name)


def shown(words: str) -> Seen:
    return lambda app: words in screen_text(app)


def said(words: str) -> Seen:
    return lambda app: words in flashed(app)


def fetching(name: str) -> Seen:
    return lambda app: (wanted := app.services.fetching.wanted) and wanted.name == name


clipboard: Seen = attrgetter("clipboard")


def place(app: ErstwhileApp) -> object:
    """Where the mark of the list is."""
    return (app.screen.query_one(Choices).highlighted,)


def lanes(what: Callable[[Lanes], object]) -> Seen:
    """Something about the timeline; wrapped, so that it is true whatever it is."""
    return lambda app: (what(app.screen.query_one(Lanes)),)


def mapped(what: Callable[[BeliefMap], object]) -> Seen:
    """Something about the map of both times; wrapped likewise."""
    return lambda app: (what(app.screen.query_one(BeliefMap)),)


def scrolled(app: ErstwhileApp) -> object:
    return (app.screen.query_one(Transcript).scroll_y,)


def turn(app: ErstwhileApp) -> object:
    marked = app.screen.query_one(Transcript).marked
    return marked and marked.episode


def chip(name: str) -> Seen:
    return lambda app: getattr(app.screen.query_one(Chips).wanted, name)


def bar(selector: str) -> Seen:
    return lambda app: app.screen.query_one(selector).has_focus


def finding(app: ErstwhileApp) -> object:
    return app.chat.find_bar.is_open


def is_change(record: object) -> bool:
    return isinstance(record, Change)


ANSWERED = (saying(QUESTION),)
LEARNED = (saying(NEWS), focusing("#memory-rows"), on_row(is_change))
CODE = (saying("Hello there"), focusing("#transcript"))
LONG = (reading_from_the_end,)
DIARY = ("f7",)
FINDING = (*ANSWERED, "ctrl+slash", filling("live"), searched)
BELIEFS, TIMELINE, SLEEP = ("ctrl+l",), ("ctrl+t",), ("f4",)
EVER = (*BELIEFS, "1")
MAP = (*TIMELINE, "v")
BACK = ("left_square_bracket",) * 3
DIFF = (*SLEEP, "tab")
SETTINGS = ("f6",)
UNITS = ("day", "week", "month", "year")

CASES: dict[str, Case] = {
    "app.help": Case((), on(HelpDialog)),
    "app.jump": Case((), on(JumpScreen)),
    "app.tour": Case((), lambda app: app.wants_tour),
    "app.palette": Case((), lambda app: type(app.screen).__name__ == "CommandPalette"),
    "app.quit": Case((), lambda app: not app.is_running),
    "belief.confirm": Case((unsure_of_ellie, *BELIEFS, "5", of("Ellie")), called("confirmation")),
    "belief.correct": Case((*BELIEFS, of("Feedzai")), on(CorrectDialog)),
    "belief.erase": Case((*BELIEFS, of("Feedzai")), on(EraseDialog)),
    "belief.pin": Case((*BELIEFS, of("Feedzai")), called("pin")),
    "belief.restore": Case((*EVER, of("Colégio Moderno")), called("restoration")),
    "belief.retract": Case((*BELIEFS, of("Feedzai")), called("retraction")),
    "belief.settle": Case((*BELIEFS, of("Mia")), called("settled")),
    "belief.undo": Case((*BELIEFS, of("Feedzai"), "r"), called("undo")),
    "belief.unpin": Case((*BELIEFS, of("green tea")), called("unpin")),
    "beliefs.back": Case(BELIEFS, on(ChatScreen)),
    "beliefs.by_me": Case(BELIEFS, chip("by_me"), ("Changed",)),
    "beliefs.disputed": Case(BELIEFS, chip("disputed")),
    "beliefs.ever": Case(BELIEFS, chip("ever")),
    "beliefs.filter": Case(BELIEFS, bar("#filter")),
    "beliefs.page": Case(BELIEFS, on(EntityScreen), ("SubjectChosen",)),
    "beliefs.pinned": Case(BELIEFS, chip("pinned")),
    "beliefs.search": Case(BELIEFS, on(SearchDialog)),
    "beliefs.timeline": Case(BELIEFS, on(TimelineScreen)),
    "beliefs.unsure": Case(BELIEFS, chip("unsure")),
    "brief.no": Case((doubting,), called("retraction"), ("UnsureJudged",)),
    "brief.yes": Case((doubting,), called("confirmation"), ("UnsureJudged",)),
    "brief.close": Case(("ctrl+e",), on(ChatScreen)),
    "chain.ask": Case((*EVER, of("Porto, Rua das Flores"), "enter"), lambda app: app.services.times.as_of),
    "chain.back": Case((*BELIEFS, of("Feedzai"), "enter"), on(BeliefsScreen), ("FactChosen",)),
    "chat.close": Case((*ANSWERED, opening_the_drawer), lambda app: not app.chat.has_class("-drawer-open")),
    "chat.now": Case((*TIMELINE, *BACK, "a"), lambda app: app.services.times == Times()),
    "chat.write": Case((*ANSWERED, focusing("#transcript")), lambda app: app.chat.prompt.has_focus),
    "chat.find": Case(ANSWERED, finding),
    "chat.continue": Case(
        (stopping,), lambda app: len(app.chat.query_one(Transcript).turns) == 3 and not app.chat.busy
    ),
    "chat.edit": Case((saying("Hello there"),), lambda app: app.chat.prompt.text == "Hello there"),
    "chat.attach": Case((), on(AttachDialog)),
    "chat.leave_edit": Case((saying("Hello there"), "alt+e"), lambda app: app.chat._editing is None),
    "chat.options": Case((), on(OptionsDialog)),
    "chat.regenerate": Case((saying("Hello there"),), lambda app: "-from-" in app.chat._key),
    "chat.version": Case((saying("Hello there"), "alt+r"), lambda app: "-from-" not in app.chat._key),
    "chat.new": Case(ANSWERED, shown("turns in")),
    "chat.off_record": Case((), lambda app: app.chat.off_record),
    "chat.latest": Case((*LONG, focusing("#prompt")), scrolled),
    "chat.page_down": Case((*LONG, focusing("#prompt")), scrolled),
    "chat.page_up": Case((*LONG, focusing("#prompt")), scrolled),
    "chat.panel": Case((), lambda app: app.chat.has_class("-panel-hidden")),
    "chat.stop": Case((holding,), lambda app: not app.chat.busy),
    "chat.why": Case(ANSWERED, on(WhyScreen)),
    "consent.no": Case((consent,), on(ChatScreen)),
    "consent.yes": Case((consent,), on(ChatScreen)),
    "dialog.close": Case((*TIMELINE, "g"), on(TimelineScreen)),
    "dialog.no": Case((link,), on(ChatScreen), ("LinkChosen",)),
    "dialog.yes": Case((link,), on(ChatScreen)),
    "diary.back": Case(DIARY, on(ChatScreen)),
    "diary.days": Case(DIARY, shown("Mon 19 Aug 2024")),
    "diary.faded": Case((forgetting, *DIARY), shown("an old kite")),
    "diary.months": Case((*DIARY, "d"), shown("August 2024")),
    "diary.other": Case(DIARY, bar("#marked")),
    "diary.weeks": Case((*DIARY, *["down"] * 5), shown("Week of")),
    "doctor.back": Case(("f9",), on(ChatScreen)),
    "doctor.backup": Case(("f9",), called("backup")),
    "doctor.check": Case(("f9",), shown("CHECKS")),
    "doctor.copy": Case(("f9",), clipboard, ("TextCopied",)),
    "doctor.models": Case(("f9",), on(ModelsScreen)),
    "doctor.settings": Case(("f9",), on(SettingsScreen)),
    "entity.back": Case((*BELIEFS, "o"), on(BeliefsScreen)),
    "fading.back": Case(("f5",), on(ChatScreen)),
    "fading.rescue": Case(("f5",), called("use")),
    "finder.down": Case(("ctrl+f", filling("we"), searched), place),
    "finder.up": Case(("ctrl+f", filling("we"), searched, "down"), place),
    "find.leave": Case(FINDING, lambda app: not app.chat.find_bar.is_open, ("FindLeft",)),
    "find.next": Case(FINDING, shown("2 of 2"), ("FindTyped", "FindMoved")),
    "find.previous": Case((*FINDING, "enter"), shown("1 of 2")),
    "go.beliefs": Case((), on(BeliefsScreen)),
    "go.diary": Case((), on(DiaryScreen)),
    "go.brief": Case((), on(BriefDialog)),
    "go.doctor": Case((), on(DoctorScreen)),
    "go.fading": Case((), on(FadingScreen)),
    "go.import": Case((), on(ImportDialog)),
    "go.models": Case((), on(ModelsScreen)),
    "go.search": Case((), on(SearchDialog)),
    "go.search_slash": Case((), on(SearchDialog)),
    "go.sessions": Case((), on(SessionsDialog)),
    "go.settings": Case((), on(SettingsScreen)),
    "go.sleep": Case((), on(SleepScreen)),
    "go.timeline": Case((), on(TimelineScreen)),
    "help.close": Case(("f1",), on(ChatScreen)),
    "import.help": Case(("f8",), on(HelpDialog)),
    "import.close": Case(("f8", filling("I met Mo")), on(ChatScreen), ("TypedAside",)),
    "learned.drop": Case(LEARNED, shown("✗ dropped"), ("ChangeJudged",)),
    "learned.edit": Case(LEARNED, on(CorrectDialog)),
    "learned.keep": Case(LEARNED, shown("✓ kept")),
    "learned.undo": Case((*LEARNED, "n"), called("undo"), ("UndoWanted",)),
    "list.copy": Case((*BELIEFS, of("Feedzai")), clipboard),
    "list.down": Case(BELIEFS, place, ("Pointed",)),
    "list.first": Case((*BELIEFS, "end"), place),
    "list.last": Case(BELIEFS, place),
    "list.open": Case((*BELIEFS, of("Feedzai")), on(ChainScreen), ("Chosen",)),
    "list.page_down": Case(BELIEFS, place),
    "list.page_up": Case((*BELIEFS, "end"), place),
    "list.up": Case((*BELIEFS, "end"), place),
    "memory.sleep": Case((), called("sleep"), ("JobAdvanced",)),
    "models.address": Case(("f3",), on(AddressDialog)),
    "models.back": Case(("f3",), on(ChatScreen)),
    "models.use": Case((shelving, "f3", "down"), said("From now on: other"), ("ModelPicked",)),
    "models.build": Case((without_an_engine, "f3"), lambda app: not app.services.engine_is_missing(), ("JobAdvanced",)),
    "models.drop": Case((half_fetched, "f3"), lambda app: "begun" not in screen_text(app)),
    "models.fetch_marked": Case((half_fetched, "f3", "end"), fetching("begun")),
    "models.first": Case(("f3",), lambda app: app.services.fetching.wanted, ("ModelWanted", "JobAdvanced")),
    "models.go_on": Case((half_fetched, "f3"), fetching("begun")),
    "models.pause": Case((holding_a_fetch,), lambda app: app.services.fetching.stop.is_set()),
    "models.second": Case(("f3",), lambda app: app.services.fetching.wanted),
    "models.stop": Case((holding_a_test,), said("The test was stopped")),
    "models.test": Case((testing, shelving, "f3"), said("Tested: 1 of 2 answers right")),
    "models.third": Case(("f3",), lambda app: app.services.fetching.wanted),
    "panel.why": Case((*ANSWERED, focusing("#memory-rows")), on(WhyScreen), ("WhyWanted",)),
    "prompt.newline": Case(("h", "i"), lambda app: "\n" in app.chat.query_one(Prompt).text),
    "prompt.send": Case(("h", "i"), called("remember"), ("PromptSent",)),
    "sessions.pin": Case(("ctrl+o",), called("pin_session")),
    "sessions.export": Case(("ctrl+o",), on(SaveDialog)),
    "sessions.erase": Case(("ctrl+o",), on(EraseDialog)),
    "sessions.rename": Case(("ctrl+o",), on(RenameDialog)),
    "settings.back": Case(SETTINGS, on(ChatScreen)),
    "settings.change": Case((*SETTINGS, "down"), shown("Written: off the record"), ("SettingsWritten",)),
    "settings.filter": Case(SETTINGS, bar("#filter")),
    "settings.profiles": Case(SETTINGS, on(ProfilesDialog)),
    "settings.reset": Case((*SETTINGS, "down", "enter"), shown("○ begins off the record")),
    "settings.undo": Case((*SETTINGS, "down", "enter"), said("Taken back")),
    "sleep.back": Case(SLEEP, on(ChatScreen)),
    "sleep.drop": Case(DIFF, said("Dropped")),
    "sleep.now": Case(SLEEP, called("sleep")),
    "sleep.other": Case(SLEEP, bar("#diff")),
    "sleep.stop": Case((*SLEEP, falling_asleep), lambda app: app._sleeper.stop.is_set()),
    "sleep.undo_run": Case(SLEEP, called("undo_run")),
    "source.copy": Case((*ANSWERED, focusing("SourceLine")), clipboard),
    "source.open": Case((*ANSWERED, focusing("SourceLine")), shown("about s1"), ("SourceChosen", "TurnChosen")),
    "timeline.ask": Case((*TIMELINE, *BACK), lambda app: isinstance(app.screen, ChatScreen) and app.services.times),
    "timeline.back": Case(TIMELINE, on(ChatScreen)),
    "timeline.beliefs": Case(TIMELINE, on(BeliefsScreen)),
    "timeline.compare": Case((*TIMELINE, *BACK), on(DifferenceDialog)),
    "timeline.date": Case(TIMELINE, on(WhenDialog)),
    "timeline.filter": Case(TIMELINE, bar("#filter")),
    "timeline.search": Case(TIMELINE, on(SearchDialog)),
    "timeline.map": Case(TIMELINE, on(MapScreen)),
    "picture.save": Case(TIMELINE, on(SaveDialog)),
    "map.ask": Case(MAP, bar("#question")),
    "map.back": Case(MAP, on(TimelineScreen)),
    "map.left": Case(MAP, mapped(lambda one: one.true_at), ("Pointed",)),
    "map.right": Case((*MAP, "left"), mapped(lambda one: one.true_at)),
    "map.up": Case(MAP, mapped(lambda one: one.believed_at)),
    "map.down": Case((*MAP, "up"), mapped(lambda one: one.believed_at)),
    "map.next": Case((*MAP, "slash", filling("i"), "enter"), mapped(lambda one: tuple(one.facts))),
    "map.previous": Case((*MAP, "slash", filling("i"), "enter"), mapped(lambda one: tuple(one.facts))),
    "map.open": Case(MAP, on(ChainScreen)),
    "timeline.down": Case(TIMELINE, lanes(lambda one: one.at)),
    "timeline.up": Case((*TIMELINE, "end"), lanes(lambda one: one.at)),
    "timeline.page_down": Case(TIMELINE, lanes(lambda one: one.at)),
    "timeline.page_up": Case((*TIMELINE, "end"), lanes(lambda one: one.at)),
    "timeline.first": Case((*TIMELINE, "end"), lanes(lambda one: one.at)),
    "timeline.last": Case(TIMELINE, lanes(lambda one: one.at)),
    "timeline.open": Case(TIMELINE, on(ChainScreen)),
    "timeline.previous": Case(TIMELINE, lanes(lambda one: one.true_at), ("TimesMoved",)),
    "timeline.next": Case((*TIMELINE, *BACK), lanes(lambda one: one.true_at)),
    "timeline.unlearn": Case(TIMELINE, lanes(lambda one: one.believed_at)),
    "timeline.learn": Case((*TIMELINE, *["left_curly_bracket"] * 3), lanes(lambda one: one.believed_at)),
    "timeline.earlier": Case(TIMELINE, lanes(lambda one: one.true_at)),
    "timeline.later": Case((*TIMELINE, *BACK), lanes(lambda one: one.true_at)),
    **{f"timeline.{unit}": Case((*TIMELINE, *BACK), lanes(lambda one: one.true_at)) for unit in UNITS},
    **{f"timeline.{unit}_back": Case(TIMELINE, lanes(lambda one: one.true_at)) for unit in UNITS},
    "timeline.today": Case((*TIMELINE, *BACK), lanes(lambda one: one.true_at is None)),
    "timeline.swap": Case(TIMELINE, lanes(lambda one: one.axis)),
    "timeline.zoom_in": Case(TIMELINE, lanes(lambda one: one.scale)),
    "timeline.zoom_out": Case(TIMELINE, lanes(lambda one: one.scale)),
    "timeline.fit": Case((*TIMELINE, "plus"), lanes(lambda one: one.scale)),
    "tour.back": Case((touring, "enter"), shown("1 of 7")),
    "tour.leave": Case((touring,), lambda app: app.screen is app.chat),
    "tour.next": Case((touring,), shown("2 of 7")),
    "transcript.branch": Case(
        (reading_earlier, focusing("#transcript"), "K"),
        lambda app: app.chat._key != "s1",
        ("BranchWanted", "LaterWanted"),
    ),
    "transcript.copy": Case(CODE, clipboard),
    "transcript.copy_code": Case(CODE, lambda app: app.clipboard == "code"),
    "transcript.down": Case(LONG, scrolled, ("EarlierWanted",)),
    "transcript.up": Case(LONG, scrolled),
    "transcript.find": Case(CODE, finding, ("FindWanted",)),
    "transcript.next": Case((*FINDING, focusing("#transcript")), shown("2 of 2")),
    "transcript.previous": Case((*FINDING, focusing("#transcript"), "n"), shown("1 of 2")),
    "transcript.first": Case(LONG, scrolled),
    "transcript.last": Case(LONG, scrolled),
    "transcript.mark_up": Case(LONG, turn),
    "transcript.mark_down": Case((*LONG, "K", "K"), turn),
    "why.back": Case((*ANSWERED, "f2"), on(ChatScreen)),
    "why.prompt": Case((saying("Tell me of keys"), "f2"), shown("PROMPT")),
    "why.candidates": Case((saying("Tell me of keys"), "f2", "p"), lambda app: "PROMPT" not in screen_text(app)),
}
