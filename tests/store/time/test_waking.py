"""An hour without am or pm is the one in which people do what the words around it name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.time.expressions import read_told

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
