"""It points at words that are there, judges a pair the same beside any other, and tells what is asked."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.errors import ReaderUnavailable
from store.reading.asking.encoder import Asker, default_path, shipped
from store.reading.asking.pieces import MAX_BEFORE, MAX_QUESTION, MAX_TURN, Passage, front, pair_of, question_of
from store.reading.asking.telling import asks_memory, tells
from store.reading.encoder import shipped as reader

DAY = date(2026, 3, 4)
TOLD = Passage("We got the keys to the flat in Bedminster!", "me", DAY, 12)
OTHER = Passage("The boiler man comes on Tuesday at nine.", "me", DAY, 12)


def words(question: str, turn: Passage) -> str:
    (found,) = shipped().judge(question, [turn])
    return turn.text[found.words.start : found.words.end]


def test_it_points_at_the_words_that_answer() -> None:
    assert "Bedminster" in words("which bit of town is the new place in", TOLD)
    assert "Tuesday" in words("when does he come about the heating", OTHER)


def test_a_turn_that_answers_is_likelier_than_one_that_does_not() -> None:
    right, wrong = shipped().judge("Where is our new flat?", [TOLD, OTHER])
    assert right.sure > 0.5 > wrong.sure


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        (True, "does paolo have a boat, has callum got kids, will ines be at the party, can callum swim"),
        (False, "will start at Siemens on Monday, did a marathon in May, would love a dog called Rex, will be 40"),
        (False, "could not sleep because of my back, when Anna was born we lived in Leeds, has a dog called Rex"),
        (False, "does yoga every Monday my wife, what my doctor says is that I have asthma, name is Tom"),
    ],
)
def test_who_leaves_out_their_i_does_not_ask(asked: bool, texts: str) -> None:
    assert {text: asks_memory(text, shipped()) for text in texts.split(", ")} == dict.fromkeys(texts.split(", "), asked)


def test_a_pair_is_judged_alike_beside_any_other() -> None:
    question = "Where is our new flat?"
    assert Asker(default_path()).judge(question, [OTHER, TOLD])[1] == Asker(default_path()).judge(question, [TOLD])[0]


def test_what_ended_says_no() -> None:
    (found,) = shipped().judge("Do I still go to the gym?", [Passage("Cancelled the gym at last.", "me", DAY, 3)])
    assert found.verdict == "no"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("she asked me to keep it between us", True),
        ("I guess I would like to try pottery next spring", True),
        ("Renata is a vet or a doctor", False),
        ("was that the dentist on Friday", False),
        ("I wonder where I put my passport", False),
        ("my library card number", False),
        ("when is the boiler man due", False),
        ("when did i start at the Elm Road surgery", False),
        ("who plays the viola", False),
        ("I need a recipe for lentil soup", False),
        ("write a note to Ola saying Bea moved to Hull and is off sick", False),
    ],
)
def test_what_opens_as_people_tell_and_asks_for_nothing_tells(text: str, told: bool) -> None:
    assert tells(text, shipped(), reader()) is told


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How many cats do we have?", "count"),
        ("When is the MOT due?", "when"),
        ("Who is my dentist?", "who"),
        ("Is Lotte allergic to nuts?", "yesno"),
        ("Am I on nights or days?", "choice"),
        ("Tell me about Lotte", "tell"),
    ],
)
def test_the_form_of_the_answer_is_read(question: str, form: str) -> None:
    assert shipped().intent(question).form == form


@settings(max_examples=60)
@given(st.text(max_size=120), st.text(max_size=400), st.text(max_size=300))
def test_what_it_points_at_stands_in_the_text(question: str, text: str, before: str) -> None:
    turn = Passage(text, "me", DAY, 40, before)
    (found,) = shipped().judge(question, [turn])
    assert 0 <= found.words.start <= found.words.end <= len(text)
    intent = shipped().intent(question)
    assert all(part in question for part in (intent.subject, intent.time, intent.belief))
    pair = pair_of(shipped().tokenizer, question, turn)
    assert len(pair.ids) == len(pair.segments) == len(pair.offsets) <= MAX_QUESTION + MAX_TURN + MAX_BEFORE + 1
    assert len(question_of(shipped().tokenizer, question).ids) <= MAX_QUESTION


@pytest.mark.parametrize(
    ("days", "words"), [(0, "now"), (5, "5 days ago"), (9, "1 week ago"), (45, "1 month ago"), (800, "2 years ago")]
)
def test_how_long_ago_a_turn_was_said_stands_in_front_of_it(days: int, words: str) -> None:
    assert front(Passage("Hello.", "Ana", DAY, days)) == f"Ana, {words}, 4 March 2026: "


def test_a_damaged_network_says_what_to_do(tmp_path: Path) -> None:
    shutil.copytree(default_path(), tmp_path / "asker")
    (tmp_path / "asker" / "encoder.onnx").write_bytes(b"nothing")
    with pytest.raises(ReaderUnavailable, match="Install it again"):
        Asker(tmp_path / "asker").intent("Where do I live?")
