"""A habit has no place in time: it keeps its words, and its stretch stays None."""

from __future__ import annotations

from store.time import clocks, words
from store.time.calendar import Reading
from store.time.scan import Found, Scan, integer, ordinal, unit


def habit(s: Scan, i: int) -> Found[Reading]:
    """every Tuesday, twice a week, daily, on weekends, Friday mornings, three times a month."""
    end = _every(s, i) or _times(s, i) or _adverb(s, i) or _plural_day(s, i)
    if end is None:
        return None
    end = _tail(s, end)
    start, stop = s.toks[i].start, s.toks[end - 1].end
    quoted = " ".join(s.text[start:stop].lower().split())
    return Reading(start, stop, "frequency", None, "every", *_rate(s, i), frequency=quoted), end


def _every(s: Scan, i: int) -> int | None:
    word = s.word(i)
    if word not in ("every", "each", "any") or s.word(i + 1) in ("one", "time", "body"):
        return None
    j = s.skip(i + 1, "single", "other", "few", "couple", "of")
    j = s.skip(j, "of")
    number = ordinal(s, j) if s.word(j) != "second" or s.word(j + 1) not in ("", ".", ",") else None
    number = number or integer(s, j)
    j = number[1] if number is not None else j
    if word == "any" and s.word(j) not in ("weekend", "day", "year", "month", "week"):
        return None
    return _target(s, j)


def _target(s: Scan, j: int) -> int | None:
    """What a habit recurs on: a unit, weekdays, a part of the day, a month, a season."""
    word = s.word(j)
    if word in words.WEEKDAYS:
        k = j + 1
        while (
            s.word(k) in (",", "and", "or", "&") and s.word(k + 1) in words.WEEKDAYS and not s.word(k + 2).isdecimal()
        ):
            k += 2
        return k + 1 if s.word(k) in words.PARTS else k
    if word in words.PARTS or word in ("weekday", "weekdays", "weeknight", "workday", "day"):
        return j + 1
    found = unit(s, j)
    if found is not None:
        return found[1]
    if word in words.MONTHS or word in words.SEASONS or word in ("christmas", "easter"):
        return j + 1
    return None


def _times(s: Scan, i: int) -> int | None:
    """once a week, three times a month, two or three times per day."""
    word = s.word(i)
    j = i + 1
    if word not in words.TIMES:
        number = integer(s, s.skip(i, "a"))
        if number is None and word not in ("several", "few", "many", "a"):
            return None
        j = number[1] if number else i + 1
        j = s.skip(s.skip(j, "few", "couple"), "of") if number is None else j
        if s.word(j) in ("or", "to", "-"):
            more = integer(s, j + 1)
            j = more[1] if more else j
        if s.word(j) not in ("times", "time", "x", "hours", "days", "nights", "evenings"):
            return None
        j += 1
    k = s.skip(j, "a", "an", "per", "every", "each")
    if k == j or s.word(k) in ("second",):
        return None
    found = unit(s, k)
    if word == "one" and (found is None or found[0] not in ("day", "week", "month")):
        return None
    return found[1] if found else None


def _adverb(s: Scan, i: int) -> int | None:
    for size in (3, 1):
        name = "".join(s.word(i + k) for k in range(size))
        if name in words.FREQUENT and i + size <= s.size:
            return i + size
    if s.word(i) in ("every", "all") and s.word(i + 1) == "day" and s.touches(i + 1):
        return i + 2
    return None


def _plural_day(s: Scan, i: int) -> int | None:
    """on weekends, Mondays, Friday mornings, on weekdays."""
    j = s.skip(i, "on", "at")
    j = s.skip(j, "most", "some")
    word = s.word(j)
    if word in ("weekends", "weekdays", "weeknights") and (j > i or i == 0):
        return j + 1
    if word in words.WEEKDAYS and s.word(j + 1) in ("mornings", "evenings", "afternoons", "nights"):
        return j + 2
    if not word.endswith("days") or word not in words.WEEKDAYS:
        return None
    k = j + 1
    while s.word(k) in (",", "and", "or", "&") and s.word(k + 1) in words.WEEKDAYS:
        k += 2
    return k


def _tail(s: Scan, end: int) -> int:
    """The time of day that belongs to a habit: "every Tuesday at 7pm"."""
    found = clocks.clock(s, s.skip(end, "at"), bare=s.word(end) == "at")
    if found is not None and found[1] > end and found[0].cycle == "day":
        link = s.word(found[1]) in ("-", "to", "–")
        return end if link else found[1]
    return end


def _rate(s: Scan, i: int) -> tuple[float | None, str | None]:
    """How often in which unit, where the words say it plainly: "three times a week" is (3, week)."""
    word = s.word(i)
    if word in words.FREQUENT:
        return 1.0, words.FREQUENT[word]
    if word in ("every", "each"):
        grain = words.UNITS.get(s.word(i + 1))
        return (1.0, grain) if grain else (None, None)
    number = (words.TIMES.get(word), i + 1) if word in words.TIMES else integer(s, i)
    if number is None or number[0] is None:
        return None, None
    for k in range(number[1], min(number[1] + 3, s.size)):
        if s.word(k) in words.UNITS and s.word(k - 1) in ("a", "an", "per", "every", "each"):
            return float(number[0]), words.UNITS[s.word(k)]
    return None, None


def of_every_month(s: Scan, i: int) -> Found[Reading]:
    """the 19th of every month."""
    day = ordinal(s, s.skip(i, "the"))
    if (
        day is None
        or s.word(day[1]) != "of"
        or s.word(day[1] + 1) not in ("every", "each")
        or s.word(day[1] + 2) != "month"
    ):
        return None
    end = day[1] + 3
    quoted = s.text[s.toks[i].start : s.toks[end - 1].end]
    return Reading(s.toks[i].start, s.toks[end - 1].end, "frequency", None, "every", 1.0, "month", quoted.lower()), end


def clock_every(s: Scan, i: int) -> Found[Reading]:
    """6am every day, at nine on Mondays."""
    point = clocks.clock(s, i)
    if point is None:
        return None
    end = _every(s, point[1]) or _adverb(s, point[1]) or _plural_day(s, point[1])
    if end is None:
        return None
    quoted = s.text[s.toks[i].start : s.toks[end - 1].end]
    return Reading(s.toks[i].start, s.toks[end - 1].end, "frequency", None, "every", frequency=quoted.lower()), end
