"""Lanes are drawn as they were believed: instants fall into columns, and what was not yet believed is not there."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.records import Fact
from tests.rectangles import index_of
from tests.tui.scripted import ZONE, fact, instant, lives, world
from widgets.lane_index import At, LaneIndex, LaneRows, lanes_of
from widgets.lane_layout import SPARKS, Bar, Cell, Lane, activity, axis, drawn, lanes_of_slot
from widgets.time_scale import COARSEST, DAY, FINEST, WEEK, Scale, stepped

NOW = instant("2025-03-14 21:40").us
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def row_text(facts: list[Fact], believed: str, width: int = 60, place: int = 0) -> str:
    lane = lanes_of(facts, instant(believed).us)[place]
    scale = Scale.fitting(instant("2021-01-01").us, NOW, width, ZONE)
    return "".join(cell.text for cell in drawn(lane, scale, NOW, NOW))


def test_the_present_shows_the_present_chain() -> None:
    row = row_text(lives(), "2025-03-14")
    assert row.index("Porto") < row.index("Lis")
    assert row.count("▎") == 2


def test_a_belief_that_had_not_been_held_yet_is_not_there() -> None:
    row = row_text(lives(), "2023-11-01")
    assert "Cedofeita" in row
    assert "Lisbon" not in row
    assert lanes_of(lives(), instant("2020-01-01").us) == []


def test_what_was_never_true_is_dashed_on_a_row_of_its_own() -> None:
    lanes = lanes_of(lives(), instant("2024-01-01").us)
    assert [lane.bars[0].state for lane in lanes] == ["believed", "never"]
    assert [lane.label for lane in lanes] == ["lives in", ""]
    assert "╌" in row_text(lives(), "2024-01-01", place=1)


def test_a_copy_that_was_only_shortened_is_not_dashed() -> None:
    states = [bar.state for lane in lanes_of(lives(), NOW) for bar in lane.bars]
    assert states == ["believed", "believed", "never"]


def test_the_person_comes_first_and_what_changed_most_on_top() -> None:
    lanes = lanes_of(world(), NOW)
    assert [lane.label for lane in lanes if lane.label] == [
        "lives in",
        "works at",
        "partner",
        "visited",
        "Ana · school",
    ]


def test_two_values_at_one_time_get_two_rows() -> None:
    likes = [fact("me", "likes", name, ("2024-01-01", None), ("2024-01-02", None)) for name in ("tea", "rain")]
    assert len(lanes_of(likes, NOW)) == 2


def test_an_event_is_a_mark_with_its_words_beside_it() -> None:
    row = row_text([fact("me", "visited", "Kyoto", ("2024-01-04", "2024-01-05"), ("2024-02-20", None))], "2025-01-01")
    assert "◆ Kyoto" in row


def test_the_nearest_fact_is_found() -> None:
    lane = lanes_of(lives(), NOW)[0]
    assert lane.nearest(instant("2022-01-01").us).fact.object.startswith("Porto")  # type: ignore[union-attr]  # it has bars
    assert lane.nearest(instant("1999-01-01").us).fact.object.startswith("Porto")  # type: ignore[union-attr]  # it has bars
    assert lane.nearest(NOW).fact.object.startswith("Lisbon")  # type: ignore[union-attr]  # it has bars


@given(st.text(min_size=1, max_size=30), st.integers(12, 120))
def test_a_row_is_as_wide_as_its_scale_whatever_the_words(words: str, width: int) -> None:
    from rich.cells import cell_len

    facts = [fact("me", "x", words, ("2024-01-01", None), ("2024-01-02", None))]
    scale = Scale.fitting(instant("2023-01-01").us, NOW, width, ZONE)
    for lane in lanes_of(facts, NOW):
        cells = drawn(lane, scale, NOW, NOW)
        assert len(cells) == scale.width
        assert sum(cell_len(cell.text) for cell in cells) == scale.width


def test_filtering_keeps_the_whole_slot() -> None:
    index = index_of(world())
    assert [slot.label for slot in index.matching("moderno").slots] == ["Ana · school"]
    assert len(index.matching("").slots) == 5
    assert index.matching("lives lisbon nowhere").slots == []


def test_the_changes_of_each_axis() -> None:
    view = index_of(lives()).matching("")
    february, september = instant("2021-02-01").us, instant("2024-09-01").us
    assert view.next_change("true", 0, 1, NOW) == february
    assert view.next_change("true", february, 1, NOW) == september
    assert view.next_change("true", september, -1, NOW) == february
    assert view.next_change("true", september, 1, NOW) is None
    assert view.next_change("true", february, 1, instant("2024-01-01").us) is None
    assert view.next_change("believed", 0, 1, NOW) == instant("2023-10-30").us


def test_a_filter_steps_only_through_its_own_changes() -> None:
    view = index_of(world()).matching("school")
    assert view.next_change("believed", 0, 1, NOW) == instant("2024-05-11").us
    assert view.next_change("true", 0, 1, NOW) == instant("2024-09-15").us
    assert view.begun == [instant("2024-05-11").us, instant("2024-06-11").us]


def test_rows_are_found_from_the_one_that_one_is_at() -> None:
    rows = LaneRows(index_of(world()).matching(""), NOW)
    everything = rows.below(At(), 99)
    assert [rows.lane(at) for at in everything] == lanes_of(world(), NOW)
    assert rows.last() == everything[-1] == rows.moved(At(), 99)
    assert rows.moved(rows.last(), -99) == At()
    for place, at in enumerate(everything):
        assert rows.moved(At(), place) == at
        assert rows.moved(at, -place) == At()
    assert LaneRows(LaneIndex(()).matching(""), NOW).moved(At(), 3) == At()


def test_at_another_time_the_mark_stays_on_its_slot_or_goes_to_the_next() -> None:
    view = index_of(world()).matching("")
    then = LaneRows(view, instant("2024-05-20").us)
    school = view.slots[-1]
    assert then.slots[then.nearest(school, 0).slot] is school
    early = LaneRows(view, instant("2023-11-01").us)
    assert early.nearest(school, 3) == At(len(early.slots) - 1, 0)


def test_activity_is_counted_by_the_week_whatever_a_column_is() -> None:
    """Three in one week, six in another: the second is twice as high, close up and from far away."""
    weeks = {"2024-03-06": 3, "2024-03-20": 6}
    begun = sorted(instant(day).us + hour for day, many in weeks.items() for hour in range(many))
    for per_cell, height in ((DAY, 4), (DAY * 7, 4)):
        scale = Scale(instant("2024-03-04").us, per_cell, 28, ZONE)
        tall = [cell.text for cell in activity(begun, scale, NOW)]
        first, second = (scale.column(instant(day).us) for day in weeks)
        assert (tall[first], tall[second]) == (SPARKS[height], SPARKS[7])
    days = Scale(instant("2024-03-04").us, DAY, 28, ZONE)
    close = [cell.text for cell in activity(begun, days, NOW)]
    assert close == [SPARKS[4]] * 7 + [" "] * 7 + [SPARKS[7]] * 7 + [" "] * 7


def test_the_busiest_column_has_the_tallest_spark_whatever_it_counts() -> None:
    """A column of 112 in three weeks has 37.33 a week, and 37.33 * 7 / 37.33 is a little more than 7."""
    scale = Scale(instant("2024-03-04").us, WEEK * 3, 28, ZONE)
    for many in range(1, 200):
        begun = [scale.start + hour for hour in range(many)]
        assert activity(begun, scale, NOW)[0].text == SPARKS[7]


def test_activity_counts_what_was_said() -> None:
    scale = Scale.fitting(instant("2021-01-01").us, NOW, 60, ZONE)
    begun = index_of(world()).matching("").begun
    assert sum(cell.text != " " for cell in activity(begun, scale, NOW)) > 3
    assert {cell.text for cell in activity([], scale, NOW)} == {" "}


@given(st.integers(-(2**54), 2**54), st.integers(1, 2**50), st.integers(10, 200), st.floats(0.01, 100))
def test_zooming_keeps_its_place_and_its_bounds(start: int, span: int, width: int, factor: float) -> None:
    scale = Scale.fitting(start, start + span, width, ZONE)
    column = min(width - 1, max(0, scale.column(start)))
    zoomed = scale.zoomed(factor, start)
    assert FINEST <= zoomed.per_cell <= COARSEST
    assert zoomed.column(start) == column
    assert zoomed.column(zoomed.at(7)) == 7
    assert 0 <= scale.showing(start + 3 * span).column(start + 3 * span) < width
    assert all(0 <= tick < width for tick, _label in zoomed.ticks())


def test_ticks_are_round_dates_that_do_not_touch() -> None:
    for years in (1, 3, 40):
        scale = Scale.fitting(instant(f"{2025 - years}-01-01").us, NOW, 80, ZONE)
        ticks = list(scale.ticks())
        assert len(ticks) > 1
        assert all(later - earlier > len(label) for (earlier, label), (later, _) in pairwise(ticks))
    fine = Scale(instant("2025-03-01").us, DAY // 4, 80, ZONE)
    assert "11 Mar" in [label for _column, label in fine.ticks()]


@pytest.mark.parametrize("width", [28, 34, 60, 110])
@pytest.mark.parametrize("days", [10, 20, 56, 90, 150, 400, 800])
def test_months_are_always_on_the_ruler(width: int, days: int) -> None:
    """Wherever its cursor stands, and whenever the window ends: no half of it is without a date or a tick."""
    for end in range(0, 60, 7):
        scale = Scale.fitting(NOW - (days + end) * DAY, NOW - end * DAY, width, ZONE)
        for cursor in range(width):
            cells = axis(scale, cursor, Cell("▼", "cursor"))
            written = "".join(cell.text for cell in cells)
            dates = re.findall(r"[A-Z][a-z][a-z]|20\d\d", written)
            assert len(dates) > 1 or width == 28, written
            assert set(dates) & set(MONTHS) or (width == 28 and dates), written
            assert max(map(len, re.findall(" +", written))) < width // 2, written


def test_a_month_that_began_before_the_ruler_has_its_name() -> None:
    scale = Scale.fitting(instant("2024-11-12").us, instant("2025-02-09").us, 28, ZONE)
    assert [label for _column, label in scale.ticks()] == ["Nov", "Dec", "2025", "Feb"]


def test_a_young_memory_fits_the_width() -> None:
    scale = Scale.fitting(NOW - 2 * DAY, NOW, 60, ZONE)
    assert scale.column(NOW) - scale.column(NOW - 2 * DAY) > 40


@pytest.mark.parametrize("age", [5_000_000, 20 * 60_000_000, DAY // 4])
def test_a_memory_of_one_day_fills_the_width_and_has_hours_on_its_ruler(age: int) -> None:
    scale = Scale.fitting(NOW - age, NOW, 60, ZONE)
    assert scale.column(NOW) - scale.column(NOW - age) > 45
    labels = [label for _column, label in scale.ticks()]
    assert labels[:1] == ["14 Mar"] or age < DAY // 48
    said = [cell.text for cell in activity([NOW - age, NOW - age // 2], scale, NOW)]
    assert " " in said[: scale.column(NOW)] or age < 60_000_000, "no solid block"


@pytest.mark.parametrize("width", [34, 60, 110])
def test_each_month_has_a_tick_or_its_name(width: int) -> None:
    scale = Scale.fitting(NOW - 400 * DAY, NOW, width, ZONE)
    cells = axis(scale, -9, Cell("▼", "cursor"))
    starts = [scale.column(instant(f"{year}-{month:02}-01").us) for year, month in
              [(2024, 6), (2024, 8), (2024, 9), (2024, 11), (2024, 12), (2025, 2)]]  # fmt: skip
    written = "".join(cell.text for cell in cells)
    assert all(written[column - 3 : column + 2].strip() for column in starts)
    assert "2025" in written


def test_what_was_only_noted_comes_last() -> None:
    told = [fact("me", predicate, "x", ("2024-01-01", None), ("2024-01-02", None)) for predicate in ("detail", "likes")]
    ana = fact("Ana", "likes", "rain", ("2024-01-01", None), ("2024-01-02", None))
    view = index_of([*told, ana]).matching("")
    assert [slot.label for slot in view.lanes] == ["likes", "Ana · likes", "mentioned"]
    assert view.groups == ["tastes", "things"]


def test_nothing_was_said_in_the_days_to_come() -> None:
    """A week goes on after now, and its columns after now say nothing of it."""
    scale = Scale(instant("2025-03-10").us, DAY, 14, ZONE)
    said = activity([instant("2025-03-12").us], scale, NOW)
    assert [cell.text for cell in said] == [SPARKS[7]] * 5 + [" "] * 9


def test_another_width_shows_the_same_stretch_of_time() -> None:
    scale = Scale.fitting(NOW - 400 * DAY, NOW + 40 * DAY, 60, ZONE)
    wide = scale.widened(120)
    assert wide.start == scale.start
    assert abs(wide.end - scale.end) <= 120  # microseconds that do not divide


def test_no_label_of_the_ruler_touches_its_cursor() -> None:
    scale = Scale.fitting(NOW - 400 * DAY, NOW, 60, ZONE)
    mark = Cell("▼", "cursor")
    for column in range(60):
        cells = axis(scale, column, mark)
        assert cells[column] is mark
        assert all(cells[place].text == " " for place in (column - 1, column + 1) if 0 <= place < 60)


def test_along_belief_a_lane_tells_how_the_mind_changed_about_one_moment() -> None:
    """Of today: first Cedofeita, then das Flores, then Lisbon, each while it was believed."""
    bars = sorted(lanes_of_slot(lives(), NOW, "believed")[0].bars, key=lambda bar: bar.first or 0)
    told = [(bar.fact.object.partition(",")[2].strip(), bar.state) for bar in bars]
    assert told == [("Rua de Cedofeita", "never"), ("Rua das Flores", "believed"), ("Rua da Rosa", "believed")]
    assert [bar.first for bar in bars] == [one.believed_from.us for one in (lives()[3], lives()[2], lives()[0])]
    assert lanes_of_slot(lives(), instant("2019-01-01").us, "believed") == []


def test_a_name_never_stands_where_it_reads_as_another_time() -> None:
    """Not before its bar, where another value held, nor, of what is over, in what is to come."""
    scale = Scale(NOW - 50 * DAY, DAY, 80, ZONE)
    late = fact("me", "x", "a rather long value", ("2025-03-10", "2025-03-12"), ("2025-03-12", None))
    before = fact("me", "x", "Porto", ("2024-01-01", "2025-03-09"), ("2025-01-01", None))
    row = drawn(lanes_of([late, before], NOW)[0], scale, NOW, NOW)
    assert "rather" not in "".join(cell.text for cell in row)
    over = replace(late, valid_to=instant("2025-03-13"), valid_from=instant("2025-02-10"), object="a" * 40)
    told = "".join(cell.text for cell in drawn(lanes_of([over], NOW)[0], scale, NOW, NOW))
    assert f"▎{'a' * 29}…" in told, "cut, inside its bar"
    goes_on = replace(late, valid_to=None)
    told = "".join(cell.text for cell in drawn(lanes_of([goes_on], NOW)[0], scale, NOW, NOW))
    assert "▎a r…▸  " in told, "nor of what goes on"


@pytest.mark.parametrize("width", [35, 61, 117])
def test_what_has_begun_has_no_name_in_what_is_to_come(width: int) -> None:
    """What holds, what is over, what never was so and what was believed before: all were told today."""
    said = ("2025-03-14 21:30", None)
    gone = fact("me", "lives_in", "Porto", said, ("2025-03-14 21:30", "2025-03-14 21:31"), ended="update")
    told = [
        *(fact("me", what, name, said, said) for what, name in (("diet", "vegetarian"), ("boss", "Kofi"))),
        fact("me", "plays", "tennis", ("2025-03-14 21:30", "2025-03-14 21:35"), said),
        replace(gone, predicate="dog", object="Rex", ended="correct"), gone,
    ]  # fmt: skip
    scale = Scale.fitting(NOW - 60 * DAY, NOW + 60 * DAY, width, ZONE)
    rows = ["".join(cell.text for cell in drawn(lane, scale, NOW, NOW)) for lane in lanes_of(told, NOW)]
    assert not any(row[scale.column(NOW) + 1 :].strip() for row in rows)
    shown = "\n".join(rows)
    assert all(re.search(one, shown) for one in ("vegetarian", "Kofi", "tennis", "✗ Rex|Rex ✗", "╌ Porto|Porto ╌"))
    coming = fact("me", "event", "wedding", ("2025-05-12", "2025-05-13"), said)
    assert "wedding ◆" in "".join(cell.text for cell in drawn(lanes_of([coming], NOW)[0], scale, NOW, NOW))
    soon = replace(scale, width=scale.column(NOW) + 8)
    tomorrow = replace(coming, valid_from=instant("2025-03-20"), valid_to=instant("2025-03-21"))
    row = "".join(cell.text for cell in drawn(lanes_of([tomorrow], NOW)[0], soon, NOW, NOW))
    assert "wedding" not in row[: scale.column(NOW) + 1], "nor what is to come in what was"


@pytest.mark.parametrize("width", [34, 60, 110])
def test_a_name_stands_behind_its_own_mark_or_nowhere(width: int) -> None:
    """Before a mark it would be read as the name of the one before; up to today or past it, it is its mark's."""
    told = {"2025-01-20": "skipped it for a bug", "2025-02-10": "interview", "2025-03-10": "a long flight to Ghent"}
    went = [fact("me", "event", what, (day, f"{day} 23:00"), (day, None)) for day, what in told.items()]
    lane = Lane("event", "me", "event", tuple(Bar.in_the_world(one, "believed") for one in went))
    scale = Scale.fitting(instant("2024-12-01").us, NOW + 20 * DAY, width, ZONE)
    row = drawn(lane, scale, NOW, NOW)
    text, marked = "".join(cell.text for cell in row), ""
    begins = {scale.column(one.valid_from.us): one.object for one in went if one.valid_from}
    for column, one in enumerate(row):
        marked = begins.get(column, marked)
        if one.word and not row[column - 1].word and not text[:column].endswith(f"{marked[:2]} "):
            assert marked.startswith(text[column:].partition("…")[0][:3]), text
    assert len(begins) == 3 and (width == 34 or "interview" in text)


