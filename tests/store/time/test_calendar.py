"""Local arithmetic keeps to the calendar: months have their own lengths, and a loose time lands where it exists."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.time.calendar import add, after, before, day_span, floor, offset, resolve, settle, unit_near, unit_span
from store.time.expressions import read_times

NOON = datetime(2024, 5, 15, 12)  # noqa: DTZ001 - local wall-clock time, which has no zone before `resolve`


@pytest.mark.parametrize(
    ("start", "amount", "unit", "end"),
    [
        (date(2024, 1, 31), 1, "month", date(2024, 2, 29)),
        (date(2023, 1, 31), 1, "month", date(2023, 2, 28)),
        (date(2024, 2, 29), 1, "year", date(2025, 2, 28)),
        (date(2024, 3, 31), -1, "month", date(2024, 2, 29)),
        (date(2024, 12, 15), 1, "month", date(2025, 1, 15)),
        (date(2024, 1, 1), -1, "quarter", date(2023, 10, 1)),
        (date(2024, 1, 1), 2.0, "week", date(2024, 1, 15)),
        (date(2024, 1, 1), 2, "fortnight", date(2024, 1, 29)),
    ],
)
def test_add(start: date, amount: float, unit: str, end: date) -> None:
    assert add(datetime.combine(start, NOON.time()), amount, unit).date() == end


@pytest.mark.parametrize(
    ("grain", "start"),
    [
        ("day", date(2024, 5, 15)),
        ("week", date(2024, 5, 13)),
        ("weekend", date(2024, 5, 18)),
        ("month", date(2024, 5, 1)),
        ("quarter", date(2024, 4, 1)),
        ("season", date(2024, 3, 1)),
        ("half", date(2024, 1, 1)),
        ("year", date(2024, 1, 1)),
        ("decade", date(2020, 1, 1)),
    ],
)
def test_floor(grain: str, start: date) -> None:
    assert floor(NOON, grain).date() == start


def test_a_loose_leap_day_lands_in_a_leap_year() -> None:
    loose = day_span(date(2024, 2, 29), "year")
    assert settle(loose, NOON, "future").start.date() == date(2028, 2, 29)
    assert before(loose, datetime.combine(date(2023, 6, 1), NOON.time())).start.date() == date(2020, 2, 29)


def test_a_loose_31st_skips_short_months() -> None:
    loose = day_span(date(2024, 5, 31), "month")
    assert after(loose, datetime.combine(date(2024, 6, 1), NOON.time())).start.date() == date(2024, 7, 31)


def test_months_ago_are_as_coarse_as_they_were_said() -> None:
    found = offset(NOON, -3, "month")
    assert (found.start.date(), found.end.date(), found.grain) == (date(2024, 2, 1), date(2024, 3, 1), "month")


GRAINS = st.sampled_from(["day", "week", "month", "quarter", "season", "year", "decade"])
MOMENTS = st.datetimes(
    min_value=datetime.combine(date(1900, 1, 1), NOON.time()), max_value=datetime.combine(date(2100, 1, 1), NOON.time())
)


@given(MOMENTS, GRAINS)
def test_a_unit_contains_its_moment_and_the_next_begins_where_it_ends(moment: datetime, grain: str) -> None:
    unit = unit_span(moment, grain)
    assert unit.start <= moment < unit.end
    assert unit_near(moment, grain, 1).start == unit.end
    assert unit_near(moment, grain, -1).end == unit.start


@given(MOMENTS, st.integers(0, 6))
def test_a_weekday_never_means_today(moment: datetime, weekday: int) -> None:
    loose = day_span((moment + timedelta(days=weekday - moment.weekday())).date(), "week")
    past, coming = settle(loose, moment, "past"), settle(loose, moment, "future")
    assert past.end <= floor(moment, "day") < coming.start
    assert past.start.weekday() == coming.start.weekday() == weekday
    assert coming.start - past.start in (timedelta(days=7), timedelta(days=14))


@given(st.text(max_size=60))
def test_any_text_can_be_read_and_is_quoted_exactly(text: str) -> None:
    said = NOON.replace(tzinfo=UTC)
    end = 0
    for found in read_times(text, said):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.text
        end = found.end
        if found.stretch is not None and found.stretch.start is not None and found.stretch.end is not None:
            assert found.stretch.start < found.stretch.end


PHRASES = (
    "last next the a of May 3 30 2021 week weeks ago in on Friday to from 5 pm : / - until since morning half past year"
)
WORDS = PHRASES.split()


@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_any_row_of_time_words_gives_stretches_that_run_forwards(words: list[str]) -> None:
    said = NOON.replace(tzinfo=UTC)
    for found in read_times(" ".join(words), said):
        stretch = found.stretch
        assert stretch is None or stretch.start is None or stretch.end is None or stretch.start < stretch.end


def test_resolve_gives_the_same_length_in_utc() -> None:
    stretch = resolve(day_span(date(2024, 5, 15)), UTC)
    assert stretch.start is not None and stretch.end is not None
    assert stretch.end - stretch.start == 86_400_000_000
