"""Each kind of change does what the design says, claim by claim: hand-written histories and what must be believed."""

from __future__ import annotations

import pytest

from store.beliefs.fold import fold
from store.beliefs.predicates import OWNING, ended_by, find
from store.beliefs.rectangles import FOREVER
from store.records import Claim, Instant, Precision
from tests.conftest import at
from tests.store.beliefs.said_claims import changes, claim, folded, moment, view

PORTO = claim("2024-03-10", "Porto")
MOVED = claim("2024-06-05", "Lisbon", "2024-01", cue="update")


# reinforce


def test_the_same_value_adds_a_source_and_opens_nothing() -> None:
    again = claim("2024-04-10", "porto")
    (one,) = folded([PORTO, again])
    assert [said.id for said in one.sources] == [PORTO.id, again.id] and one.believed_to is None


def test_a_beginning_told_later_is_taken_in() -> None:
    said = [PORTO, claim("2024-04-10", "Porto", "2019")]
    assert view(said) == [("Porto", "2019-01-01", "")]
    assert view(said, "2024-03-20") == [("Porto", "~2024-03-10", "")]
    assert changes(said) == ["elaborate"]


# update


def test_a_boundary_that_nobody_said_is_a_window() -> None:
    said = [PORTO, claim("2024-04-02", "Porto"), claim("2024-06-05", "Lisbon")]
    old, new = (one.piece for one in folded(said) if one.believed_to is None)
    assert (old.end, old.end_after) == (at("2024-06-05"), at("2024-04-02"))
    assert (new.start, new.start_after) == (at("2024-06-05"), at("2024-04-02"))
    assert view(said) == [("Porto", "~2024-03-10", "~2024-06-05"), ("Lisbon", "~2024-06-05", "")]


def test_a_boundary_that_was_said_is_none() -> None:
    said = [claim("2024-03-10", "Porto", "2020"), MOVED]
    old, new = (one.piece for one in folded(said) if one.believed_to is None)
    assert (old.end, old.end_after, new.start_after) == (at("2024-01-01"), None, None)
    assert old.end_precision is new.start_precision is Precision.MONTH


def test_late_news_changes_what_is_believed_of_march_and_not_what_was_believed_in_march() -> None:
    said = [PORTO, MOVED]
    assert view(said, "2024-03-20") == [("Porto", "~2024-03-10", "")]
    assert view(said) == [("Lisbon", "2024-01-01", "")]
    porto, lisbon = folded(said)
    assert (porto.ended, porto.believed_to) == ("update", at("2024-06-05"))
    assert (lisbon.change, lisbon.supersedes) == ("update", [porto])


def test_both_halves_of_an_update_lead_back_to_the_old_belief() -> None:
    old, left, new = folded([claim("2024-03-10", "Porto", "2020"), MOVED])
    assert (left.piece.object, left.supersedes) == ("Porto", [old])
    assert (new.piece.object, new.supersedes) == ("Lisbon", [old])
    assert old.ended == "update"


def test_the_same_value_in_two_periods_stays_two() -> None:
    said = [
        claim("2024-01-01", "Acme", "2019", "2020", predicate="works_at"),
        claim("2024-01-02", "Acme", "2023", predicate="works_at"),
    ]
    assert view(said) == [("Acme", "2019-01-01", "2020-01-01"), ("Acme", "2023-01-01", "")]


def test_there_and_back_again_is_three_periods() -> None:
    said = [
        claim("2024-01-01", "Porto", "2018", cue="update"), claim("2024-02-01", "Lisbon", "2020", cue="update"),
        claim("2024-03-01", "Porto", "2022", cue="update"),
    ]  # fmt: skip
    assert view(said) == [
        ("Porto", "2018-01-01", "2020-01-01"), ("Lisbon", "2020-01-01", "2022-01-01"), ("Porto", "2022-01-01", ""),
    ]  # fmt: skip


# correct


