"""Days of the Hebrew, Islamic, Chinese and Hindu calendars, by their own rules and by where sun and moon stand.

Hebrew and tabular Islamic dates follow Reingold and Dershowitz, Calendrical Calculations (4th ed. 2018), chapters 7 and
8; Chinese months the rule of 1645 (its chapter 19); Hindu ones the amanta reckoning of its chapter 20, in Indian time,
with Lahiri's zero of the zodiac. Longitudes are geocentric, apparent and in degrees, after Meeus, Astronomical
Algorithms (2nd ed. 1998), chapters 25 and 47, with the largest terms only: right to a few hundredths of a degree, which
is enough to tell a day. Moments are days since noon of 1 January 2000, universal time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from math import radians, sin

CHINA, INDIA = 8.0, 5.5  # hours east of Greenwich
_TISHRI_EPOCH = -1373427
_HIJRA = 227015
_NOON_2000 = date(2000, 1, 1)
_MONTH = 29.530588861  # mean days from one new moon to the next
_FIRST_NEW_MOON = 5.09766  # the mean new moon of January 2000
_MOON = (
    (6.288774, 0, 0, 1, 0), (1.274027, 2, 0, -1, 0), (0.658314, 2, 0, 0, 0), (0.213618, 0, 0, 2, 0),
    (-0.185116, 0, 1, 0, 0), (-0.114332, 0, 0, 0, 2), (0.058793, 2, 0, -2, 0), (0.057066, 2, -1, -1, 0),
    (0.053322, 2, 0, 1, 0), (0.045758, 2, -1, 0, 0), (-0.040923, 0, 1, -1, 0), (-0.034720, 1, 0, 0, 0),
    (-0.030383, 0, 1, 1, 0), (0.015327, 2, 0, 0, -2), (-0.012528, 0, 0, 1, 2), (0.010980, 0, 0, 1, -2),
    (0.010675, 4, 0, -1, 0), (0.010034, 0, 0, 3, 0), (0.008548, 4, 0, -2, 0),
)  # fmt: skip
"""Degrees, and how often elongation, the sun's anomaly, the moon's anomaly and the argument of latitude count."""


def tishri(year: int, days: int = 0) -> date:
    """So many days after the 1 Tishri that falls into a Gregorian year."""
    hebrew = year + 3761
    before, at, after = _elapsed(hebrew - 1), _elapsed(hebrew), _elapsed(hebrew + 1)
    delay = 2 if after - at == 356 else 1 if at - before == 382 else 0
    return date.fromordinal(_TISHRI_EPOCH + at + delay + days)


@cache
def _elapsed(year: int) -> int:
    """Days from the Hebrew epoch to the mean new year, put off by the rules of weekday."""
    months = (235 * year - 234) // 19
    days = 29 * months + (12084 + 13753 * months) // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def nisan(year: int, days: int, *moved: int) -> date:
    """So many days after 1 Nisan, 177 days before the next new year; see `moved_by_weekday`."""
    return moved_by_weekday(tishri(year, days - 177), *moved)


def moved_by_weekday(day: date, *moved: int) -> date:
    """A day, or where it falls on one of some weekdays (Monday 0) that many days later: 5, -1 is back from Saturday."""
    return day + timedelta(days=dict(zip(moved[::2], moved[1::2], strict=True)).get(day.weekday(), 0))


def hanukkah(year: int) -> date:
    """25 Kislev: Heshvan has 30 days in a year of 355 or 385."""
    length = (tishri(year + 1) - tishri(year)).days
    return tishri(year, 30 + (30 if length % 10 == 5 else 29) + 24)


def islamic(year: int, month: int, day: int) -> date:
    """The first such date of the tabular Islamic calendar in a Gregorian year; where the new moon is looked for, the
    month may begin a day off."""
    hijri = (year - 622) * 33 // 32 - 1
    while True:
        passed = (59 * (month - 1) + 1) // 2 + (hijri - 1) * 354 + (3 + 11 * hijri) // 30
        at = date.fromordinal(_HIJRA - 1 + day + passed)
        if at.year >= year:
            return at
        hijri += 1


def parsi_new_year(year: int) -> date:
    """The Shahenshahi new year, every 365 days."""
    first, known = date(year, 1, 1), date(2018, 8, 17)
    return first + timedelta(days=(known - first).days % 365)


def chinese(year: int, month: int, day: int) -> date:
    """A date of the Chinese calendar, of the year that begins in the given one."""
    return _chinese_months(year)[month - 1] + timedelta(days=day - 1)


@cache
def _chinese_months(year: int) -> tuple[date, ...]:
    """The first days of the months of a Chinese year, without its leap month. The month of the winter solstice is the
    eleventh; in a year of thirteen the first month in which the sun enters no sign is the leap month."""
    months: list[date] = []
    for solstice_year in (year - 1, year):
        first, last = _solstice_month(solstice_year), _solstice_month(solstice_year + 1)
        starts = [_day(_new_moon(count), CHINA) for count in range(first, last + 1)]
        signs = [_sun(_moment(start, -CHINA)) // 30 for start in starts]
        leap = next((i for i in range(1, len(starts) - 1) if signs[i] == signs[i + 1]), None)
        months += [at for i, at in enumerate(starts[:-1]) if len(starts) < 14 or i != leap]
    return tuple(months[2:14])


def _solstice_month(year: int) -> int:
    """The count of the new moon that begins the month of the winter solstice."""
    solstice = _day(_when(_sun, 270, _moment(date(year, 12, 21))), CHINA)
    return _new_moon_before(_moment(solstice, 24 - CHINA) - 1e-6)


def solar(year: int, sign: int, days: int = 0) -> date:
    """The day on which the sun enters a sidereal sign (0 is Mesha, 9 Makara), after sunset the next; moved by
    `days`."""
    near = _moment(date(year, 4 if sign == 0 else 1, 14))
    return _day(_when(_sun, sign * 30 + _zodiac(near), near), INDIA + 24 - 18.2) + timedelta(days=days)


def hindu(year: int, month: int, tithi: int, hour: float, days: int = 0) -> date:
    """The day, of the lunar month that begins with the sun in the sign before (1 is Chaitra), on which this thirtieth
    of the moon's course has begun by an hour (6.2 sunrise, 12 noon, 18.2 dusk); moved by `days`."""
    began = _day(_hindu_month(year, month), INDIA)
    for step in range(tithi - 3, tithi + 3):
        day = began + timedelta(days=step)
        if (_elongation(_moment(day, hour - INDIA)) - 12 * (tithi - 1)) % 360 < 180:
            return day + timedelta(days=days)
    raise ValueError("no such day")


