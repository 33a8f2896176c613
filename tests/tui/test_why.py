"""Why an answer is what it is: what was compared, what was used, and the very words that a model was sent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from app.tui.screens.chat import ChatScreen
from app.tui.screens.reply import WhyScreen
from store.records import Cited, Judged, JudgedHit
from tests.tui.acting import app_with, footer, say, screen_text, settle
from tests.tui.nasty import nasty_hit
from tests.tui.scripted import FrozenClock, ScriptedMemory, ScriptedModel, answered, lives, turns
from widgets.transcript import Transcript
from widgets.why_rows import bar, judged_detail, judged_rows, prompt_rows


async def test_the_memorys_own_answer_shows_its_beliefs_and_what_a_search_would_have_found() -> None:
    memory = ScriptedMemory(answers={"Where do I live?": answered(lives()[:1], "You live in Lisbon.")}, said=turns(4))
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "why" not in footer(app)
        await say(pilot, "Where do I live?")
        await pilot.press("f2")
        await settle(pilot)
        assert isinstance(app.screen, WhyScreen)
        shown = screen_text(app)
        assert "Answered from what you told me, without a model" in shown
        assert "BELIEFS" in shown
        assert "Lisbon, Rua da Rosa" in shown
        assert "40 turns compared" in shown
        assert "1 turn not let in: said after the time asked about" in shown
        assert "the prompt" not in footer(app)
        await pilot.press("escape")
        assert isinstance(app.screen, ChatScreen)


async def test_a_models_answer_shows_the_cut_and_the_prompt_word_for_word() -> None:
    memory, model = ScriptedMemory(said=turns(4)), ScriptedModel()
    app = app_with(memory, model)
    async with app.run_test(size=(120, 40)) as pilot:
        await say(pilot, "Tell me about the keys we sign for")
        app.chat.query_one("#memory-rows").focus()
        await pilot.press("w")
        await settle(pilot)
        shown = screen_text(app)
        assert "A model answered" in shown
        assert "words ━" in shown
        await pilot.press("p")
        await settle(pilot)
        shown = screen_text(app)
        assert "PROMPT" in shown
        assert model.prompts[-1][-1].content.splitlines()[-1] in shown
        assert "candidates" in footer(app)
        await pilot.press("p")
        await settle(pilot)
        assert "PROMPT" not in screen_text(app)


async def test_enter_on_a_candidate_opens_its_turn() -> None:
    memory = ScriptedMemory(said=turns(4))
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await say(pilot, "Where are the keys?")
        await pilot.press("f2")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ChatScreen)
        assert "keys the same day (0)" in screen_text(app)


def judged(*texts: str) -> Judged:
    hits = tuple(
        JudgedHit(
            replace(nasty_hit(text), id=text),
            place,
            (("lexical", place, 4.0 / place),),
            (("lexical", 1.0), ("length", -0.5)),
        )
        for place, text in enumerate(texts, 1)
    )
    return Judged("q", (), 9, hits, ())


def test_the_cut_stands_below_the_last_that_was_used() -> None:
    query = judged("one", "two", "three")
    used = [hit.hit.id for hit in query.hits[:1]]
    rows = [row.shown.plain for row in judged_rows(query, used, (), 80)]
    assert any("what stands above was used" in row for row in rows)
    assert "9 turns compared" in rows[-1] and "6 turns not shown: further from the question" in rows[-1]


def test_what_was_looked_for_stands_in_the_words_of_the_question() -> None:
    query = replace(judged("one"), query="Are Wout's debts owed happily?", terms=(("ow", 1, 1.0), ("happi", 1, 1.0)))
    assert "in any form: owed, happily" in judged_rows(query, (), (), 80)[-1].shown.plain


def test_what_was_only_asked_and_what_the_memory_answered_are_no_candidates() -> None:
    query = judged("Who is Tam?", "Tam is here. Isn't he?", "Your friend is Tam.")
    said = replace(query.hits[2], hit=replace(query.hits[2].hit, speaker="memory"))
    rows = judged_rows(replace(query, hits=(*query.hits[:2], said)), (), (), 80)
    shown = "\n".join(row.shown.plain for row in rows)
    assert "Who is Tam?" not in shown and "Your friend is Tam." not in shown
    assert "1 ○ Tam is here." in shown
    assert "2 turns not shown: a question, or an answer of the memory" in shown


def test_a_question_without_its_sign_is_no_candidate() -> None:
    query = judged("whos my gp", "Dr Rao is my gp")
    asked = replace(query.hits[0], reasons=(*query.hits[0].reasons, ("asks", -0.4)))
    shown = "\n".join(row.shown.plain for row in judged_rows(replace(query, hits=(asked, query.hits[1])), (), (), 80))
    assert "whos my gp" not in shown and "Dr Rao" in shown


def test_the_question_itself_is_no_candidate() -> None:
    rows = judged_rows(judged("one"), (), ("one",), 80)
    assert "Nothing came near" in rows[0].shown.plain


def test_a_bar_says_its_share() -> None:
    assert bar(0, 4) == "────"
    assert bar(0.5, 4) == "━━──"
    assert bar(1, 4) == "━━━━"
    assert bar(7, 2) == "━━"


def test_reasons_say_up_and_down_with_a_sign() -> None:
    text = judged_detail(judged("one").hits[0], 40).plain
    assert "+ ━" in text
    assert "− ━" in text
    assert "enter opens it" in judged_detail(None, 40).plain


def test_the_prompt_says_how_much_of_its_room_it_takes() -> None:
    text = prompt_rows([("system", "be kind", 30), ("user", "hi", 20)], 50, 200, 80).plain
    assert "50 of 200 tokens · 25%" in text
    assert "be kind" in text


async def resumed(pilot: Pilot[None]) -> None:
    """The latest conversation, opened anew."""
    await pilot.press("ctrl+n", "ctrl+o")
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)


@pytest.mark.parametrize(
    ("resumed_at", "times"),
    [
        ("2025-03-14 22:10", "true now · believed now"),
        ("2025-03-15 08:00", "true on 14 March 2025 · believed on 14 March 2025"),
    ],
)
async def test_a_resumed_chat_has_its_sources_and_says_why_as_of_then(resumed_at: str, times: str) -> None:
    """Earlier today is not the past."""
    answer = answered(lives()[:1], "You live in Lisbon.")
    memory = ScriptedMemory(answers={"Where do I live?": answer}, said=[])
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await say(pilot, "Where do I live?")
        quote = answer.sources[0].quote
        assert quote in screen_text(app)
        await resumed(pilot)
        assert f"“{quote}”" in screen_text(app)
        asked, then = len(memory.calls), app.services.now
        app.services.clock = FrozenClock(resumed_at)
        await pilot.press("f2")
        await settle(pilot)
        assert isinstance(app.screen, WhyScreen)
        assert "Answered from what you told me, without a model" in screen_text(app)
        assert ("ask", ("Where do I live?", None, then)) in memory.calls[asked:]
        assert times in screen_text(app)


async def test_of_a_models_reply_that_is_read_again_the_turns_are_known_and_not_the_prompt() -> None:
    app = app_with(ScriptedMemory(said=turns(4), kept={"e3": Cited(given=("e0",))}))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await resumed(pilot)
        await pilot.press("f2")
        await settle(pilot)
        shown = screen_text(app)
        assert "qwen3-4b answered, given 1 turn; " in shown
        assert "all else that it read is not kept" in shown
        assert isinstance(app.screen, WhyScreen)
        assert app.screen.asked.given == ("e0",)
        assert "the prompt" not in footer(app)


async def test_why_is_told_of_the_turn_that_is_marked() -> None:
    memory = ScriptedMemory(said=turns(8))
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await resumed(pilot)
        app.chat.query_one(Transcript).focus()
        await pilot.press("K", "K", "K", "K")
        await settle(pilot)
        await pilot.press("f2")
        await settle(pilot)
        assert isinstance(app.screen, WhyScreen)
        assert app.screen.asked.own == ("e4", "e5")


async def test_where_nothing_was_replied_there_is_no_why() -> None:
    memory = ScriptedMemory(said=turns(1))
    app = app_with(memory)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await resumed(pilot)
        await pilot.press("f2")
        await settle(pilot)
        assert app.screen is app.chat
        assert "Nothing was replied to this" in screen_text(app)
