"""A model is given the conversation and what was recalled, dated; never its own words of another day, nor what it
just read.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from app.core.composing import compose, is_small, memory_line
from app.core.fitness import Fitness, remember
from app.core.opening import lately_changed, open_memory, open_model, voiced
from app.core.prompts import FROM_NOTES
from app.core.settings import Settings, parse
from app.core.turn import NO_MODEL, Prompted, Request
from app.llm.gguf import read
from app.llm.small import (
    LONGEST,
    SHOWN,
    TEMPERATURE,
    TRUSTED_SIZE,
    USUAL_TEMPERATURE,
    shown_to_small,
    usual_temperature,
)
from app.paths import fitness_file
from store.errors import Busy, ModelUnavailable
from store.protocols import Message
from store.records import Hit, Recollection, Turn
from tests.app.llm.making import gguf
from tests.tui.scripted import ScriptedMemory, ScriptedModel, instant

HIT = Hit("episode", "e1", None, "s1", "me", "the door code is 7146", instant("2024-09-07"), 1.0)


def composed(*hits: Hit) -> Prompted:
    turn = Turn("What is it?", "s9", said_at=instant("2025-03-14 21:40"))
    request = Request(turn, (Message("user", "Hi"), Message("assistant", "Hello")))
    return compose(ScriptedModel(), request, Recollection("", hits, 1.0))


@pytest.mark.usefixtures("capable")
def test_the_conversation_comes_first_and_the_memories_with_the_question() -> None:
    messages = composed(HIT).messages
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert "Friday 14 March 2025" in messages[-1].content
    assert "the door code is 7146" in messages[-1].content
    assert "2024-09-07" in messages[-1].content
    assert messages[-1].content.endswith("What is it?")


@pytest.mark.usefixtures("capable")
@pytest.mark.parametrize("personal", [True, False])
def test_a_model_is_warned_where_it_is_asked_about_the_person(personal: bool) -> None:
    request = Request(Turn("What is it?", "s9", said_at=instant("2025-03-14 21:40")), personal=personal)
    messages = compose(ScriptedModel(), request, Recollection("", (HIT,), 1.0)).messages
    assert messages[-1].content.endswith(FROM_NOTES) is personal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("What is it?", ["Who was Marie Curie?"]),
        ("Where was she born?", ["Who was Marie Curie?"]),
        ("Why?", ["Who was Marie Curie?"]),
        ("And her daughter?", ["Who was Marie Curie?"]),
        ("Tell me about the Himalayas", []),
        ("It's raining again.", []),
        ("What is a roux?", []),
    ],
)
def test_a_small_model_is_shown_how_and_no_reply_and_only_what_the_words_lean_on(
    monkeypatch: pytest.MonkeyPatch, text: str, shown: list[str]
) -> None:
    monkeypatch.setattr("app.core.composing.is_small", lambda _: True)
    history = (
        Message("user", "I moved."), Message("assistant", NO_MODEL),
        Message("user", "Who was Marie Curie?"), Message("assistant", "She was a physicist."),
    )  # fmt: skip
    request = Request(Turn(text, "s9"), history)
    messages = compose(ScriptedModel(), request, Recollection("", (HIT,), 1.0)).messages
    assert tuple(messages[: len(SHOWN)]) == SHOWN
    assert list(messages[len(SHOWN) :]) == [Message("user", one) for one in (*shown, text)]


def test_what_leans_on_what_leans_is_shown_with_both() -> None:
    said = ("Tell me about the sea", "Why is it salty?", "And the lakes?")
    history = [one for text in said for one in (Message("user", text), Message("assistant", "Well."))]
    assert [one.content for one in shown_to_small(history, "Why?")] == list(said)


def test_a_small_model_is_kept_cool_and_short(tmp_path: Path) -> None:
    small, large = tmp_path / "small.gguf", tmp_path / "large.gguf"
    small.write_bytes(b"GGUF")
    large.touch()
    with large.open("r+b") as file:
        file.truncate(TRUSTED_SIZE)
    assert (usual_temperature(small), usual_temperature(large)) == (TEMPERATURE, USUAL_TEMPERATURE)
    assert usual_temperature(tmp_path / "gone.gguf") == TEMPERATURE
    assert voiced(ScriptedModel(), Settings()).max_tokens == LONGEST
    assert voiced(ScriptedModel(), Settings(model_invents=False)).max_tokens == Settings().max_tokens


@pytest.mark.usefixtures("capable")
def test_only_what_the_prompt_holds_was_given_and_the_rest_is_said() -> None:
    many = [replace(HIT, id=f"e{number}", text=f"the code is {number}") for number in range(10)]
    prompted = composed(*many)
    assert [one.id for one in prompted.given] == [f"e{number}" for number in range(8)]
    assert prompted.note == "Left out for want of room: 2 memories."


def test_a_small_model_was_given_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.composing.is_small", lambda _: True)
    assert composed(HIT).given == ()


def test_a_fact_is_given_as_it_is_worded() -> None:
    line = memory_line(replace(HIT, kind="fact", text="You live in Lisbon."))
    assert (line.text, line.source) == ("You live in Lisbon.", "said 2024-09-07")


def test_what_is_open_stays_open_and_what_goes_wrong_is_raised_with_its_sentence() -> None:
    def busy() -> ScriptedMemory:
        raise Busy("Another process holds it; close that one.")

    def none() -> ScriptedModel:
        raise ModelUnavailable("It cannot be loaded; choose another.")

    with pytest.raises(Busy, match="close that one"):
        open_memory(busy, Event())
    with pytest.raises(ModelUnavailable, match="choose another"):
        open_model(none, Settings())
    memory = ScriptedMemory()
    assert open_memory(memory, Event()) is memory
    assert open_model(None, Settings()) is None
    voice = open_model(ScriptedModel(), Settings())
    assert voice is not None and voice.invents


def test_a_model_is_trusted_by_its_size(tmp_path: Path) -> None:
    class OnDisk(ScriptedModel):
        path = tmp_path / "model.gguf"

    assert is_small(ScriptedModel())
    OnDisk.path.write_bytes(b"GGUF")
    assert is_small(OnDisk())
    with OnDisk.path.open("r+b") as file:
        file.truncate(400_000_000)
    assert not is_small(OnDisk())


@pytest.mark.parametrize(
    ("weights", "shares", "comments"),
    [
        (1_500_000_000, None, False),
        (1_500_000_000, {"chat": 1.0}, False),
        (1_500_000_000, {"chat": 1.0, "comment": 0.9}, True),
        (4_000_000_000, None, True),
        (4_000_000_000, {"chat": 1.0, "comment": 0.0}, False),
        (0, None, True),
    ],
)
def test_below_some_size_a_model_comments_only_once_it_has_passed_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weights: int, shares: dict[str, float] | None, comments: bool
) -> None:
    class OnDisk(ScriptedModel):
        path = tmp_path / "model.gguf"

    OnDisk.path.write_bytes(gguf())
    with OnDisk.path.open("r+b") as file:
        file.truncate(TRUSTED_SIZE)
    monkeypatch.setattr("app.llm.gguf.read", lambda path: replace(read(path), weights=weights))
    if shares is not None:
        remember(fitness_file(), OnDisk.path, Fitness(shares))
    voice = voiced(OnDisk(), Settings())
    assert (voice.comments, voice.invents) == (comments, False)


def test_what_changed_lately_is_newest_first() -> None:
    memory = ScriptedMemory()
    changes = lately_changed(memory, instant("2024-12-01").us)
    assert [change.new.object for change in changes if change.new] == ["Kyoto"]


def test_the_settings_file_is_obeyed() -> None:
    settings = parse(
        '[look]\ntheme = "light"\n[sleep]\nafter_seconds = 5.0\n[keys]\n"chat.new" = "f9"\n'
        "[chat]\noff_the_record = true\n", "here",
    )  # fmt: skip
    assert (settings.theme, settings.idle_seconds, settings.keymap) == ("light", 5.0, {"chat.new": "f9"})
    assert settings.off_the_record
    assert parse("", "here") == Settings()
