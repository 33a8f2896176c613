"""An answer says when and how sure, no finer than it was told, and holds no value that was not asked for.

Dates read "26 August 2024", months "June 2023"; a boundary that nobody said is "about". Verbs come from the registry of
predicates, by the one grammar of store/beliefs/wording.py; here are the times and what an answer sets around a clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta, tzinfo

from store.beliefs import wording
from store.beliefs.grammar import called, joined, of_others, second_person, whose
from store.beliefs.pieces import SPANS
from store.beliefs.wording import closed as sentence
from store.beliefs.wording import is_relation, kin_noun
from store.records import Fact, Instant, Precision

__all__ = [
    "called", "clause", "date_of", "dated", "day", "is_relation", "joined", "kin_noun", "lately", "number", "sentence",
    "since", "stretch", "told", "until", "whose",
]  # fmt: skip

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_SEASONS = tuple(("winter", "spring", "summer", "autumn")[month % 12 // 3] for month in range(1, 13))
_NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def day(instant: Instant) -> str:
    """ "26 August 2024"."""
    local = instant.local()
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


def date_of(instant: Instant, precision: Precision) -> str:
    """An instant in words, no finer than its precision, without a preposition."""
    local = instant.local()
    if precision is Precision.YEAR:
        return str(local.year)
    if precision is Precision.SEASON:
        return f"{_SEASONS[local.month - 1]} {local.year}"
    if precision is Precision.MONTH:
        return f"{_MONTHS[local.month - 1]} {local.year}"
    if precision is Precision.WEEK:
        return f"the week of {day(instant)}"
    return day(instant)


def dated(instant: Instant, precision: Precision, *, clock: bool = False) -> str:
    """The same with its preposition: "on 4 May 2024", "in May 2024"; with `clock`, an exact one has its hour."""
    words = date_of(instant, precision)
    if precision in (Precision.YEAR, Precision.MONTH, Precision.SEASON, Precision.WEEK):
        return f"in {words}"
    local = instant.local()
    if clock and precision is Precision.EXACT and (local.hour or local.minute):
        return f"on {words} at {local:%H:%M}"
    return f"on {words}"


def since(fact: Fact) -> str:
    """From when a value holds: "since about June 2023"; where the start was not said, when it was first heard."""
    if fact.valid_from is None:
        return ""
    if fact.precision is Precision.OPEN and fact.valid_from_after is None:
        return f"first mentioned on {day(fact.valid_from)}"
    about = "about " if fact.valid_from_after is not None or fact.precision is Precision.OPEN else ""
    return f"since {about}{date_of(fact.valid_from, fact.precision)}"


def lately(text: str, now: Instant, zone: tzinfo) -> str:
    """An answer in which what was said today or yesterday is said to have been; a mention of today needs no day."""
    here = now.local().astimezone(zone)
    text = text.replace(f", first mentioned on {day(Instant.of(here))}", "")
    for word, then in (("today", here), ("yesterday", here - timedelta(days=1))):
        date = re.escape(day(Instant.of(then)))
        text = re.sub(rf"\b(mentioned|said so|told me) on {date}\b", rf"\1 {word}", text)
        text = re.sub(rf"\b([Uu]ntil) {date}(?= you believed\b)", rf"\1 {word}", text)
        text = re.sub(rf"\bOn {date} (?={_SAYS})", f"{word.capitalize()} ", text)
        text = re.sub(rf"\bon {date} (?={_SAYS})", f"{word} ", text)
    return text


_SAYS = "[^:“”\n]{1,40} said: “"


def stretch(fact: Fact) -> str:
    """From when until when it held, of what is over: "from 2015 to June 2018"; "" of one day, month or year."""
    if fact.valid_from is None or fact.valid_to is None or fact.precision is Precision.OPEN:
        return span(fact)
    start, end = date_of(fact.valid_from, fact.precision), date_of(fact.valid_to, fact.precision_to)
    if start == end or is_of_one(fact):
        return ""
    early, late = ("about " if edge is not None else "" for edge in (fact.valid_from_after, fact.valid_to_after))
    return f"from {early}{start} to {late}{end}"


def is_of_one(fact: Fact) -> bool:
    """Whether it was told of one day, month or year, and of no edge: "in March I still lived in Ghent"."""
    if fact.valid_from is None or fact.valid_to is None or fact.precision is Precision.OPEN:
        return False
    unit = SPANS.get(fact.precision, 1) if fact.precision is fact.precision_to else 0
    return fact.valid_to.us - fact.valid_from.us <= unit


def until(fact: Fact) -> str:
    """Until when a value held: "until about 9 September 2023"; "" where it goes on. What was told of one month held in
    it, and nobody said that it ended there."""
    if fact.valid_to is None:
        return ""
    if fact.valid_from is not None and is_of_one(fact):
        return dated(fact.valid_from, fact.precision)
    about = "about " if fact.valid_to_after is not None else ""
    return f"until {about}{date_of(fact.valid_to, fact.precision_to)}"


def span(fact: Fact, *, told: bool = False) -> str:
    """From when and until when a value held; with `told`, without an end of which nobody said when it was."""
    if is_of_one(fact):
        return until(fact)
    unsaid = told and fact.valid_to is not None and fact.precision_to is Precision.OPEN
    return ", ".join(part for part in (since(fact), "" if unsaid else until(fact)) if part)


def number(count: int) -> str:
    """A small number as a word."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def told(value: str, subject: str = "me") -> str:
    """A value of its speaker's own words, turned to the person: "my cousin's wedding" is "your cousin's wedding"."""
    return second_person(value) if subject == "me" else of_others(value)


def clause(fact: Fact, objects: Sequence[str] | None = None, *, past: bool = False) -> str:
    """One belief as a clause to the person: "you live in Lisbon", "Paul's door code was 4417"."""
    return wording.clause(wording.worded(fact, objects, past=past, dated=True))
