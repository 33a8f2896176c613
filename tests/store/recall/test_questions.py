"""What a question asks for is read from its words: its kind, its times on both axes, and what is left to explain."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from store.recall.questions import Question, parse
from store.records import Instant, Precision
from tests.store.recall.remembered import at

ZONE = timezone(timedelta(hours=1))
NOW = Instant(at("2025-06-15T12:00").us, 3600)


def read(text: str) -> Question:
    return parse(text, NOW, ZONE)


@pytest.mark.parametrize(
    ("text", "kind", "wh"),
    [
        ("Where do I live?", "value", "where"),
        ("What's my job?", "value", "what"),
        ("Which school does Mila go to?", "value", "which"),
        ("Who do I work for?", "value", "who"),
        ("Who is Paul?", "profile", "who"),
        ("Tell me about Paul", "profile", "what"),
        ("What do you know about Paul?", "profile", "what"),
        ("Who is the CEO of HealthPulse?", "value", "who"),
        ("Do I have a dog?", "yes_no", ""),
        ("Is Ana vegetarian?", "yes_no", ""),
        ("Have I ever been to Japan?", "yes_no", ""),
        ("Is it true that I live in Porto?", "yes_no", ""),
        ("When was Mila born?", "when", "when"),
        ("What day is my appointment?", "when", "when"),
        ("In which year did I move?", "when", "when"),
        ("When did I first tell you about Rex?", "mentioned", "when"),
        ("Since when do I live in Lisbon?", "since", "when"),
        ("Until when did I live in Porto?", "until", "when"),
        ("How long have I lived in Lisbon?", "how_long", "how long"),
        ("How many years did I work at Bosch?", "how_long", "how many"),
        ("How long ago did I move?", "when", "how long"),
        ("How many sons do I have?", "how_many", "how many"),
        ("How often do I swim?", "how_often", "how often"),
        ("How many times a week do I swim?", "how_often", "how many"),
        ("Where did I live before Lisbon?", "before", "where"),
        ("What was my previous job?", "before", "what"),
        ("Where did I live after Porto?", "after", "where"),
        ("How has my salary changed?", "changed", "how"),
        ("What changed in 2023?", "changed", "what"),
        ("What changed in 2023?", "changed", "what"),
        ("Why did I move?", "reason", "why"),
        ("How much rent do I pay?", "value", "how much"),
        ("Can you remind me what my job is?", "value", "what"),
    ],
)
def test_the_kind_of_a_question(text: str, kind: str, wh: str) -> None:
    question = read(text)
    assert (question.kind, question.wh) == (kind, wh)


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("Where did I live in July 2023?", "2023-07", "2023-08", Precision.MONTH),
        ("Where did I live in 2022?", "2022", "2023", Precision.YEAR),
        ("Where did I live last year?", "2024", "2025", Precision.YEAR),
        ("Where did I live in March?", "2025-03", "2025-04", Precision.MONTH),
        ("Where was I on 3 May 2024?", "2024-05-03", "2024-05-04", Precision.DAY),
        ("What did I do last Friday, on 23 January 2022?", "2022-01-23", "2022-01-24", Precision.DAY),
    ],
)
def test_the_world_time_that_a_question_names(text: str, start: str, end: str, precision: Precision) -> None:
    valid = read(text).valid
    assert valid is not None
    hour = 3_600_000_000 if precision is not Precision.EXACT else 0
    assert (valid.start, valid.end, valid.precision) == (at(start).us - hour, at(end).us - hour, precision)


def test_before_and_since_leave_an_end_open() -> None:
    before = read("Where did I live before 2020?").valid
    since = read("What changed since May 2024?").valid
    assert before is not None
    assert before.start is None
    assert before.end == at("2020").us - 3_600_000_000
    assert since is not None
    assert since.end is None


@pytest.mark.parametrize(
    "text",
    [
        "What did I believe in March 2024 about where Paul lived?",
        "Where did I think Paul lived in March 2024?",
        "In March 2024, where did I think Paul lived?",
        "As I knew in March 2024, where did Paul live?",
    ],
)
def test_the_time_beside_a_verb_of_believing_is_the_belief_time(text: str) -> None:
    question = read(text)
    assert question.believed == at("2024-04").us - 3_600_000_000 - 1
    assert question.valid is None
    assert "live" in question.keys
    assert not {"think", "believ", "know"} & set(question.keys)


def test_one_question_can_name_both_times() -> None:
    question = read("Where did I think in March 2024 that Paul lived in January 2024?")
    assert question.believed == at("2024-04").us - 3_600_000_000 - 1
    assert question.valid is not None
    assert question.valid.start == at("2024-01").us - 3_600_000_000


def test_a_belief_time_to_come_is_now() -> None:
    assert read("What did I believe in 2025 about my job?").believed == NOW.us


def test_courtesy_and_words_for_now_leave_no_trace() -> None:
    assert read("Could you please tell me where I live now?").keys == read("Where do I live?").keys
    assert read("Where do I live today?").valid is None


def test_an_owner_is_no_feast() -> None:
    assert read("What is my boss's name?").valid is None


def test_the_anchor_of_before() -> None:
    assert read("Where did I live before I moved to Lisbon?").anchor == "I moved to Lisbon"
    assert read("What laptop did I use before that?").anchor == ""


@pytest.mark.parametrize(
    "text", ["", "?", "   ", "where", "what is", "my my my", "before", "or first", "when?", "é\u0301 ￿"]
)
def test_any_text_is_a_question(text: str) -> None:
    assert read(text).text == text.strip()