def test_marks_are_spread_over_rows_so_that_their_names_have_room() -> None:
    days = [f"2025-01-{day:02}" for day in range(1, 29, 5)]
    went = [fact("me", "event", f"walk {day[5:]}", (day, f"{day} 23:00"), (day, None)) for day in days]
    early = fact("me", "event", "the first", ("2024-03-01", "2024-03-02"), ("2024-03-01", None))
    scale = Scale.fitting(instant("2024-03-01").us, NOW, 100, ZONE)
    lanes = lanes_of([early, *went], NOW)
    text = "".join("".join(cell.text for cell in drawn(lane, scale, NOW, NOW)) for lane in lanes)
    assert all(f"walk {day[5:]}" in text for day in days)
    assert len(lanes) <= 6


def test_what_lies_out_of_view_is_named_at_the_edge() -> None:
    over = fact("me", "works_at", "Sonda", ("2019-01-01", "2020-01-01"), ("2025-01-01", None))
    ahead = fact("me", "works_at", "Barco", ("2026-01-01", None), ("2025-01-01", None))
    row = "".join(
        cell.text for cell in drawn(lanes_of([over, ahead], NOW)[0], Scale(NOW - 50 * DAY, DAY, 60, ZONE), NOW, NOW)
    )
    assert row.startswith("‹ Sonda")
    assert row.endswith("› Barco"), "behind its own mark, like every name"


