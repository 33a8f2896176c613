"""The person's words are saved before anything else, the reply however it ends; off the record nothing is."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.core.tooling import ToolUsed
from app.core.turn import (
    FULL,
    LOOPED,
    MEMORY_SPEAKER,
    NO_MODEL,
    OFF_RECORD,
    ONLY_LOOPED,
    ONLY_REPEATED,
    Answered,
    Closed,
    Learned,
    Prompted,
    Recalled,
    ReplyPiece,
    Request,
    Saved,
    TurnEvent,
    Voice,
    spoken_name,
    take_turn,
)
from app.llm.wire import Done
from store.protocols import LanguageModel, Message
from store.records import Answer, Hit, Recollection, Source, Stretch, Turn
from tests.tui.scripted import ScriptedMemory, ScriptedModel, answered, changed, instant, lives
from tests.tui.scripted_parts import ScriptedAnswering


def compose(_model: LanguageModel, request: Request, found: Recollection, _longest: int) -> Prompted:
    return Prompted(found.hits, messages=(*request.history, Message("user", request.turn.text)))


def run(
    memory: ScriptedMemory,
    model: ScriptedModel | None,
    text: str,
    *,
    off_record: bool = False,
    invents: bool = False,
    honest: bool = False,
) -> list[TurnEvent]:
    voice = Voice(model, compose, invents, honest=honest) if model else None
    request = Request(Turn(text, "s9"), off_record=off_record)
    return list(take_turn(memory, voice, request, threading.Event()))


def test_words_are_saved_before_anything_is_asked() -> None:
    memory = ScriptedMemory()
    run(memory, ScriptedModel(), "I moved to Lisbon last month.")
    assert memory.names()[:2] == ["remember", "learn"]


def test_a_statement_is_answered_by_the_model_and_its_reply_is_saved() -> None:
    memory = ScriptedMemory(taught={"I moved.": (changed(*lives()[:2]),)})
    events = run(memory, ScriptedModel(), "I moved.")
    assert [type(event) for event in events] == [
        Saved,
        Learned,
        Recalled,
        Prompted,
        ReplyPiece,
        ReplyPiece,
        ReplyPiece,
        Closed,
    ]
    assert memory.said[-1].text == "Noted: **Lisbon**, since last month."
    assert (memory.said[-1].role, memory.said[-1].speaker, memory.said[-1].cut) == ("assistant", "qwen3-4b", False)


def test_a_question_that_the_memory_can_answer_never_reaches_the_model() -> None:
    model = ScriptedModel()
    memory = ScriptedMemory(answers={"Where do I live?": answered(lives()[:1], "You live in Lisbon.")})
    events = run(memory, model, "Where do I live?")
    assert isinstance(events[2], Answered)
    assert model.prompts == []
    assert memory.said[-1].text == "You live in Lisbon."


def test_a_small_model_is_not_asked_about_the_person() -> None:
    model = ScriptedModel()
    events = run(ScriptedMemory(hits=parked()), model, "Where did I park?", invents=True)
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert closed.text == "I was never told that."
    assert model.prompts == []


@pytest.mark.parametrize(("invents", "asked"), [(True, 0), (False, 1)])
def test_a_small_model_does_not_comment_on_what_was_told(invents: bool, asked: int) -> None:
    model = ScriptedModel()
    events = run(ScriptedMemory(), model, "Grandma died.", invents=invents)
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert (closed.text == NO_MODEL, len(model.prompts)) == (invents, asked)
    assert any(isinstance(one, Recalled) for one in events) == bool(asked)  # nothing is looked up for nobody


@pytest.mark.parametrize(
    ("reply", "kept"), [("I'm so sorry for your loss.", True), ("I'm sorry, but I can't assist with that.", False)]
)
def test_a_reply_that_says_nothing_to_what_was_told_gives_way_to_the_receipt(reply: str, kept: bool) -> None:
    memory = ScriptedMemory()
    closed = run(memory, ScriptedModel(pieces=(reply,)), "Grandma died.", invents=False)[-1]
    assert isinstance(closed, Closed)
    assert (closed.text, closed.speaker) == (
        (reply, spoken_name(ScriptedModel())) if kept else (NO_MODEL, MEMORY_SPEAKER)
    )
    assert memory.said[-1].text == closed.text


def test_a_model_that_has_not_shown_that_it_can_does_not_comment_on_what_was_told() -> None:
    model, memory = ScriptedModel(pieces=("How nice!",)), ScriptedMemory()
    voice = Voice(model, compose, invents=False, comments=False)
    closed = list(take_turn(memory, voice, Request(Turn("Grandma died.", "s9")), threading.Event()))[-1]
    assert isinstance(closed, Closed)
    assert (closed.text, model.prompts) == (NO_MODEL, [])
    list(take_turn(memory, voice, Request(Turn("Write a song about her.", "s9")), threading.Event()))
    assert len(model.prompts) == 1


def test_a_model_that_has_shown_to_be_honest_is_asked_about_the_person() -> None:
    model = ScriptedModel()
    run(ScriptedMemory(), model, "Where did I park?", invents=False, honest=True)
    assert len(model.prompts) == 1


def parked() -> tuple[Hit, ...]:
    """The turn that speaks of it, one that does not, and one of somebody else."""
    told = Hit("episode", "e8", None, "s1", "me", "I parked behind the mill.", instant("2024-09-07"), 1.0)
    others = (replace(told, id="e9", text="The mill is closed."), replace(told, id="e7", speaker="Ana"))
    return (*others, told)


class Bearing(ScriptedAnswering):
    """Finds that one turn bears on a question, and bears out what holds its words."""

    def bearing(
        self, question: str, hits: Sequence[Hit], *, as_of: Stretch | None = None, believed: int | None = None
    ) -> tuple[Hit, ...]:
        animals = {"camel", "zebra"}
        meant = animals & set(question.strip("?").split())
        return tuple(
            hit for hit in hits
            if "parked" in hit.text and hit.speaker == "me" and animals & set(hit.text.split()) == meant
        )  # fmt: skip

    def borne_out(
        self, question: str, reply: str, hits: Sequence[Hit], *, believed: int | None = None
    ) -> tuple[Source, ...]:
        return tuple(
            Source(one.id, None, 0, len(one.text), one.text, one.said_at, one.speaker, one.session)
            for one in self.bearing(question, hits)
            if "mill" in reply
        )


@pytest.mark.parametrize("question", ["Where did I park?", "Where did I park the camel?"])
def test_another_model_is_asked_only_with_turns_that_speak_of_what_is_asked(question: str) -> None:
    model, memory = ScriptedModel(pieces=("Behind the mill.",)), ScriptedMemory(hits=parked())
    memory.recast(answering=Bearing(memory))
    events = run(memory, model, question)
    closed = events[-1]
    assert isinstance(closed, Closed)
    if "camel" in question:
        assert closed.text == "I was never told that."
        assert model.prompts == []
        return
    (recalled,) = [one for one in events if isinstance(one, Recalled)]
    assert [hit.id for hit in recalled.recollection.hits] == ["e8"]
    assert (closed.text, [one.episode for one in closed.sources]) == ("Behind the mill.", ["e8"])


def test_what_the_turns_do_not_bear_out_is_not_shown() -> None:
    near = Source("e8", None, 0, 24, "I parked behind the mill.", instant("2024-09-07"), "me", "s1")
    own = Answer("I was not told that in so many words.", 2, True, 1.0, sources=(near,))
    memory = ScriptedMemory(hits=parked(), answers={"Where did I park?": own})
    memory.recast(answering=Bearing(memory))
    events = run(memory, ScriptedModel(pieces=("In ", "Paris.")), "Where did I park?")
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert (closed.text, closed.sources, closed.speaker) == (own.text, (near,), "memory")
    assert not [one for one in events if isinstance(one, ReplyPiece)]
    assert memory.said[-1].text == own.text


def test_without_a_model_a_statement_is_kept_and_said_so() -> None:
    memory = ScriptedMemory()
    closed = run(memory, None, "I bought a bike.")[-1]
    assert isinstance(closed, Closed)
    assert closed.text == NO_MODEL
    assert [one.text for one in memory.said[-2:]] == ["I bought a bike.", NO_MODEL]


def test_off_the_record_nothing_is_promised() -> None:
    closed = run(ScriptedMemory(), None, "I bought a bike.", off_record=True)[-1]
    assert isinstance(closed, Closed)
    assert closed.text == OFF_RECORD


@pytest.mark.parametrize("text", ["I moved.", "Where do I live?", "Where did I park?", "What is a fjord?"])
def test_off_the_record_nothing_is_written(text: str) -> None:
    memory = ScriptedMemory(answers={"Where do I live?": answered(lives()[:1], "You live in Lisbon.")})
    before = list(memory.said)
    run(memory, ScriptedModel(), text, off_record=True)
    assert not {"remember", "learn"} & set(memory.names())
    assert memory.said == before


def test_a_reply_that_is_stopped_is_saved_as_far_as_it_came() -> None:
    memory, stop = ScriptedMemory(), threading.Event()
    voice = Voice(ScriptedModel(), compose, invents=False)
    events: list[TurnEvent] = []
    for event in take_turn(memory, voice, Request(Turn("I moved.", "s9")), stop):
        events.append(event)
        if isinstance(event, ReplyPiece):
            stop.set()
    assert memory.said[-1].text == "Noted: "
    assert memory.said[-1].cut
    assert isinstance(events[-1], Closed)


def test_a_reply_is_saved_when_the_caller_walks_away() -> None:
    memory = ScriptedMemory()
    turn = take_turn(
        memory, Voice(ScriptedModel(), compose, invents=False), Request(Turn("I moved.", "s9")), threading.Event()
    )
    while not isinstance(next(turn), ReplyPiece):
        pass
    turn.close()  # type: ignore[attr-defined]  # take_turn is a generator; its type promises an iterator only
    assert (memory.said[-1].text, memory.said[-1].cut) == ("Noted: ", True)


def test_when_the_model_dies_its_words_are_saved_and_one_sentence_says_so() -> None:
    memory = ScriptedMemory()
    closed = run(memory, ScriptedModel(dies=True), "I moved.")[-1]
    assert isinstance(closed, Closed)
    assert closed.problem.startswith("The model stopped")
    assert (memory.said[-1].text, memory.said[-1].cut) == ("Noted: ", True)


@pytest.mark.parametrize(
    ("text", "speaker", "news"),
    [("keys", "me", False), ("heard", "me", False), ("made up", "assistant", False), ("made up", "qwen3-4b", False),
     ("an answer", "memory", False), ("the keys are blue", "me", True), ("hers are red", "Ana", True)],
)  # fmt: skip
def test_only_news_is_recalled(text: str, speaker: str, news: bool) -> None:
    hit = Hit("episode", "e77", None, "s1", speaker, text, instant("2024-01-01"), 1.0)
    request = Request(Turn("keys", "s9"), (Message("user", "heard"),))
    turn = take_turn(
        ScriptedMemory(hits=(hit,)), Voice(ScriptedModel(), compose, invents=False), request, threading.Event()
    )
    recalled = next(event for event in turn if isinstance(event, Recalled))
    assert bool(recalled.recollection.hits) is news


def test_the_times_of_the_question_reach_the_memory() -> None:
    memory = ScriptedMemory()
    request = Request(Turn("Where do I live?", "s9"))
    request = replace(request, times=replace(request.times, believed=7))
    list(take_turn(memory, None, request, threading.Event()))
    assert ("ask", ("Where do I live?", None, 7)) in memory.calls


def test_an_answer_counts_as_a_use_of_what_it_rests_on_and_off_the_record_it_does_not() -> None:
    question = "Where do I live?"
    for off_record in (False, True):
        memory = ScriptedMemory(answers={question: answered(lives()[:1], "You live in Lisbon.")})
        run(memory, None, question, off_record=off_record)
        assert ("used" in memory.names()) is not off_record


SAY_AGAIN = "The sea is blue and the sky is wide and clear today. "


def test_a_reply_that_loops_is_ended_and_cut_back() -> None:
    memory, model = ScriptedMemory(), ScriptedModel(pieces=("Hello. ", *[SAY_AGAIN] * 50))
    events = run(memory, model, "I moved.")
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert closed.text == f"Hello. {SAY_AGAIN.strip()}" == memory.said[-1].text
    assert closed.note == LOOPED
    assert sum(isinstance(event, ReplyPiece) for event in events) < 6, "the model was not listened to any longer"


def test_where_all_of_a_reply_is_a_loop_nothing_is_kept() -> None:
    memory = ScriptedMemory()
    closed = run(memory, ScriptedModel(pieces=("no ",) * 60), "I moved.")[-1]
    assert isinstance(closed, Closed)
    assert (closed.text, closed.note, closed.episode) == ("", ONLY_LOOPED, None)
    assert memory.said[-1].text == "I moved."


@pytest.mark.parametrize(("invents", "text", "note"), [(True, "One. Two.", ""), (False, "One. Two. Thr", FULL)])
def test_a_reply_that_was_as_long_as_may_be_says_so_or_ends_with_a_sentence(
    invents: bool, text: str, note: str
) -> None:
    class Full(ScriptedModel):
        last_reply = Done(1, reason="length")

    world = Answer("", 2, True, 1.0, about="world")
    memory = ScriptedMemory(answers={"What is a fjord?": world})
    closed = run(memory, Full(pieces=("One. Two. ", "Thr")), "What is a fjord?", invents=invents)[-1]
    assert isinstance(closed, Closed)
    assert (closed.text, closed.note, closed.cut) == (text, note, not invents)


@pytest.mark.parametrize(("said", "doubted"), [("You live in Porto.", True), ("You live in Lisbon.", False)])
def test_a_reply_against_a_belief_that_it_was_given_is_doubted(said: str, doubted: bool) -> None:
    held = lives()[0]
    belief = Hit("fact", held.id, None, "", "", held.text, instant("2024-09-07"), 0.0)

    def given(*_: object) -> Prompted:
        return Prompted((belief,), messages=(Message("user", "Hello"),))

    voice = Voice(ScriptedModel(pieces=(said,)), given, invents=False)
    closed = list(take_turn(ScriptedMemory(), voice, Request(Turn("Hello", "s9")), threading.Event()))[-1]
    assert isinstance(closed, Closed)
    assert [(one.sentence, one.fact) for one in closed.doubts] == ([(said, held)] if doubted else [])


class Looking(ScriptedModel):
    """Takes one step, and then answers."""

    step = '{"tool": "facts", "arguments": {}}'

    def chat(self, messages: Sequence[Message], **options: Any) -> Iterator[str]:
        if "schema" in options:
            yield '{"tool": "answer", "arguments": {}}' if self.step in [one.content for one in messages] else self.step
            return
        yield from super().chat(messages, max_tokens=9)


def test_a_model_that_is_not_to_be_trusted_answers_only_where_its_steps_found_a_turn_that_bears_it_out() -> None:
    memory = ScriptedMemory(hits=parked()[:1])
    memory.recast(answering=Bearing(memory))
    memory.said[0] = replace(memory.said[0], text="I parked the camel behind the mill.", session="s1")
    for question, silent in (("Where did I park the camel?", False), ("Where did I park the zebra?", True)):
        model = Looking(pieces=("Behind the mill.",))
        model.step = '{"tool": "read_turns", "arguments": {"session": "s1"}}'
        voice = Voice(model, compose, invents=False, tools=True)
        turn = Turn(question, "s9", said_at=instant("2025-03-14 21:40"))
        events = list(take_turn(memory, voice, Request(turn), threading.Event()))
        closed = events[-1]
        assert isinstance(closed, Closed)
        assert any(isinstance(one, ToolUsed) for one in events)
        assert closed.text.startswith("I was never told") is silent
        assert [one.quote for one in closed.sources] == ([] if silent else [memory.said[0].text])


@pytest.mark.parametrize(
    ("text", "off_record", "agreed", "written"),
    [
        ("Please correct where I live.", False, True, True),
        ("Please correct where I live.", False, False, False),
        ("Please correct where I live.", True, True, False),
        ("Where did I park the camel?", False, True, False),
    ],
)
def test_a_model_changes_the_memory_only_on_request_and_with_consent(
    text: str, off_record: bool, agreed: bool, written: bool
) -> None:
    memory, model, asked = ScriptedMemory(), Looking(), list[str]()
    model.step = json.dumps({"tool": "correct", "arguments": {
        "subject": "me", "predicate": "lives_in", "value": "Coimbra", "instead_of": lives()[0].object}})  # fmt: skip

    def agree(words: str) -> bool:
        asked.append(words)
        return agreed

    voice = Voice(model, compose, invents=False, honest=True, tools=True)
    turn = Turn(text, "s9", said_at=instant("2025-03-14 21:40"))
    list(take_turn(memory, voice, Request(turn, off_record=off_record, agree=agree), threading.Event()))
    assert ("correct" in memory.names()) is written
    assert bool(asked) is (text.startswith("Please") and not off_record)


def test_a_model_that_can_look_things_up_does_so_where_no_turn_was_found() -> None:
    model = Looking()
    voice = Voice(model, compose, invents=False, honest=True, tools=True)
    turn = Turn("Where did I park the camel?", "s9", said_at=instant("2025-03-14 21:40"))
    events = list(take_turn(ScriptedMemory(), voice, Request(turn), threading.Event()))
    (used,) = [one for one in events if isinstance(one, ToolUsed)]
    assert used.name == "facts"
    assert "Lisbon" in used.result
    assert "Result:" in model.prompts[-1][-2].content
    assert isinstance(events[-1], Closed)


def chatted(*said: str) -> tuple[Message, ...]:
    """A conversation, the person's words first."""
    return tuple(Message("user" if place % 2 == 0 else "assistant", text) for place, text in enumerate(said))


