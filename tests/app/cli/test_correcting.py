"""What takes place is put right with its time, in the box that `e` opens as in the file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from app.core import deeds
from store.memory import Memory
from store.records import Fact, Instant, Precision, Stretch, Turn
from widgets.receipt import told_back
from widgets.wording import quoted

HOUR = 3_600_000_000


def test_an_occasion_that_is_put_right_takes_place_at_its_new_time(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-04", "I've got the dentist on Friday 8 May at 3pm.")
    (wrong,) = [one for one in memory.beliefs.timeline() if one.object == "dentist"]
    assert wrong.valid_from is not None
    later = wrong.valid_from.us + 24 * HOUR
    deeds.correct(wrong, "dentist", Stretch(later, later + HOUR, Precision.EXACT, wrong.valid_from.offset))(memory)
    (right,) = [one for one in memory.beliefs.timeline() if one.object == "dentist" and one.believed_to is None]
    assert right.valid_from is not None
    assert right.valid_to is not None
    assert (right.valid_from.us, right.valid_to.us) == (later, later + HOUR)


def test_a_receipt_says_at_what_time_something_takes_place(memory: Memory) -> None:
    told = Turn(
        "I've got the dentist on Friday 12 June at 3pm.",
        "talk",
        said_at=Instant.of(datetime(2026, 6, 1, 9, tzinfo=UTC)),
    )
    changes = memory.reading.learn(memory.episodes.remember(told).id)
    assert told_back(changes) == "Noted: your dentist appointment is coming up, on 12 June 2026 at 15:00."


def test_other_words_and_another_hour_are_both_said(memory: Memory, say: Callable[..., None]) -> None:
    say("2026-05-04", "I've got a dentist appointment on Friday 8 May at 3pm.")
    wrong = coming(memory)
    assert wrong.valid_from is not None
    assert deeds.correct(wrong, "root canal")(memory).said == f"Corrected: event root canal, not {wrong.object}"
    right = coming(memory)
    assert (right.object, right.valid_from) == ("root canal", wrong.valid_from)
    later = wrong.valid_from.us + 24 * HOUR
    said = deeds.correct(right, "root canal", Stretch(later, later + HOUR, Precision.EXACT, 3600))(memory).said
    assert said == "Corrected: event root canal, on 9 May at 15:00"
    (source,) = [one for one in coming(memory).sources if "9 May" in one.quote]
    assert quoted(source) == (
        "put right by hand: event: root canal, 15:00 on 9 May 2026 (instead of 15:00 on 8 May 2026)"
    )


def coming(memory: Memory) -> Fact:
    (one,) = [one for one in memory.beliefs.timeline() if one.predicate == "event" and one.believed_to is None]
    return one


def test_what_is_undone_is_told_in_words(memory: Memory, say: Callable[..., None], unsure_reader: None) -> None:
    say("2026-05-04", "I have asthma.")
    say("2026-05-05", "I live in Porto.")
    (heard,) = memory.reading.unsure()
    deeds.retract(heard)(memory)
    assert deeds.undo(memory).said == "Undone: taken back: has condition asthma"
    (home,) = memory.beliefs.facts(predicate="lives_in")
    deeds.pin(home)(memory)
    assert deeds.undo(memory).said == "Undone: pinned: lives in"
    memory.by_hand.unlearn(memory.episodes.of("s-2026-05-05")[0].id)
    assert deeds.undo(memory).said == "Undone: taken back what “I live in Porto.” taught"
