"""A habit has no place in time: it keeps its words, and its stretch stays None."""

from __future__ import annotations

import re

from store.time import clocks, words
from store.time.calendar import Reading
from store.time.scan import Found, Scan, integer, reading
from store.time.words import either

_UNIT, _DAY, _NUMBER = either(words.UNITS), either(words.WEEKDAYS), either(words.NUMBERS, words.TENS, digits=True)
_DAYS = rf"{_DAY}(?:(?:,| and| or| &) {_DAY}(?!(?<!s) \d))*"
_NTH = rf"(?: (?:\d+(?:st|nd|rd|th)|{either(words.ORDINALS)}|{_NUMBER}))?"
_TARGET = (
    rf"(?:{_DAYS}(?: {either(words.PARTS)})?|{either(words.PARTS, words.MONTHS, words.SEASONS)}|weekdays?|weeknight"
    rf"|workday|christmas|easter|(?!second of){_UNIT})"
)
"""What a habit recurs on."""
_COUNT = rf"(?:a )?(?:(?P<n>{_NUMBER})(?: ?(?:or|to|-) ?{_NUMBER})?|few|couple of|couple|several|many)"
_EVERY = (
    rf"(?:every|each) (?P<each>(?!second\b){_UNIT})\b"
    rf"|(?:every|each)(?: single| other| few| couple)?(?: of)?{_NTH} {_TARGET}\b|any (?:weekend|day|year|month|week)\b"
)
_TIMES = (
    rf"(?:(?P<times>once|twice|thrice)|{_COUNT} ?(?:times?|x|hours|days|nights|evenings)) "
    rf"(?:an?|per|every|each) (?P<unit>{_UNIT})\b|one (?:an?|per|every|each) (?P<one>day|week|month)\b"
)
_ADVERB = rf"(?P<often>{either(words.FREQUENT)})\b"
_PLURAL = (
    rf"(?:(?:on|at) )?(?:(?:most|some) )?(?:{_DAY} (?:mornings|evenings|afternoons|nights)"
    rf"|(?=\w+days\b){_DAYS})\b|(?:(?:on|at)(?: most| some)?|most|some|\A) ?(?:weekends|weekdays|weeknights)\b"
)
_HABIT, _RECURRING = (re.compile(form, re.IGNORECASE) for form in (
    f"(?:{_EVERY}|{_TIMES}|{_ADVERB}|{_PLURAL})", f"(?:{_EVERY}|{_ADVERB}|{_PLURAL})",
))  # fmt: skip


def habit(s: Scan, i: int) -> Found[Reading]:
    """every Tuesday, twice a week, daily, on weekends, Friday mornings, three times a month; with a time of day."""
    found = s.match(i, _HABIT)
    if found is None:
        return None
    said, end = found
    clock = clocks.clock(s, s.skip(end, "at"), bare=s.word(end) == "at")
    if clock is not None and clock[0].cycle == "day" and s.word(clock[1]) not in ("-", "to", "–"):
        end = clock[1]
    number, unit = _rate(s, i, said)
    return reading(s, i, end, None, "every", kind="frequency", amount=number, unit=unit), end


def _rate(s: Scan, i: int, said: re.Match[str]) -> tuple[float | None, str | None]:
    """How often in which unit, where the words say it plainly: "three times a week" is (3, week)."""
    word = {name: text.lower() for name, text in said.groupdict().items() if text}
    if "often" in word:
        return 1.0, words.FREQUENT[word["often"]]
    if "each" in word or "one" in word:
        return 1.0, words.UNITS[word.get("each") or word["one"]]
    if "times" in word:
        return words.TIMES[word["times"]], words.UNITS[word["unit"]]
    if "n" not in word:
        return None, None
    number = integer(s, i)
    return None if number is None else float(number[0]), words.UNITS[word["unit"]]


_EVERY_MONTH = re.compile(r"(?:the )?(?:\d+(?:st|nd|rd|th)|\w+) of (?:every|each) month\b", re.IGNORECASE)


def of_every_month(s: Scan, i: int) -> Found[Reading]:
    """the 19th of every month."""
    found = s.match(i, _EVERY_MONTH) if s.word(i) == "the" or s.word(i).isdecimal() else None
    if found is None:
        return None
    return reading(s, i, found[1], None, "every", kind="frequency", amount=1.0, unit="month"), found[1]


def clock_every(s: Scan, i: int) -> Found[Reading]:
    """6am every day, at nine on Mondays."""
    point = clocks.clock(s, i)
    found = s.match(point[1], _RECURRING) if point is not None else None
    return None if found is None else (reading(s, i, found[1], None, "every", kind="frequency"), found[1])