def test_a_correction_takes_the_time_of_what_was_wrong_and_nothing_of_it_goes_on() -> None:
    said = [claim("2024-03-10", "Davis", "2020", predicate="boss"),
            claim("2024-03-11", "Dixon", cue="correct", replaces="Davis", predicate="boss")]  # fmt: skip
    assert view(said) == [("Dixon", "2020-01-01", "")]
    assert view(said, "2024-03-10") == [("Davis", "2020-01-01", "")]
    davis, dixon = folded(said)
    assert (davis.ended, dixon.change, dixon.supersedes) == ("correct", "correct", [davis])


def test_a_correction_that_names_an_older_value_corrects_that_one() -> None:
    said = [
        claim("2024-03-10", "Porto", "2018"), claim("2024-04-01", "Lisbon", "2022", cue="update"),
        claim("2024-05-01", "Braga", cue="correct", replaces="Porto"),
    ]  # fmt: skip
    assert view(said) == [("Braga", "2018-01-01", "2022-01-01"), ("Lisbon", "2022-01-01", "")]


def test_a_correction_of_the_date_moves_the_boundary() -> None:
    said = [claim("2024-03-10", "Porto", "2018"), MOVED, claim("2024-07-01", "Lisbon", "2024-02", cue="correct")]
    assert view(said) == [("Porto", "2018-01-01", "2024-02-01"), ("Lisbon", "2024-02-01", "")]


def test_the_right_value_said_again_only_takes_the_wrong_one_back() -> None:
    said = [
        claim("2024-03-10", "climbing", predicate="likes"), claim("2024-03-11", "bouldering", predicate="likes"),
        claim("2024-03-12", "bouldering", cue="correct", replaces="climbing", predicate="likes"),
    ]  # fmt: skip
    assert view(said) == [("bouldering", "~2024-03-11", "")]
    assert [one.ended for one in folded(said) if one.believed_to is not None] == ["retract"]


# stop


def test_a_state_that_stopped_is_a_past_with_nothing_after_it() -> None:
    said = [claim("2024-03-10", "vim", "2015", predicate="editor"),
            claim("2024-06-05", "vim", cue="stop", predicate="editor")]  # fmt: skip
    assert view(said) == [("vim", "2015-01-01", "~2024-06-05")]
    assert view(said, "2024-04-01") == [("vim", "2015-01-01", "")]
    assert changes(said) == ["stop"]


def test_a_stop_with_a_date_ends_there() -> None:
    said = [claim("2024-03-10", "Acme", "2015", predicate="works_at"),
            claim("2024-06-05", "Acme", "2024-04", cue="stop", predicate="works_at")]  # fmt: skip
    assert view(said) == [("Acme", "2015-01-01", "2024-04-01")]


def test_a_stop_of_another_value_stops_nothing() -> None:
    said = [claim("2024-03-10", "Acme", "2015", predicate="works_at"),
            claim("2024-06-05", "Initech", cue="stop", predicate="works_at")]  # fmt: skip
    assert ("Acme", "2015-01-01", "") in view(said)


def test_one_of_many_stops_alone() -> None:
    said = [claim("2024-03-10", "a car", predicate="owns"), claim("2024-03-10", "a bike", predicate="owns"),
            claim("2024-06-05", "the car", cue="stop", predicate="owns")]  # fmt: skip
    assert view(said) == [("a bike", "~2024-03-10", ""), ("a car", "~2024-03-10", "~2024-06-05")]


def test_what_was_never_heard_of_and_stopped_is_a_past_of_unknown_beginning() -> None:
    assert view([claim("2024-06-05", "vim", cue="stop", predicate="uses")]) == [("vim", "?", "~2024-06-05")]


# backfill


def test_what_is_said_late_about_earlier_fills_the_gap_and_moves_nothing() -> None:
    said = [claim("2024-03-10", "Porto", "2022"), claim("2024-04-01", "Braga", "2019", "2020")]
    assert view(said) == [("Braga", "2019-01-01", "2020-01-01"), ("Porto", "2022-01-01", "")]
    assert sorted(changes(said)) == ["backfill", "new"]
    assert len(folded(said)) == 2


