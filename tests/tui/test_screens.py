"""Timeline, chain, search, conversations, help, palette, links and sleep: every key does what the footer says."""

from __future__ import annotations

import threading

import pytest
from textual.widgets import Input, Static

from app.core.settings import Settings
from app.core.sleeper import Sleeper
from app.core.turn import NO_MODEL
from app.tui.palette import COMMANDS
from app.tui.screens.beliefs import ChainScreen
from app.tui.screens.chat import ChatScreen
from app.tui.screens.dialogs import HelpDialog, LinkDialog, WhenDialog, is_web
from app.tui.screens.search import MOST_NEAR, SearchDialog, SessionsDialog, has_word
from app.tui.screens.timeline import TimelineScreen
from store.memory import Memory
from store.records import Hit
from tests.tui.acting import app_with, say, screen_text, search_results, settle, type_text, until_shown
from tests.tui.scripted import ScriptedMemory, ScriptedModel, instant, lives, turns
from tests.tui.test_attaching import app_of
from widgets.bars import StatusLine, TopLine
from widgets.choices import Choices
from widgets.lanes import Lanes
from widgets.prompt import Prompt


async def test_the_timeline_shows_lanes_and_moves_its_cursors() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        lanes = app.screen.query_one(Lanes)
        assert "lives in" in screen_text(app)
        assert "Ana · school" in screen_text(app)
        assert not app.screen.query_one(TopLine).has_class("-past")
        await pilot.press("left_square_bracket")
        assert lanes.true_at == instant("2024-11-05").us
        await settle(pilot)
        assert "true on 5 November 2024" in screen_text(app)
        assert app.screen.query_one(TopLine).has_class("-past")
        await pilot.press("right_square_bracket")
        assert lanes.true_at is None
        await pilot.press("left_curly_bracket")
        assert lanes.believed_at == instant("2024-11-20").us
        await pilot.press("t")
        assert (lanes.true_at, lanes.believed_at) == (None, None)


async def test_the_timeline_shows_what_was_believed_then() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        assert "Lisbon" in screen_text(app)
        app.screen.query_one(Lanes).go("believed", instant("2023-11-01").us)
        await settle(pilot)
        shown = screen_text(app)
        assert "Lisbon" not in shown.partition("true in the world")[2]
        assert "today you know that you live in Lisbon" in " ".join(shown.split())
        assert "Rua de Cedofeita" in shown


async def test_the_timeline_steps_by_units_on_either_axis() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        lanes = app.screen.query_one(Lanes)
        await pilot.press("Y")
        assert lanes.true_at == instant("2024-03-14 21:40").us
        await pilot.press("M")
        assert lanes.true_at == instant("2024-02-14 21:40").us
        await pilot.press("w", "d")
        assert lanes.true_at == instant("2024-02-22 21:40").us
        await pilot.press("b", "D")
        assert lanes.believed_at == instant("2025-03-13 21:40").us
        await pilot.press("d")
        assert lanes.believed_at is None


async def test_the_timeline_filters_and_escape_clears_before_it_leaves() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("slash")
        await type_text(pilot, "school")
        lanes = app.screen.query_one(Lanes)
        assert {slot.key[1] for slot in lanes.view.lanes} == {"school"}
        await pilot.press("escape")
        await settle(pilot)
        assert len({slot.key[1] for slot in lanes.view.lanes}) > 1
        assert isinstance(app.screen, TimelineScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, ChatScreen)


async def test_the_timeline_asks_for_a_date_and_says_how_it_reads_it() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("g")
        await settle(pilot)
        assert isinstance(app.screen, WhenDialog)
        await type_text(pilot, "blorp")
        await settle(pilot)
        await pilot.press("enter")
        assert isinstance(app.screen, WhenDialog)
        app.screen.query_one(Input).value = "2023-11-01"
        await settle(pilot)
        assert "1 November 2023" in str(app.screen.query_one("#reading", Static).render())
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen.query_one(Lanes).true_at == instant("2023-11-01").us


async def test_asking_as_of_here_takes_the_times_to_the_chat() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        app.screen.query_one(Lanes).go("believed", instant("2023-11-01").us)
        await pilot.press("a")
        await settle(pilot)
        assert "believed on 1 November 2023" in screen_text(app)
        await say(pilot, "Where do I live?")
        assert ("ask", ("Where do I live?", None, instant("2023-11-01").us)) in memory.calls