@cache
def _hindu_month(year: int, month: int) -> float:
    """The new moon that begins a lunar month, the last two being those of January to March; of two new moons in one
    sign, the second begins it."""
    near = _moment(date(year, 3, 20)) + 30.4 * (month - (13 if month > 10 else 1))
    count = _new_moon_before(near) - 2
    moons = [_new_moon(n) for n in range(count, count + 5)]
    found = [at for at in moons if (_sun(at) - _zodiac(at)) % 360 // 30 == (month - 2) % 12]
    if not found:
        raise ValueError("the month is left out of this year")
    return found[-1]


def _zodiac(at: float) -> float:
    """How far the signs have moved against the stars, by Lahiri."""
    return 23.853 + at / 25770.0 * 360 / 365.25


def _moment(day: date, hours: float = 0.0) -> float:
    """The moment so many hours (universal time) after midnight of a day."""
    return (day - _NOON_2000).days - 0.5 + hours / 24


def _day(at: float, hours_east: float) -> date:
    """The day of a moment on a clock so many hours east of Greenwich."""
    return _NOON_2000 + timedelta(days=int((at + 0.5 + hours_east / 24) // 1))


def _sun(at: float) -> float:
    """The sun's longitude."""
    t = at / 36525
    anomaly = radians(357.52911 + 35999.05029 * t)
    center = (1.914602 - 0.004817 * t) * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    node = radians(125.04 - 1934.136 * t)
    return (280.46646 + 36000.76983 * t + center - 0.00569 - 0.00478 * sin(node)) % 360


def _elongation(at: float) -> float:
    """How far the moon is ahead of the sun: 0 at new moon, 180 at full moon."""
    t = at / 36525
    arguments = (
        radians(297.8501921 + 445267.1114034 * t),
        radians(357.5291092 + 35999.0502909 * t),
        radians(134.9633964 + 477198.8675055 * t),
        radians(93.2720950 + 483202.0175233 * t),
    )
    terms = (size * sin(sum(n * one for n, one in zip(often, arguments, strict=True))) for size, *often in _MOON)
    moon = 218.3164477 + 481267.88123421 * t + sum(terms) - 0.00478 * sin(radians(125.04 - 1934.136 * t))
    return (moon - _sun(at)) % 360


def _when(angle: Callable[[float], float], degrees: float, near: float, speed: float = 0.9856) -> float:
    """The moment next to `near` at which an angle, which grows by about `speed` degrees a day, has a value."""
    for _ in range(6):
        near += ((degrees - angle(near) + 180) % 360 - 180) / speed
    return near


@cache
def _new_moon(count: int) -> float:
    """The moment of a new moon, counted from that of January 2000."""
    return _when(_elongation, 0, _FIRST_NEW_MOON + _MONTH * count, 12.1908)


def _new_moon_before(at: float) -> int:
    """The count of the last new moon at or before a moment."""
    count = int((at - _FIRST_NEW_MOON) // _MONTH) + 1
    while _new_moon(count) > at:
        count -= 1
    return count
