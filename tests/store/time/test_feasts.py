"""Movable feasts are checked against published dates of several years."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from store.records import Instant
from store.time.expressions import read_times
from store.time.feasts import ENGLISH, feast_of


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("thanksgiving", date(2023, 11, 23)),
        ("black friday", date(2023, 11, 24)),
        ("memorial day", date(2023, 5, 29)),
        ("labor day", date(2023, 9, 4)),
        ("good friday", date(2023, 4, 7)),
        ("orthodox easter", date(2023, 4, 16)),
        ("ash wednesday", date(2023, 2, 22)),
        ("whit monday", date(2023, 5, 29)),
        ("mother's day", date(2023, 5, 14)),
        ("new year's eve", date(2023, 12, 31)),
    ],
)
def test_feasts_of_2023(name: str, day: date) -> None:
    assert ENGLISH[name].rule(2023) == day


def test_the_nth_weekday_counts_from_either_end() -> None:
    assert feast_of("nth 2 3 1").rule(2024) == date(2024, 2, 1)
    assert feast_of("nth 2 3 -1").rule(2024) == date(2024, 2, 29)
    assert feast_of("nth 12 6 -1").rule(2024) == date(2024, 12, 29)


LUNAR = """
rosh hashanah | 2018-09-10
yom kippur | 2023-09-25
hanukkah | 2018-12-03
hanukkah | 2024-12-26
purim | 2024-03-24
passover | 2024-04-23
yom hashoah | 2018-04-12
tisha b'av | 2018-07-22
eid al-fitr | 2018-06-15
ramadan | 1950-06-17
night of power | 2018-06-11
chinese new year | 1966-01-21
chinese new year | 1985-02-20
chinese new year | 2024-02-10
chinese new year | 2034-02-19
dragon boat festival | 2024-06-10
chuseok | 2023-09-29
chuseok | 2025-10-06
makar sankranti | 2019-01-15
vaisakhi | 2018-04-14
parsi new year | 2022-08-16
maha shivaratri | 2020-02-21
holi | 2019-03-21
holi | 2024-03-25
ugadi | 2018-03-18
ganesh chaturthi | 2023-09-19
diwali | 2021-11-04
diwali | 2024-10-31
karva chauth | 2018-10-27
"""
"""Dates as the communities' own calendars published them."""


@pytest.mark.parametrize("line", LUNAR.strip().splitlines())
def test_lunar_feasts_have_their_published_days(line: str) -> None:
    name, day = line.split(" | ")
    assert ENGLISH[name].rule(int(day[:4])) == date.fromisoformat(day)


def test_every_feast_falls_into_its_year() -> None:
    for name, feast in ENGLISH.items():
        for year in (1950, 1999, 2000, 2024, 2050):
            assert feast.rule(year).year == year, name


def test_the_second_day_of_a_sighted_feast_is_the_likeliest() -> None:
    assert (ENGLISH["eid al-adha"].early, ENGLISH["eid al-adha"].days, ENGLISH["eid al-adha"].sure) == (1, 3, False)
    assert ENGLISH["christmas"] == (ENGLISH["christmas"].rule, 0, 1, True)


def test_advent_is_the_fourth_sunday_before_christmas() -> None:
    assert [feast_of("advent").rule(year) for year in (2022, 2023, 2024)] == [
        date(2022, 11, 27), date(2023, 12, 3), date(2024, 12, 1),
    ]  # fmt: skip


def test_chinese_leap_months_are_passed_over() -> None:
    assert feast_of("chinese 5 5").rule(2020) == date(2020, 6, 25)  # after a second fourth month
    assert feast_of("chinese 8 15").rule(2020) == date(2020, 10, 1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Our Christmas fair is on the 12th of December.", (12, 12)),
        ("The Easter lunch takes place on 2 May.", (5, 2)),
        ("the Halloween disco party is on 30 October", (10, 30)),
        ("We fly home for Christmas.", (12, 25)),
        ("The Christmas party was great.", (12, 25)),
    ],
)
def test_a_feast_in_the_name_of_an_occasion_is_no_date_where_another_is_said(text: str, day: tuple[int, int]) -> None:
    (found,) = read_times(text, datetime(2026, 11, 26, 9, tzinfo=UTC))
    assert found.stretch is not None and found.stretch.start is not None
    then = Instant(found.stretch.start).local()
    assert (then.month, then.day) == day


def test_when_an_occasion_is_names_no_day() -> None:
    assert read_times("When is the Christmas concert?", datetime(2026, 11, 26, 9, tzinfo=UTC)) == []
