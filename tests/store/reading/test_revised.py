"""A message that leans on the one before changes what that one told, and nothing else.

The sentences are in nobody's corpus. What is told stands in the first messages, a minute apart.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from store.memory import Memory
from store.reading.revised import is_revised
from store.records import Stretch

Say = Callable[..., None]


def now(memory: Memory) -> set[str]:
    """What is believed to be so now, or to lie ahead, with its day."""
    found = set()
    for one in memory.beliefs.facts(as_of=Stretch(None, None)):
        day = f" {one.valid_from.iso()[:10]}" if one.valid_from and one.predicate == "event" else ""
        over = one.valid_to is not None and one.predicate not in ("event", "cost")
        found |= set() if one.negative or over else {f"{one.object}{day}"}
    return found


@pytest.mark.parametrize(
    ("told", "then", "holds", "gone"),
    [
        ("I weigh 81 kilos", "typo, 91", "91 kilos", "81 kilos"),
        ("My knee appointment is on the 9th of December", "they rang, it's been put back to the 16th",
         "knee appointment 2024-12-16", "knee appointment 2024-12-09"),
        ("My knee appointment is on the 9th of December", "what's the capital of Peru?",
         "knee appointment 2024-12-09", ""),
        ("I'm 46 and I drive the number 8 bus", "lol not 46, 47 since Sunday", "47", "46"),
        ("I'm 46 and I drive the number 8 bus", "lol not 46, 47 since Sunday", "number 8 bus", ""),
        ("We're moving to Truro in March", "Truro's off, the sale fell through.", "", "Truro"),
        pytest.param(  # the reader that ships takes the boat for a boat that has a price, and "her" for none
            "got the bonnie off a bloke, paid 2300 for her", "wait no, i paid 2600 for the bonnie", "2600", "2300",
            marks=pytest.mark.xfail(strict=True),
        ),
        ("We have a black cat, Sooty.", "she's 12 and blind", "Sooty", ""),
        ("I'm allergic to walnuts.", "Hazelnuts are fine now.", "walnuts", ""),
        ("My dentist is Dr. Davis.", "Sorry, it's Dixon, not Davis.", "Dr. Dixon", "Dr. Davis"),
        ("I play the oud.", "Actually, my vet is Dr. Orme, not Dr. Hume.", "oud", ""),
    ],
)  # fmt: skip
def test_what_was_just_told_is_revised(memory: Memory, say: Say, told: str, then: str, holds: str, gone: str) -> None:
    say("2024-03-05", told, then)
    found = now(memory)
    assert not holds or holds in found, found
    assert not gone or gone not in found, found


@pytest.mark.parametrize(
    ("told", "then", "value", "since"),
    [
        ("cash rent goes to 215 an acre from March", "Hold on, make that rent 205.", "205 an acre", "2024-03"),
        ("rents going up to 725 from april", "18. was the year of the snow", "725", "2024-04"),
    ],
)
def test_a_number_alone_is_no_time_of_what_has_a_figure(
    memory: Memory, say: Say, told: str, then: str, value: str, since: str
) -> None:
    say("2024-02-05", told, then)
    found = [one for one in memory.beliefs.facts(as_of=Stretch(None, None)) if not one.negative]
    assert [(one.object, one.valid_from.iso()[:7]) for one in found if one.valid_from is not None] == [(value, since)]


@pytest.mark.parametrize(
    ("told", "then", "stays"),
    [
        (["our parrot Bosun is 9", "gas went up to 88 a month"], "bosun is 11 sorry, not 9", "88 a month"),
        (["MRI booked for 9 April", "ferry to Harlingen on Friday the 8th"], "mri got moved to 16 April, strike there",
         "ferry to Harlingen 2024-03-08"),
        (["biopsy on 12 April", "my cousin Odalys is having a baby in June"], "not 12 April, 11 April for the biopsy",
         "having a baby"),
        (["hearing test is on the 14th of March", "the shedd costs me 70 a year"], "shed i mean",
         "hearing test 2024-03-14"),
        (["my boss is a woman called Ottilie Brandt", "I earn 2,900 a month"], "Brand. No t at the end.",
         "2,900 a month"),
    ],
)  # fmt: skip
def test_what_a_message_does_not_speak_of_stays(
    memory: Memory, say: Say, told: list[str], then: str, stays: str
) -> None:
    say("2024-03-05", *told, then)
    assert any(stays in one for one in now(memory)), now(memory)


def test_what_was_told_an_hour_ago_is_not_leaned_on(memory: Memory, say: Say) -> None:
    say("2024-03-05T09:00", "I weigh 81 kilos")
    say("2024-03-05T11:00", "typo, 91")
    assert "81 kilos" in now(memory)


@pytest.mark.parametrize(
    ("earlier", "words", "later", "revised"),
    [
        ("im putting money by for a pram, got 180 so far", "180", "tell a lie its 240, forgot last months", True),
        ("im putting 60 a month by for a pram, got 180 so far", "180", "cant wait to push it", False),
        ("the boiler man is coming weds between 8 and 12", "weds", "no hang on, its friday hes coming", True),
        ("doctor put me on amlodipine 5mg, one in the morning", "amlodipine 5mg", "ta. id forget my head me", False),
    ],
)
def test_an_answer_asks_whether_its_words_were_revised(earlier: str, words: str, later: str, revised: bool) -> None:
    assert is_revised(earlier, words, datetime(2026, 11, 27, 9, tzinfo=UTC), later) == revised
