"""A summary is made of sentences that somebody said: each is there, word for word, in the turn that it names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from store.errors import NotFound
from store.memory import Memory
from store.records import Instant, Stretch, Turn
from store.sleep import extractive, summaries
from store.sleep.extractive import READ_OF_REPLIES, TurnSentence
from store.sleep.summaries import Summary
from tests.conftest import ZONE

TALK = (
    "Hi there!", "I moved to Lisbon last month. The flat has a balcony.", "Okay.", "My sister Ana lives in Braga.",
    "What should I cook tonight?", "```\nprint('nothing of mine')\n```", "I started at Acme as an engineer.", "Thanks!",
)  # fmt: skip


def on(day: str) -> Stretch:
    start = Instant.of(datetime.fromisoformat(day).replace(tzinfo=ZONE))
    return Stretch(start.us, start.us + 1, offset=start.offset)


def quotes(summary: Summary) -> list[str]:
    return [one.quote for one in summary.sentences]


def assert_said(memory: Memory, summary: Summary) -> None:
    for one in summary.sentences:
        text = memory.episodes.get(one.episode).text
        assert " ".join(text[one.start : one.end].split()) == one.quote


def test_a_conversation_is_summed_up_by_what_it_taught(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", *TALK)
    found = memory.overview.summary("session")
    assert (found.kind, found.key, found.turns) == ("session", "s-2024-03-03", len(TALK))
    assert quotes(found) == [
        "I moved to Lisbon last month.", "My sister Ana lives in Braga.", "I started at Acme as an engineer.",
    ]  # fmt: skip
    assert_said(memory, found)


def test_nothing_that_was_pasted_or_asked_stands_for_a_conversation(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", *TALK)
    gists = [one for n, text in enumerate(TALK) for one in extractive.gist(n, text, "user", ())]
    told = {TALK[one.row][one.start : one.end] for one in gists}
    assert not any("print" in one for one in told) and "The flat has a balcony." in told
    best = max(gists, key=lambda one: one.score)
    assert not TALK[best.row].endswith("?")


def test_a_day_a_week_and_a_month_end_where_the_calendar_says(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    say("2024-03-04", "I like rooibos.")
    say("2024-03-10", "I work at Acme.")
    say("2024-04-01", "I visited Berlin.")
    assert quotes(memory.overview.summary("day", within=on("2024-03-04"))) == ["I like rooibos."]
    week = memory.overview.summary("week", within=on("2024-03-07"))
    assert (week.key, quotes(week)) == ("2024-03-04", ["I like rooibos.", "I work at Acme."])
    assert memory.overview.summary("month", within=on("2024-03-20")).turns == 3
    assert quotes(memory.overview.summary("month")) == ["I visited Berlin."]
    december = summaries.calendar("month", on("2024-12-31"), ZONE)
    assert [one.local().date().isoformat() for one in december] == ["2024-12-01", "2025-01-01"]


def test_what_no_sleep_has_read_yet_is_summed_up_too(memory: Memory) -> None:
    said = on("2024-03-03").start
    assert said is not None
    list(memory.episodes.ingest([Turn("I live in Porto.", "s1", said_at=Instant(said, 3600), title="Hello")]))
    found = memory.overview.summary("session", session="s1")
    assert found.title == "Hello" and quotes(found) == ["I live in Porto."]


def test_of_many_turns_that_wait_for_a_sleep_some_are_looked_at_from_all_of_the_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summaries, "SOUGHT", 20)
    said = (Turn(f"I visited place number {n} with Ana.", "s", said_at=Instant(n * 10**9, 0)) for n in range(90))
    list(memory.episodes.ingest(said))
    looked_at = summaries._gists(memory._database.reader(), "session_id = ?", (1,))
    assert [one.row for one in looked_at] == list(range(1, 91, 5))
    found = memory.overview.summary("session")
    assert found.turns == 90
    assert_said(memory, found)


def test_the_same_turns_give_the_same_sentences(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", *TALK)
    before = memory.overview.summary("session")
    for _ in memory.file.rebuild():
        pass
    assert memory.overview.summary("session") == before


def test_of_a_long_stretch_the_best_of_each_piece_are_weighed(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    start = on("2024-03-03").start
    assert start is not None
    texts = [f"I visited place number {n} with Ana." for n in range(60)]
    texts[30] = "I moved to Lisbon and started at Acme as an engineer."
    list(
        memory.episodes.ingest(
            Turn(text, "s1", said_at=Instant(start + n * 10**9, 3600)) for n, text in enumerate(texts)
        )
    )
    for _ in memory.sleeping.run():
        pass
    monkeypatch.setattr(summaries, "WEIGHED", 20)
    for found in (memory.overview.summary("month"), memory.overview.summary("session")):
        assert found.turns == 60 and texts[30] in quotes(found)
        assert_said(memory, found)


def test_somebody_is_summed_up_by_what_taught_what_is_believed_of_them(
    memory: Memory, say: Callable[..., None]
) -> None:
    say("2024-03-03", "My sister Ana lives in Braga.", "I like figs.")
    say("2024-05-01", "Ana works at Acme.", "My sister moved to Porto.")
    found = memory.overview.summary("entity", about="my sister")
    assert (found.kind, found.key, found.title) == ("entity", "ana", "my sister")
    assert (found.start, found.end) == (found.sentences[0].said_at, found.sentences[-1].said_at)
    assert quotes(found) == quotes(memory.overview.summary("entity", about="Ana"))
    assert any("Acme" in one for one in quotes(found)) and not any("figs" in one for one in quotes(found))
    assert_said(memory, found)
    with pytest.raises(NotFound):
        memory.overview.summary("entity", about="Zora")


def test_secrets_and_what_was_done_by_hand_are_in_no_summary(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.", "My password is hunter2hunter2.")
    (fact,) = memory.beliefs.facts(predicate="lives_in")
    memory.by_hand.retract(fact.id)
    assert quotes(memory.overview.summary("month", within=on("2024-03-03"))) == ["I live in Porto."]
    with pytest.raises(NotFound, match="Nothing was said"):
        memory.overview.summary("session", session="by hand")


def test_there_is_nothing_to_sum_up(memory: Memory, say: Callable[..., None]) -> None:
    say("2024-03-03", "I live in Porto.")
    with pytest.raises(NotFound, match="no conversation"):
        memory.overview.summary("session", session="nowhere")
    with pytest.raises(NotFound, match="Nothing was said in the week"):
        memory.overview.summary("week", within=on("2023-03-03"))


def test_an_empty_memory_has_nothing_to_sum_up(memory: Memory) -> None:
    for kind in ("session", "month"):
        with pytest.raises(NotFound, match="Nothing was said here yet"):
            memory.overview.summary("session" if kind == "session" else "month")


def test_what_repeats_is_chosen_once() -> None:
    import numpy as np

    same, other = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    spans = [TurnSentence(1, 0, 5, 1.0), TurnSentence(2, 0, 5, 0.9), TurnSentence(3, 0, 5, 0.5)]
    chosen = extractive.choose(spans, {1: same, 2: same, 3: other}, 2)
    assert [one.row for one in chosen] == [1, 3]
    assert extractive.choose([], {}, 3) == [] and len(extractive.choose(spans, {}, 9)) == 3


def test_of_a_long_reply_only_whole_sentences_of_its_beginning_stand_for_it() -> None:
    first = "Bread keeps for three days in a linen bag."
    text = " ".join([first, *["And so on and on with more of the same words here." for _ in range(40)]])
    found = extractive.gist(1, text, "assistant", ())
    assert all(text[one.start : one.end].endswith(".") and one.end <= READ_OF_REPLIES for one in found)
    assert found[0].start == 0 and len(extractive.gist(1, text, "user", ((len(text) - 3, len(text)),))) == 2
