"""An age is one for a day: it grows with each birthday after the day on which it was told."""

from __future__ import annotations

import re

from store.errors import BadTime
from store.recall.answer_frame import DAY, Asking, begins, say
from store.recall.answer_words import key
from store.recall.wording import called, clause, day, sentence
from store.records import Answer, Instant, Precision
from store.time.expressions import parse_when


def age_of_birth(asking: Asking) -> Answer | None:
    """An age that was not said, from the date or the year of birth."""
    subjects = asking.asked.subjects[:1]
    births = [fact for fact in asking.facts if fact.predicate in ("born_on", "birth_year") and fact.subject in subjects]
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
    """An age in a later year than that in which it was told, within a year of it."""
    told = [
        fact for fact in asking.facts
        if fact.predicate == "age" and fact.subject in asking.asked.subjects[:1] and fact.object.isdecimal()
        and not fact.negative and fact.sources
    ]  # fmt: skip
    fact = max(told, key=lambda one: one.sources[-1].said_at.us, default=None)
    if fact is None or begins(fact) > fact.sources[-1].said_at.us:
        return None  # "turning 35 in June" says when
    said, then = fact.sources[-1].said_at, Instant(asking.frame.start, 0)
    years = int((then.us - said.us) / (365.25 * DAY))
    if years <= 0:
        return None
    be = "will be" if then.us > asking.frame.now else "are" if fact.subject == "me" else "is"
    age, known = int(fact.object) + years, f"{clause(fact, past=True)} on {day(said)}"
    return say(sentence(f"{called(fact.subject)} {be} {age} or {age + 1} ({known})"), [fact])
