"""Local wall-clock times become instants in one function, `resolve`, and nowhere else; all arithmetic before it is
naive.

`When` is what words name, in local time without a zone. `Reading` says where in the text it stood and in which role.
Weeks begin on Monday. Seasons are northern and meteorological: spring is March to May, winter December to February.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

from dateutil.relativedelta import relativedelta

from store.records import Instant, Precision, Stretch

Kind = Literal["point", "range", "duration", "frequency"]
TimeRole = Literal["at", "since", "until", "for", "every", "before", "after"]
Prefer = Literal["past", "future", "nearest"]
Cycle = Literal["day", "week", "month", "year"]
Tense = Literal["past", "future", "perfect", "present"]
PRECISION = {
    "second": Precision.EXACT, "minute": Precision.EXACT, "hour": Precision.EXACT, "part": Precision.DAY,
    "day": Precision.DAY, "weekend": Precision.WEEK, "week": Precision.WEEK, "fortnight": Precision.WEEK,
    "month": Precision.MONTH, "quarter": Precision.SEASON, "season": Precision.SEASON, "half": Precision.YEAR,
    "year": Precision.YEAR, "decade": Precision.YEAR, "century": Precision.YEAR,
}  # fmt: skip
SIZE = {name: rank for rank, name in enumerate(PRECISION)}  # finer grains have lower ranks
SEASON_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
PART_HOURS = {"morning": (6, 12), "lunch": (12, 14), "afternoon": (12, 18), "evening": (18, 24), "night": (20, 24)}
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_DAYS = {"day": 1, "weekend": 7, "week": 7, "fortnight": 14}


@dataclass(frozen=True, slots=True)
class LocalStretch:
    """A half-open stretch of local time, without zone."""

    start: datetime
    end: datetime
    grain: str
    cycle: Cycle | None = None
    """What the words left open: a bare "Friday" may be moved by whole weeks, "March" by whole years, "9:30" by days."""
    point: datetime | None = None  # of an offset in weeks or coarser: the exact count, to the day
    half_day: bool = False  # a clock time without am or pm, which may be meant twelve hours later

    @property
    def precision(self) -> Precision:
        return PRECISION[self.grain]


@dataclass(frozen=True, slots=True)
class Reading:
    """What stood at text[start:end]."""

    start: int
    end: int
    kind: Kind
    when: LocalStretch | None
    role: TimeRole = "at"
    amount: float | None = None
    unit: str | None = None
    frequency: str | None = None
    about: bool = False


def localize(naive: datetime, zone: tzinfo) -> datetime:
    """The aware moment of a local wall-clock time. A time that a clock change skips is read as if the clock had not
    changed yet; one that occurs twice is the first, unless its `fold` says otherwise."""
    return naive.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def resolve(when: LocalStretch, zone: tzinfo) -> Stretch:
    """The stretch of UTC that a local one covers in `zone`; days with a clock change keep their 23 or 25 hours.

    Raises ValueError or OverflowError for one that is empty or leaves the calendar.
    """
    if when.end <= when.start:
        raise ValueError("the stretch is empty")
    first = Instant.of(localize(when.start, zone))
    length = when.end - when.start
    if when.precision is Precision.EXACT and length <= timedelta(hours=1):
        return Stretch(first.us, first.us + length // timedelta(microseconds=1), when.precision, first.offset)
    return Stretch(first.us, Instant.of(localize(when.end, zone)).us, when.precision, first.offset)


def midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def add(moment: datetime, amount: float, unit: str) -> datetime:
    """Local calendar arithmetic; the 31st a month later is the last day of that month. Fractions count as days."""
    if unit in _SECONDS:
        return moment + timedelta(seconds=amount * _SECONDS[unit])
    if unit in _DAYS:
        return moment + timedelta(days=amount * _DAYS[unit])
    whole, rest = divmod(amount * _MONTHS[unit], 1)
    moved: datetime = moment + relativedelta(months=int(whole), days=round(rest * 30.44))
    return moved


def floor(moment: datetime, grain: str) -> datetime:
    """The local start of the unit that contains `moment`."""
    if grain in _SECONDS:
        second = moment.second if grain == "second" else 0
        return moment.replace(microsecond=0, second=second, minute=0 if grain == "hour" else moment.minute)
    day = midnight(moment.date())
    if grain in ("week", "fortnight"):
        return day - timedelta(days=day.weekday())
    if grain == "weekend":
        return day + timedelta(days=5 - day.weekday())
    if grain in ("decade", "century"):
        years = 10 if grain == "decade" else 100
        return day.replace(year=max(1, day.year // years * years), month=1, day=1)
    if grain == "season":
        return add(day.replace(day=1), -(day.month % 3), "month")
    step = _MONTHS.get(grain)
    return day.replace(month=(day.month - 1) // step * step + 1, day=1) if step else day


def unit_span(moment: datetime, grain: str) -> LocalStretch:
    """The calendar unit that contains `moment`."""
    start = floor(moment, grain)
    if grain == "weekend":
        return LocalStretch(start, start + timedelta(days=2), grain)
    return LocalStretch(start, add(start, 1, grain), grain)


def unit_of(year: int, grain: str = "year", month: int = 1) -> LocalStretch:
    """The calendar unit that contains the first of a month of a year."""
    return unit_span(midnight(date(year, month, 1)), grain)


def unit_near(now: datetime, grain: str, steps: int) -> LocalStretch:
    """The unit that lies `steps` units after the current one."""
    return unit_span(add(floor(now, grain), steps, grain), grain)


def moment(now: datetime) -> LocalStretch:
    """Now, as one says it: to the minute."""
    return LocalStretch(now, now + timedelta(minutes=1), "minute", point=now)


def day_span(day: date, cycle: Cycle | None = None) -> LocalStretch:
    start = midnight(day)
    return LocalStretch(start, start + timedelta(days=1), "day", cycle)


def day_of_year(near: int, month: int, day: int) -> LocalStretch:
    """A day of a month, loose by years, in a year that has it (29 February), at or before `near`."""
    for step in range(9):
        try:
            return day_span(date(near - step, month, day), "year")
        except ValueError:
            continue
    raise ValueError("no such day")


def day_of_month(now: datetime, day: int) -> LocalStretch:
    """A day of the latest month that has it, loose by months."""
    first = now.replace(day=1)
    while (add(first, 1, "month") - first).days < day:
        first = add(first, -1, "month")
    return day_span(first.replace(day=day).date(), "month")


def on_weekday(when: LocalStretch, weekday: int, now: datetime, prefer: Prefer) -> LocalStretch | None:
    """A day of the month, in the nearest month in which it falls on a weekday."""
    guess, step = (now.year - when.start.year) * 12 + now.month - when.start.month, -1 if prefer == "past" else 1
    for moved in (shift(when, guess + step * months) for months in range(40)):
        if moved is not None and moved.start.weekday() == weekday and (step < 0 or moved.end > now):
            return replace(moved, cycle=None)
    return None


def signed(loose: LocalStretch, step: int, now: datetime) -> LocalStretch:
    """The last (-1), this year's (0) or the next (1) of a month, a day of a month or a season."""
    if step < 0:
        grain = "season" if loose.grain == "season" else "month"
        loose = before(loose, floor(now, grain) - timedelta(days=1))
    elif step > 0:
        loose = after(loose, now)
    return replace(loose, cycle=None)


