"""Each kind of change does what the design says, claim by claim: hand-written histories and what must be believed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from store.belief.fold import fold
from store.belief.predicates import find
from store.belief.rectangles import ALWAYS, FOREVER, Rectangle
from store.records import Claim, Instant, Precision, Stretch
from tests.conftest import at

State = tuple[str, str, str]
"""(value, from, to) in days; "" is an open end, "~" before a time one that nobody said."""
_WIDTHS = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}


def moment(text: str) -> int:
    """The first microsecond of a year, month or day."""
    return at(text + "-01-01"[len(text) - 4 :] if len(text) < 10 else text)


def claim(said: str, value: str, since: str = "", until: str = "", **more: Any) -> Claim:
    """What was said on a day; `since` and `until` are what the words themselves give."""
    precision = _WIDTHS[len(since or until)] if since or until else Precision.OPEN
    fields: dict[str, Any] = {
        "predicate": "lives_in", "subject": "me", "session": "s", "position": 0, "cue": "state",
        "holds_now": not until and more.get("cue", "state") == "state", "id": f"c{said}{value}{since}{until}",
    }  # fmt: skip
    fields |= more
    valid = Stretch(moment(since) if since else None, moment(until) if until else None, precision)
    return Claim(episode=f"e{said}", start=0, end=1, object=value, valid=valid, said_at=Instant(at(said)), **fields)


def folded(claims: Sequence[Claim]) -> list[Rectangle]:
    return fold(claims, "me", find(claims[0].predicate).slot_name)


def view(claims: Sequence[Claim], believed: str = "2030-01-01") -> list[State]:
    """What is believed on a day, by world time."""
    when = at(believed)
    held = [one for one in folded(claims) if one.believed_from <= when < (one.believed_to or FOREVER)]
    return [_state(one) for one in sorted(held, key=lambda one: (one.piece.start, one.piece.object))]


def _state(one: Rectangle) -> State:
    piece = one.piece
    begins = "?" if not piece.start_known else "" if piece.start == ALWAYS else _day(piece.start)
    ends = "" if piece.end == FOREVER else _day(piece.end)
    loose = piece.start_precision is Precision.OPEN and begins not in ("", "?")
    vague = piece.end_precision is Precision.OPEN and ends != ""
    value = ("not " if piece.negative else "") + piece.object
    return value, ("~" if loose else "") + begins, ("~" if vague else "") + ends


def _day(us: int) -> str:
    return datetime.fromisoformat(Instant(us).iso()).strftime("%Y-%m-%d")


def changes(claims: Sequence[Claim]) -> list[str]:
    """The kinds of change, in the order of believing, of what is believed at the end."""
    return [one.change for one in folded(claims) if one.believed_to is None]


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
