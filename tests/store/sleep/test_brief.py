"""A brief tells what is new, what is open and what is ahead; it is stored as ids, and what was erased is in none."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from app.core.clock import FrozenClock
from store.database.rows import rows
from store.memory import Memory
from store.records import Instant, Precision, Turn
from store.sleep import brief, telling
from store.sleep.phases import PhaseInput
from tests.conftest import NOW, ZONE


def sections(memory: Memory) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in telling.lines(memory.overview.brief()):
        found.setdefault(line.section, []).append(line.text)
    return found


def instant(text: str) -> Instant:
    return Instant.of(datetime.fromisoformat(text).replace(tzinfo=ZONE))


def store(memory: Memory, run: int = 1) -> int:
    """Let the phase of a sleep do its work; gives how many steps it took."""
    work = PhaseInput(memory._database, memory._clock, run, lambda: None, None)
    return len(list(brief.phase(work)))


def test_what_changed_is_told_with_what_was_before(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-28", "I live in Porto.")
    memory.overview.brief_read()
    say("2026-05-31", "I moved to Lisbon yesterday.")
    assert sections(memory)["changed"] == ["You live in Lisbon, since Saturday 30 May. Before: Porto."]


def test_what_was_put_right_and_what_ended_are_told_as_that(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-28", "I drive a Golf.", "My dentist is Dr. Dixon.")
    memory.overview.brief_read()
    say("2026-05-31", "I sold the Golf.", "Actually, my dentist is Dr. Davis, not Dr. Dixon.")
    told = sections(memory)["changed"]
    assert any(line.startswith("Put right: Your dentist is Dr. Davis") and "not Dr. Dixon" in line for line in told)


def test_nobody_is_told_that_the_dead_are_ill_no_more(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-28", "My uncle Graham has asthma.")
    memory.overview.brief_read()
    say("2026-05-31", "Graham died on Friday.")
    assert not [line for line in sections(memory)["changed"] if "asthma" in line]


def test_what_is_going_to_end_is_told_with_its_end(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-28", "I work at Acme.")
    say("2026-05-31", "I start at Globex on June 15.")
    told = sections(memory)
    assert any("until Monday 15 June" in line for line in told["changed"]), told


def test_what_was_read_is_not_told_again(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-31", "I live in Porto.")
    assert telling.heading(memory.overview.brief()) == "Your first brief: 1 thing learned."
    memory.overview.brief_read()
    assert (
        sections(memory) == {}
        and telling.heading(memory.overview.brief()) == "Since 12:00 today: nothing new was said."
    )
    say("2026-06-01T11:00", "I like rooibos.")
    assert sections(memory) == {"changed": ["You like rooibos."]}


def test_news_comes_before_what_an_old_chat_brought_in(memory: Memory, say: Callable[..., None]) -> None:
    say("2019-05-31", "I live in Braga.")
    assert sections(memory)["changed"] == ["You live in Braga."]
    say("2026-05-31", "I like rooibos.")
    assert sections(memory)["changed"] == ["You like rooibos."]


def test_a_dispute_is_asked_about(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-30", "My grandmother Odete was born in 1934.")
    say("2026-05-31", "My grandmother Odete was born in 1936.")
    told = sections(memory)
    disputed = [fact for fact in memory.beliefs.facts(about="Odete") if fact.disputed]
    assert len(disputed) == 2
    assert told["disputed"] == [
        "Odete was born in 1934 (said on Saturday 30 May), or 1936 (said on Sunday 31 May): which is right?"
    ]
    memory.by_hand.resolve(disputed[0].id)
    assert "disputed" not in sections(memory)


def test_what_lies_ahead_is_told_with_its_day_and_birthdays_with_it(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-31", "My sister Ana was born on the 9th of June 1990.", "I was born on 12 May 1989.",
        "I have a dentist appointment on June 3 at 15:00.")  # fmt: skip
    coming = sections(memory)["coming"]
    assert "Tuesday 9 June, in 8 days: Ana's birthday." in coming
    assert coming[0].startswith("Wednesday 3 June at 15:00, in 2 days: ")
    assert not any("12 May" in line for line in coming)


def test_the_29th_of_february_comes_every_year() -> None:
    day = datetime(1996, 2, 29).date()  # noqa: DTZ001 # a day of the calendar, of no zone
    assert brief._next(day, datetime(2026, 1, 1).date()).isoformat() == "2026-03-01"  # noqa: DTZ001 # the same
    assert brief._next(day, datetime(2027, 3, 2).date()).isoformat() == "2028-02-29"  # noqa: DTZ001 # the same


def test_what_began_to_fade_since_then_is_asked_about_once(tmp_path: Path) -> None:
    said = Turn("I like rooibos.", "s1", said_at=instant("2026-03-30T12:00"))
    with Memory.open(tmp_path / "m.db", clock=FrozenClock(NOW), zone=ZONE) as memory:
        list(memory.episodes.ingest([said]))
        for _ in memory.sleeping.run():
            pass
        (line,) = sections(memory)["fading"]
        assert line == "Not spoken of since 30 March: You like rooibos. Is that still so?"
        memory.salience.use(memory.salience.fading())
        assert "fading" not in sections(memory)


def test_a_brief_is_stored_as_ids_and_only_if_it_says_anything_else(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-31", "I live in Zqxporto.")
    store(memory)
    assert store(memory, 2) == 0
    stored = rows(memory._database.reader(), "select reason, detail from operations where phase = 'brief'")
    assert stored and all("zqx" not in detail.lower() for _, detail in stored)
    held = json.loads(stored[-1][1])
    assert held["changed"] == [fact.id for fact in memory.beliefs.facts()] and held["heard"] == 1
    say("2026-06-01T11:00", "I like rooibos.")
    assert store(memory, 3) + store(memory, 4) <= 1


def test_what_was_erased_is_in_no_brief(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-30", "I live in Zqxporto.")
    say("2026-05-31", "I like rooibos.")
    store(memory)
    memory.erasing.erase(memory.erasing.selection(session="s-2026-05-30"))
    assert sections(memory) == {"changed": ["You like rooibos."]}


@pytest.mark.parametrize(
    ("moment", "precision", "words"),
    [
        ("2026-06-03T12:00", Precision.DAY, "Wednesday 3 June"),
        ("2026-03-03T12:00", Precision.DAY, "3 March"),
        ("2025-03-03T12:00", Precision.DAY, "3 March 2025"),
        ("2025-03-03T12:00", Precision.MONTH, "March 2025"),
        ("2026-03-03T12:00", Precision.YEAR, "2026"),
        ("2026-05-30T12:00", Precision.OPEN, "Saturday 30 May"),
    ],
)
def test_days_are_said_as_people_say_them(moment: str, precision: Precision, words: str) -> None:
    assert telling.day_words(instant(moment), precision, NOW) == words
