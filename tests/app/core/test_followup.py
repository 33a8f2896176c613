"""What follows a question is asked as it would be asked by itself; all else is left as it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from app.core.followup import standalone
from store.memory import Memory
from store.protocols import Message
from store.records import Instant, Turn

TOLD = (
    ("2025-09-20", "I moved to Porto in September 2025."),
    ("2025-10-01", "My sister Bron lives in York and works as a nurse."),
    ("2025-10-02", "My brother Tom lives in Leeds. He drives a Skoda."),
    ("2026-02-02", "I've moved again, I live in Lisbon now."),
    ("2026-05-02", "Bron moved to Cardiff last month."),
    ("2026-05-03", "My rent is 900 euros."),
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("followup") / "memory.db"
    with Memory.open(path, clock=Clock(), zone=UTC) as opened:
        for day, text in TOLD:
            said_at = Instant.of(datetime.fromisoformat(f"{day}T10:00:00+00:00"))
            opened.reading.learn(
                opened.episodes.remember(Turn(text, "a", speaker="me", role="user", said_at=said_at)).id
            )
        yield opened


class Clock:
    def now(self) -> Instant:
        return Instant.of(datetime(2026, 6, 1, tzinfo=UTC))


def asked(memory: Memory, *said: str) -> str:
    """The last of what was said, by itself."""
    history: list[Message] = []
    for text in said[:-1]:
        history += [Message("user", text), Message("assistant", "...")]
    return standalone(said[-1], history, memory.answering.ask)


@pytest.mark.parametrize(
    ("said", "alone"),
    [
        (("Where do I live?", "And Bron?"), "Where does Bron live?"),
        (("Where does Bron live?", "what about my brother"), "Where does my brother live?"),
        (("Where does Bron live?", "And me?"), "Where do I live?"),
        (("Where does Bron live?", "And before that?"), "Where did Bron live before Cardiff?"),
        (("where do i live", "since when?", "and before?"), "where did i live before Lisbon?"),
        (("Where do I live?", "Since when?"), "Since when I live in Lisbon?"),
        (("whats my rent", "and in march?"), "what was my rent in march?"),
        (("What have I got on Monday?", "And on Friday?"), "What have I got on Friday?"),
        (("where did i live in 2019", "and in 2020?"), "where did i live in 2020?"),
        (("What does Tom drive?", "Where does he live?"), "Where does Tom live?"),
        (("What does Tom drive?", "and what's his job?"), "and what's Tom's job?"),
        (("What does Tom drive?", "And his house?"), "And Tom's house?"),
        (("what's the rent?", "and what will it be in April?"), "and what will the rent be in April?"),
        (("whens physio", "where is it"), "where is the physio"),
        (("What car do I have?", "how much was it?"), "how much was the car?"),
        (("Had lunch with Bron today", "is she still a nurse?"), "is Bron still a nurse?"),
    ],
)
def test_what_follows_a_question_says_what_it_asks(memory: Memory, said: tuple[str, ...], alone: str) -> None:
    assert asked(memory, *said) == alone


@pytest.mark.parametrize(
    "said",
    [
        ("And Bron?",),
        ("Where does Tom live?", "she's got a new job"),
        ("Where does Tom live?", "and she is nice"),
        ("Where does Tom live?", "Had dinner with him"),
        ("Where does Tom live?", "Does Bron like her job?"),
        ("What is the capital of France?", "and Spain?"),
        ("Bron made a cake", "and Tom"),
    ],
)
def test_what_follows_nothing_is_left_as_it_is(memory: Memory, said: tuple[str, ...]) -> None:
    assert asked(memory, *said) == said[-1]


def test_the_answer_is_of_the_one_who_was_meant(memory: Memory) -> None:
    assert memory.answering.ask(asked(memory, "Who is my sister?", "Where does she live?")).text.startswith(
        "Bron lives in Cardiff"
    )
    assert memory.answering.ask(asked(memory, "Where do I live?", "And Tom?")).text.startswith("Tom lives in Leeds")
