"""What is counted off ("the third week of May"), and a day that two words name, is the same in every language."""

from __future__ import annotations

from dataclasses import replace

from store.time import calendar
from store.time import patterns as p
from store.time.counted import pick
from store.time.feasts import Rule
from store.time.patterns import Context, Piece


def nth(c: Context, count: int, grain: str, month: int | None, year: int | None, weekday: int | None = None) -> Piece:
    """The count-th unit or weekday (-1 the last) of a month, of a year, or of the year of saying. Raises ValueError
    where there is none."""
    if month is not None:
        found = p.month(c, month, year)
        host = p.settled(p.known(found.when), c)
    else:
        host = calendar.year_span(year or c.now.year)
    when = pick(host, count, weekday, grain)
    if when is None:
        raise ValueError("there are not so many")
    return Piece(when)


def dated_weekday(c: Context, number: int, day: int) -> Piece:
    """ "Tuesday the 6th": of the nearest month in which the day falls so."""
    base = p.known(p.day_of_month(c, day).when)
    step = -1 if c.prefer == "past" else 1
    for cycles in range(40):
        found = calendar.shift(base, step * cycles)
        if found is not None and found.start.weekday() == number:
            return Piece(replace(found, cycle=None))
    raise ValueError("no such day")


def feast(c: Context, rule: Rule, year: int | None = None) -> Piece:
    """A feast of a year, or the one that was or comes."""
    if year is not None:
        return Piece(calendar.day_span(rule(year)))
    days, today = [rule(c.now.year + step) for step in (-1, 0, 1)], c.now.date()
    past, coming = [day for day in days if day <= today], [day for day in days if day >= today]
    return Piece(calendar.day_span(past[-1] if c.prefer == "past" else coming[0]))
