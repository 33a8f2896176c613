"""What was once misheard is not: the sentences that did harm when people used it, and others of their kind."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from store.reading.context import texts_of
from store.reading.encoder import Before
from store.reading.extract import Speakers, read
from store.records import Claim, Episode, Instant

ME = Speakers(frozenset({"me"}))


def known(*texts: str, at: str = "2026-03-05T18:30:00+00:00") -> list[Claim]:
    """What the last of some turns is known to say."""
    moment = Instant.of(datetime.fromisoformat(at))
    turns = [
        Episode(f"e{n}", n, None, "s", n, "me", "user", text, moment, moment, "chat") for n, text in enumerate(texts)
    ]
    return [one for one in read(turns[-1], turns[:-1], ME) if one.modality == "fact"]


def said(*texts: str, at: str = "2026-03-05T18:30:00+00:00") -> set[tuple[str, str, str]]:
    """(whom about, value, "ends" where it is over) of each."""
    return {(one.subject, one.object.lower(), "ends" if one.cue == "stop" else "") for one in known(*texts, at=at)}


def test_quitting_smoking_ends_no_job() -> None:
    assert not [one for one in known("I used to smoke but I quit in 2021") if one.predicate in ("works_at", "job")]


def test_booked_flights_lie_ahead() -> None:
    booked = known("Booked flights to Pune for the wedding, 12 to 20 April")
    assert {one.valid.start for one in booked} == {Instant.of(datetime.fromisoformat("2026-04-12T00:00+00:00")).us}


def test_who_told_me_is_no_whippet() -> None:
    talk = (
        "We have a dog called Biscuit, a greyhound.",
        "Actually Biscuit isn't a greyhound, Tom told me he's a whippet",
    )
    assert not [one for one in known(*talk) if one.subject == "tom"]


def test_a_boss_to_come_is_none_yet() -> None:
    talk = ("Karel is my boss.", "Karel leaves in March, and Eva becomes my new boss then")
    assert not [one for one in known(*talk) if one.predicate == "boss"]


def test_a_couple_of_others_is_none_of_mine() -> None:
    def partners(text: str) -> set[tuple[str, str]]:
        return {(one.subject, one.object) for one in known(text) if one.predicate == "partner"}

    assert partners("Nora and Felix have been together for ten years") <= {("nora", "Felix"), ("felix", "Nora")}
    assert partners("Nora and I have been together for ten years") == {("me", "Nora")}


def test_all_who_are_listed_are_what_the_noun_says() -> None:
    told = known("My daughters are Marta and Joana. Marta lives in Lyon.")
    assert {one.object for one in told if one.predicate == "daughter"} == {"Marta", "Joana"}


def test_a_clause_behind_a_list_is_no_member_of_it() -> None:
    told = known("I'm allergic to peanuts, nearly died of one at school")
    assert {one.object for one in told if one.predicate == "allergic_to"} == {"peanuts"}


def test_leaving_a_gym_ends_no_job() -> None:
    told = known("I quit the gym in May, too far from the new flat")
    assert not [one for one in told if one.predicate == "works_at" and one.confidence > 0.8]


def test_what_is_said_in_the_place_of_what_is_taken_back_is_heard() -> None:
    told = known("I work at Siemens.", "scratch that, I work at Bosch")
    assert {(one.object, one.cue) for one in told} >= {("Siemens", "retract"), ("Bosch", "state")}
    assert {one.cue for one in known("I work at Siemens.", "That was a joke, of course it was")} == {"retract"}


def test_what_is_over_bears_no_date_of_a_plan() -> None:
    told = known("Signed for the new flat at last, we move in on the 20th of April", at="2026-03-05T18:30:00+00:00")
    past = Instant.of(datetime.fromisoformat("2025-12-31T00:00+00:00")).us
    assert not [one for one in told if one.valid.start is not None and one.valid.start < past]


@pytest.mark.parametrize(
    "text",
    [
        "Tom says he wants to move to Spain.",
        "I might sell the car next year.",
        "I had a dream that I moved to Iceland and married a fisherman.",
        "In the film the hero lives in Chicago and works as a cop.",
        "I wish I lived in Rome.",
        "“I hate this job and I'm quitting”, said Marta at lunch.",
        "Would you move to Leeds for a job?",
        "If we get the mortgage we'll buy the house on Elm Street.",
        "Everybody at work has a Tesla except me.",
        "If I ever get the promotion I'm buying a kayak.",
        "If it rains all weekend I'm going to scream.",
        "My character lives in Rivendell.",
        "I moved to Antwerp in the game, my Sim is happy there.",
    ],
)
def test_what_nobody_states_teaches_nothing(text: str) -> None:
    assert known(text) == []


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("My sister quit her job at the bakery.", ("me>sister", "bakery", "ends")),
        ("Dad used to be a miner, he's been retired for years.", ("me>father", "miner", "ends")),
        ("I lived in Cork until 2019.", ("me", "cork", "ends")),
        ("Sam's brother is a plumber.", ("sam>brother", "plumber", "")),
        ("Cancelled the gym, so no more Fridays there.", ("me", "gym", "ends")),
        ("My landlord, Mr Kaya, is putting the rent up to 840 from February.", ("me", "840", "")),
        ("Ravi's new girlfriend is called Simone, she's a paramedic.", ("simone", "paramedic", "")),
        ("The vet says Maggie has arthritis in her back legs.", ("maggie", "arthritis in her back legs", "")),
        ("Write me a cover letter: I'm Ana, 34, I live in Porto and I'm a nurse.", ("me", "porto", "")),
    ],
)
def test_what_is_stated_is_heard_of_the_right_one(text: str, heard: tuple[str, str, str]) -> None:
    assert heard in said(text)


def test_how_long_it_will_last_is_not_when_it_began() -> None:
    begun = [one for one in known("I got a tutor for two months.") if one.object == "tutor"]
    assert [(one.cue, one.valid.start) for one in begun] == [("update", None)]
    held = next(one for one in known("I've been at Miele for five years.") if one.object == "Miele")
    assert held.valid.start is not None


def test_somebody_of_another_sentence_is_only_perhaps_meant() -> None:
    read_of = [
        one
        for one in known("My brother Gordon drove home this morning. It rained a lot. The Buick is a 2015 model.")
        if one.subject in ("gordon", "me>brother") and one.object == "2015"
    ]
    assert read_of == []


def test_nothing_else_ends_where_one_thing_does() -> None:
    assert {one.predicate for one in known("Cancelled the gym, so no more Fridays there.") if one.cue == "stop"} <= {
        "goes_to", "member_of", "schedule",
    }  # fmt: skip
    assert not [one for one in known("I'm in Berlin this week.") if one.predicate == "lives_in"]
    assert not [one for one in known("Sam and I had a fight but we made up.") if one.cue == "stop"]


@pytest.mark.parametrize(
    "text",
    ["Piotr and I have made it up at last", "Me and Lorna fell out over the parking", "Gerda and I are talking again"],
)
def test_a_quarrel_makes_and_ends_no_partner(text: str) -> None:
    assert not [one for one in known(text) if one.predicate == "partner"]


@pytest.mark.parametrize("text", ["when did we move to Aarhus", "what did I pay for the Volvo", "whos my dentist"])
def test_a_question_without_its_sign_teaches_nothing(text: str) -> None:
    assert not known(text)


def test_what_was_left_some_time_ago_ended_then() -> None:
    (drink,) = known("off the fags since october", at="2026-11-26T10:00:00+00:00")
    assert drink.cue == "stop"
    assert drink.valid.start == Instant.of(datetime.fromisoformat("2026-10-01T00:00+00:00")).us


def test_a_name_is_written_as_one() -> None:
    assert {one.object for one in known("my brother oskar is 31") if one.predicate in ("brother", "sibling")} == {
        "Oskar"
    }


def test_how_many_there_are_is_no_name() -> None:
    assert "five" in {one.object for one in known("I have five kids.")}


@pytest.mark.parametrize("text", ["I'm off the cigars", "Came off the vodka at last", "been off the crisps since May"])
def test_whoever_is_off_something_has_it_no_more(text: str) -> None:
    assert not [one for one in known(text) if one.predicate == "habit" and one.cue != "stop"]


def test_what_the_memory_answered_changes_nothing_of_what_is_heard() -> None:
    moment = Instant.of(datetime.fromisoformat("2026-03-05T18:30:00+00:00"))
    reply, asks = "On 3 March 2026 you said: “car passed, 180 quid for the tyres”", "And what is your sister called?"
    text = "Ilse, and she's a florist in Bruges"
    said = Episode("e2", 2, None, "s", 2, "me", "user", text, moment, moment, "chat")
    turn = Episode("e1", 1, None, "s", 1, "memory", "assistant", reply, moment, moment, "chat")
    assert list(texts_of(said, [turn])) == [(text, Before())]
    assert list(texts_of(said, [replace(turn, text=asks)])) == [(text, Before(asks))]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("theory test booked 19th at harrogate 9.40am", "2026-03-19T09:40+00:00"),
        ("dentist is booked for the 3rd", "2026-04-03T00:00+00:00"),
    ],
)
def test_what_is_booked_lies_ahead_on_its_day(text: str, start: str) -> None:
    starts = {one.valid.start for one in known(text) if one.predicate == "event"}
    assert starts == {Instant.of(datetime.fromisoformat(start)).us}


def test_who_somebody_of_mine_is_called_is_mine() -> None:
    assert {(one.subject, one.predicate) for one in known("My mother is Dona Graça, she has arthritis")} >= {
        ("me", "mother"), ("dona graça", "has_condition")
    }  # fmt: skip


def test_whose_birthday_it_is_stands_without_an_apostrophe() -> None:
    assert {one.subject for one in known("orlas birthday is 7 may, no idea what to get")} == {"orla"}
    assert {one.subject for one in known("thomas birthday is 7 may")} <= {"thomas", "me"}


def test_a_birthday_has_a_date() -> None:
    assert not [one for one in known("Callum's birthday is on Tuesday.") if one.predicate == "born_on"]


def test_who_writes_was_not_born_this_year() -> None:
    assert not [one for one in known("Born 3 February 2026, and all well.") if one.subject == "me"]
    assert [one.object for one in known("I was born on 12 May 1989.") if one.subject == "me"]