async def test_an_empty_timeline_teaches() -> None:
    app = app_with(ScriptedMemory(known=[]))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        assert "Tell me something in the chat" in screen_text(app)
        await pilot.press("enter", "left_square_bracket", "plus", "minus", "0", "Y", "j")
        assert isinstance(app.screen, TimelineScreen)


async def test_the_chain_tells_moved_from_corrected_and_opens_the_turn() -> None:
    said = turns(2)
    memory = ScriptedMemory(said=said)
    app = app_with(memory)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChainScreen)
        shown = screen_text(app)
        assert "moved ─ the world changed" in shown
        assert "corrected ─ the belief changed" in shown
        assert "never true" in shown
        assert "“we sign on the 1st of September, keys the same day”" in shown
        chosen = app.screen.query_one(Choices).pointed
        assert chosen == lives()[0]
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
        assert said[1].text in screen_text(app)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("sheffield", False), ("sheff", False), ("lisb", True), ("Lisbon", True), ("signing sheffield", True),
        ("Ines", True), ("tuesday", True), ("2024", True), ("the", True), ("🎻", False),
    ],
)  # fmt: skip
def test_a_turn_has_a_word_of_what_is_searched_or_it_is_only_near(query: str, words: bool) -> None:
    text = "We sign for the flat in Lisbon"
    hit = Hit("episode", "e", None, "s", "Inês", text, instant("2024-05-14"), 1.0, (("dense", 1),))
    assert has_word(hit, query) is words


async def test_search_says_first_that_no_turn_has_the_word_and_shows_few_that_are_near() -> None:
    memory = ScriptedMemory(said=turns(60))
    found = memory.recall.search("sign", k=30).hits
    memory.hits = found
    assert len(found) == 30
    app = app_with(memory)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("ctrl+f")
        await type_text(pilot, "sheffield")
        await search_results(pilot)
        text = await until_shown(pilot, "NEAR IN MEANING")
        assert "No turn has a word of “sheffield”." in text and "TURNS" not in text
        assert sum(row.record is not None for row in app.screen.query_one(Choices).rows) == MOST_NEAR
        app.screen.query_one(Input).value = "sign"
        await search_results(pilot)
        assert "No turn has" not in screen_text(app) and "TURNS" in screen_text(app)


async def test_search_finds_turns_and_facts_and_enter_goes_there() -> None:
    app = app_with(ScriptedMemory(said=turns(60)))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        await settle(pilot)
        assert isinstance(app.screen, SearchDialog)
        await type_text(pilot, "lisbon")
        await search_results(pilot)
        assert "BELIEFS" in screen_text(app)
        app.screen.query_one(Input).value = "(12)"
        await search_results(pilot)
        assert "TURNS" in screen_text(app)
        await pilot.press("down", "up", "enter")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
        assert "(12)" in screen_text(app)
        assert app.screen.query(".-found")


async def test_a_search_lists_what_people_said_before_what_was_replied(memory: Memory) -> None:
    app = app_of(memory, None)
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        for text in ("I like plums.", "Do I like plums?", "It rained, remember the umbrella."):
            await say(pilot, text)
        await pilot.press("ctrl+f")
        await type_text(pilot, "plums")
        await search_results(pilot)
        hits = [row.record for row in app.screen.query_one(Choices).rows if isinstance(row.record, Hit)]
        assert [one.speaker for one in hits][:3] == ["me", "me", "memory"]
        assert NO_MODEL not in [one.text for one in hits]
        await pilot.press(*["backspace"] * 5)
        await type_text(pilot, "remember")
        await search_results(pilot)
        hits = [row.record for row in app.screen.query_one(Choices).rows if isinstance(row.record, Hit)]
        assert hits[0].text == "It rained, remember the umbrella."
        assert "memory" not in [one.speaker for one in hits]


async def test_conversations_are_listed_filtered_and_opened() -> None:
    app = app_with(ScriptedMemory(said=[*turns(2, "s1"), *turns(3, "zebra")]))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert isinstance(app.screen, SessionsDialog)
        assert "about s1" in screen_text(app)
        await type_text(pilot, "zeb")
        await settle(pilot)
        assert "about s1" not in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "about zebra" in screen_text(app)


