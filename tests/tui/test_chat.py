"""Sending, stopping, resuming and going off the record: whatever happens, typed text stays and said words are kept."""

from __future__ import annotations

import threading

import pytest
from textual import events
from textual.app import App, ComposeResult

from app.core.clock import Times
from app.core.conversation import branch_key
from app.core.settings import Settings
from app.tui.app import ErstwhileApp
from app.tui.screens.conversations import SHORTEST, WINDOW
from app.tui.screens.reply import SMALL
from app.tui.theme import FALLBACK
from store.errors import Busy
from store.records import Stretch
from tests.tui.acting import app_with, say, screen_text, settle, type_text
from tests.tui.scripted import (
    ZONE,
    FrozenClock,
    ScriptedMemory,
    ScriptedModel,
    answered,
    changed,
    fact,
    instant,
    lives,
    turns,
)
from tests.tui.scripted_parts import ScriptedReading
from widgets.bars import TopLine
from widgets.memory_panel import MemoryPanel
from widgets.prompt import Prompt
from widgets.transcript import HeadLine, SourceLine, TurnHead, TurnView


async def test_a_turn_is_shown_saved_learned_and_answered() -> None:
    memory = ScriptedMemory(taught={"I moved to Lisbon.": (changed(*lives()[:2]),)})
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "I moved to Lisbon.")
        shown = screen_text(app)
        assert "I moved to Lisbon." in shown
        assert "Noted: Lisbon, since last month." in shown
        assert "LEARNED" in shown
        assert "was Porto, Rua das Flores" in shown
        assert [view.episode for view in app.chat.query(TurnView)] == [memory.said[-2].id, memory.said[-1].id]


async def test_an_answer_from_memory_says_so_and_its_source_opens() -> None:
    source_turn = turns(2)[0]
    home = fact("me", "lives_in", "Lisbon", ("2024-09-01", None), ("2024-08-19", None), session="s1", quote="we sign")
    answer = answered([home], "You live in Lisbon.")
    app = app_with(ScriptedMemory(answers={"Where do I live?": answer}, said=turns(2)))
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "Where do I live?")
        assert "from memory" in screen_text(app)
        assert "belief" in screen_text(app)
        line = app.chat.query_one(SourceLine)
        assert "“we sign”" in str(line.render())
        line.focus()
        await pilot.press("enter")
        await settle(pilot)
        assert source_turn.text in screen_text(app)


async def test_escape_stops_a_reply_and_keeps_what_was_typed_meanwhile() -> None:
    memory, model = ScriptedMemory(), ScriptedModel(hold=threading.Event())
    app = app_with(memory, model)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await type_text(pilot, "Hello there")
        await pilot.press("enter")
        while not model.began.is_set():
            await pilot.pause()
        await type_text(pilot, "half a thought")
        await pilot.press("escape")
        await settle(pilot)
        assert memory.said[-1].cut
        assert "stopped here" in screen_text(app)
        assert app.chat.query_one(Prompt).text == "half a thought"
        await pilot.press("escape")
        assert app.is_running
        assert app.chat.query_one(Prompt).text == "half a thought"


async def test_quitting_in_the_middle_of_a_reply_saves_it() -> None:
    memory, model = ScriptedMemory(), ScriptedModel(hold=threading.Event())
    app = app_with(memory, model)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await type_text(pilot, "Hello")
        await pilot.press("enter")
        while not model.began.is_set():
            await pilot.pause()
        await pilot.press("ctrl+q")
    threads = [one for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]
    for thread in threads:
        thread.join(0.5)
    assert (memory.said[-1].text, memory.said[-1].cut) == ("Noted: ", True)


async def test_a_dead_model_says_one_sentence_and_the_chat_goes_on() -> None:
    model = ScriptedModel(dies=True)
    app = app_with(model=model)
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "Hello")
        assert "The model stopped in the middle" in screen_text(app)
        model.dies = False
        await say(pilot, "Again")
        assert "since last month." in screen_text(app)


async def test_a_memory_that_fails_in_a_turn_is_said_in_one_sentence() -> None:
    class Failing(ScriptedReading):
        def learn(self, episode_id: str) -> tuple[()]:
            raise Busy("Another process holds the file; close it and say that again.")

    memory = ScriptedMemory()
    memory.recast(reading=Failing(memory))
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "Hello")
        assert "Another process holds the file" in screen_text(app)
        assert not app.chat.busy


async def test_off_the_record_is_marked_and_writes_nothing() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        before = list(memory.said)
        await pilot.press("ctrl+r")
        await say(pilot, "a secret")
        await say(pilot, "Where did I park?")
        top = app.chat.query_one(TopLine)
        assert top.has_class("-off-record")
        assert "OFF THE RECORD · nothing is written" in screen_text(app)
        assert memory.said == before
        assert not {"remember", "learn"} & set(memory.names())