def test_what_holds_at_the_cursor_is_only_what_is_believed() -> None:
    lanes = lanes_of(lives(), instant("2024-01-01").us)
    held = [lane.holding(instant("2024-01-01").us) for lane in lanes]
    assert [bar and bar.fact.object for bar in held] == ["Porto, Rua das Flores", None]
    mind = [lane.holding(instant("2023-11-01").us) for lane in lanes_of_slot(lives(), NOW, "believed")]
    assert [bar.fact.object for bar in mind if bar] == ["Porto, Rua de Cedofeita"]
    assert "✗ Porto, Rua de" in row_text([replace(lives()[3], valid_from=instant("2020-01-01"))], "2024-01-01"), (
        "marked even where its beginning is out of view"
    )


def test_what_is_so_for_good_is_no_lane() -> None:
    brother = fact("me", "brother", "Paul", ("2024-01-01", None), ("2024-01-01", None))
    view = index_of([*world(), brother]).matching("")
    assert [slot.key[1] for slot in view.lasting] == ["brother"]
    assert all(slot.key[1] != "brother" for slot in LaneRows(view, NOW).slots)
    assert [one.object for one in view.lasting[0].believed(NOW)] == ["Paul"]


def test_what_another_says_more_exactly_is_not_said_twice() -> None:
    paul = ("Paul", ("2024-01-01", None), ("2024-01-01", None))
    ada = ("Ada", ("2024-01-01", None), ("2024-01-01", None))
    told = [fact("me", "brother", *paul), fact("me", "sibling", *paul)]
    assert [slot.key[1] for slot in index_of(told).matching("").lasting] == ["brother"]
    both = [*told, fact("me", "sibling", *ada)]
    assert [slot.key[1] for slot in index_of(both).matching("").lasting] == ["brother", "sibling"]


@pytest.mark.parametrize(
    ("unit", "amount", "expected"),
    [("month", 1, "2024-02-29"), ("month", -2, "2023-11-30"), ("year", 1, "2025-01-31"), ("week", 1, "2024-02-07")],
)
def test_steps_stay_within_their_month(unit: str, amount: int, expected: str) -> None:
    start = datetime(2024, 1, 31, tzinfo=ZONE)
    assert stepped(start, unit, amount).date().isoformat() == expected  # type: ignore[arg-type]  # one of the four units
