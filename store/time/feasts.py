"""A feast is a rule that gives one date (or a stretch of days) for each year, so that no table of years can run out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN
from dateutil.easter import easter as easter_of

from store.time import lunar, words

Rule = Callable[[int], date]
_DAYS = {"eve": (1, 2), "week": (1, 8), "ten": (0, 10), "month": (0, 30), "lent": (0, 46)}
"""Days before the date and days in all: from the evening before, or from the day itself on."""
_ENGLISH: dict[str, str] = words.meanings(
    """christmas eve, xmas eve = on 12 24; christmas, christmas day, xmas, xmas day, x-mas = on 12 25; boxing day = on
    12 26; new year's eve, new years eve, new year eve, nye = on 12 31; new year's day, new years day, new year day,
    new year's, new years, new year = on 1 1; valentine's day, valentines day, valentine day, valentine's, valentines
    = on 2 14; halloween, halloween day, all hallows' eve = on 10 31; all saints' day, all saints day, world vegan
    day = on 11 1; all souls' day, all souls day = on 11 2; st patrick's day, saint patrick's day, st patricks day,
    saint patricks day, st paddy's day, saint paddy's day, saint patrick, st patrick, st. patrick's day = on 3 17;
    april fools' day, april fools day, april fool's day, april fools = on 4 1; groundhog day = on 2 2; earth day = on
    4 22; labour day, international workers' day, may day = on 5 1; women's day, international women's day = on 3 8;
    independence day, fourth of july = on 7 4; juneteenth, freedom day, jubilee day = on 6 19; bastille day = on 7
    14; guy fawkes day, guy fawkes night, bonfire night = on 11 5; cinco de mayo = on 5 5; epiphany, three kings' day
    = on 1 6; veterans day, veterans' day, armistice day, remembrance day = on 11 11; st nicholas day, saint nicholas
    day = on 12 6; thanksgiving, thanksgiving day = nth 11 3 4; black friday = nth 11 3 4 1; cyber monday = nth 11 3
    4 4; mother's day, mothers day, mothers' day = nth 5 6 2; father's day, fathers day, fathers' day = nth 6 6 3;
    memorial day = nth 5 0 -1; labor day = nth 9 0 1; columbus day, indigenous peoples' day = nth 10 0 2; mlk day,
    martin luther king day, martin luther king's day, martin luther kings day, civil rights day = nth 1 0 3;
    presidents day, presidents' day, president's day, washington's birthday = nth 2 0 3; boss's day, boss day, boss's
    = on 10 16 5 -1 6 1; king's day, kings day, koningsdag = on 4 27 6 -1; easter, easter sunday = easter; easter
    monday = easter 1; good friday = easter -2; maundy thursday, covenant thu, holy thursday = easter -3; palm sunday
    = easter -7; ash wednesday = easter -46; ascension day, ascension thursday = easter 39; shrove tuesday, mardi
    gras, pancake day, pancake tuesday, fat tuesday = easter -47; corpus christi = easter 60; whit sunday, pentecost,
    whitsun = easter 49; trinity sunday = easter 56; whit monday, pentecost monday, monday of the holy spirit =
    easter 50; lazarus saturday = orthodox -8; orthodox easter, orthodox easter sunday = orthodox; orthodox good
    friday, orthodox great friday = orthodox -2; orthodox shrove monday, clean monday = orthodox -48; rosh hashanah,
    rosh hashana, jewish new year = tishri seen; yom kippur, day of atonement = tishri 9 eve; sukkot, feast of
    tabernacles = tishri 14 week; simchat torah = tishri 22 eve; hanukkah, hanukah, chanukah, chanukkah = kislev
    week; purim = nisan -16 eve; passover, pesach = nisan 14 week; yom hashoah = nisan 26 4 -1 6 1 eve; lag baomer,
    lag b'omer = nisan 47 eve; shavuot = nisan 64 seen; tisha b'av, tisha b'av fast = nisan 126 5 1 eve; islamic new
    year, muslim new year, hijri new year = islamic 1 1 seen; ashura, day of ashura = islamic 1 10 seen; mawlid,
    mawlid al-nabawi, mawlid al nabi, milad un nabi = islamic 3 12 seen; isra and mi'raj, prophet's ascension,
    ascension to heaven, lailat al miraj = islamic 7 27 seen; ramadan = islamic 9 1 month; laylat al-qadr, laylat al
    qadr, laylat al kadr, night of power = islamic 9 27 seen; eid al-fitr,
    eid al fitr, eid ul-fitr, id al-fitr, id ul-fitr, end of ramadan = islamic 10 1 seen; eid al-adha, eid al adha,
    eid ul-adha, id al-adha, id ul-adha, bakr id, bakrid, sacrifice feast, feast of the sacrifice = islamic 12 10
    seen; chinese new year, chinese new year's day, lunar new year, seollal = chinese 1 1; lantern festival = chinese
    1 15; dragon boat festival = chinese 5 5; mid-autumn festival, chuseok = chinese 8 15; makar sankranti, maghi,
    pongal, thai pongal = solar 9; bhogi, bhogi pandigai, bogi pandigai = solar 9 -1; maattu pongal, mattu pongal =
    solar 9 1; kaanum pongal, kanum pongal, kanni pongal = solar 9 2; rabindra jayanti, rabindranath jayanti = solar
    0 25; vaisakhi, baisakhi, vasakhi = solar 0; parsi new year, jamshedi navroz = parsi; maha shivaratri, maha
    shivratri = hindu 11 29 24; holika dahan, chhoti holi, choti holi = hindu 12 15 18.2; holi, dhulandi, phagwah,
    dhuleti = hindu 12 15 18.2 1; ugadi, yugadi, samvatsaradi, gudi padwa = hindu 1 1 6.2; rama navami, ram navami =
    hindu 1 9 12; mahavir jayanti, mahaveer jayanti, mahaveer janma kalyanak = hindu 1 13 6.2; vesak, buddha purnima,
    buddha day = hindu 2 15 6.2; ratha yatra, ratha-yatra, rath yatra = hindu 4 2 6.2; raksha bandhan, rakhi = hindu
    5 15 12; krishna janmashtami, janmashtami = hindu 5 23 24; ganesh chaturthi, ganesha chaturthi = hindu 6 4 12;
    navaratri, navratri, durga puja = hindu 7 1 6.2 ten; dussehra, dasara, vijayadashami, vijaya dashami = hindu 7 10
    14; valmiki jayanti, maharishi valmiki jayanti, sharad purnima = hindu 7 15 6.2; guru ravidas jayanti, guru
    ravidass jayanti = hindu 11 15 6.2; karva chauth = hindu 7 19 20.2; dhanteras, dhanatrayodashi = hindu 7 28 20.2;
    diwali, deepavali, divali, deepawali = hindu 7 30 18.2; bhai dooj, bhai duj = hindu 8 2 14; chhath, chhath puja =
    hindu 8 6 18.2; lent = easter -46 lent"""
)
LONGEST = 5  # the most tokens that a name takes
WORDS = frozenset(("lent",))  # names that are other words, too, and are read only with a year


class Feast(NamedTuple):
    """A feast of one or more days."""

    rule: Rule
    early: int = 0  # how many days before its date it begins, or may begin
    days: int = 1
    sure: bool = True  # its days are known; if not, the date is the likeliest of them


def on(year: int, month: int, day: int, *moved: int) -> date:
    """A day of a month; `moved` are weekdays (Monday 0), each with how far the feast moves where it falls on it."""
    return lunar.moved_by_weekday(date(year, month, day), *moved)


def nth(year: int, month: int, weekday: int, count: int, days: int = 0) -> date:
    """The nth weekday (Monday 0) of a month, from the end for a negative count; moved by `days`."""
    if count > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (count - 1) + days)
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-count - 1) - days)


def easter(year: int, days: int = 0, *, method: int = EASTER_WESTERN) -> date:
    """So many days after Easter."""
    day: date = easter_of(year, method)
    return day + timedelta(days=days)


def advent(year: int, days: int = 0) -> date:
    """So many days after the first Sunday of Advent, the fourth before Christmas."""
    return date(year, 12, 24) - timedelta(days=(date(year, 12, 24).weekday() + 1) % 7 + 21 - days)


_RULES: dict[str, Callable[..., date]] = {
    "on": on, "nth": nth, "easter": easter, "orthodox": partial(easter, method=EASTER_ORTHODOX), "advent": advent,
    "tishri": lunar.tishri, "nisan": lunar.nisan, "kislev": lunar.hanukkah,
    "islamic": lunar.islamic, "parsi": lunar.parsi_new_year,
    "chinese": lunar.chinese, "solar": lunar.solar, "hindu": lunar.hindu,
}  # fmt: skip


def feast_of(text: str) -> Feast:
    """A feast by its English name, or by its rule: "on 12 24" (month and day), "nth 11 3 4" (the fourth Thursday of
    November), "easter -2", with what follows the year in the rule's function; behind it how long it lasts, or "seen"
    where the new moon must be seen and a day is left on either side."""
    return ENGLISH.get(text) or _by_rule(text)


def _by_rule(text: str) -> Feast:
    name, *numbers = text.split()
    length = numbers.pop() if numbers and numbers[-1].isalpha() else ""
    values = [words.value_of(number) for number in numbers]

    def rule(year: int) -> date:
        return _RULES[name](year, *values)

    return Feast(rule, 1, 3, sure=False) if length == "seen" else Feast(rule, *_DAYS.get(length, ()))


ENGLISH = {name: _by_rule(rule) for name, rule in _ENGLISH.items()}  # names in lower case, with straight apostrophes
STARTERS = frozenset(name.split()[0] for name in ENGLISH)  # the first word of each name
