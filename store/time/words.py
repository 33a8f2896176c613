"""Every English word that means a time is in one of these tables, lower case; the rules hold no words of their own
beyond prepositions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from store.text.lists import phrases, wordset

bag = wordset
TIMES = {"once": 1.0, "one": 1.0, "twice": 2.0, "thrice": 3.0}
VAGUE = phrases(
    """the other day, the other night, the other week, the other evening, the other morning, a while ago, a while back,
    some time ago, sometime ago, a long time ago, not long ago, long ago, ages ago, back then, back in the day,
    these days, one of these days, once upon a time, a while now, some day, someday, recently, lately, nowadays, soon,
    sometime soon, eventually, in a while, for a while, for ages, in the past, in the future, in the near future"""
)
"""Words that name a time without saying which."""


class ScannedWord(NamedTuple):
    """One word, number or sign: lower case with straight apostrophes, and its place in the text."""

    word: str
    start: int
    end: int
    capital: bool


def either(*tables: Iterable[str], digits: bool = False) -> str:
    """A pattern that matches each word of some tables, the longest first; digits too, if asked."""
    names = sorted({re.escape(word) for table in tables for word in table}, key=len, reverse=True)
    return rf"(?:{'|'.join(names)}{'|[0-9]+' if digits else ''})"


def meanings(text: str) -> dict[str, Any]:
    """ "a, b = x; c, d = 1..": each word, or words, and what it means; with two dots, counted up from there."""
    found = {}
    for entry in text.split(";"):
        names, _, meaning = entry.rpartition("=")
        for place, name in enumerate(names.split(",")):
            counted = int(meaning[:-2]) + place if meaning.endswith("..") else value_of(meaning.strip())
            found[" ".join(name.split())] = counted
    return found


def value_of(text: str) -> Any:
    """A number where the text is one."""
    number = re.fullmatch(r"-?\d+(\.\d+)?", text)
    return text if number is None else float(text) if number[1] else int(text)


MONTHS: dict[str, int] = meanings(
    """january, jan = 1; february, feb = 2; march, mar = 3; april, apr = 4; may = 5; june, jun = 6; july, jul = 7;
    august, aug = 8; september, sep, sept = 9; october, oct = 10; november, nov = 11; december, dec = 12"""
)
CLEAR_MONTHS = bag("january february july september october november december")
"""Months whose full name is hardly ever anything else; the others need a sign that a month is meant."""
WEEKDAYS: dict[str, int] = meanings(
    """monday, mon, mondays = 0; tuesday, tue, tues, tuesdays = 1; wednesday, wed, weds, wednesdays = 2;
    thursday, thu, thur, thurs, thursdays = 3; friday, fri, fridays = 4; saturday, sat, saturdays = 5;
    sunday, sun, sundays = 6"""
)
CLEAR_WEEKDAYS = WEEKDAYS.keys() - bag("mon wed sat sun thu fri")
UNITS: dict[str, str] = meanings(
    """second, seconds, sec, secs = second; minute, minutes, min, mins = minute; hour, hours, hr, hrs = hour;
    day, days = day; weekend, weekends = weekend; week, weeks, wk, wks = week; fortnight, fortnights = fortnight;
    month, months, mo, mos = month; quarter, quarters, qtr, qtrs = quarter; year, years, yr, yrs = year;
    decade, decades = decade; century, centuries = century"""
)
SHORT_UNITS: dict[str, str] = meanings("s = second; m = minute; h = hour; d = day; w = week; y = year")
"""Read only when they touch their number ("3h")."""
NIGHTS = bag("night nights")
SEASONS: dict[str, str] = meanings("spring = spring; summer = summer; autumn, fall = autumn; winter = winter")
PARTS: dict[str, str] = meanings(
    """morning, mornings = morning; lunch, lunchtime = lunch; afternoon, afternoons, afternoonish = afternoon;
    evening, evenings = evening; night, nights, night-time, nighttime = night"""
)
NUMBERS: dict[str, int] = meanings(
    """zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen,
    sixteen, seventeen, eighteen, nineteen = 0.."""
)
TENS: dict[str, int] = meanings(
    "twenty = 20; thirty = 30; forty = 40; fifty = 50; sixty = 60; seventy = 70; eighty = 80; ninety = 90"
)
ORDINALS: dict[str, int] = meanings(
    """first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, thirteenth,
    fourteenth, fifteenth, sixteenth, seventeenth, eighteenth, nineteenth, twentieth = 1..; thirtieth = 30"""
)
SUFFIXES = bag("st nd rd th")
DECADES: dict[str, int] = meanings(
    """twenties = 20; thirties = 30; forties = 40; fifties = 50; sixties = 60; seventies = 70; eighties = 80;
    nineties = 90"""
)
PAST, FUTURE = bag("last past previous prior preceding"), bag("next coming upcoming following")
PRESENT = bag("this current present")
STEPS = dict.fromkeys(PAST, -1) | dict.fromkeys(FUTURE, 1) | dict.fromkeys(PRESENT, 0)
EDGES: dict[str, str] = meanings("early, beginning, start, earlier = early; mid, middle = mid; late, end, later = late")
ABOUT = bag("about around approximately roughly circa nearly almost ca approx")
FREQUENT: dict[str, str] = meanings(
    """daily, nightly, everyday = day; hourly = hour; weekly, biweekly, bi-weekly = week; fortnightly = fortnight;
    monthly, bimonthly, bi-monthly = month; quarterly = quarter; yearly, annually, annual, semiannually, semi-annually,
    semiannual, biannually = year"""
)
ZONES: dict[str, float] = meanings(
    """utc, gmt, z = 0; est, cdt = -5; edt = -4; cst, mdt = -6; mst, pdt = -7; pst = -8; cet, bst = 1; cest = 2;
    jst = 9"""
)
