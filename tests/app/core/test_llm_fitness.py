"""Grading is strict, can be stopped, and its outcome belongs to one model file."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from app.core.fitness import Fitness, examined, grade, judged, remember, remembered, summed_up
from app.core.fitness_cases import CASES, COMMENT, UNKNOWN, AbilityCase
from app.llm.find import ModelFile
from app.llm.process import ModelProcess
from app.paths import fitness_file
from store.protocols import Message
from tests.app.llm.making import gguf

FAKE = Path(__file__).parents[1] / "llm" / "fake_worker.py"

CITY = AbilityCase("chat", "Where do I live?", (r"ghent",), (r"turin",))
NOTES = AbilityCase(
    "extract", "I moved to Ghent.", ("^yes (no|unclear)$",), notes=("You live in Ghent.", "You like it.")
)


class Parrot:
    """Says the same to everything."""

    name = "parrot"

    def __init__(self, says: str) -> None:
        self.says = says
        self.asked: list[Sequence[Message]] = []
        self.schemas: list[object] = []

    def chat(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 512,
        stop: Event | None = None,
        temperature: float | None = None,
        schema: dict[str, Any] | None = None,
    ) -> Iterator[str]:
        assert temperature == 0.0
        self.asked.append(messages)
        self.schemas.append(schema)
        yield self.says

    def count_tokens(self, text: str) -> int:
        return len(text.split())


@pytest.mark.parametrize("running", [True, False])
def test_a_tested_model_is_asked_where_it_runs_and_the_outcome_is_remembered_unless_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, running: bool
) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    command = (sys.executable, str(FAKE), json.dumps({"pieces": ["Yes."]}))
    loaded: list[Path] = []

    def load(chosen: ModelFile, **_options: object) -> ModelProcess:
        loaded.append(chosen.path)
        return process

    monkeypatch.setattr("app.core.models.load", load)
    with ModelProcess(path, crashes=tmp_path / "crashes", command=command, available_memory=lambda: None) as process:
        stop = Event()
        for _outcome in examined(path, process, stop):
            stop.set()
        assert remembered(fitness_file(), path) is None
        outcomes = list(examined(path, process if running else None, Event()))
    assert len(outcomes) == len(CASES)
    assert remembered(fitness_file(), path) == summed_up(outcomes)
    assert loaded == ([] if running else [path])


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("You live in Ghent.", ""),
        ("Ghent, and before that Turin", "says 'Turin'"),
        ("Bruges", "does not say"),
        ("  ", "says nothing"),
    ],
)
def test_judging(said: str, why: str) -> None:
    assert judged(CITY, said).startswith(why)
    assert bool(judged(CITY, said)) == bool(why)


def test_the_check_of_notes_has_to_be_json_with_a_verdict_for_each() -> None:
    assert judged(NOTES, json.dumps({"verdicts": ["yes", "unclear"]})) == ""
    assert judged(NOTES, json.dumps({"verdicts": ["yes", "yes"]})) == "does not say what it should"
    for said in ("yes", "{}", "[]", '{"verdicts": ["yes"]}', '{"verdicts": ["yes", "maybe"]}', '{"verdicts": null}'):
        assert judged(NOTES, said).startswith("not the JSON")


@pytest.mark.parametrize(
    "said", ["I don't know that.", "You haven’t told me.", "I'm not sure.", "It is not mentioned."]
)
def test_honest_ignorance_is_recognised(said: str) -> None:
    assert re.search(UNKNOWN, said, re.IGNORECASE)
    assert not re.search(UNKNOWN, "Your brother is called Tom.", re.IGNORECASE)


class Listener(Parrot):
    """Says something to each piece of news."""

    def __init__(self, **says: str) -> None:
        super().__init__("")
        self.by_word = says

    def chat(self, messages: Sequence[Message], **_options: Any) -> Iterator[str]:
        told = messages[-1].content
        yield next((said for word, said in self.by_word.items() if word in told), "Oh? Tell me more about it.")


def commenting(**says: str) -> Fitness:
    return summed_up(list(grade(Listener(**says), cases=COMMENT)))


@pytest.mark.parametrize(
    "said",
    ["What a wonderful thing! Congratulations.", "I'm so happy to hear that.", "That sounds lovely!", "Great news."],
)
@pytest.mark.parametrize("word", ["dog", "grandmother", "miscarried", "split", "job"])
def test_who_greets_sad_news_as_good_does_not_pass_however_well_they_do_else(word: str, said: str) -> None:
    assert commenting().passed("comment")
    assert commenting(**{word: said}).shares == {"comment": 0.0}


@pytest.mark.parametrize(
    "said",
    [
        "I'm so sorry. How are you?",
        "That is not good news. I am with you.",
        "It is good that you told me; what helps you now?",
        "How hard. I wish there was something to make it a good day.",
    ],
)
def test_sympathy_is_not_taken_for_joy(said: str) -> None:
    assert commenting(dog=said, grandmother=said, job=said, biopsy=said, miscarried=said, split=said).passed("comment")


def test_who_is_sorry_for_happy_news_or_for_no_news_does_not_pass() -> None:
    sorry = "I'm sorry to hear that. It must be hard."
    assert not commenting(driving=sorry, born=sorry, marry=sorry).passed("comment")
    assert not commenting(tram=sorry, neighbours=sorry, electricity=sorry).passed("comment")
    assert not commenting(tram="Congratulations!", neighbours="Hooray!", library="Congratulations!").passed("comment")


def test_who_only_says_it_back_or_refuses_does_not_pass() -> None:
    back = {case.text: case.text for case in COMMENT}
    assert commenting(**back).shares == {"comment": 0.0}
    refusal = "As an AI language model, I have no feelings about that."
    assert not commenting(tram=refusal, neighbours=refusal, job=refusal).passed("comment")


def test_every_case_is_asked_once_and_only_facts_and_steps_are_bound() -> None:
    parrot = Parrot("I don't know.")
    outcomes = list(grade(parrot))
    assert [outcome.case for outcome in outcomes] == list(CASES)
    bound = [schema is not None for schema in parrot.schemas]
    assert bound == [case.ability in ("extract", "tools") for case in CASES]
    fitness = summed_up(outcomes)
    assert fitness.passed("absent")
    assert not fitness.passed("chat")
    assert fitness.shares["extract"] == 0


def test_the_set_covers_every_ability_and_asks_nothing_twice() -> None:
    assert min(Counter(case.ability for case in CASES).values()) >= 4
    assert len({(case.ability, case.text) for case in CASES}) == len(CASES)


def test_grading_can_be_stopped() -> None:
    stop = Event()
    outcomes = grade(Parrot("x"), stop=stop)
    next(outcomes)
    stop.set()
    assert list(outcomes) == []


def test_the_outcome_belongs_to_the_file(tmp_path: Path) -> None:
    notes, model, other = tmp_path / "state" / "fitness.json", tmp_path / "a.gguf", tmp_path / "b.gguf"
    model.write_bytes(b"1")
    other.write_bytes(b"2")
    assert remembered(notes, model) is None
    remember(notes, model, Fitness({"chat": 0.9}))
    remember(notes, other, Fitness({"chat": 0.1}))
    found = remembered(notes, model)
    assert found is not None
    assert found.passed("chat")
    assert not found.passed("summary")
    os.utime(model, ns=(1, 1))
    assert remembered(notes, model) is None, "a changed file is another model"


def test_grades_of_other_questions_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes, model = tmp_path / "fitness.json", tmp_path / "a.gguf"
    model.write_bytes(b"1")
    remember(notes, model, Fitness({"chat": 1.0}))
    monkeypatch.setattr("app.core.fitness.FROM_NOTES", " (Be honest.)")
    assert remembered(notes, model) is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"tool": "facts", "arguments": {"about": "me"}}, ""),
        ({"tool": "chain", "arguments": {"subject": "me", "predicate": "lives_in"}}, "does not say what it should"),
        ({"tool": "facts"}, "not the JSON that was asked for"),
        ({"tool": "facts", "arguments": "me"}, "not the JSON that was asked for"),
    ],
)
def test_a_step_is_judged_as_it_would_be_carried_out(said: object, why: str) -> None:
    case = AbilityCase("tools", "Where did I live in March 2019?", (r"^facts .*2019",))
    assert judged(case, json.dumps(said)) == why


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"x": 1}'])
def test_damaged_notes_mean_testing_again(tmp_path: Path, damage: str) -> None:
    notes, model = tmp_path / "fitness.json", tmp_path / "a.gguf"
    model.write_bytes(b"1")
    notes.write_text(damage)
    assert remembered(notes, model) is None
    remember(notes, model, Fitness({"chat": 1.0}))
    assert remembered(notes, model) == Fitness({"chat": 1.0})
