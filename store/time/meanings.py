"""What a form of a foreign language means: a rule takes the values of its slots and gives a piece, or None to decline.

Slots: n amount, unit its grain, d day, m month, y year (yw in words, from this one), w weekday, o place in order,
sign steps from now, week steps to the week that holds a weekday, near days from today, h hour, mi minutes, less minutes
before the hour, s seconds, part of the day, season, edge (which third of a unit), feast, half a unit more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from store.time import calendar, clocks, spans
from store.time.calendar import LocalStretch
from store.time.counted import narrowed, pick
from store.time.scan import expand_year
from store.time.yearly import place_feast, signed_season
from store.time.yearly import span as feast_span

if TYPE_CHECKING:
    from store.time.calendar import Kind, Prefer, TimeRole


@dataclass(frozen=True, slots=True)
class Piece:
    """What one form read, and where it stood."""

    when: LocalStretch | None = None
    kind: Kind = "point"
    role: TimeRole = "at"
    amount: float | None = None
    unit: str | None = None
    part: str = ""
    """A part of the day, to be joined to a day before it."""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """One match of a form: the moment of saying, where loose times lie, and what stands in its slots."""

    now: datetime
    prefer: Prefer
    values: Mapping[str, list[Any]] = field(default_factory=dict)

    def __call__(self, slot: str, otherwise: Any = None) -> Any:
        """The first value of a slot."""
        return next(iter(self.values.get(slot, ())), otherwise)

    @property
    def year(self) -> int | None:
        """The year that is named."""
        if self("y") is not None:
            return expand_year(self("y"))
        return self.now.year + self("yw") if self("yw") is not None else None

    def settled(self, when: LocalStretch) -> LocalStretch:
        """A loose time placed by the tense; a clock time alone belongs to today."""
        return replace(when if when.cycle == "day" else calendar.settle(when, self.now, self.prefer), cycle=None)


def _near(c: Said) -> Piece:
    """So many days from today."""
    return _parted(calendar.day_span((c.now + timedelta(days=c("near"))).date()), c("part"))


def _parted(day: LocalStretch, part: str | None) -> Piece:
    if not part:
        return Piece(day)
    return Piece(replace(clocks.part_span(day.start, part), cycle=day.cycle), part=part)


def _weekday(c: Said) -> Piece:
    """A weekday: bare, the last one, that of a week, that of this week; "Tuesday the 6th"."""
    number, sign = c("w"), c("sign")
    if c("week") is not None:
        return Piece(_of_week(c, c("week")))
    if c("d") is not None:
        return Piece(calendar.on_weekday(calendar.day_of_month(c.now, c("d")), number, c.now, c.prefer))
    bare = replace(_of_week(c, 0), cycle=None if sign == 0 else "week")
    if sign:
        bare = replace(calendar.settle(bare, c.now, "past" if sign < 0 else "future"), cycle=None)
    return _parted(bare, c("part"))


def _of_week(c: Said, weeks: int) -> LocalStretch:
    return calendar.day_span((calendar.unit_near(c.now, "week", weeks).start + timedelta(days=c("w"))).date())


def _date(c: Said) -> Piece:
    """A day of a month, or a month, of a year or loose."""
    if c("d") is None:
        return _edged(c, _month(c))
    return Piece(_calendar_date(c, c("d")))


def _calendar_date(c: Said, day: int) -> LocalStretch:
    month = c("m")
    if month > 12:
        month, day = day, month
    return calendar.day_span(date(c.year, month, day)) if c.year else calendar.day_of_year(c.now.year, month, day)


def _month(c: Said) -> LocalStretch:
    """A month of a year, or the last, this year's or next one."""
    if c.year is not None:
        return calendar.month_span(c.year, c("m"))
    loose = calendar.loose_month(c.now, c("m"))
    return loose if c("sign") is None else calendar.signed(loose, c("sign"), c.now)


def _edged(c: Said, when: LocalStretch) -> Piece:
    """The early, middle or late third of a unit, if one is named."""
    third = narrowed(c.settled(when), c("edge")) if c("edge") else None
    return Piece(third or when)


def _day(c: Said) -> Piece:
    """The 24th, of a month that has it."""
    return Piece(calendar.day_of_month(c.now, c("d")))


def _nth(c: Said) -> Piece | None:
    """The nth unit or weekday of a month, of a year, or of the year of saying."""
    host = c.settled(_month(c)) if c("m") is not None else calendar.year_span(c.year or c.now.year)
    when = pick(host, c("o"), c("w"), c("unit", "day"))
    return None if when is None else Piece(when)


def _days(c: Said) -> Piece | None:
    """ "vom 3. bis zum 7. Mai"."""
    first, last = c.values["d"]
    when = _calendar_date(c, last)
    return Piece(c.settled(replace(when, start=when.start.replace(day=first))), "range") if first < last else None


