"""What a turn teaches depends on who speaks, on the turns before it and on nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store.reading.extract import Speakers, mention_of, read
from store.records import Precision
from tests.store.reading.turns import SPEAKERS, said, triples, turn


def test_a_named_speaker_is_their_own_first_person() -> None:
    claims = said("I live in Leeds and my brother Max plays chess.", speaker="Caroline")
    assert triples(claims) == [
        ("caroline", "lives_in", "Leeds"),
        ("caroline", "brother", "Max"),
        ("max", "plays", "chess"),
    ]
    assert {claim.asserted_by for claim in claims} == {"caroline"}


def test_the_person_is_me_under_every_name() -> None:
    speakers = Speakers(frozenset({"rita", "me"}))
    assert mention_of("Rita", "user", speakers) == "me"
    assert mention_of("Otto", "user", speakers) == "otto"
    assert mention_of("Llama", "assistant", speakers) == "assistant"
    assert triples(read(turn("I live in Porto.", speaker="Rita"), [], speakers)) == [("me", "lives_in", "Porto")]


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_people_assert(role: str) -> None:
    assert said("I live in Porto and my name is Ana.", role=role) == []  # type: ignore[arg-type]  # parametrised roles are plain strings


def test_an_abandoned_branch_teaches_nothing() -> None:
    assert read(replace(turn("I live in Porto."), inactive=True), [], SPEAKERS) == []


def test_reading_is_a_pure_function() -> None:
    text = "My sister Ana lives in Rome since 2019, she's a vet."
    assert said(text) == said(text)
    assert len({claim.id for claim in said(text)}) == len(said(text))


def test_ids_do_not_depend_on_what_came_before() -> None:
    assert [claim.id for claim in read(turn("I live in Porto.", position=3), [], SPEAKERS)] == [
        claim.id for claim in read(turn("I live in Porto.", position=3), [turn("Hello.")], SPEAKERS)
    ]


def test_standing_is_that_of_the_source() -> None:
    assert said("I live in Porto.")[0].standing == 4
    imported = read(turn("I live in Porto.", source="import:chatgpt"), [], SPEAKERS)
    assert imported[0].standing == 3


def test_a_pronoun_means_the_only_one_who_fits() -> None:
    assert ("ana", "works_at", "Siemens") in triples(said("She works at Siemens.", "My sister Ana came for lunch."))
    assert ("paul", "lives_in", "Rome") in triples(said("My brother Paul called. He lives in Rome now."))


def test_a_pronoun_that_could_mean_two_means_nobody() -> None:
    for before in (["My sister Ana and my friend Julia came for lunch."], []):
        assert {one.modality for one in said("She works at Siemens.", *before)} <= {"unsure"}


def test_somebody_elses_words_about_themselves_are_theirs() -> None:
    claims = said("Paul told me he has been living in Aachen since November 2023.")
    assert triples(claims) == [("paul", "lives_in", "Aachen")]
    assert claims[0].valid.precision is Precision.MONTH
    assert claims[0].holds_now


def test_a_correction_of_an_attribute_points_at_whoever_has_it() -> None:
    (claim,) = said("I had the door code wrong, it is 4417.")
    assert (claim.subject, claim.predicate, claim.object, claim.cue) == ("~door_code", "door_code", "4417", "correct")


def test_a_correction_by_contrast_puts_the_earlier_claim_right() -> None:
    (claim,) = said("Sorry, it's Dixon, not Davis.", "My dentist is Dr. Davis.")
    assert (claim.subject, claim.predicate, claim.object) == ("me", "dentist", "Dr. Dixon")
    assert (claim.cue, claim.replaces) == ("correct", "Dr. Davis")


def test_a_correction_without_a_name_puts_the_last_value_right() -> None:
    claim, gone = said("Actually it's 4488.", "My locker number is 4448.")
    assert (gone.object, gone.cue) == ("4448", "retract")
    assert (claim.subject, claim.predicate, claim.object, claim.cue) == ("me", "locker_number", "4488", "correct")


def test_a_joke_is_taken_back() -> None:
    (claim,) = said("That was a joke.", "I live in Atlantis.")
    assert (claim.subject, claim.predicate, claim.object, claim.cue) == ("me", "lives_in", "Atlantis", "retract")


def test_a_time_belongs_to_its_own_clause() -> None:
    quit_job, _, moved = said("I quit my job in May and moved to Lisbon in March.")
    assert quit_job.valid.first() is not None
    assert moved.valid.first() != quit_job.valid.first()


def test_a_postponed_event_replaces_its_day() -> None:
    (claim,) = said("The board meeting got pushed to February 15th.")
    first = claim.valid.first()
    assert (claim.predicate, claim.object, claim.cue) == ("event", "board meeting", "update")
    assert first is not None and first.iso().startswith("2025-02-15")


def test_no_claim_touches_a_secret() -> None:
    text = "I live in Porto. My password is hunter2. My sister is Ana."
    secret = text.index("hunter2")
    for claim in said(text):
        assert claim.end <= secret or claim.start > secret


def test_a_document_is_not_read() -> None:
    assert said("I live in Porto. " * 2000) == []


@pytest.mark.parametrize(
    "text", ["", "...", "?!", "🙂", "저는 서울에 살아요.", "\n\n", "'", '"', "```", "I", "my", "my brother's"]
)
def test_odd_turns_are_read_without_harm(text: str) -> None:
    assert {one.modality for one in said(text)} <= {"unsure"}
