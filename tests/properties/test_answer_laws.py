"""No answer rests on what was taken back, erased or said off the record, and each is of the times that were asked."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.clock import FrozenClock
from store.memory import Memory
from store.records import Answer, Instant, Turn

TOWNS = ("Porto", "Ghent", "Leeds", "Turin", "Aarhus")
QUESTIONS = ("Where do I live?", "which town am i in these days", "Where did I say that I live?")
FIRST = datetime(2026, 1, 5, 12, tzinfo=UTC)
ZONES = (ZoneInfo("America/Los_Angeles"), UTC, timezone(timedelta(hours=5, minutes=45)), ZoneInfo("Asia/Tokyo"))


def shown(answer: Answer) -> str:
    """All words that a person would see."""
    return " ".join([answer.text, *(fact.text for fact in answer.facts), *(one.quote for one in answer.sources)])


def said(memory: Memory, town: str, week: int) -> str:
    """The id of a turn that is told and learned in some week."""
    at = Instant.of(FIRST + timedelta(weeks=week))
    turn = memory.episodes.remember(Turn(f"I live in {town}.", f"s{week}", said_at=at))
    memory.reading.learn(turn.id)
    return turn.id


@settings(max_examples=15)
@given(st.lists(st.sampled_from(("keep", "retract", "erase", "off the record")), min_size=1, max_size=len(TOWNS)))
def test_what_is_gone_is_neither_answered_nor_quoted(ends: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = FrozenClock(Instant.of(FIRST + timedelta(weeks=20)))
        with Memory.open(Path(folder) / "m.db", clock=clock, zone=UTC) as memory:
            gone = set()
            for week, (town, end) in enumerate(zip(TOWNS, ends, strict=False)):
                if end != "keep":
                    gone.add(town)
                if end == "off the record":  # the app asks and answers, and hands the memory no turn
                    memory.answering.ask(f"I live in {town}.")
                    continue
                turn = said(memory, town, week)
                if end == "erase":
                    memory.erasing.erase(memory.erasing.selection(episode=turn))
                elif end == "retract":
                    (fact,) = [one for one in memory.beliefs.facts(about="me") if one.object == town]
                    memory.by_hand.retract(fact.id)
            for question in QUESTIONS:
                words = shown(memory.answering.ask(question))
                assert not [town for town in gone if town in words], (question, words)


@settings(max_examples=12)
@given(st.sampled_from(ZONES), st.integers(1, 3))
def test_an_answer_is_of_the_belief_time_that_was_asked(zone: tzinfo, asked: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = FrozenClock(Instant.of((FIRST + timedelta(weeks=20)).astimezone(zone)))
        with Memory.open(Path(folder) / "m.db", clock=clock, zone=zone) as memory:
            for week, town in enumerate(TOWNS[:4]):
                said(memory, town, week)
            then = Instant.of(FIRST + timedelta(weeks=asked, days=3)).us
            for question in QUESTIONS:
                answer = memory.answering.ask(question, believed=then)
                assert all(one.said_at.us <= then for one in answer.sources)
                assert not [town for town in TOWNS[asked + 1 :] if town in shown(answer)], (question, shown(answer))


@settings(max_examples=12)
@given(st.sampled_from(ZONES), st.integers(1, 28), st.sampled_from((1, 3, 7, 10, 11)))
def test_a_belief_time_is_worded_as_the_day_that_was_asked(zone: tzinfo, day: int, month: int) -> None:
    """Also in the weeks in which clocks change."""
    with tempfile.TemporaryDirectory() as folder:
        clock = FrozenClock(Instant.of(datetime(2026, 12, 1, 12, tzinfo=zone)))
        with Memory.open(Path(folder) / "m.db", clock=clock, zone=zone) as memory:
            told = Turn("I live in Porto.", "s", said_at=Instant.of(datetime(2025, 12, 1, 12, tzinfo=zone)))
            memory.reading.learn(memory.episodes.remember(told).id)
            asked = datetime(2026, month, day, tzinfo=zone)
            words = f"{day} {asked:%B} 2026"
            answer = memory.answering.ask(f"Where did I think I lived on {words}?")
            assert "Porto" in answer.text
            assert f"as you knew on {words}".lower() in answer.text.lower(), answer.text
