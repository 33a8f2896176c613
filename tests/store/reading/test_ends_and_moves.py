"""What a turn ends, moves or says to be over is what it names; what it only sounds like ending goes on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from store.memory import Memory
from store.records import Fact, Stretch
from tests.conftest import NOW

Say = Callable[..., None]
WEEK = 7 * 86_400_000_000


def held(memory: Memory, predicate: str) -> set[str]:
    return {
        one.object for one in memory.beliefs.facts(predicate=predicate) if not one.negative and one.valid_to is None
    }


@pytest.mark.parametrize(
    ("told", "ended", "predicate", "left"),
    [
        ("I drive a Corsa.", "I sold the Corsa.", "drives", set()),
        ("My camera is a Nikon.", "I sold my Nikon.", "camera", set()),
        ("My bike is a Brompton.", "We sold the bike.", "bike", set()),
        ("My camera is a Nikon.", "I sold my Brompton.", "camera", {"Nikon"}),
        ("I go to the gym on Mondays.", "I quit the gym.", "goes_to", set()),
        ("I sing in a choir.", "I left the choir.", "sings_in", set()),
        ("I'm allergic to walnuts.", "Walnuts are fine now.", "allergic_to", set()),
        ("I'm allergic to walnuts.", "Walnuts are fine if they are roasted.", "allergic_to", {"walnuts"}),
        ("I'm allergic to walnuts.", "Hazelnuts are fine now.", "allergic_to", {"walnuts"}),
        ("I'm allergic to shellfish.", "I can never eat shellfish again.", "allergic_to", {"shellfish"}),
        ("I'm allergic to nuts.", "I hope nuts are fine now.", "allergic_to", {"nuts"}),
    ],
)
def test_what_is_named_ends_under_whatever_it_is_believed(
    memory: Memory, say: Say, told: str, ended: str, predicate: str, left: set[str]
) -> None:
    say("2024-03-01", told, ended)
    assert held(memory, predicate) == left


def test_whoever_quits_the_gym_did_not_work_there(memory: Memory, say: Say) -> None:
    say("2024-03-01", "I quit the gym.")
    assert [one.text for one in memory.beliefs.facts(as_of=Stretch(None, None), predicate="works_at")] == []


def test_what_harmed_nobody_is_no_past_allergy(memory: Memory, say: Say) -> None:
    say("2024-03-01", "Mushrooms are fine now.")
    assert memory.beliefs.facts(as_of=Stretch(None, None), predicate="allergic_to") == []


def days(memory: Memory) -> list[tuple[str, str]]:
    found: list[Fact] = memory.beliefs.facts(as_of=Stretch(None, None), predicate="event")
    return [(one.object, one.valid_from.iso()[:10]) for one in found if one.valid_from is not None]


@pytest.mark.parametrize(
    ("told", "then", "day"),
    [
        ("The inspection is on Thursday.", "We had it last year too.", "2024-03-07"),
        ("The inspection is on Thursday.", "They haven't done it yet.", "2024-03-07"),
        ("The blood test is on Wednesday.", "No, the blood test is on Thursday.", "2024-03-07"),
        ("Dinner at Sam's is on Saturday at 7.", "Dinner at Sam's has moved to Sunday.", "2024-03-10"),
        ("My check-up is on Friday.", "The dentist pushed my check-up to Monday.", "2024-03-11"),
    ],
)
def test_what_was_to_come_is_moved_or_over(memory: Memory, say: Say, told: str, then: str, day: str) -> None:
    say("2024-03-05", told, then)
    assert [when for _, when in days(memory)] == [day]
    assert memory.beliefs.facts(as_of=Stretch(None, None), predicate="schedule") == []


def test_a_name_without_its_capital_is_told_with_one_and_a_common_noun_is_not(memory: Memory, say: Say) -> None:
    say("2024-03-05", "been seein niamh 4 months now, shes a paramedic")
    say("2024-03-06", "the plumber is 60 and lives in salford")
    told = {one.text for one in memory.beliefs.facts(as_of=Stretch(None, None))}
    assert {"Niamh works as a paramedic.", "The plumber is 60."} <= told


def test_who_takes_over_as_mine_is_who_it_is_now(memory: Memory, say: Say) -> None:
    say("2024-03-05", "Ingrid is my manager.")
    say("2024-05-05", "Kofi takes over as my manager.")
    assert held(memory, "boss") == {"Kofi"}
    assert memory.beliefs.facts(as_of=Stretch(None, None), predicate="job", about="Kofi") == []


def test_what_is_done_is_what_was_named_and_not_what_was_told_before(memory: Memory, say: Say) -> None:
    say("2024-03-05", "The inspection is on Thursday.", "The interview went well, they did it this morning.")
    assert ("inspection", "2024-03-07") in days(memory)


@pytest.mark.parametrize("text", ["Mum had her hip done in November.", "My brother broke his wrist in December."])
def test_what_was_done_in_a_month_was_done_in_the_last_one(memory: Memory, say: Say, text: str) -> None:
    say("2024-03-05", text)
    began = [one.valid_from for one in memory.beliefs.facts(as_of=Stretch(None, None)) if one.valid_from is not None]
    assert [datetime.fromisoformat(one.iso()).year for one in began] == [2023]


def test_an_answer_says_from_when_to_when_and_not_that_it_was_said_today(memory: Memory, say: Say) -> None:
    say(f"{NOW.local():%Y-%m-%d}", "I lived in Leeds from 2015 to 2018.", "I have a hamster.")
    assert memory.answering.ask("When did I live in Leeds?").text == "You lived in Leeds from 2015 to 2018."
    assert memory.answering.ask("Do I have a hamster?").text == "Yes, you have a hamster."


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("in February I still worked at the Old Mill as a cook", "job", "cook"),
        ("Until May we lived in Delft with my aunt.", "lives_in", "Delft"),
        ("Back in January we moved from Zwolle to Delft.", "lives_in", "Zwolle"),
        ("My brother switched from R to Julia last year.", "uses", "R"),
    ],
)
def test_what_a_past_time_opens_or_is_moved_from_is_over(
    memory: Memory, say: Say, text: str, predicate: str, value: str
) -> None:
    say("2024-11-05", text)
    facts = memory.beliefs.facts(as_of=Stretch(None, None), predicate=predicate)
    assert [one.object for one in facts if one.valid_to is None and one.object == value] == []


@pytest.mark.parametrize(
    ("text", "mine", "name"),
    [
        ("my dad osman lives in hull n my sister perihan is a nurse in goole", "dad", "Osman"),
        ("my wife oda paints and my cousin ramiro sings", "wife", "Oda"),
    ],
)
def test_the_noun_right_before_a_name_says_who_it_is(memory: Memory, say: Say, text: str, mine: str, name: str) -> None:
    say("2024-03-05", text)
    assert f"Your {mine} is {name}." in {one.text for one in memory.beliefs.facts(as_of=Stretch(None, None))}


def test_whoever_weighed_so_much_weighs_that(memory: Memory, say: Say) -> None:
    say("2024-03-05", "Grandma weighed 54 kilos on Monday.")
    assert "weight" in {one.predicate for one in memory.beliefs.facts(as_of=Stretch(None, None))}


@pytest.mark.parametrize(
    ("told", "then", "left"),
    [
        ("I work at the brewery.", "I was laid off last week.", set()),
        ("I work at the brewery.", "I fired the window cleaner on Monday.", {"brewery"}),
        ("I work at the brewery.", "My cousin Abel was laid off last week.", {"brewery"}),
    ],
)
def test_whoever_was_laid_off_works_there_no_longer(
    memory: Memory, say: Say, told: str, then: str, left: set[str]
) -> None:
    say("2024-03-05", told)
    say("2024-05-07", then)
    assert {one.removeprefix("the ") for one in held(memory, "works_at")} == left


def test_whoever_is_separated_from_somebody_is_no_partner_of_theirs(memory: Memory, say: Say) -> None:
    say("2024-03-05", "Marguerite and I are separated, she lives in Spa now.")
    assert held(memory, "partner") == set()


@pytest.mark.parametrize(
    ("told", "then", "left"),
    [
        ("Flying to Oslo on 19 December", "the Oslo trip got moved to 3 January", {"2025-01-03"}),
        ("Optician on 12 December at 9.20", "the optician appointment is cancelled", set()),
        ("Optician on 12 December at 9.20", "the dentist appointment is cancelled", {"2024-12-12"}),
        ("My trip to Oslo is on 19 December", "The Oslo trip is in February now, not December.", {"2025-02-01"}),
    ],
)
def test_an_occasion_is_known_by_the_words_that_tell_it_from_others(
    memory: Memory, say: Say, told: str, then: str, left: set[str]
) -> None:
    say("2024-12-01", told)
    say("2024-12-03", then)
    known = memory.beliefs.facts(as_of=Stretch(None, None), predicate="event")
    assert {one.valid_from.iso()[:10] for one in known if one.valid_from and not one.negative} == left


@pytest.mark.parametrize("told", ["We got married yesterday", "we tied the knot on Saturday, it rained"])
def test_who_has_married_is_engaged_no_more(memory: Memory, say: Say, told: str) -> None:
    say("2024-03-01", "Robin and I got engaged last week")
    say("2024-06-03", told)
    assert held(memory, "relationship_status") == {"married"}


def test_a_wedding_to_come_makes_nobody_married(memory: Memory, say: Say) -> None:
    say("2024-03-01", "We're getting married in June")
    assert held(memory, "relationship_status") == set()


def test_what_is_moved_from_a_day_is_on_the_other(memory: Memory, say: Say) -> None:
    say("2024-11-28", "I have an optician appointment on 1 December at 17:00")
    say("2024-11-29", "My optician appointment moved from 1 December to 3 December")
    known = memory.beliefs.facts(as_of=Stretch(None, None), predicate="event")
    assert {one.valid_from.iso()[:10] for one in known if one.valid_from} == {"2024-12-03"}


def test_what_was_done_meanwhile_is_of_the_same_years(memory: Memory, say: Say) -> None:
    say("2024-11-28", "From 2011 to 2014 I worked at Lumo, a bakery, baking bread")
    assert held(memory, "job") == set()


def test_what_is_moved_is_of_whom_it_was_told(memory: Memory, say: Say) -> None:
    moved = "The exam was moved, it's now Sunday at two."
    say("2024-03-05", "Nell has her violin exam on Saturday.", "We had soup.", moved)
    assert [
        (one.subject, one.object) for one in memory.beliefs.facts(as_of=Stretch(None, None), predicate="event")
    ] == [("Nell", "violin exam")]
    assert [when for _, when in days(memory)] == ["2024-03-10"]
