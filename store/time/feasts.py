"""A feast is a rule that gives one date (or a stretch of days) for each year, so that no table of years can run out.

Those that fall on the same date or by the same Western rule everywhere are here; those of the moon are in lunar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN
from dateutil.easter import easter as easter_date

from store.time import lunar

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


def easter(days: int, method: int = EASTER_WESTERN) -> Rule:
    """So many days from Easter."""
    return lambda year: easter_date(year, method) + timedelta(days=days)


def orthodox(days: int) -> Rule:
    """So many days from Orthodox Easter."""
    return easter(days, EASTER_ORTHODOX)


def advent(days: int) -> Rule:
    """So many days from the first Sunday of Advent, the fourth before Christmas."""

    def find(year: int) -> date:
        return date(year, 12, 24) - timedelta(days=(date(year, 12, 24).weekday() + 1) % 7 + 21 - days)

    return find


def workday_near(month: int, day: int) -> Rule:
    """A date that moves to the nearest weekday when it falls on a weekend."""

    def find(year: int) -> date:
        at = date(year, month, day)
        return at + timedelta(days={5: -1, 6: 1}.get(at.weekday(), 0))

    return find


def _kings_day(year: int) -> date:
    """27 April, and the day before where that is a Sunday."""
    return date(year, 4, 26 if date(year, 4, 27).weekday() == 6 else 27)


_ENGLISH: tuple[tuple[str, Rule], ...] = (
    ("christmas eve|xmas eve", fixed(12, 24)),
    ("christmas|christmas day|xmas|xmas day|x-mas", fixed(12, 25)),
    ("boxing day", fixed(12, 26)),
    ("new year's eve|new years eve|new year eve|nye", fixed(12, 31)),
    ("new year's day|new years day|new year day|new year's|new years|new year", fixed(1, 1)),
    ("valentine's day|valentines day|valentine day|valentine's|valentines", fixed(2, 14)),
    ("halloween|halloween day|all hallows' eve", fixed(10, 31)),
    ("all saints' day|all saints day|world vegan day", fixed(11, 1)),
    ("all souls' day|all souls day", fixed(11, 2)),
    (
        "st patrick's day|saint patrick's day|st patricks day|saint patricks day|st paddy's day|saint paddy's day",
        fixed(3, 17),
    ),
    ("saint patrick|st patrick|st. patrick's day", fixed(3, 17)),
    ("april fools' day|april fools day|april fool's day|april fools", fixed(4, 1)),
    ("groundhog day", fixed(2, 2)),
    ("earth day", fixed(4, 22)),
    ("labour day|international workers' day|may day", fixed(5, 1)),
    ("women's day|international women's day", fixed(3, 8)),
    ("independence day|fourth of july", fixed(7, 4)),
    ("juneteenth|freedom day|jubilee day", fixed(6, 19)),
    ("bastille day", fixed(7, 14)),
    ("guy fawkes day|guy fawkes night|bonfire night", fixed(11, 5)),
    ("veterans day|veterans' day|armistice day|remembrance day", fixed(11, 11)),
    ("cinco de mayo", fixed(5, 5)),
    ("st nicholas day|saint nicholas day", fixed(12, 6)),
    ("epiphany|three kings' day", fixed(1, 6)),
    ("thanksgiving|thanksgiving day", nth(11, 3, 4)),
    ("black friday", lambda year: nth(11, 3, 4)(year) + timedelta(days=1)),
    ("cyber monday", lambda year: nth(11, 3, 4)(year) + timedelta(days=4)),
    ("mother's day|mothers day|mothers' day", nth(5, 6, 2)),
    ("father's day|fathers day|fathers' day", nth(6, 6, 3)),
    ("memorial day", nth(5, 0, -1)),
    ("labor day", nth(9, 0, 1)),
    ("columbus day|indigenous peoples' day", nth(10, 0, 2)),
    ("mlk day|martin luther king day|martin luther king's day|martin luther kings day|civil rights day", nth(1, 0, 3)),
    ("presidents day|presidents' day|president's day|washington's birthday", nth(2, 0, 3)),
    ("boss's day|boss day|boss's", workday_near(10, 16)),
    ("easter|easter sunday", easter(0)),
    ("easter monday", easter(1)),
    ("good friday", easter(-2)),
    ("maundy thursday|covenant thu|holy thursday", easter(-3)),
    ("palm sunday", easter(-7)),
    ("ash wednesday", easter(-46)),
    ("king's day|kings day|koningsdag", _kings_day),
    ("shrove tuesday|mardi gras|pancake day|pancake tuesday|fat tuesday", easter(-47)),
    ("ascension day|ascension thursday", easter(39)),
    ("whit sunday|pentecost|whitsun", easter(49)),
    ("whit monday|pentecost monday|monday of the holy spirit", easter(50)),
    ("trinity sunday", easter(56)),
    ("corpus christi", easter(60)),
    ("orthodox easter|orthodox easter sunday", orthodox(0)),
    ("orthodox good friday|orthodox great friday", orthodox(-2)),
    ("orthodox shrove monday|clean monday", orthodox(-48)),
    ("lazarus saturday", orthodox(-8)),
)

ENGLISH: dict[str, Feast] = {name: Feast(rule) for names, rule in _ENGLISH for name in names.split("|")} | {
    name: Feast(rule, *days, sure=days != lunar.SEEN) for names, rule, days in lunar.FEASTS for name in names.split("|")
}
ENGLISH["lent"] = Feast(easter(-46), 0, 46)
"""Names in lower case, with straight apostrophes."""
STARTERS = frozenset(name.split()[0] for name in ENGLISH)
"""The first word of each name."""
LONGEST = 5
"""The most tokens that a name takes."""
WORDS = frozenset(("lent",))
"""Names that are other words, too, and are read only with a year."""


_BY_RULE = re.compile(r"(easter|advent)([-+]\d+)|(\d+)-(\d+)")


def named(text: str) -> Feast:
    """ "christmas", "easter-1", "advent+7", "12-4": a feast by its English name, by its days from Easter or the first
    Sunday of Advent, or by month and day."""
    rule = _BY_RULE.fullmatch(text)
    if rule is None:
        return ENGLISH[text]
    if rule[1]:
        return Feast((easter if rule[1] == "easter" else advent)(int(rule[2])))
    return Feast(fixed(int(rule[3]), int(rule[4])))
