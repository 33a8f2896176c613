"""One point of time is a day, a clock, or both in either order; what the words leave loose stays loose until it is
known whether they are an end of a range."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from store.time import clocks, counted, days, numeric, units, words, yearly
from store.time.calendar import SIZE, LocalStretch, add, day_span, midnight, month_span, on_day, settle, unit_span
from store.time.scan import Found, Rule, Scan, integer, year


def _longest(s: Scan, i: int, rules: tuple[Rule, ...]) -> Found[LocalStretch]:
    best: Found[LocalStretch] = None
    for rule in rules:
        found = rule(s, i)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    return best


def date_at(s: Scan, i: int) -> Found[LocalStretch]:
    """A day or a larger unit, without a time of day."""
    key = ("date", i)
    if key not in s.memo:
        with s.deeper() as within:
            if not within:
                return None
            found = _longest(s, i, _RULES)
            if found is not None and _other_era(s, found[1]):
                found = None
            s.memo[key] = _in_year(s, i, found) or _trailing(s, found) if found is not None else None
    return s.memo[key]


def _other_era(s: Scan, j: int) -> bool:
    """Whether a year of another era follows, or ended the date: "10 August 345 BC", "88 CE"."""
    k = s.skip(j, ",")
    k = k + 1 if s.word(k).isdecimal() else k
    return s.word(k) in ("bc", "bce", "ce", "be") and s.text[s.toks[k].start : s.toks[k].end].isupper()


def _in_year(s: Scan, i: int, found: tuple[LocalStretch, int]) -> Found[LocalStretch]:
    """ "Thanksgiving in nine months", "March in a year": the one of the year in which the offset ends; "October last
    year"."""
    when, j = found
    k = s.skip(j, "of")
    if when.cycle == "year" and s.word(k) in _YEARS_AWAY and s.word(k + 1) == "year":
        months = 12 * (s.now.year + _YEARS_AWAY[s.word(k)] - when.start.year)
        moved = replace(when, start=add(when.start, months, "month"), end=add(when.end, months, "month"), cycle=None)
        return moved, k + 2
    away = offset(s, j) if s.word(j) == "in" or s.word(j).isdecimal() or s.word(j) in words.NUMBERS else None
    if away is None or away[0].point is None or away[0].grain not in ("month", "year"):
        return None
    number = away[0].point.year
    if when.grain == "month":
        return (month_span(number, when.start.month), away[1]) if when.cycle == "year" else None
    feast = yearly.holiday_in(s, i, number)
    return (feast, away[1]) if feast is not None else None


_YEARS_AWAY = {"last": -1, "this": 0, "next": 1}


def _trailing(s: Scan, found: tuple[LocalStretch, int]) -> tuple[LocalStretch, int]:
    """ "(two months from today) on Tuesday": the first such weekday from there; "next Tuesday + 10 days"."""
    when, j = found
    added = counted.measured(s, j + 1) if s.word(j) in ("+", "-") else None
    if added is not None and when.grain in ("day", "minute"):
        base = settle(when, s.now, s.prefers(j)).start
        return counted.displaced(base, added[0], 1 if s.word(j) == "+" else -1), added[1]
    if when.grain == "day" and when.cycle == "year" and s.word(j) == "," and s.word(j + 1) in words.WEEKDAYS:
        return days.named_day(s, words.WEEKDAYS[s.word(j + 1)], (when, j + 2), j) or found
    if when.point is not None and s.word(j) == "on" and s.word(j + 1) in words.WEEKDAYS:
        weekday = words.WEEKDAYS[s.word(j + 1)]
        ahead = (weekday - when.point.weekday()) % 7
        near = ahead if ahead <= 3 or when.point > s.now else ahead - 7
        return day_span((when.point + timedelta(days=near)).date()), j + 2
    return found


def offset(s: Scan, i: int) -> Found[LocalStretch]:
    """two weeks ago, in three weeks, ten minutes later, a week from Tuesday, 2 days after next Friday."""
    forward = s.word(i) in ("in", "within")
    j = s.skip(s.skip(i + 1, "about", "around"), "just", "another") if forward else i
    span = counted.measured(s, j)
    if span is None:
        return _weekdays_from_now(s, i)
    parts, k = span
    k = s.skip(k, "'", "'s")
    if s.word(i) == "in":
        return _future(s, parts, s.skip(k, "time"))
    if s.word(i) == "within":
        end = counted.displaced(s.now, parts, 1)
        last = end.point or end.start
        return LocalStretch(s.now, last, parts[0][1], point=last), k
    return _anchored(s, parts, k)


