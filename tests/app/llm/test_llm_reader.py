"""A model that has not passed for reading never reads, one that has reads only where it is wanted; either is said."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.fitness import WORDS, Fitness, ReadingProcess, of_chat, opened, remember, verdict
from app.llm.process import ModelProcess
from app.paths import fitness_file
from store.protocols import Message


@pytest.mark.parametrize(
    ("found", "wanted", "fit", "said"),
    [
        (
            None,
            True,
            False,
            "SmolLM2 was not tested for extraction (`erstwhile models test`): what is unsure stays unsure.",
        ),
        (Fitness({"chat": 1.0}), True, False, "was not tested for extraction"),
        (Fitness({"extract": 0.5}), True, False, "SmolLM2 did not pass extraction: what is unsure stays unsure."),
        (
            Fitness({"extract": 1.0}),
            False,
            False,
            "checks only where [model] reads = true is set: what is unsure stays unsure.",
        ),
        (Fitness({"extract": 1.0}), True, True, "SmolLM2 checks what the reader is unsure of."),
    ],
)
def test_who_reads_is_said_in_one_sentence(found: Fitness | None, wanted: bool, fit: bool, said: str) -> None:
    may, sentence = verdict("SmolLM2", found, wanted=wanted)
    assert may is fit
    assert said in sentence and sentence.count(". ") == 0


@pytest.mark.parametrize(
    ("found", "fit", "said"),
    [
        (None, False, "SmolLM2 was not tested for summaries (`erstwhile models test`): the sentences are as they were"),
        (Fitness({"extract": 1.0, "summary": 0.75}), False, "SmolLM2 did not pass summaries: the sentences are as"),
        (Fitness({"summary": 1.0}), True, "SmolLM2 words what was said."),
    ],
)
def test_who_words_a_summary_is_said_likewise(found: Fitness | None, fit: bool, said: str) -> None:
    may, sentence = verdict("SmolLM2", found, wanted=True, job=WORDS)
    assert may is fit and said in sentence


def test_the_model_that_chats_reads_once_it_has_passed(
    closing: Callable[[ModelProcess], ModelProcess], gguf_path: Path, tmp_path: Path
) -> None:
    script = json.dumps({"pieces": ['{"claims"', ": []}"]})
    command = (sys.executable, str(Path(__file__).with_name("fake_worker.py")), script)
    model = closing(ModelProcess(gguf_path, crashes=tmp_path / "crashes.json", command=command))
    assert of_chat(model, wanted=True).model is None
    remember(fitness_file(), model.path, Fitness({"extract": 1.0}))
    assert of_chat(model, wanted=False).model is None
    reader = of_chat(model, wanted=True).model
    assert isinstance(reader, ReadingProcess) and reader.name == model.name.removesuffix(".gguf")
    said = reader.chat([Message("user", "I live in Porto.")], temperature=0.0, schema={"type": "object"})
    assert "".join(said) == '{"claims": []}'


def test_what_is_no_file_has_nothing_to_be_tested() -> None:
    class Scripted:
        name = "scripted"

    assert of_chat(Scripted(), wanted=True) == (None, "")


def test_without_a_wish_no_model_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(*_: Any) -> Any:
        raise AssertionError("a model was looked for")

    monkeypatch.setattr("app.llm.find.find", looked)
    with opened(wanted=False) as reader:
        assert reader == (None, "")


def test_a_chosen_file_that_is_none_leaves_the_rules_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ERSTWHILE_MODEL", str(tmp_path / "none.gguf"))
    with opened(wanted=True) as reader:
        assert reader.model is None
        assert reader.sentence.endswith("So what is unsure stays unsure.")