def _hours(c: Said) -> Piece | None:
    """ "von 17 bis 18 Uhr"."""
    first, last = (_clock(replace(c, values={"h": [hour]})) for hour in c.values["h"])
    if first is None or last is None or first.when is None or last.when is None:
        return None
    return Piece(spans.joined(first.when, last.when, lambda when: when), "range")


def _unit(c: Said) -> Piece | None:
    """The calendar unit so many steps from the current one; with a weekday, that of the week."""
    step = c("sign", c("yw"))
    if c("unit") in ("second", "minute", "hour") or (step is None and c("edge") is None):
        return None
    if c("w") is not None:
        return Piece(_of_week(c, step or 0))
    return _edged(c, calendar.unit_near(c.now, c("unit"), step or 0))


def _run(c: Said) -> Piece | None:
    """The past or coming so many units."""
    return Piece(calendar.run(c.now, c("sign"), c("n"), c("unit")), "range") if c("sign") else None


def _offset(c: Said) -> Piece | None:
    """So many units from now; a thousand years and more are a date."""
    amount = _amount(c)
    return Piece(calendar.offset(c.now, c("sign") * amount, c("unit"))) if amount else None


def _amount(c: Said) -> float | None:
    amount: float = c("n") + (0.5 if c("half") else 0)
    return None if amount >= 1000 and c("unit") == "year" else amount


def _length(c: Said) -> Piece | None:
    """A length; with a sign, it ends now."""
    amount = _amount(c)
    if amount is None:
        return None
    when = None if c("sign") is None else calendar.run(c.now, -1, amount, c("unit"))
    return Piece(when, "duration", "for", amount, c("unit"))


def _clock(c: Said) -> Piece | None:
    """A time of the day of saying."""
    hour, minute, second = c("h"), c("mi", 0), c("s", 0)
    if c("less") is not None:
        hour, minute = (hour - 1) % 24, 60 - c("less")
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return None
    start = calendar.midnight(c.now.date()) + timedelta(hours=hour % 24, minutes=minute, seconds=second)
    grain = "minute" if minute or second else "hour"
    when = LocalStretch(start, calendar.add(start, 1, grain), grain, "day", half_day=1 <= hour <= 12)
    return Piece(clocks.to_part(when, c("part")) if c("part") else when)


def _part(c: Said) -> Piece:
    """A part of a day: of today if loose, else of the day so far away."""
    day = calendar.day_span((c.now + timedelta(days=c("near", 0))).date(), "day" if c("near") is None else None)
    return _parted(day, c("part"))


def _season(c: Said) -> Piece:
    """A season of a year, or the last, this or next one."""
    span = calendar.season_of(c.year or c.now.year, c("season"))
    if c.year:
        return Piece(span)
    loose = replace(span, cycle="year")
    return Piece(loose if c("sign") is None else signed_season(loose, c("sign"), c.now, c.prefer))


def _numbered(c: Said) -> Piece:
    """The week, quarter or half with a number, of a year."""
    return Piece(calendar.part_of_year(c.year or c.now.year, c("unit"), c("o", c("d"))))


def _week_of(c: Said) -> Piece:
    """The week that holds a day."""
    return Piece(calendar.unit_span(c.settled(_calendar_date(c, c("d"))).start, "week"))


def _rest(c: Said) -> Piece:
    """What is left of the current unit."""
    return Piece(replace(calendar.unit_near(c.now, c("unit"), 0), start=calendar.midnight(c.now.date())))


def _half(c: Said) -> Piece:
    """The first or second half of this month or week."""
    span = calendar.unit_near(c.now, c("unit"), 0)
    cut = calendar.add(span.start, 15 if c("unit") == "month" else 4, "day")
    return Piece(replace(span, end=cut) if c("o") == 1 else replace(span, start=cut))


def _feast(c: Said) -> Piece:
    """A feast of a year, or the one that was or comes."""
    year = c.now.year + c("sign") if c.year is None and c("sign") is not None else c.year
    return Piece(feast_span(c("feast"), year) if year else place_feast(c("feast"), None, c.now, c.prefer))


MEANINGS: dict[str, Callable[[Said], Piece | None]] = {
    "near": _near, "weekday": _weekday, "date": _date, "day": _day, "nth": _nth, "days": _days, "hours": _hours,
    "unit": _unit, "run": _run, "offset": _offset, "length": _length, "clock": _clock, "part": _part,
    "season": _season, "numbered": _numbered, "weekof": _week_of, "rest": _rest, "half": _half, "feast": _feast,
    "year": lambda c: Piece(calendar.year_span(c.year or c.now.year)),
    "decade": lambda c: Piece(calendar.decade_of(int(c("n")))),
    "now": lambda c: Piece(calendar.moment(c.now)),
    "habit": lambda _: Piece(None, "frequency", "every"),
    "vague": lambda _: Piece(),
}  # fmt: skip