def _future(s: Scan, parts: list[tuple[float, str]], k: int) -> Found[LocalStretch]:
    if s.word(k) in ("of", "old") or s.word(k) in ("the", "all") or s.tense(k) in ("past", "perfect"):
        return None
    return counted.displaced(s.now, parts, 1), k


def _anchored(s: Scan, parts: list[tuple[float, str]], k: int) -> Found[LocalStretch]:
    word = s.word(k)
    if word in ("ago", "back") or (word == "earlier" and s.word(k + 1) != "than"):
        when = counted.displaced(s.now, parts, -1)
        if s.word(k + 1) == "today" and when.point is not None:
            return day_span(when.point.date()), k + 2
        month = words.MONTHS.get(s.word(k + 2)) if s.word(k + 1) == "in" and parts[-1][1] == "year" else None
        return (when, k + 1) if month is None else (month_span(when.start.year, month), k + 3)
    now = s.skip(k + 1, "right") if word == "from" else k
    if word in ("later", "hence", "out") or (word == "from" and s.word(now) == "now"):
        if word == "later" and s.word(k + 1) in words.PRESENT | words.PARTS.keys():
            return None
        return counted.displaced(s.now, parts, 1), now + 1
    if word in ("after", "before", "from"):
        return _from_base(s, parts, k + 1, -1 if word == "before" else 1)
    if all(unit in ("week", "fortnight") for _, unit in parts):
        return _weeks_on(s, parts, k)
    return None


def _weeks_on(s: Scan, parts: list[tuple[float, str]], k: int) -> Found[LocalStretch]:
    """ "a week on Thursday", "a fortnight today": British, and always to come."""
    base = days.weekday_led(s, k + 1) if s.word(k) == "on" else None
    if base is None and s.word(k) in ("today", "tomorrow"):
        base = days.simple_day(s, k)
    if base is None or base[0].grain != "day" or base[0].cycle == "year":
        return None
    moved = counted.displaced(settle(base[0], s.now, "future").start, parts, 1)
    return _sure_day(moved.point or moved.start), base[1]


def _sure_day(moment: datetime) -> LocalStretch:
    """The day of a moment, which is counted to the day."""
    return replace(day_span(moment.date()), point=midnight(moment.date()))


def weekday_week(s: Scan, i: int) -> Found[LocalStretch]:
    """ "Thursday week": a week after the coming Thursday."""
    i = s.skip(i, "this", "coming")
    found = days.simple_day(s, i) if s.word(i) == "tomorrow" else days.weekday_led(s, i)
    if found is None or found[1] != i + 1 or s.word(i + 1) != "week" or _counts_weeks(s, i + 2):
        return None
    return _sure_day(settle(found[0], s.now, "future").start + timedelta(days=7)), i + 2


def _counts_weeks(s: Scan, i: int) -> bool:
    """Whether the word "week" before this place is part of something else: "Thursday week 3 begins"."""
    return s.word(i) in ("of", "end", "'s", "long", "off") or s.word(i).isdecimal() or s.word(i) in words.NUMBERS


def _from_base(s: Scan, parts: list[tuple[float, str]], j: int, step: int) -> Found[LocalStretch]:
    base = days.simple_day(s, j) or date_at(s, j)
    if base is None or base[0].grain not in ("day", "minute"):
        return None
    if base[0].grain == "day" and SIZE[parts[-1][1]] < SIZE["day"]:
        return None
    when, k = base
    coarse = SIZE[parts[0][1]] > SIZE["day"]
    ahead = s.tense(j) == "future" or (s.tense(j) is None and s.prefer != "past") or s.word(j - 1) == "from"
    prefer = "future" if ahead else s.prefers(j)
    start = settle(when, s.now, prefer).start
    moved = counted.displaced(start, parts, step)
    if coarse or parts[-1][1] == "day":
        return _sure_day(moved.point or moved.start), k
    return moved, k


def _weekdays_from_now(s: Scan, i: int) -> Found[LocalStretch]:
    """three Fridays from now."""
    number = integer(s, i)
    if number is None or s.word(number[1] + 1) != "from" or s.word(number[1] + 2) != "now":
        return None
    weekday = words.WEEKDAYS.get(s.word(number[1]))
    if weekday is None:
        return None
    ahead = (weekday - s.now.weekday()) % 7 or 7
    return day_span((s.now + timedelta(days=ahead + 7 * (number[0] - 1))).date()), number[1] + 3


