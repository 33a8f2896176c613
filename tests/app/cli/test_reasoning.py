"""A model is asked only where the memory abstains and is not sure, never one that invents; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.cli.verbs.asking import Reasoning
from app.core.composing import compose
from app.core.turn import Voice
from app.evaluation.outcomes import declined
from store.protocols import Message
from store.records import Answer, Hit, ModelOptions, Source
from tests.tui.scripted import ScriptedMemory, ScriptedModel, instant

NEAR = Source("e1", None, 0, 3, "Oh.", instant("2024-05-02"), "me", "s1")
UNSURE = Answer("I was not told that in so many words.", 2, True, 1.0, sources=(NEAR,))
WORLD = Answer("That is not about what you told me.", 2, True, 1.0, about="world")
QUESTION = "What is a good name for a boat?"


@pytest.fixture(autouse=True)
def capable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model counts as one that is large enough for notes."""
    monkeypatch.setattr("app.core.composing.is_small", lambda _: False)


def voice(*, invents: bool = False) -> Voice:
    return Voice(ScriptedModel(), compose, invents=invents, honest=True)


def answered(memory: ScriptedMemory, first: Answer, given: Voice | None) -> Answer:
    return Reasoning(lambda: given).answer(memory, QUESTION, first, as_of=None, believed=None)


def test_a_model_answers_what_is_not_of_the_memory() -> None:
    memory = ScriptedMemory(answers={QUESTION: WORLD})
    found = answered(memory, WORLD, voice())
    assert found.tier == 3 and found.text and not found.abstained
    assert not [name for name, _ in memory.calls if name in ("remember", "learn")]


@pytest.mark.parametrize("given", [None, voice(invents=True)])
def test_without_a_model_that_can_be_trusted_the_memory_has_the_last_word(given: Voice | None) -> None:
    assert answered(ScriptedMemory(), UNSURE, given) == UNSURE


def test_what_was_never_told_is_not_asked_of_a_model() -> None:
    first = replace(UNSURE, sources=())

    def load() -> Voice:
        raise AssertionError("a model was loaded for nothing")

    assert Reasoning(load).answer(ScriptedMemory(), QUESTION, first, as_of=None, believed=None) == first


def test_a_model_is_loaded_once_and_closed() -> None:
    loads: list[Voice] = []

    def load() -> Voice:
        loads.append(voice())
        return loads[-1]

    reasoning = Reasoning(load)
    for _ in range(2):
        reasoning.answer(ScriptedMemory(), QUESTION, UNSURE, as_of=None, believed=None)
    reasoning.close()
    assert len(loads) == 1


def test_a_model_speaks_as_the_settings_say() -> None:
    model = ScriptedModel()
    given = Voice(model, compose, invents=False, honest=True)
    speaking = ModelOptions(system="You are a boatswain.", temperature=0.0)
    Reasoning(lambda: given, speaking=speaking).answer(ScriptedMemory(), QUESTION, WORLD, as_of=None, believed=None)
    assert model.prompts[-1][0].content.startswith("You are a boatswain.")
    assert model.asked_with[1] == 0.0


def test_a_model_that_declines_abstains() -> None:
    assert declined("The conversation does not say.") and declined(" ") and declined("I don't know.")
    assert not declined("In Porto.")


def test_an_answer_after_steps_is_of_the_fourth_tier_and_rests_on_what_they_found() -> None:
    class Looking(ScriptedModel):
        step = '{"tool": "read_turns", "arguments": {"session": "s1"}}'

        def chat(self, messages: Sequence[Message], **options: Any) -> Iterator[str]:
            if "schema" in options:
                looked = self.step in [one.content for one in messages]
                yield '{"tool": "answer", "arguments": {}}' if looked else self.step
                return
            yield "Behind the mill."

    hit = Hit("episode", "e99", None, "s1", "me", "The mill is closed.", instant("2024-09-07"), 1.0)
    memory = ScriptedMemory(hits=(hit,))
    memory.said[0] = replace(memory.said[0], text="I parked the camel behind the mill.")
    given = Voice(Looking(), compose, invents=False, tools=True)
    reasoning = Reasoning(lambda: given, memory.clock.now)
    found = reasoning.answer(memory, "Where did I park the camel?", UNSURE, as_of=None, believed=None)
    assert (found.tier, found.abstained, found.text) == (4, False, "Behind the mill.")
    assert [one.quote for one in found.sources] == ["I parked the camel behind the mill."]
