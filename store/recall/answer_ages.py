"""An age is one for a day: it grows with each birthday after the day on which it was told."""

from __future__ import annotations

import re
from datetime import datetime

from store.errors import BadTime
from store.recall.answer_frame import Asking, begins, say
from store.recall.answer_words import key
from store.recall.wording import called, clause, date_of, sentence
from store.records import Answer, Fact, Instant, Precision
from store.time.expressions import parse_when, read_times

BIRTHS = frozenset(["born_on", "birth_year"])


def age_of_birth(asking: Asking) -> Answer | None:
    """An age that was not said, from the date or the year of birth."""
    subjects = asking.asked.subjects[:1]
    births = [fact for fact in asking.facts if fact.predicate in BIRTHS and fact.subject in subjects]
    born = next((birth for birth in births if re.search(r"\b(?:19|20)\d\d\b", birth.object)), None)
    if born is None or asking.asked.required != {key("age")}:
        return None
    now = Instant(min(asking.frame.end, asking.frame.now), 0).local()
    try:
        exact = parse_when(born.object, now)
    except BadTime:
        return None
    first = exact.first()
    if first is None or first.us > asking.frame.now:
        return None
    day_of_birth = first.local()
    years = now.year - day_of_birth.year
    had = (now.month, now.day) >= (day_of_birth.month, day_of_birth.day)
    age = str(years - (not had)) if exact.precision is Precision.DAY else f"{years - 1} or {years}"
    be = "are" if born.subject == "me" else "is"
    return say(sentence(f"{called(born.subject)} {be} {age} (born {born.object})"), [born])


def age_then(asking: Asking) -> Answer | None:
    """An age at another time than that at which it was told: by the birthdays between, or within a year of it; None
    where no birthday lies between."""
    subject = asking.asked.subjects[:1]
    told = [
        fact for fact in asking.facts
        if fact.predicate == "age" and fact.subject in subject and fact.object.isdecimal() and fact.sources
        and not fact.negative
    ]  # fmt: skip
    if not told or any(begins(one) > one.sources[-1].said_at.us for one in told):
        return None  # "turning 35 in June" says when
    fact = max(told, key=lambda one: one.sources[-1].said_at.us)
    said = fact.sources[-1].said_at.local()
    if asking.frame.start <= fact.sources[-1].said_at.us:
        return None
    at = Instant(asking.frame.start, 0).local()
    births = [one for one in asking.facts if one.predicate == "born_on" and one.subject in subject]
    born, birthday = next(((one, day) for one in births if (day := _day_of_year(one, said))), (None, None))
    ahead = asking.frame.start > asking.frame.now
    be = "will be" if ahead else "are" if fact.subject == "me" else "is"
    if born is not None and birthday is not None:
        years = at.year - said.year + ((at.month, at.day) >= birthday) - ((said.month, said.day) >= birthday)
        known = clause(born)
        age = str(int(fact.object) + years)
    else:
        years = int((at - said).days / 365.25)
        known = f"{clause(fact, past=True)} on {date_of(fact.sources[-1].said_at, Precision.DAY)}"
        age = f"{int(fact.object) + years} or {int(fact.object) + years + 1}"
    if years <= 0:
        return None
    return say(sentence(f"{called(fact.subject)} {be} {age} ({known})"), [fact, *([born] if born else [])])


def _day_of_year(born: Fact, anchor: datetime) -> tuple[int, int] | None:
    """(month, day) of a date of birth, whatever its year."""
    for time in read_times(born.object, anchor):
        if time.stretch is not None and time.stretch.precision is Precision.DAY and (day := time.stretch.first()):
            return day.local().month, day.local().day
    return None