@pytest.mark.parametrize(
    ("asked", "kept", "note"),
    [("Tell me about rain", "", ONLY_REPEATED), ("Tell me about the sea.", "The sea is very deep and blue.", "")],
)
def test_a_small_model_says_nothing_twice_unless_it_is_asked_twice(asked: str, kept: str, note: str) -> None:
    memory, model = ScriptedMemory(), ScriptedModel(pieces=("The sea is very ", "deep and blue."))
    history = chatted("Tell me about the sea", "The sea is very deep and blue.")
    request = Request(Turn(asked, "s9"), history)
    *_, closed = take_turn(memory, Voice(model, compose, small=True), request, threading.Event())
    assert isinstance(closed, Closed)
    assert (closed.text, closed.note) == (kept, note)
    assert (closed.episode is not None) == bool(kept)


@pytest.mark.parametrize("small", [True, False])
def test_a_model_of_few_weights_never_sees_what_it_said_before(small: bool) -> None:
    model = ScriptedModel()
    request = Request(Turn("Tell me more about it", "s9"), chatted("Tell me about the sea", "The sea is deep."))
    voice = Voice(model, compose, invents=False, small=small)
    list(take_turn(ScriptedMemory(), voice, request, threading.Event()))
    said = [message.content for message in model.prompts[0]]
    assert said == ["Tell me about the sea", *([] if small else ["The sea is deep."]), "Tell me more about it"]


def test_a_reply_keeps_what_it_rests_on() -> None:
    answer = answered(lives()[:1], "You live in Lisbon.")
    memory = ScriptedMemory(answers={"Where do I live?": answer})
    run(memory, None, "Where do I live?")
    assert [one.sources for one in memory.kept.values()] == [answer.sources]
    memory = ScriptedMemory()
    events = run(memory, ScriptedModel(), "Tell me of the keys")
    (given,) = [tuple(hit.id for hit in one.given) for one in events if isinstance(one, Prompted)]
    assert given
    assert [one.given for one in memory.kept.values()] == [given]


def test_off_the_record_nothing_is_cited() -> None:
    memory = ScriptedMemory()
    run(memory, ScriptedModel(), "Tell me of the keys", off_record=True)
    assert memory.kept == {}
