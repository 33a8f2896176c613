"""A feast is a rule that gives one date (or a stretch of days) for each year, so that no table of years can run out.

Those that fall on the same date or by the same Western rule everywhere are here; those of the moon are in lunar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from dateutil.easter import EASTER_ORTHODOX, easter

from store.time import lunar, words

Rule = Callable[[int], date]


class Feast(NamedTuple):
    """A feast of one or more days."""

    rule: Rule
    early: int = 0
    """How many days before its date it begins, or may begin."""
    days: int = 1
    sure: bool = True
    """Its days are known; if not, the date is the likeliest of them."""


def fixed(month: int, day: int) -> Rule:
    """The same date every year."""
    return lambda year: date(year, month, day)


def nth(month: int, weekday: int, count: int) -> Rule:
    """The nth weekday (Monday 0) of a month; from the end for a negative count."""

    def find(year: int) -> date:
        if count > 0:
            first = date(year, month, 1)
            return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (count - 1))
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-count - 1))

    return find


def advent(year: int) -> date:
    """The first Sunday of Advent, the fourth before Christmas."""
    return date(year, 12, 24) - timedelta(days=(date(year, 12, 24).weekday() + 1) % 7 + 21)


def _kings_day(year: int) -> date:
    """27 April, and the day before where that is a Sunday."""
    return date(year, 4, 26 if date(year, 4, 27).weekday() == 6 else 27)


def _boss_day(year: int) -> date:
    """16 October, or the workday nearest to it."""
    return date(year, 10, 16) + timedelta(days={5: -1, 6: 1}.get(date(year, 10, 16).weekday(), 0))


_BASES: dict[str, Rule] = {
    "easter": easter, "orthodox": lambda year: easter(year, EASTER_ORTHODOX), "advent": advent,
    "king": _kings_day, "boss": _boss_day,
}  # fmt: skip
_RULE = re.compile(
    r"(?:(?P<base>[a-z]+)|(?P<month>\d+)-(?P<day>\d+)|(?P<of>\d+)/(?P<weekday>\d)/(?P<nth>-?\d))(?P<shift>[-+]\d+)?"
)


def rule_of(text: str) -> Rule:
    """The rule of "12-24" (month and day), "11/3/4" (the fourth Thursday of November, Monday being 0) or "easter",
    each with the days from there ("easter-2")."""
    said = _RULE.fullmatch(text)
    assert said is not None, text
    if said["base"]:
        base = _BASES[said["base"]]
    elif said["day"]:
        base = fixed(int(said["month"]), int(said["day"]))
    else:
        base = nth(int(said["of"]), int(said["weekday"]), int(said["nth"]))
    return lambda year: base(year) + timedelta(days=int(said["shift"] or 0))


_ENGLISH: dict[str, str] = words.meanings(
    """christmas eve, xmas eve = 12-24; christmas, christmas day, xmas, xmas day, x-mas = 12-25; boxing day = 12-26;
    new year's eve, new years eve, new year eve, nye = 12-31; new year's day, new years day, new year day, new year's,
    new years, new year = 1-1; valentine's day, valentines day, valentine day, valentine's, valentines = 2-14;
    halloween, halloween day, all hallows' eve = 10-31; all saints' day, all saints day, world vegan day = 11-1;
    all souls' day, all souls day = 11-2; st patrick's day, saint patrick's day, st patricks day, saint patricks day,
    st paddy's day, saint paddy's day, saint patrick, st patrick, st. patrick's day = 3-17;
    april fools' day, april fools day, april fool's day, april fools = 4-1; groundhog day = 2-2; earth day = 4-22;
    labour day, international workers' day, may day = 5-1; women's day, international women's day = 3-8;
    independence day, fourth of july = 7-4; juneteenth, freedom day, jubilee day = 6-19; bastille day = 7-14;
    guy fawkes day, guy fawkes night, bonfire night = 11-5; cinco de mayo = 5-5; epiphany, three kings' day = 1-6;
    veterans day, veterans' day, armistice day, remembrance day = 11-11; st nicholas day, saint nicholas day = 12-6;
    thanksgiving, thanksgiving day = 11/3/4; black friday = 11/3/4+1; cyber monday = 11/3/4+4;
    mother's day, mothers day, mothers' day = 5/6/2; father's day, fathers day, fathers' day = 6/6/3;
    memorial day = 5/0/-1; labor day = 9/0/1; columbus day, indigenous peoples' day = 10/0/2; mlk day,
    martin luther king day, martin luther king's day, martin luther kings day, civil rights day = 1/0/3;
    presidents day, presidents' day, president's day, washington's birthday = 2/0/3;
    boss's day, boss day, boss's = boss; king's day, kings day, koningsdag = king; easter, easter sunday = easter;
    easter monday = easter+1; good friday = easter-2; maundy thursday, covenant thu, holy thursday = easter-3;
    palm sunday = easter-7; ash wednesday = easter-46; ascension day, ascension thursday = easter+39;
    shrove tuesday, mardi gras, pancake day, pancake tuesday, fat tuesday = easter-47; corpus christi = easter+60;
    whit sunday, pentecost, whitsun = easter+49; trinity sunday = easter+56;
    whit monday, pentecost monday, monday of the holy spirit = easter+50; lazarus saturday = orthodox-8;
    orthodox easter, orthodox easter sunday = orthodox; orthodox good friday, orthodox great friday = orthodox-2;
    orthodox shrove monday, clean monday = orthodox-48"""
)

ENGLISH: dict[str, Feast] = {name: Feast(rule_of(rule)) for name, rule in _ENGLISH.items()} | {
    name: Feast(rule, *days, sure=days != lunar.SEEN) for names, rule, days in lunar.FEASTS for name in names.split("|")
}
ENGLISH["lent"] = Feast(rule_of("easter-46"), 0, 46)
"""Names in lower case, with straight apostrophes."""
STARTERS = frozenset(name.split()[0] for name in ENGLISH)
"""The first word of each name."""
LONGEST = 5
"""The most tokens that a name takes."""
WORDS = frozenset(("lent",))
"""Names that are other words, too, and are read only with a year."""


def named(text: str) -> Feast:
    """A feast by its English name, or by its rule."""
    return ENGLISH.get(text) or Feast(rule_of(text))
