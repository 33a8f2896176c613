"""Where sun and moon stand follows from the moment alone, to a few hundredths of a degree: enough to tell a day.

Longitudes are geocentric, apparent and in degrees, after Meeus, Astronomical Algorithms (2nd ed. 1998), chapters 25 and
47, with the largest terms only. Moments are days since noon of 1 January 2000 (universal time; the difference to
dynamical time, about a minute, is left out).
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from math import cos, radians, sin

_NOON_2000 = date(2000, 1, 1).toordinal()
MONTH = 29.530588861
"""Mean days from one new moon to the next."""
_FIRST_NEW_MOON = 5.09766
"""The mean new moon of January 2000."""

_MOON = (
    (6.288774, 0, 0, 1, 0), (1.274027, 2, 0, -1, 0), (0.658314, 2, 0, 0, 0), (0.213618, 0, 0, 2, 0),
    (-0.185116, 0, 1, 0, 0), (-0.114332, 0, 0, 0, 2), (0.058793, 2, 0, -2, 0), (0.057066, 2, -1, -1, 0),
    (0.053322, 2, 0, 1, 0), (0.045758, 2, -1, 0, 0), (-0.040923, 0, 1, -1, 0), (-0.034720, 1, 0, 0, 0),
    (-0.030383, 0, 1, 1, 0), (0.015327, 2, 0, 0, -2), (-0.012528, 0, 0, 1, 2), (0.010980, 0, 0, 1, -2),
    (0.010675, 4, 0, -1, 0), (0.010034, 0, 0, 3, 0), (0.008548, 4, 0, -2, 0),
)  # fmt: skip
"""Degrees, and how often elongation, the sun's anomaly, the moon's anomaly and the argument of latitude count."""


def moment(day: date, hours: float = 0.0) -> float:
    """The moment so many hours (universal time) after midnight of a day."""
    return day.toordinal() - _NOON_2000 - 0.5 + hours / 24


def day_of(at: float, hours_east: float) -> date:
    """The day of a moment on a clock so many hours east of Greenwich."""
    return date.fromordinal(_NOON_2000) + timedelta(days=int((at + 0.5 + hours_east / 24) // 1))


def sun(at: float) -> float:
    """The sun's longitude."""
    t = at / 36525
    anomaly = radians(357.52911 + 35999.05029 * t)
    center = (1.914602 - 0.004817 * t) * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    node = radians(125.04 - 1934.136 * t)
    return (280.46646 + 36000.76983 * t + center - 0.00569 - 0.00478 * sin(node)) % 360


def moon(at: float) -> float:
    """The moon's longitude."""
    t = at / 36525
    mean = 218.3164477 + 481267.88123421 * t
    arguments = (
        radians(297.8501921 + 445267.1114034 * t),
        radians(357.5291092 + 35999.0502909 * t),
        radians(134.9633964 + 477198.8675055 * t),
        radians(93.2720950 + 483202.0175233 * t),
    )
    terms = (size * sin(sum(n * one for n, one in zip(often, arguments, strict=True))) for size, *often in _MOON)
    return (mean + sum(terms) - 0.00478 * sin(radians(125.04 - 1934.136 * t))) % 360


def elongation(at: float) -> float:
    """How far the moon is ahead of the sun: 0 at new moon, 180 at full moon."""
    return (moon(at) - sun(at)) % 360


@lru_cache(maxsize=512)
def new_moon(count: int) -> float:
    """The moment of a new moon, counted from that of January 2000."""
    at = _FIRST_NEW_MOON + MONTH * count
    for _ in range(4):
        behind = (elongation(at) + 180) % 360 - 180
        at -= behind / 12.1908
    return at


def new_moon_before(at: float) -> int:
    """The count of the last new moon at or before a moment."""
    count = int((at - _FIRST_NEW_MOON) // MONTH) + 1
    while new_moon(count) > at:
        count -= 1
    return count


def sun_at(longitude: float, near: float) -> float:
    """The moment next to `near` at which the sun has a longitude."""
    at = near
    for _ in range(5):
        behind = (longitude - sun(at) + 180) % 360 - 180
        at += behind / (0.9856 * (1 + 0.0334 * cos(radians(357.529 + 0.9856 * at))))
    return at
