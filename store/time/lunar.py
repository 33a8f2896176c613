"""A lunar feast has the day that its calendar's own rule gives; where the moon must be seen, a day is left either side.

Hebrew and tabular Islamic dates follow Reingold and Dershowitz, Calendrical Calculations (4th ed. 2018), chapters 7 and
8; Chinese months the rule of 1645 (its chapter 19), Hindu ones the amanta reckoning of its chapter 20, in Indian time,
with the sun and the moon of store.time.heavens and Lahiri's zero of the zodiac. Days that begin at sunset
include the evening before.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

from store.time import heavens

Rule = Callable[[int], date]

_TISHRI_EPOCH = -1373427
_HIJRA = 227015
CHINA, INDIA = 8.0, 5.5
"""Hours east of Greenwich."""
SUNRISE, NOON, DUSK, MIDNIGHT = 6.2, 12.0, 18.2, 24.0
"""Hours of the day (Indian time) at which the phase of the moon is looked up."""


def _elapsed(year: int) -> int:
    """Days from the Hebrew epoch to the mean new year, put off by the rules of weekday."""
    months = (235 * year - 234) // 19
    days = 29 * months + (12084 + 13753 * months) // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


@cache
def rosh_hashanah(year: int) -> date:
    """1 Tishri that falls into a Gregorian year."""
    hebrew = year + 3761
    before, at, after = _elapsed(hebrew - 1), _elapsed(hebrew), _elapsed(hebrew + 1)
    delay = 2 if after - at == 356 else 1 if at - before == 382 else 0
    return date.fromordinal(_TISHRI_EPOCH + at + delay)


def from_tishri(days: int) -> Rule:
    """So many days after 1 Tishri."""
    return lambda year: rosh_hashanah(year) + timedelta(days=days)


def from_nisan(days: int, weekdays: dict[int, int] | None = None) -> Rule:
    """So many days after 1 Nisan, 177 days before the next new year; moved where it falls on one of the weekdays."""

    def find(year: int) -> date:
        day = rosh_hashanah(year) + timedelta(days=days - 177)
        return day + timedelta(days=(weekdays or {}).get(day.weekday(), 0))

    return find


def hanukkah(year: int) -> date:
    """25 Kislev: Heshvan has 30 days in a year of 355 or 385."""
    length = (rosh_hashanah(year + 1) - rosh_hashanah(year)).days
    return rosh_hashanah(year) + timedelta(days=30 + (30 if length % 10 == 5 else 29) + 24)


def islamic(month: int, day: int) -> Rule:
    """The first such date of the tabular Islamic calendar in a Gregorian year; where the new moon is looked for, the
    month may begin a day off."""

    def find(year: int) -> date:
        hijri = (year - 622) * 33 // 32 - 1
        while True:
            passed = (59 * (month - 1) + 1) // 2 + (hijri - 1) * 354 + (3 + 11 * hijri) // 30
            at = date.fromordinal(_HIJRA - 1 + day + passed)
            if at.year >= year:
                return at
            hijri += 1

    return find


def _last_friday_of_ramadan(year: int) -> date:
    end = islamic(10, 1)(year)
    return end - timedelta(days=(end.weekday() - 4) % 7 or 7)


def chinese(month: int, day: int) -> Rule:
    """A date of the Chinese calendar, of the year that begins in the given one."""

    def find(year: int) -> date:
        return _chinese_months(year)[month - 1] + timedelta(days=day - 1)

    return find


def eve_of(rule: Rule) -> Rule:
    """The day before."""
    return lambda year: rule(year) - timedelta(days=1)


def clear_and_bright(year: int) -> date:
    """Qingming: the day on which the sun comes to 15 degrees."""
    return heavens.day_of(heavens.sun_at(15, heavens.moment(date(year, 4, 5))), CHINA)


@cache
def _chinese_months(year: int) -> tuple[date, ...]:
    """The first days of the months of a Chinese year, without its leap month. The month of the winter solstice is the
    eleventh; in a year of thirteen the first month in which the sun enters no sign is the leap month."""
    months: list[date] = []
    for solstice_year in (year - 1, year):
        first, last = _solstice_month(solstice_year), _solstice_month(solstice_year + 1)
        starts = [heavens.day_of(heavens.new_moon(count), CHINA) for count in range(first, last + 1)]
        leap = next((i for i in range(1, len(starts) - 1) if not _has_sign(*starts[i : i + 2])), None)
        months += [at for i, at in enumerate(starts[:-1]) if len(starts) < 14 or i != leap]
    return tuple(months[2:14])


def _solstice_month(year: int) -> int:
    """The count of the new moon that begins the month of the winter solstice."""
    solstice = heavens.day_of(heavens.sun_at(270, heavens.moment(date(year, 12, 21))), CHINA)
    return heavens.new_moon_before(heavens.moment(solstice, 24 - CHINA) - 1e-6)


def _has_sign(start: date, end: date) -> bool:
    """Whether the sun enters a sign (a multiple of 30 degrees) on one of these days."""
    first, last = (heavens.sun(heavens.moment(at, -CHINA)) // 30 for at in (start, end))
    return first != last


def _sidereal(at: float) -> float:
    """The sun's longitude against the stars, by Lahiri."""
    return (heavens.sun(at) - 23.853 - at / 25770.0 * 360 / 365.25) % 360


