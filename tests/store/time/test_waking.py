"""An hour without am or pm is the one in which people do what the words around it name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.time.expressions import read_times, read_told

SAID = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("We have dinner at the Ritz at 8 tomorrow.", 20),
        ("The concert starts at 7 tomorrow.", 19),
        ("We're having breakfast at 6 tomorrow.", 6),
        ("I see the dentist at 2 tomorrow.", 14),
        ("I see the dentist at 9 tomorrow.", 9),
        ("The party was great, I see the dentist at 9 tomorrow.", 9),
        ("Dinner is sorted and I see the dentist at 9 tomorrow.", 9),
        ("We have dinner at 8am tomorrow.", 8),
        ("The film is at 11:30 tomorrow.", 23),
        ("The film is at 12 tomorrow.", 12),
    ],
)
def test_an_hour_is_of_its_half_of_the_day(text: str, hour: int) -> None:
    first = read_told(text, SAID)[0].stretch
    assert first is not None
    start = first.first()
    assert start is not None
    assert start.local().hour == hour


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("I gave up sugar in January.", 2026),
        ("gave up vaping in february, at last", 2026),
        ("The old cat died in March.", 2026),
        ("He's been sober since April.", 2026),
        ("we moved from Leeds to York in March", 2026),
        ("moved to york from leeds in february", 2026),
        ("She used to nurse at Saint Luke's until May.", 2026),
        ("I start at the depot in March.", 2027),
        ("We booked the cottage in April.", 2027),
        ("Our lease runs until May.", 2027),
    ],
)
def test_a_month_long_gone_is_past_only_where_that_is_said(text: str, year: int) -> None:
    (found,) = read_told(text, datetime(2026, 12, 20, 12, tzinfo=UTC))
    stretch = found.stretch
    assert stretch is not None
    first = stretch.first() or stretch
    start = first.us if hasattr(first, "us") else stretch.start
    assert start is not None
    assert datetime.fromtimestamp(start / 1e6, UTC).year == year


def test_a_number_that_counts_is_no_day() -> None:
    (found,) = read_told("She left us in June, 14 yrs old.", SAID)
    assert found.text == "June"


def test_now_is_no_hour_of_the_clock() -> None:
    night = datetime(2026, 6, 2, 2, 24, tzinfo=UTC)
    (found,) = read_told("My pay is 1,900 now.", night)
    assert found.stretch is not None and found.stretch.start == int(night.timestamp() * 1e6)


@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("home for Christmas, train on the 22nd", "the 22nd", "2026-12-22"),
        ("at Christmas we drive up, and back on the 2nd", "the 2nd", "2027-01-02"),
        ("off at Easter, flight on the 30th", "the 30th", "2027-03-30"),
        ("the nurse put me down to 4 mg on Friday, and I should call in a month", "Friday", "2026-05-29"),
        ("back in August we sold the boat", "August", "2025-08-01"),
        ("there from 2022 til march this yr", "from 2022 til march this yr", "2022-01-01"),
    ],
)
def test_a_day_lies_near_the_feast_or_where_its_own_clause_puts_it(text: str, words: str, day: str) -> None:
    found = {one.text: one for one in (*read_told(text, SAID), *read_times(text, SAID, prefer="future"))}
    stretch = found[words].stretch
    first = stretch.first() if stretch is not None else None
    assert first is not None
    assert first.local().date().isoformat() == day


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("she got the post from jan", "2027-01"),
        ("rent is 720 from feb on", "2027-02"),
        ("I lived there from oct", "2025-10"),
    ],
)
def test_a_month_in_short_from_which_something_is_so_lies_ahead(text: str, month: str) -> None:
    stretch = read_told(text, SAID)[0].stretch
    first = stretch.first() if stretch is not None else None
    assert first is not None and first.iso().startswith(month)
