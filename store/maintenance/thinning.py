"""Which automatic backups go follows from their times and from now: a pure function of these, as Anki thins its own.

Days, weeks and months are those that a backup's own clock showed, so that no change of the zone moves one into another.
Periods without a backup are not counted: who was away for a year finds on coming back what there was. Backups later
than now, of a clock that was wrong or is, stay, and take the place of no others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from datetime import date, datetime, timedelta

RECENT = timedelta(hours=2)
"""All of these stay."""
KEPT: tuple[tuple[int, Callable[[date], Hashable]], ...] = (
    (12, lambda day: day),
    (10, lambda day: day.isocalendar()[:2]),
    (9, lambda day: (day.year, day.month)),
)
"""So many days, weeks and months keep their newest, beside the day, week and month of the newest of all."""


def to_remove(times: Iterable[datetime], now: datetime) -> set[datetime]:
    """Those of the (aware) times of automatic backups that go. The newest of all never does; removing them and asking
    again gives none."""
    every = set(times)
    past = sorted((time for time in every if time <= now), reverse=True)
    kept = {time for time in every if now - time < RECENT}
    for periods, period_of in KEPT:
        newest: dict[Hashable, datetime] = {}
        for time in past:
            newest.setdefault(period_of(time.date()), time)
        kept.update(list(newest.values())[: periods + 1])
    return every - kept