def week_holding(s: Scan, i: int) -> Found[LocalStretch]:
    """the week of October 7th, the weekend of the 3rd, the week commencing 4 February."""
    the = s.skip(i, "the")
    grain = s.word(the)
    if grain not in ("week", "weekend") or s.word(the + 1) not in ("of", "commencing", "starting", "beginning"):
        return None
    inner = _longest(
        s, s.skip(the + 2, "on"), (numeric.full_date, days.month_led, days.day_led, yearly.holiday, days.weekday_led)
    )
    if inner is None or inner[0].grain != "day":
        return None
    day = settle(inner[0], s.now, s.prefers(i)).start
    return unit_span(day, grain), inner[1]


def part_point(s: Scan, i: int) -> Found[LocalStretch]:
    """this morning, tonight, last night, late last night, the morning of 3 May."""
    edge_word = s.word(i) if s.word(i) in ("early", "late", "later", "earlier") else ""
    side = words.EDGES.get(edge_word, "")
    j = i + 1 if edge_word else i
    today = midnight(s.now.date())
    if s.word(j) in ("tonight", "tonite"):
        return clocks.part_span(today, "night", side), j + 1
    part = words.PARTS.get(s.word(j + 1))
    if part is not None and not s.word(j + 1).endswith("s"):
        if s.word(j) == "this":
            return clocks.part_span(today, part, side), j + 2
        if s.word(j) in ("last", "yesterday") and (part in ("night", "evening") or s.word(j) == "yesterday"):
            return clocks.part_span(today - timedelta(days=1), part, side), j + 2
    return _morning_of(s, j, side)


def _morning_of(s: Scan, i: int, side: str) -> Found[LocalStretch]:
    the = s.skip(i, "the")
    part = words.PARTS.get(s.word(the))
    if part is None or s.word(the + 1) not in ("of",):
        return None
    day = date_at(s, the + 2)
    if day is None or day[0].grain != "day":
        return None
    return replace(clocks.part_span(day[0].start, part, side), cycle=day[0].cycle), day[1]


_RULES: tuple[Rule, ...] = (
    numeric.full_date,
    numeric.short_date,
    days.simple_day,
    days.weekday_led,
    days.day_led,
    days.month_led,
    days.year_led,
    units.relative,
    counted.nth_of,
    counted.edge,
    offset,
    weekday_week,
    week_holding,
    yearly.holiday,
    yearly.season,
    yearly.quarter,
    yearly.decade,
    yearly.bare_year,
)


def point(s: Scan, i: int) -> Found[LocalStretch]:
    """A date, a clock time or both."""
    key = ("point", i)
    if key not in s.memo:
        s.memo[key] = _point(s, i)
    return s.memo[key]


def _point(s: Scan, i: int) -> Found[LocalStretch]:
    stamped = numeric.stamp(s, i) if s.word(i).isdecimal() else None
    if stamped is not None:
        return stamped
    best = _day_first(s, i)
    clock = _clock_first(s, i)
    if clock is not None and (best is None or clock[1] > best[1]):
        return clock
    return best


def _day_first(s: Scan, i: int) -> Found[LocalStretch]:
    part = part_point(s, i)
    found = date_at(s, i)
    if part is not None and (found is None or part[1] >= found[1]):
        return _clock_in_part(s, part)
    if found is None or found[0].grain != "day":
        return found
    when, j = found
    away = offset(s, j) if s.word(i) == "today" and s.word(j) == "in" else None
    if away is not None and away[0].grain == "minute":
        return away
    k = s.skip(s.skip(j, ",", "∙", ":", "."), "early", "late") if s.word(j) in (",", "∙", "early", "late") else j
    said = clocks.part_of_day(s, j)
    if said is not None and (s.word(j) not in ("at",) or s.word(j + 1) in words.PARTS):
        (name, side), after = said
        placed = replace(clocks.part_span(when.start, name, side), cycle=when.cycle)
        later_week = days.host(s, after, "week") if when.cycle == "week" else None
        if later_week is not None:
            day = later_week[0].start + timedelta(days=when.start.weekday())
            return clocks.part_span(day, name, side), later_week[1]
        return _clock_in_part(s, (placed, after), name)
    clock = clocks.clock(s, s.skip(k, "for", "on") if s.word(k + 1).isdecimal() else k, bare=False)
    if clock is not None and clock[1] > k:
        undated = not (s.word(j - 1).isdecimal() and len(s.word(j - 1)) == 4)
        late = year(s, clock[1]) if undated and s.word(clock[1]).isdecimal() else None
        if late is not None:
            day = when.start.replace(year=late[0])
            return on_day(day_span(day.date()), clock[0]), late[1]
        return on_day(when, clock[0]), clock[1]
    return found


