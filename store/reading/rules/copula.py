"""To be says something lasting only with the right complement: an occupation or a diet yes, a mood or a verdict never.

What things are is in attributes.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.reading.rules.build import Draft, Mood
from store.reading.rules.lexicon import NUMBERS
from store.reading.rules.look import Look
from store.reading.rules.objects import listed, named, phrase, place
from store.reading.rules.times import OPEN, written
from store.records import Precision
from store.text.lists import wordset
from store.text.nouns import DIETS, EVENT_NOUNS, JOB_ENDINGS, JOBS, STATUSES

_NO_JOBS = wordset("better good great bad big terrible huge real avid keen amateur passionate budding born total")
"""What comes before a word for an occupation when it is not meant as one ("an avid photographer")."""
_NO_STATUS = wordset("by in with mom mum dad for most day time person")


def _age(look: Look) -> Iterator[Draft]:
    """ "I'm 34", "he is five years old", "she's eight now"."""
    at = look.raw.group.after
    at += look.raw.low(at) in ("almost", "already", "only", "just", "now", "about")
    word, after = look.raw.low(at), look.raw.low(at + 1)
    years = int(word) if word.isdigit() else NUMBERS.get(word, 0)
    old = after in ("years", "months", "weeks") and look.raw.low(at + 2) == "old"
    ends = at + 1 >= look.raw.end or after in ("now", "today", ",")
    if 1 < years < 120 and (old or ends):
        text = look.raw.tokens[at].text
        yield Draft("age", text if after != "months" and after != "weeks" else f"{text} {after} old", functional=True)


def _born(look: Look) -> Iterator[Draft]:
    """ "She was born in Leeds on 9 June 1990", "he was born in 1931", "our son was born yesterday"."""
    found = [one for index in look.after("in") for one in place(look.clause, index)]
    yield from (_for_good("born_in", one.text) for one in found[:1])
    start, end = look.raw.tokens[look.raw.group.verb].end, look.raw.span()[1]
    for one in look.clock.within(start, end):
        text = written(one) or re.sub(r"(?i)^(?:on|in)(?: the)? ", "", one.text.strip(" ."))
        if one.kind == "point" and one.stretch is not None:
            yield _for_good("birth_year" if text.isdigit() else "born_on", text)
            return


def _for_good(predicate: str, text: str) -> Draft:
    return Draft(predicate, text, valid=OPEN, cue="state", negative=False)


def being(look: Look) -> Iterator[Draft]:
    """What a person is, was or has become."""
    yield from _age(look)
    at = look.first()
    if at >= look.clause.end:
        return
    word = look.low(at)
    article = word in ("a", "an")
    diet = at + article
    if word == "allergic" and look.low(at + 1) == "to":
        yield from (Draft("allergic_to", one.text) for one in listed(look.clause, at + 2))
    elif look.low(diet) in DIETS and (not article or diet + 1 >= look.clause.end):
        yield Draft("diet", look.clause.tokens[diet].text)
    elif word == "born":
        yield from _born(look)
    elif look.says("married to my", at):
        return
    elif word in STATUSES and look.low(at + 1) not in _NO_STATUS:
        yield Draft("relationship_status", look.clause.tokens[at].text)
        yield from (Draft("partner", one.text) for index in look.after("to") for one in named(look.clause, index)[:1])
    elif word in ("a", "an", "the", "head", "chief", "senior", "now") or look.lemma == "become":
        mood: Mood = "onset" if look.lemma == "become" else "state"
        found = phrase(look.clause, at + (word == "now"))
        yield from (Draft("job", one.text, mood) for one in found if _is_job(one.text.lower()))


def _is_job(low: str) -> bool:
    """The words name an occupation."""
    words = low.split()
    if words[0] in _NO_JOBS:
        return False
    return words[-1] in JOBS or " ".join(words[-2:]) in JOBS or low.endswith(JOB_ENDINGS)


def appointed(look: Look, said_at: int) -> Iterator[Draft]:
    """ "I have a dentist appointment on Tuesday": what somebody has on a day to come takes place then."""
    when, at = look.when().at, look.first()
    group = look.clause.group
    if when is None or group.negative or look.low(at) not in wordset("a an my our another the two"):
        return
    past, ahead = group.tense == "past", when.end is not None and when.end > said_at and group.tense == "present"
    for one in phrase(look.clause, at) if past or ahead else ():
        words = one.text.lower().split()
        timed = ahead and when.precision is Precision.EXACT  # whatever one has at four o'clock
        if timed or words[-1] in EVENT_NOUNS or " ".join(words[-2:]) in EVENT_NOUNS:
            side = [tail for index in look.after("with") for tail in phrase(look.clause, index)][:1]
            about = tuple(("with", person.text) for person in side)
            yield Draft("event", one.text, valid=when, qualifiers=about, cue="state")
