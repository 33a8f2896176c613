"""Which backups go is a function of their times: few are left, the newest is one of them, and the oldest is old."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from store.maintenance.backups import KEPT, RECENT, to_remove

HALF_HOUR = timedelta(minutes=30)
START = datetime(2025, 1, 1, 0, 10, tzinfo=timezone(timedelta(hours=1)))
FEW = sum(periods + 1 for periods, _ in KEPT) + RECENT // HALF_HOUR
ZONES = [UTC, timezone(timedelta(hours=9)), timezone(timedelta(hours=-7))]
moments = st.builds(
    lambda minutes, zone: (START + timedelta(minutes=minutes)).astimezone(zone),
    st.integers(0, 3 * 366 * 1440), st.sampled_from(ZONES),
)  # fmt: skip
times = st.lists(moments, max_size=60)


def test_a_year_of_half_hours_leaves_few_at_each_moment_and_reaches_back_nine_months() -> None:
    kept: set[datetime] = set()
    for number in range(366 * 48):
        now = START + number * HALF_HOUR
        kept.add(now)
        kept -= to_remove(kept, now)
        assert len(kept) <= FEW and now in kept
        if now - START > timedelta(days=280):
            assert timedelta(days=240) < now - min(kept) < timedelta(days=280)
    days = {time.date() for time in kept}
    assert all((now - timedelta(days=back)).date() in days for back in range(13))


@given(times, st.timedeltas(timedelta(0), timedelta(days=400)))
def test_the_newest_stays_and_a_second_thinning_changes_nothing(made: list[datetime], later: timedelta) -> None:
    now = max(made, default=START) + later
    gone = to_remove(made, now)
    left = set(made) - gone
    assert gone <= set(made)
    assert not made or max(made) in left
    assert to_remove(left, now) == set()
    assert {time for time in made if now - time < RECENT} <= left


@given(times)
def test_thinning_after_each_leaves_what_thinning_once_leaves(made: list[datetime]) -> None:
    kept: set[datetime] = set()
    for now in sorted(made):
        kept.add(now)
        kept -= to_remove(kept, now)
    assert not made or kept == set(made) - to_remove(made, max(made))


@given(times, moments)
def test_what_is_later_than_now_stays(made: list[datetime], now: datetime) -> None:
    """The clock was wrong, or is."""
    assert all(time <= now for time in to_remove(made, now))


def test_after_a_year_away_what_there_was_is_still_there() -> None:
    made = {START + timedelta(days=number) for number in range(100)}
    left = made - to_remove(made, max(made))
    back = max(made) + timedelta(days=365)
    assert left - to_remove({*left, back}, back) >= set(sorted(left)[-12:]) | {min(left)}