def _clock_in_part(s: Scan, part: tuple[LocalStretch, int], name: str = "") -> tuple[LocalStretch, int]:
    """ "this afternoon at 3:20", "tonight around 7"."""
    when, j = part
    name = name or ("night" if when.start.hour >= 18 else "afternoon" if when.start.hour >= 12 else "morning")
    signed = s.word(j) in ("at", "@", "around", "about") or s.word(j + 1) in (":", "am", "pm", "o'clock", "p", "a")
    if not signed:
        return part
    clock = clocks.clock(s, s.skip(j, "around", "about"), bare=True)
    if clock is None:
        return part
    return on_day(day_span(when.start.date(), when.cycle), clocks.to_part(clock[0], name)), clock[1]


def _clock_first(s: Scan, i: int) -> Found[LocalStretch]:
    clock = clocks.clock(s, i)
    if clock is None:
        bare = clocks.clock(s, i, bare=True) if s.word(i + 1) in _AFTER_HOUR and _begins_hour(s, i) else None
        if bare is None:
            return None
        day = part_point(s, bare[1]) or days.simple_day(s, bare[1])
        return _join(s, bare[0], bare[1]) if day is not None else None
    return _join(s, clock[0], clock[1]) or clock


_AFTER_HOUR = frozenset(("tonight", "tomorrow", "this", "last", "yesterday"))
_BEFORE_HOUR = words.bag(
    "until till by before after from to for since between and or meet come you me us them there here"
)
"""After these a bare number may be an hour; after any other word it counts or names something ("iPhone 15")."""


def _begins_hour(s: Scan, i: int) -> bool:
    """Whether a bare number at this place ("8 tonight") may be an hour."""
    previous = s.word(i - 1)
    return i == 0 or previous in _BEFORE_HOUR or not (previous[:1].isalnum() or s.touches(i))


def _join(s: Scan, clock: LocalStretch, j: int) -> Found[LocalStretch]:
    """The day that follows a clock time: "at 5pm tomorrow", "9am on Tuesday", "8 tonight"."""
    k = s.skip(j, "on", ",", "of", "∙")
    part = part_point(s, k)
    if part is not None:
        name = "night" if part[0].start.hour >= 18 else "afternoon" if part[0].start.hour >= 12 else "morning"
        return on_day(day_span(part[0].start.date()), clocks.to_part(clock, name)), part[1]
    day = date_at(s, k)
    if day is None or day[0].grain != "day":
        return None
    said = clocks.part_of_day(s, day[1])
    if said is not None and s.word(day[1]) not in ("at",):
        return on_day(day[0], clocks.to_part(clock, said[0][0])), said[1]
    return on_day(day[0], clock), day[1]


def settled(s: Scan, i: int, when: LocalStretch) -> LocalStretch:
    """A loose point placed by the tense; a clock time alone belongs to today unless its sentence says otherwise."""
    if when.cycle is None:
        return when
    if when.cycle != "day":
        return replace(settle(when, s.now, s.prefers(i)), cycle=None)
    tense = s.tense(i)
    if when.half_day and tense is not None:
        return _half_placed(when, s.now, forward=tense in ("future", "present"))
    if tense in ("past", "perfect") and when.start > s.now:
        step = -1
    elif (tense == "future" or s.prefer == "future") and when.end <= s.now:
        step = 1
    else:
        return replace(when, cycle=None)
    day = timedelta(days=step)
    return replace(when, start=when.start + day, end=when.end + day, cycle=None)


def _half_placed(when: LocalStretch, now: datetime, *, forward: bool) -> LocalStretch:
    """A clock time without am or pm: the next, or the last, that the clock shows it."""
    half = timedelta(hours=12)
    shifts = [half * step for step in ((0, 1, 2) if forward else (1, 0, -1, -2))]
    for move in shifts:
        start = when.start + move
        if start >= now if forward else start <= now:
            return replace(when, start=start, end=when.end + move, cycle=None, half_day=False)
    return replace(when, cycle=None)