def sign_entry(sign: int, days: int = 0) -> Rule:
    """The day on which the sun enters a sidereal sign (0 is Mesha, 9 Makara), after sunset the next; moved by
    `days`."""

    def find(year: int) -> date:
        near = heavens.moment(date(year, 4, 14)) if sign == 0 else heavens.moment(date(year, 1, 14))
        longitude = (sign * 30 + 23.853 + near / 25770.0 * 360 / 365.25) % 360
        return heavens.day_of(heavens.sun_at(longitude, near), INDIA + 24 - DUSK) + timedelta(days=days)

    return find


def hindu(month: int, tithi: int, hour: float, days: int = 0) -> Rule:
    """The day, of the lunar month that begins with the sun in the sign before (1 is Chaitra), on which this thirtieth
    of the moon's course has begun by an hour; moved by `days`."""

    def find(year: int) -> date:
        began = heavens.day_of(_hindu_month(year, month), INDIA)
        for step in range(tithi - 3, tithi + 3):
            day = began + timedelta(days=step)
            past = (heavens.elongation(heavens.moment(day, hour - INDIA)) - 12 * (tithi - 1) + 180) % 360 - 180
            if past >= 0:
                return day + timedelta(days=days)
        raise ValueError("no such day")

    return find


@cache
def _hindu_month(year: int, month: int) -> float:
    """The new moon that begins a lunar month, the last two being those of January to March; of two new moons in one
    sign, the second begins it."""
    sign = (month - 2) % 12
    near = heavens.moment(date(year, 3, 20)) + 30.4 * (month - (13 if month > 10 else 1))
    count = heavens.new_moon_before(near) - 2
    found = [n for n in range(count, count + 5) if int(_sidereal(heavens.new_moon(n)) // 30) == sign]
    if not found:
        raise ValueError("the month is left out of this year")
    return heavens.new_moon(found[-1])


def parsi_new_year(year: int) -> date:
    """The Shahenshahi new year, every 365 days."""
    first, last = date(year, 1, 1).toordinal(), date(2018, 8, 17).toordinal()
    return date.fromordinal(first + (last - first) % 365)


ONE = (0, 1)
EVE = (1, 2)
"""Days before the date, and days in all: from the evening before."""
SEEN = (1, 3)
"""A day is left on each side."""

FEASTS: tuple[tuple[str, Rule, tuple[int, int]], ...] = (
    ("rosh hashanah|rosh hashana|jewish new year", rosh_hashanah, (1, 3)),
    ("yom kippur|day of atonement", from_tishri(9), EVE),
    ("sukkot|feast of tabernacles", from_tishri(14), (1, 8)),
    ("simchat torah", from_tishri(22), EVE),
    ("hanukkah|hanukah|chanukah|chanukkah", hanukkah, (1, 8)),
    ("purim", from_nisan(-16), EVE),
    ("passover|pesach", from_nisan(14), (1, 8)),
    ("yom hashoah", from_nisan(26, {4: -1, 6: 1}), EVE),
    ("lag baomer|lag b'omer", from_nisan(47), EVE),
    ("shavuot", from_nisan(64), (1, 3)),
    ("tisha b'av|tisha b'av fast", from_nisan(126, {5: 1}), EVE),
    ("islamic new year|muslim new year|hijri new year", islamic(1, 1), SEEN),
    ("ashura|day of ashura", islamic(1, 10), SEEN),
    ("mawlid|mawlid al-nabawi|mawlid al nabi|milad un nabi", islamic(3, 12), SEEN),
    ("isra and mi'raj|prophet's ascension|ascension to heaven|lailat al miraj", islamic(7, 27), SEEN),
    ("ramadan", islamic(9, 1), (0, 30)),
    ("laylat al-qadr|laylat al qadr|laylat al kadr|night of power", islamic(9, 27), SEEN),
    ("jumu'atul-wida|jumuatul wida", _last_friday_of_ramadan, SEEN),
    ("eid al-fitr|eid al fitr|eid ul-fitr|id al-fitr|id ul-fitr|end of ramadan", islamic(10, 1), SEEN),
    ("eid al-adha|eid al adha|eid ul-adha|id al-adha|id ul-adha|bakr id|bakrid|sacrifice feast|feast of the sacrifice",
     islamic(12, 10), SEEN),
    ("chinese new year|chinese new year's day|lunar new year|seollal", chinese(1, 1), ONE),
    ("lantern festival", chinese(1, 15), ONE),
    ("dragon boat festival", chinese(5, 5), ONE),
    ("mid-autumn festival|chuseok", chinese(8, 15), ONE),
    ("makar sankranti|maghi|pongal|thai pongal", sign_entry(9), ONE),
    ("bhogi|bhogi pandigai|bogi pandigai", sign_entry(9, -1), ONE),
    ("maattu pongal|mattu pongal", sign_entry(9, 1), ONE),
    ("kaanum pongal|kanum pongal|kanni pongal", sign_entry(9, 2), ONE),
    ("rabindra jayanti|rabindranath jayanti", sign_entry(0, 25), ONE),
    ("vaisakhi|baisakhi|vasakhi", sign_entry(0), ONE),
    ("parsi new year|jamshedi navroz", parsi_new_year, ONE),
    ("maha shivaratri|maha shivratri", hindu(11, 29, MIDNIGHT), ONE),
    ("holika dahan|chhoti holi|choti holi", hindu(12, 15, DUSK), ONE),
    ("holi|dhulandi|phagwah|dhuleti", hindu(12, 15, DUSK, 1), ONE),
    ("ugadi|yugadi|samvatsaradi|gudi padwa", hindu(1, 1, SUNRISE), ONE),
    ("rama navami|ram navami", hindu(1, 9, NOON), ONE),
    ("mahavir jayanti|mahaveer jayanti|mahaveer janma kalyanak", hindu(1, 13, SUNRISE), ONE),
    ("vesak|buddha purnima|buddha day", hindu(2, 15, SUNRISE), ONE),
    ("ratha yatra|ratha-yatra|rath yatra", hindu(4, 2, SUNRISE), ONE),
    ("raksha bandhan|rakhi", hindu(5, 15, NOON), ONE),
    ("krishna janmashtami|janmashtami", hindu(5, 23, MIDNIGHT), ONE),
    ("ganesh chaturthi|ganesha chaturthi", hindu(6, 4, NOON), ONE),
    ("navaratri|navratri|durga puja", hindu(7, 1, SUNRISE), (0, 10)),
    ("dussehra|dasara|vijayadashami|vijaya dashami", hindu(7, 10, NOON + 2), ONE),
    ("valmiki jayanti|maharishi valmiki jayanti|sharad purnima", hindu(7, 15, SUNRISE), ONE),
    ("guru ravidas jayanti|guru ravidass jayanti", hindu(11, 15, SUNRISE), ONE),
    ("karva chauth", hindu(7, 19, DUSK + 2), ONE),
    ("dhanteras|dhanatrayodashi", hindu(7, 28, DUSK + 2), ONE),
    ("diwali|deepavali|divali|deepawali", hindu(7, 30, DUSK), ONE),
    ("bhai dooj|bhai duj", hindu(8, 2, NOON + 2), ONE),
    ("chhath|chhath puja", hindu(8, 6, DUSK), ONE),
)  # fmt: skip
"""Names in lower case, the rule, and (days before its date, days in all)."""