async def test_help_explains_what_has_the_focus() -> None:
    app = app_with()
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        assert isinstance(app.screen, HelpDialog)
        assert "starts a new line" in screen_text(app)
        await pilot.press("escape", "ctrl+t")
        await settle(pilot)
        await pilot.press("f1")
        await settle(pilot)
        assert "believed then, not now" in screen_text(app)


async def test_every_command_of_the_palette_runs() -> None:
    app = app_with()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for title, _explained, action in COMMANDS:
            assert ": " in title
            if action not in ("quit", "tour"):
                await app.run_action(action)
                await settle(pilot)
        assert app.theme == "erstwhile-light"


async def test_the_palette_opens_and_offers_commands_by_group() -> None:
    app = app_with()
    async with app.run_test(size=(100, 60)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await pilot.pause(0.5)
        assert "go: beliefs" in screen_text(app)


async def test_the_footer_lists_stop_only_while_there_is_something_to_stop() -> None:
    model = ScriptedModel(hold=threading.Event())
    app = app_with(model=model)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert app.chat.check_action("stop", ()) is False
        await type_text(pilot, "Hello")
        await pilot.press("enter")
        while not model.began.is_set():
            await pilot.pause()
        assert app.chat.check_action("stop", ()) is True
        await pilot.press("escape")
        await settle(pilot)
        assert app.chat.check_action("stop", ()) is False


async def test_the_footer_says_close_while_the_drawer_is_open() -> None:
    app = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await say(pilot, "Hello")
        assert "esc" not in screen_text(app).splitlines()[-1]
        await pilot.press("ctrl+b")
        await settle(pilot)
        assert "esc close" in screen_text(app).splitlines()[-1]
        assert app.chat.query_one("#memory-rows").has_focus
        await pilot.press("escape")
        await settle(pilot)
        assert app.chat.query_one(Prompt).has_focus


async def test_a_link_asks_first_and_opens_only_the_web() -> None:
    opened: list[str] = []
    model = ScriptedModel(pieces=("See [it](https://example.org/a).",))
    app = app_with(model=model, open_url=opened.append)
    async with app.run_test(size=(100, 30)) as pilot:
        await say(pilot, "Hello")
        for href, key, expected in (
            ("https://example.org/a", "n", []),
            ("file:///etc/passwd", "y", []),
            ("https://example.org/a", "y", ["https://example.org/a"]),
        ):
            from widgets.messages import LinkChosen

            app.chat.post_message(LinkChosen(href))
            await settle(pilot)
            assert isinstance(app.screen, LinkDialog)
            assert href in screen_text(app)
            await pilot.press(key)
            await settle(pilot)
            await pilot.press("escape")
            await settle(pilot)
            assert opened == expected


def test_only_the_web_is_the_web() -> None:
    assert is_web("https://example.org/x?y=1")
    for href in ("", "javascript:alert(1)", "ftp://x", "https://", "http://a\u202eb/", "https://[", "https://a\nb"):
        assert not is_web(href)


async def test_sleep_shows_its_progress_and_escape_stops_it() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+s")
        await pilot.pause(0.1)
        assert "asleep" in app.chat.query_one(StatusLine).status.sleep
        await pilot.press("x")
        assert app._sleeper.asleep
        await pilot.press("escape")
        memory.gate.set()
        await settle(pilot)
        assert "3 to sleep on" in app.chat.query_one(StatusLine).status.sleep
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "rested" in app.chat.query_one(StatusLine).status.sleep


async def test_idle_the_memory_sleeps_and_a_keystroke_wakes_it() -> None:
    memory = ScriptedMemory()
    app = app_with(memory, settings=Settings(idle_seconds=0.3))
    async with app.run_test(size=(120, 30)) as pilot:
        while "sleep" not in memory.names():
            await pilot.pause(0.05)
        await pilot.press("h")
        assert app._sleeper.stop.is_set()
        memory.gate.set()
        await settle(pilot)


def test_a_sleep_that_was_asked_for_outlasts_a_keystroke() -> None:
    sleeper = Sleeper()
    assert sleeper.begin(asked_for=True)
    assert not sleeper.begin(asked_for=False)
    sleeper.stirred()
    assert not sleeper.stop.is_set()
    sleeper.end()
    assert sleeper.begin(asked_for=False)
    sleeper.stirred()
    assert sleeper.stop.is_set()
