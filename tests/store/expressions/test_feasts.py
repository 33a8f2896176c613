"""Movable feasts are checked against published dates of several years."""

from __future__ import annotations

from datetime import date

import pytest

from store.expressions.feasts import ENGLISH, easter_date, nth, orthodox_easter


@pytest.mark.parametrize(
    ("year", "western", "orthodox"),
    [
        (2000, date(2000, 4, 23), date(2000, 4, 30)),
        (2008, date(2008, 3, 23), date(2008, 4, 27)),
        (2017, date(2017, 4, 16), date(2017, 4, 16)),
        (2024, date(2024, 3, 31), date(2024, 5, 5)),
        (2025, date(2025, 4, 20), date(2025, 4, 20)),
        (2038, date(2038, 4, 25), date(2038, 4, 25)),
    ],
)
def test_easter(year: int, western: date, orthodox: date) -> None:
    assert easter_date(year) == western
    assert orthodox_easter(year) == orthodox


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("thanksgiving", date(2023, 11, 23)),
        ("black friday", date(2023, 11, 24)),
        ("memorial day", date(2023, 5, 29)),
        ("labor day", date(2023, 9, 4)),
        ("good friday", date(2023, 4, 7)),
        ("ash wednesday", date(2023, 2, 22)),
        ("whit monday", date(2023, 5, 29)),
        ("mother's day", date(2023, 5, 14)),
        ("new year's eve", date(2023, 12, 31)),
    ],
)
def test_feasts_of_2023(name: str, day: date) -> None:
    assert ENGLISH[name](2023) == day


def test_the_nth_weekday_counts_from_either_end() -> None:
    assert nth(2, 3, 1)(2024) == date(2024, 2, 1)
    assert nth(2, 3, -1)(2024) == date(2024, 2, 29)
    assert nth(12, 6, -1)(2024) == date(2024, 12, 29)