def season_of(year: int, name: str) -> LocalStretch:
    """A season of a year; winter is the one that begins in it."""
    return unit_of(year, "season", SEASON_MONTH[name])


def decade_of(year: int) -> LocalStretch:
    """The decade of a year, which may have two digits: from 30 on those of the last century."""
    return unit_of(year if year > 99 else year + (1900 if year >= 30 else 2000), "decade")


def loose_month(now: datetime, number: int) -> LocalStretch:
    """A month, loose by years."""
    return replace(unit_of(now.year, "month", number), cycle="year")


def on_day(day: LocalStretch, clock: LocalStretch) -> LocalStretch:
    """A clock time on a day, which may itself still be loose."""
    start = midnight(day.start.date()) + (clock.start - midnight(clock.start.date()))
    return replace(clock, start=start, end=start + (clock.end - clock.start), cycle=day.cycle)


def part_of_year(year: int, grain: str, count: int) -> LocalStretch:
    """The nth quarter or half of a year, or its nth week."""
    if grain == "week":
        return unit_span(midnight(date.fromisocalendar(year, count, 1)), "week")
    return unit_of(year, grain, 1 + (count - 1) * _MONTHS[grain] % 12)


def offset(base: datetime, amount: float, unit: str) -> LocalStretch:
    """`base` moved by an amount: days to the day, weeks to the day but known to the week, months and years to the whole
    unit, anything finer to the minute."""
    moved = add(base, amount, unit)
    if unit in _SECONDS:
        grain = "second" if unit == "second" else "minute"
        return replace(unit_span(moved, grain), grain="minute", point=moved)
    if unit == "weekend":
        return unit_near(base, unit, int(amount))
    if unit in _DAYS:
        return replace(day_span(moved.date()), grain="day" if unit == "day" else "week", point=moved)
    grain = {"quarter": "month", "season": "month", "half": "month", "century": "decade"}.get(unit, unit)
    return replace(unit_span(moved, "month" if amount % 1 else grain), point=moved)