def test_an_old_move_told_late_does_not_reach_over_what_was_said_to_begin_later() -> None:
    said = [claim("2024-03-10", "Porto", "2022"), claim("2024-04-01", "Braga", "2016", cue="update", holds_now=False)]
    assert view(said) == [("Braga", "2016-01-01", "~2022-01-01"), ("Porto", "2022-01-01", "")]


def test_a_closed_past_that_overlaps_the_present_state_is_cut_out_of_it() -> None:
    said = [claim("2024-03-10", "Porto", "2018"), claim("2024-04-01", "Braga", "2020", "2021", cue="update")]
    assert view(said) == [
        ("Porto", "2018-01-01", "2020-01-01"), ("Braga", "2020-01-01", "2021-01-01"), ("Porto", "2021-01-01", ""),
    ]  # fmt: skip


# elaborate


@pytest.mark.parametrize(("old", "new"), [("Lisbon", "Alfama, Lisbon"), ("Berlin", "Kreuzberg in Berlin")])
def test_a_value_that_contains_the_old_one_refines_it(old: str, new: str) -> None:
    said = [claim("2024-03-10", old), claim("2024-04-01", new)]
    assert view(said) == [(new, "~2024-03-10", "")]
    assert changes(said) == ["elaborate"]


@pytest.mark.parametrize("old", ["6th of June", "the 6 June", "June 6th"])
def test_a_day_of_the_year_is_refined_by_its_year_and_contradicted_by_another_day(old: str) -> None:
    said = [claim("2024-03-10", old, predicate="born_on"), claim("2024-04-01", "6 June 2016", predicate="born_on")]
    assert changes(said) == ["elaborate"] and not any(one.piece.disputed for one in folded(said))
    again = [*said, claim("2024-05-01", old, predicate="born_on")]
    assert view(again) == view(said)
    other = [*said, claim("2024-05-01", "7th of June", predicate="born_on")]
    assert any(one.piece.disputed for one in folded(other))


def test_what_only_begins_with_the_old_value_does_not_refine_it() -> None:
    said = [claim("2024-03-10", "Porto"), claim("2024-04-01", "Porto Alegre")]
    assert view(said) == [("Porto", "~2024-03-10", "~2024-04-01"), ("Porto Alegre", "~2024-04-01", "")]


def test_the_coarser_value_said_again_changes_nothing() -> None:
    said = [claim("2024-03-10", "Alfama, Lisbon"), claim("2024-04-01", "Lisbon")]
    assert view(said) == [("Alfama, Lisbon", "~2024-03-10", "")]
    assert len(folded(said)) == 1


# dispute


def test_two_values_of_one_stretch_with_no_word_of_change_are_both_kept_and_marked() -> None:
    said = [claim("2024-03-10", "Porto", "2019", "2020"), claim("2024-04-01", "Braga", "2019", "2020")]
    held = [one for one in folded(said) if one.believed_to is None]
    assert {one.piece.object for one in held} == {"Porto", "Braga"} and all(one.piece.disputed for one in held)
    assert not any(one.piece.disputed for one in folded(said[:1]))


def test_a_correction_settles_a_dispute() -> None:
    said = [
        claim("2024-03-10", "Porto", predicate="born_in"), claim("2024-04-01", "Braga", predicate="born_in"),
        claim("2024-05-01", "Porto", cue="correct", predicate="born_in"),
    ]  # fmt: skip
    assert [(one.piece.object, one.piece.disputed) for one in folded(said) if one.believed_to is None] == [
        ("Porto", False)
    ]


def test_another_standing_makes_no_dispute() -> None:
    said = [claim("2024-03-10", "Porto", predicate="born_in"),
            claim("2024-04-01", "Braga", predicate="born_in", standing=1)]  # fmt: skip
    assert view(said) == [("Porto", "", "")]


