"""A rule's claim stands where the reader bears it out; what the rules alone heard, or heard wrong, falls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from store.reading.claims import Pointed, ReadTurn
from store.reading.joined import joined
from store.records import Claim, Cue, Precision, Stretch
from tests.store.reading.test_claims import day, turn

TEXT = "I used to smoke at work but I quit my job, Tom told me so"
TURN = turn(TEXT)


def claim(
    subject: str, predicate: str, value: str, cue: Cue = "state", *, by: str = "rules/2", starts: int | None = None,
    negative: bool = False,
) -> Claim:  # fmt: skip
    return Claim(
        id=f"{by}{subject}{predicate}{value}{cue}", episode=TURN.id, start=0, end=len(TEXT), subject=subject,
        predicate=predicate, object=value, valid=Stretch(starts, None, Precision.OPEN), holds_now=True,
        said_at=TURN.said_at, session="s", position=0, cue=cue, negative=negative, extractor=by,
    )  # fmt: skip


def read(subject: str, predicate: str, value: str, cue: Cue = "state", **more: Any) -> Claim:
    return claim(subject, predicate, value, cue, by="reader/1", **more)


def both(ruled: Claim, *heard: Claim, pointed: tuple[tuple[str, str] | tuple[str, str, bool], ...] = ()) -> list[str]:
    """Who made the claims that stand."""
    found = joined(
        TURN,
        [ruled],
        ReadTurn(heard, tuple(Pointed(*one) for one in (*((one.object, "is") for one in heard), *pointed))),
    )
    return [one.extractor for one in found]


def test_the_rules_claim_stands_where_both_heard_the_value() -> None:
    assert both(claim("me", "brother", "Paul"), read("me", "sibling", "Paul")) == ["rules/2"]


def test_an_event_that_the_reader_did_not_point_at_falls() -> None:
    assert both(claim("me", "picked", "up a rabbit")) == []
    assert both(claim("me", "picked", "up a rabbit"), pointed=(("a rabbit", "event"),)) == ["rules/2"]


def test_what_the_reader_alone_heard_is_added() -> None:
    assert both(claim("me", "brother", "Paul"), read("me", "job", "vet"), pointed=(("Paul", "is"),)) == [
        "rules/2", "reader/1",
    ]  # fmt: skip


def test_of_two_subjects_the_readers_is_taken_unless_it_is_a_pronoun() -> None:
    assert both(claim("tom", "kind", "whippet"), read("biscuit", "kind", "whippet")) == ["reader/1"]
    assert both(claim("tom", "lives_in", "Aachen"), read("he", "lives_in", "Aachen")) == ["rules/2"]
    assert both(claim("~door_code", "door_code", "4417"), read("door", "contact", "4417")) == ["rules/2"]
    assert both(claim("me", "endpoints", "200"), read("endpoints", "measure", "200")) == ["rules/2"]


def test_what_is_only_planned_does_not_hold_yet() -> None:
    assert both(claim("me", "boss", "Eva"), pointed=(("Eva", "planned"), ("leaves", "planned", True))) == []
    assert both(claim("me", "boss", "Eva"), pointed=(("Eva", "planned"),)) == ["rules/2"]
    ahead = TURN.said_at.us + 10**12
    assert both(claim("me", "boss", "Eva", starts=ahead), pointed=(("Eva", "planned", True),)) == ["rules/2"]


def test_a_time_to_come_is_taken_over_one_that_is_past() -> None:
    past, ahead = TURN.said_at.us - 10**13, TURN.said_at.us + 10**12
    booked = claim("me", "booked", "flights to Pune", starts=past)
    assert both(booked, read("me", "event", "flights to Pune", starts=ahead)) == ["reader/1"]


def test_what_is_over_for_one_and_not_for_the_other_goes_by_the_reader_where_it_is_sure() -> None:
    held, ended = claim("me", "owns", "the Clio"), read("me", "owns", "the Clio", "stop", negative=True)
    assert both(held, ended) == ["reader/1"]
    assert both(held, replace(ended, confidence=0.7)) == ["rules/2"]


def test_an_end_without_a_value_needs_its_matter() -> None:
    stop = claim("me", "job", "", "stop", negative=True)
    assert both(stop) == ["rules/2"]  # "quit my job"
    assert both(replace(stop, end=TEXT.index(" at work"))) == []
    assert day(stop) == ("", "")