def run(now: datetime, step: int, number: float, grain: str) -> LocalStretch:
    """The stretch of so many units that ends (step -1) or begins (1) now; from days on it is made of whole days."""
    moved = add(now, step * number, grain)
    if grain in _SECONDS:
        return LocalStretch(min(moved, now), max(moved, now), "minute")
    if grain == "quarter":
        first = add(floor(now, "quarter"), -number if step < 0 else 1, "quarter")
        return LocalStretch(first, add(first, number, "quarter"), grain)
    if step < 0:
        return LocalStretch(midnight(moved.date()), now, grain)
    day = timedelta(days=1)
    return LocalStretch(midnight(now.date()) + day, midnight(moved.date()) + day, grain)


def shift(when: LocalStretch, cycles: int) -> LocalStretch | None:
    """Move a loose time by whole cycles; None where the calendar has no such day (30 February)."""
    assert when.cycle is not None
    start = add(when.start, cycles, when.cycle)
    if start.day != when.start.day and when.cycle in ("month", "year"):
        return None
    whole_months = SIZE[when.grain] >= SIZE["month"] or (
        when.grain == "day" and when.cycle in ("month", "year") and when.end - when.start > timedelta(days=1)
    )
    end = add(when.end, cycles, when.cycle) if whole_months else start + (when.end - when.start)
    return replace(when, start=start, end=end)


def after(when: LocalStretch, moment: datetime) -> LocalStretch:
    """The first occurrence of a loose time that starts at or after `moment`."""
    return _first(when, moment, 1, lambda found: found.start >= moment)


def before(when: LocalStretch, moment: datetime) -> LocalStretch:
    """The last occurrence of a loose time that starts at or before `moment`."""
    return _first(when, moment, -1, lambda found: found.start <= moment)


def settle(when: LocalStretch, now: datetime, prefer: Prefer) -> LocalStretch:
    """Place a loose time in the past or the future of `now`.

    A weekday or a day of the month never means today; a date, a month or a clock time may.
    """
    if when.cycle is None:
        return when
    today, day = midnight(now.date()), timedelta(days=1)
    if prefer == "nearest":
        past, future = settle(when, now, "past"), settle(when, now, "future")
        return past if now - past.end <= future.start - now else future
    if prefer == "past":
        return before(when, today - day if when.cycle == "week" else now)
    return after(when, today + day) if when.cycle == "week" else _first(when, now, 1, lambda found: found.end > now)


def _first(when: LocalStretch, moment: datetime, step: int, good: Callable[[LocalStretch], bool]) -> LocalStretch:
    if when.cycle is None:
        return when
    days = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}[when.cycle]
    guess = int((moment - when.start).days / days)
    moved = (shift(when, cycles) for cycles in range(guess - 2 * step, guess + 10 * step, step))
    found = next((one for one in moved if one is not None and good(one)), None)
    if found is None:
        raise ValueError("no such day near")
    return found