# the future


PLAN = claim("2024-03-20", "Madrid", "2024-06", cue="update")


def test_what_is_to_come_is_not_yet_and_then_is() -> None:
    assert view([PORTO, PLAN]) == [("Porto", "~2024-03-10", "2024-06-01"), ("Madrid", "2024-06-01", "")]


def test_a_plan_is_replaced_by_another() -> None:
    said = [PORTO, PLAN, claim("2024-04-20", "Vienna", "2024-06", cue="update")]
    assert view(said) == [("Porto", "~2024-03-10", "2024-06-01"), ("Vienna", "2024-06-01", "")]


def test_a_plan_is_put_off() -> None:
    said = [PORTO, PLAN, claim("2024-04-20", "Madrid", "2024-09", cue="correct")]
    assert view(said) == [("Porto", "~2024-03-10", "2024-09-01"), ("Madrid", "2024-09-01", "")]


def test_a_plan_that_is_called_off_leaves_the_earlier_state_going_on() -> None:
    said = [PORTO, PLAN, claim("2024-04-20", "Madrid", cue="retract")]
    assert view(said) == [("Porto", "~2024-03-10", "")]
    assert view(said, "2024-04-01") == [("Porto", "~2024-03-10", "2024-06-01"), ("Madrid", "2024-06-01", "")]


def test_a_plan_that_fell_through_in_silence_is_gone_when_the_old_state_is_said_again() -> None:
    said = [PORTO, PLAN, claim("2024-08-01", "Porto")]
    assert view(said) == [("Porto", "~2024-03-10", "")]


# an end in a neighbouring slot


def goes_on(said: list[Claim], family: str) -> dict[str, bool]:
    """Whether each value that is believed in a slot has no end, by claims of it and of its neighbours."""
    held = [one.piece for one in fold(said, "me", family) if one.believed_to is None]
    return {one.object: one.end == FOREVER for one in held}


@pytest.mark.parametrize("predicate", ["drives", "uses", "camera", "bike", "phone"])
def test_an_end_of_owning_ends_the_same_value_elsewhere_and_no_other(predicate: str) -> None:
    held = claim("2024-03-10", "Nikon", predicate=predicate)

    def after(sold: str) -> bool:
        return goes_on([held, claim("2024-06-05", sold, predicate="owns", cue="stop")], predicate)["Nikon"]

    assert not after("Nikon") and after("Canon")
    assert after(predicate) != (predicate in ("camera", "bike", "phone"))  # "I sold the camera"


@pytest.mark.parametrize("predicate", ["lives_in", "works_at", "likes", "sister", "allergic_to", "price", "owns"])
def test_an_end_of_owning_reaches_nothing_that_is_not_owned(predicate: str) -> None:
    assert OWNING not in ended_by(find(predicate).slot_name)


def test_an_end_elsewhere_tells_no_past() -> None:
    assert fold([claim("2024-06-05", "Nikon", predicate="owns", cue="stop")], "me", "camera") == []


# told whole


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [("2024-03", "2024-07", "2024-06"), ("2015", "2019", "2018"), ("2024-08-03", "2024-08-11", "2024-08-10")],
)
def test_what_was_told_whole_is_told_to_end_in_its_last_unit(since: str, until: str, told: str) -> None:
    """The end lies in the unit that was named, and not in the one after it; the stretch itself stays half-open."""
    (one,) = folded([claim("2025-01-01", "Leeds", since, until)])
    assert Instant(one.piece.until).iso().startswith(told) and one.piece.end == moment(until)


def test_what_is_cut_short_is_told_to_end_where_it_was_cut() -> None:
    said = [claim("2025-01-01", "Leeds", "2015", "2019"), claim("2025-02-01", "Hull", "2017", cue="update")]
    (left,) = (one for one in folded(said) if one.piece.object == "Leeds" and one.believed_to is None)
    assert left.piece.until == left.piece.end == moment("2017")
