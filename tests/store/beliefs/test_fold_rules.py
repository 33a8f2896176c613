"""Precision, standing, order and the kind of slot decide between claims as the design says, whatever arrives first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import at
from tests.store.beliefs.said_claims import changes, claim, folded, view

# precision


def test_a_year_and_then_the_day_in_it_is_one_beginning_told_more_exactly() -> None:
    said = [claim("2024-03-10", "Porto", "2021"), claim("2024-04-01", "Porto", "2021-05-03")]
    assert view(said) == [("Porto", "2021-05-03", "")]
    assert changes(said) == ["elaborate"]


def test_the_day_and_then_its_year_changes_nothing() -> None:
    said = [claim("2024-03-10", "Porto", "2021-05-03"), claim("2024-04-01", "Porto", "2021")]
    assert view(said) == [("Porto", "2021-05-03", "")]


def test_the_state_before_ends_where_the_next_is_said_more_exactly_to_begin() -> None:
    said = [
        claim("2024-03-10", "Porto", "2018"), claim("2024-03-11", "Lisbon", "2021", cue="update"),
        claim("2024-04-01", "Lisbon", "2021-05-03", cue="update"),
    ]  # fmt: skip
    assert view(said) == [("Porto", "2018-01-01", "2021-05-03"), ("Lisbon", "2021-05-03", "")]


def test_a_later_day_that_does_not_lie_in_the_year_is_not_the_beginning() -> None:
    said = [claim("2024-03-10", "Porto", "2018"), claim("2024-04-01", "Porto", "2021-05-03")]
    assert view(said) == [("Porto", "2018-01-01", "")]


def test_a_day_in_another_year_is_no_more_exact_word_for_the_year() -> None:
    said = [claim("2024-03-10", "Porto", "2018", "2019"), claim("2024-04-01", "Porto", "2021-05-03")]
    assert view(said) == [("Porto", "2018-01-01", "2019-01-01"), ("Porto", "2021-05-03", "")]


def test_an_event_in_a_year_and_then_on_a_day_in_it_is_one_event() -> None:
    said = [claim("2024-03-10", "Rome", "2021", "2022", predicate="visited"),
            claim("2024-04-01", "Rome", "2021-05-03", "2021-05-04", predicate="visited")]  # fmt: skip
    assert view(said) == [("Rome", "2021-05-03", "2021-05-04")]


# standing


RANKS = (5, 4, 3, 2, 1)


@pytest.mark.parametrize("standing", RANKS[1:])
def test_a_typed_correction_outranks_what_is_read_later(standing: int) -> None:
    said = [claim("2024-03-10", "Lisbon", cue="correct", standing=5, predicate="born_in"),
            claim("2024-04-01", "Porto", predicate="born_in", standing=standing)]  # fmt: skip
    assert view(said)[0][0] == "Lisbon" and len(view(said)) == 1


@pytest.mark.parametrize(("low", "high"), [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4)])
def test_third_parties_and_assistants_do_not_speak_for_the_person(low: int, high: int) -> None:
    said = [claim("2024-03-10", "Porto", standing=high), claim("2024-06-01", "Lisbon", standing=low)]
    assert view(said) == [("Porto", "~2024-03-10", "")]


@pytest.mark.parametrize("cue", ["stop", "retract", "correct"])
def test_others_end_nothing_that_the_person_said(cue: str) -> None:
    said = [claim("2024-03-10", "Porto", "2020"), claim("2024-06-01", "Porto", cue=cue, standing=1)]
    assert view(said) == [("Porto", "2020-01-01", "")]
    assert view([*said, claim("2024-06-02", "Braga", cue="correct", replaces="Porto", standing=2)])[0][0] == "Porto"


@pytest.mark.parametrize(("low", "high"), [(1, 2), (2, 3), (3, 4), (4, 5)])
def test_the_higher_standing_replaces_the_lower(low: int, high: int) -> None:
    said = [claim("2024-03-10", "Porto", "2020", standing=low), claim("2024-06-01", "Lisbon", "2020", standing=high)]
    assert view(said) == [("Lisbon", "2020-01-01", "")]


def test_what_the_person_says_later_of_a_later_time_goes_on_from_a_typed_correction() -> None:
    said = [claim("2024-03-10", "Porto", cue="correct", standing=5),
            claim("2024-06-05", "Lisbon", "2024-05", cue="update")]  # fmt: skip
    assert view(said) == [("Porto", "~2024-03-10", "2024-05-01"), ("Lisbon", "2024-05-01", "")]


# equal timestamps and order


def test_two_values_in_one_breath_are_disputed_whatever_the_order_of_arrival() -> None:
    one, other = claim("2024-03-10", "Porto"), claim("2024-03-10", "Braga", position=1)
    assert view([one, other]) == view([other, one])
    assert all(rectangle.piece.disputed for rectangle in folded([one, other]))


def test_the_place_in_the_session_decides_where_the_moment_is_the_same() -> None:
    first = claim("2024-03-10", "Porto", position=0)
    second = claim("2024-03-10", "Lisbon", position=1, cue="correct")
    assert view([second, first]) == view([first, second]) == [("Lisbon", "~2024-03-10", "")]


def test_a_belief_that_took_no_time_is_not_kept() -> None:
    first, second = claim("2024-03-10", "Porto"), claim("2024-03-10", "Lisbon", position=1, cue="correct")
    assert [one.piece.object for one in folded([first, second])] == ["Lisbon"]


# slots that hold many


def test_many_values_stand_beside_each_other() -> None:
    said = [claim("2024-03-10", "Portuguese", predicate="speaks"), claim("2024-04-01", "Finnish", predicate="speaks")]
    assert [one[0] for one in view(said)] == ["Portuguese", "Finnish"]


@pytest.mark.parametrize("alike", [("purple", "cyan"), ("bass guitar", "bass drum"), ("Acme Ltd", "Acme Labs")])
def test_what_is_alike_is_not_the_same(alike: tuple[str, str]) -> None:
    said = [claim("2024-03-10", alike[0], predicate="likes"), claim("2024-04-01", alike[1], predicate="likes")]
    assert [one[0] for one in view(said)] == list(alike)


def test_one_value_instead_of_another_among_many() -> None:
    said = [
        claim("2024-03-10", "tea", predicate="drinks"), claim("2024-03-10", "milk", predicate="drinks"),
        claim("2024-04-01", "coffee", predicate="drinks", cue="update", replaces="tea"),
    ]  # fmt: skip
    assert view(said) == [
        ("milk", "~2024-03-10", ""), ("tea", "~2024-03-10", "~2024-04-01"), ("coffee", "~2024-04-01", ""),
    ]  # fmt: skip


def test_liking_turns_into_disliking_in_one_slot() -> None:
    said = [claim("2024-03-10", "olives", predicate="likes"), claim("2024-06-01", "olives", predicate="dislikes")]
    assert view(said) == [("olives", "~2024-03-10", "~2024-06-01"), ("olives", "~2024-06-01", "")]
    assert [one.piece.predicate for one in folded(said) if one.believed_to is None] == ["likes", "dislikes"]


def test_a_denial_ends_what_it_denies() -> None:
    said = [claim("2024-03-10", "meat", predicate="eats"), claim("2024-06-01", "meat", predicate="eats", negative=True)]
    assert view(said) == [("meat", "~2024-03-10", "~2024-06-01"), ("not meat", "~2024-06-01", "")]


# predicates that nobody knows


def test_an_unknown_predicate_accumulates_without_a_word_of_change() -> None:
    said = [claim("2024-03-10", "oak", predicate="tree"), claim("2024-04-01", "birch", predicate="tree")]
    assert [one[0] for one in view(said)] == ["oak", "birch"]


def test_an_unknown_predicate_changes_where_the_words_say_so() -> None:
    said = [claim("2024-03-10", "oak", predicate="tree"), claim("2024-04-01", "birch", predicate="tree", cue="update")]
    assert view(said) == [("oak", "~2024-03-10", "~2024-04-01"), ("birch", "~2024-04-01", "")]


def test_an_unknown_predicate_that_its_words_make_one_valued_is_replaced() -> None:
    said = [claim("2024-03-10", "1234", predicate="door_code", functional=True),
            claim("2024-04-01", "9876", predicate="door_code", functional=True)]  # fmt: skip
    assert view(said) == [("1234", "~2024-03-10", "~2024-04-01"), ("9876", "~2024-04-01", "")]


# what never changes


def test_a_permanent_one_holds_for_ever_and_is_never_updated() -> None:
    said = [claim("2024-03-10", "3 May 1990", predicate="born_on")]
    assert view(said) == [("3 May 1990", "", "")]
    said.append(claim("2024-06-01", "4 May 1990", predicate="born_on", cue="correct"))
    assert view(said) == [("4 May 1990", "", "")]


def test_two_permanent_values_are_disputed() -> None:
    said = [claim("2024-03-10", "3 May 1990", predicate="born_on"),
            claim("2024-06-01", "4 May 1990", predicate="born_on")]  # fmt: skip
    held = [one.piece for one in folded(said) if one.believed_to is None]
    assert len(held) == 2 and all(one.disputed for one in held)


# taking back


def test_what_is_taken_back_was_believed_until_then() -> None:
    said = [claim("2024-03-10", "coffee", predicate="likes"),
            claim("2024-03-12", "coffee", cue="retract", predicate="likes")]  # fmt: skip
    assert view(said) == []
    assert view(said, "2024-03-11") == [("coffee", "~2024-03-10", "")]
    (one,) = folded(said)
    assert one.ended == "retract"


def test_a_retraction_with_a_time_takes_one_period_back() -> None:
    said = [
        claim("2024-03-10", "Porto", "2010", "2012"), claim("2024-03-10", "Porto", "2018", "2020"),
        claim("2024-03-12", "Porto", "2010", "2012", cue="retract", standing=5),
    ]  # fmt: skip
    assert view(said) == [("Porto", "2018-01-01", "2020-01-01")]


def test_plans_wishes_and_questions_are_no_claims_of_fact() -> None:
    assert folded([claim("2024-03-10", "Porto", modality="wish")]) == []


def test_what_a_correction_ended_that_was_taken_back_at_once_is_taken_back() -> None:
    likes: dict[str, Any] = {"subject": "me", "predicate": "likes"}
    said = [
        claim("2024-03-10", "Braga", "2024-03-02", standing=5, **likes | {"predicate": "dislikes"}),
        claim("2024-03-10", "Braga", "2024-03-16", "2024-03-21", cue="update", position=1, **likes),
        claim("2024-03-16", "Lisbon", cue="correct", replaces="Braga", **likes),
        claim("2024-03-16", "Lisbon", cue="retract", position=1, id="back", **likes),
    ]
    assert view(said) == []
    assert {one.ended for one in folded(said) if one.believed_to == at("2024-03-16")} == {"retract"}
