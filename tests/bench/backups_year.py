"""What remains of a year of half-hourly backups: `python -m tests.bench.backups_year`.

Each backup is made, and those that thinning takes are taken, as the app does it. A line for the end of each month, then
every backup that is left on the last day, by how old it is.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from store.maintenance.backups import to_remove

BEGIN = datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=1)))
HALF_HOUR = timedelta(minutes=30)
DAYS = 365


def main() -> None:
    kept: set[datetime] = set()
    most = 0
    print("when        made  kept  the most so far  oldest")
    for made in range(1, DAYS * 48 + 1):
        now = BEGIN + (made - 1) * HALF_HOUR
        kept.add(now)
        kept -= to_remove(kept, now)
        most = max(most, len(kept))
        if (now + HALF_HOUR).day == 1 and now.day != 1:
            print(f"{now:%Y-%m-%d} {made:>6,} {len(kept):>5} {most:>16} {(now - min(kept)).days:>4} days")
    print(f"\nleft at {now:%Y-%m-%d %H:%M}")
    for time in sorted(kept, reverse=True):
        print(f"  {time:%a %Y-%m-%d %H:%M}  {_age(now - time)}")


def _age(age: timedelta) -> str:
    return f"{age.days} days" if age.days else f"{age // timedelta(minutes=1)} min"


if __name__ == "__main__":
    main()