async def test_coming_back_on_the_record_hands_nothing_over() -> None:
    memory, model = ScriptedMemory(), ScriptedModel()
    app = app_with(memory, model)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+r")
        await say(pilot, "a secret")
        await pilot.press("ctrl+r")
        await say(pilot, "hello")
        assert not app.chat.off_record
        assert all("a secret" not in message.content for message in model.prompts[-1])
        assert "a secret" not in screen_text(app)


async def test_a_chat_can_begin_off_the_record() -> None:
    memory = ScriptedMemory()
    app = app_with(memory, settings=Settings(idle_seconds=0, off_the_record=True))
    async with app.run_test(size=(120, 30)) as pilot:
        await say(pilot, "a secret")
        assert "remember" not in memory.names()


async def test_a_long_conversation_is_resumed_at_its_end_and_shows_more_above() -> None:
    app = app_with(ScriptedMemory(said=turns(200)))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        app.chat.open_session("s1")
        await settle(pilot)
        assert len(app.chat.query(TurnView)) == (opened := 30 // SHORTEST)
        assert "(199)" in screen_text(app)
        transcript = app.chat.query_one("#transcript")
        transcript.scroll_home(animate=False)
        await settle(pilot)
        assert len(app.chat.query(TurnView)) == opened + WINDOW


async def test_a_turn_in_the_middle_is_shown_with_those_around_it_and_scrolling_down_brings_later_ones() -> None:
    app = app_with(ScriptedMemory(said=turns(200)))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        app.chat.open_session("s1", "e50")
        await settle(pilot)
        assert len(app.chat.query(TurnView)) == WINDOW
        assert "(50)" in screen_text(app)
        assert "(199)" not in screen_text(app)
        transcript = app.chat.query_one("#transcript")
        transcript.scroll_end(animate=False)
        await settle(pilot)
        assert [view.episode for view in app.chat.query(TurnView)] == [
            f"e{place}" for place in range(42, 42 + 2 * WINDOW)
        ]


@pytest.mark.parametrize("episode", ["e0", "e50", "e198", ""])
async def test_one_enter_sends_what_is_typed_while_reading_earlier_turns(episode: str) -> None:
    memory = ScriptedMemory(said=turns(200))
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        app.chat.open_session("s1", episode)
        await settle(pilot)
        await pilot.press("pageup")
        await say(pilot, "and now?")
        assert [one.text for one in memory.said[200:201]] == ["and now?"]
        assert app.chat.query_one(Prompt).text == ""
        assert "and now?" in screen_text(app) and "(199)" in [view.text[-5:] for view in app.chat.query(TurnView)]


@pytest.mark.parametrize(
    ("added", "sent", "left"), [("", True, ""), ("\nand Ana?", True, "and Ana?"), (None, False, "")]
)
def test_what_is_typed_after_words_that_are_sent_later_stays(added: str | None, sent: bool, left: str) -> None:
    prompt = Prompt()
    prompt.text = "" if added is None else f"and now?{added}"
    assert prompt.leave_off("and now?") is sent
    assert prompt.text == left


@pytest.mark.usefixtures("capable")
async def test_a_branch_goes_on_from_a_turn_and_leaves_what_came_after_it_where_it_was() -> None:
    memory, model = ScriptedMemory(said=turns(10)), ScriptedModel()
    app = app_with(memory, model)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.chat.open_session("s1", "e3")
        await settle(pilot)
        app.chat.query_one("#transcript").focus()
        await pilot.press("B")
        await settle(pilot)
        assert "(3)" in screen_text(app)
        assert "(4)" not in screen_text(app)
        await say(pilot, "another way")
        mine = next(one for one in memory.said if one.text == "another way")
        assert mine.session == branch_key(memory.clock.now().us, "e3")
        assert [message.content for message in model.prompts[-1]][:-1][-1].endswith("(3)")
        assert len(memory.episodes.of("s1")) == 10
        app.chat.open_session(mine.session)
        await settle(pilot)
        assert "(3)" in screen_text(app)
        assert "another way" in screen_text(app)
        assert "(4)" not in screen_text(app)


async def test_the_code_of_a_reply_is_copied_block_by_block() -> None:
    reply = "Try:\n\n```python\nprint(1)\n```\n\nor\n\n```\nls -l\n```\n"
    app = app_with(model=ScriptedModel(pieces=(reply,)))
    async with app.run_test(size=(120, 40)) as pilot:
        await say(pilot, "Show me how to print a one")
        app.chat.query_one("#transcript").focus()
        await pilot.press("c")
        await settle(pilot)
        assert app.clipboard == "print(1)"
        await pilot.press("c")
        await settle(pilot)
        assert app.clipboard == "ls -l"


@pytest.mark.usefixtures("capable")
async def test_a_resumed_conversation_is_the_models_history() -> None:
    model = ScriptedModel()
    app = app_with(ScriptedMemory(said=turns(4)), model)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+o")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        await say(pilot, "and then")
        assert [message.content for message in model.prompts[0]][1:-1] == [one.text for one in turns(4)]


async def test_the_times_chosen_elsewhere_are_asked_for_and_shown_as_a_warning() -> None:
    memory = ScriptedMemory()
    app = app_with(memory)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        at = lives()[3].believed_from.us
        app.services.times = Times(Stretch(at, at + 1), at)
        app.chat.refresh_times()
        await say(pilot, "Where do I live?")
        assert ("ask", ("Where do I live?", Stretch(at, at + 1), at)) in memory.calls
        assert app.chat.query_one(TopLine).has_class("-past")
        assert "believed on 30 October 2023" in screen_text(app)
        await app.run_action("back_to_now")
        assert not app.chat.query_one(TopLine).has_class("-past")


async def test_the_panel_is_a_drawer_when_there_is_no_room() -> None:
    app = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        panel = app.chat.query_one(MemoryPanel)
        assert not panel.display
        await pilot.press("ctrl+b")
        assert panel.display
        await pilot.press("escape")
        assert not panel.display


async def test_the_prompt_grows_and_a_pasted_escape_is_dropped() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        prompt = app.chat.query_one(Prompt)
        height = prompt.size.height
        await type_text(pilot, "one")
        await pilot.press("ctrl+j", "ctrl+j")
        await pilot.pause()
        assert prompt.size.height == height + 2
        app.post_message(events.Paste("two\x1b]52;c;AAAA\x07"))
        await pilot.pause()
        assert prompt.text == "one\n\ntwo]52;c;AAAA"


async def test_keys_that_come_all_at_once_stay_in_their_order() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        for key, character in (("a", "a"), ("ctrl+j", "\n"), ("b", "b"), ("ctrl+j", "\n"), ("c", "c")):
            app.post_message(events.Key(key, character))
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == "a\nb\nc"


async def test_without_memory_or_model_the_first_frame_is_there_and_what_is_sent_waits() -> None:
    gate = threading.Event()

    def opening() -> ScriptedMemory:
        gate.wait(5)
        return ScriptedMemory()

    app = ErstwhileApp(opening, None, clock=FrozenClock(), zone=ZONE, settings=Settings(idle_seconds=0))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        for text in ("early", "Grandma died."):
            await type_text(pilot, text)
            await pilot.press("enter")
            await pilot.pause()
        assert app.chat.query_one(Prompt).text == ""
        shown = screen_text(app)
        assert "waits: early" in shown
        assert "sent when the memory is open" in shown
        await type_text(pilot, "half a")
        gate.set()
        await settle(pilot)
        memory = app.services.memory
        assert isinstance(memory, ScriptedMemory)
        assert [one.text for one in memory.said if one.role == "user"][-2:] == ["early", "Grandma died."]
        assert app.chat.query_one(Prompt).text == "half a"
        assert "waits:" not in screen_text(app)


async def test_what_waits_for_a_memory_that_does_not_open_stands_in_the_prompt_again() -> None:
    gate = threading.Event()

    def opening() -> ScriptedMemory:
        gate.wait(5)
        raise Busy("Another process holds the memory; close it.")

    app = ErstwhileApp(opening, None, clock=FrozenClock(), zone=ZONE, settings=Settings(idle_seconds=0))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        for text in ("early", "and more"):
            await type_text(pilot, text)
            await pilot.press("enter")
            await pilot.pause()
        gate.set()
        await settle(pilot)
        assert app.chat.query_one(Prompt).text == "early\nand more"


async def test_a_memory_that_does_not_open_is_said_on_the_first_screen() -> None:
    def opening() -> ScriptedMemory:
        raise Busy("Another process holds the memory; close it.")

    app = ErstwhileApp(opening, None, clock=FrozenClock(), zone=ZONE, settings=Settings(idle_seconds=0))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert "Another process holds the memory" in screen_text(app)


async def test_what_was_said_of_one_conversation_is_not_told_in_another() -> None:
    app = app_with()
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        app.chat.flash("There is no other version of this conversation.", bad=True)
        await pilot.press("ctrl+n")
        await settle(pilot)
        assert app.chat._status.note == ""
        app.chat.flash("There is no other version of this conversation.", bad=True)
        app.chat.open_session("s1")
        await settle(pilot)
        assert app.chat._key == "s1" and app.chat._status.note == ""
        app.chat.flash("Erased: 2 turns.")
        app.chat.open_session("s1")
        await settle(pilot)
        assert app.chat._status.note == "Erased: 2 turns.", "what was done here is told here"


async def test_a_name_is_shortened_before_the_badge_beside_it_is_cut() -> None:
    class Heads(App[None]):
        def get_theme_variable_defaults(self) -> dict[str, str]:
            return dict(FALLBACK)

        def compose(self) -> ComposeResult:
            yield HeadLine(TurnHead("SmolLM2-135M-Instruct", instant("2025-03-14 14:02"), False, SMALL))

    for width, words in (
        (70, f"Instruct  {SMALL} "),
        (50, f"SmolLM2-135M-Ins…  {SMALL} "),
        (40, "SmolLM2-135M-Instruct  small model "),
        (24, "…"),
    ):
        async with Heads().run_test(size=(width, 3)) as pilot:
            assert words in pilot.app.query_one(HeadLine).render().plain
