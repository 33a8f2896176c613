"""What is said of a thing is an event of one's own only where its day is named, or it is over.

"My exam is next Tuesday", "the tasting is on 2 February": (me, happened, "exam") on that day.
"""

from __future__ import annotations

import re

from store.belief.reading.build import Draft
from store.belief.reading.lexicon import MONTHS, RELATIONS, TIMEY
from store.belief.reading.lists import wordset
from store.belief.reading.look import Look
from store.belief.reading.nouns import EVENT_NOUNS
from store.belief.reading.objects import source
from store.belief.reading.things import Thing
from store.records import Precision

_CARE = re.compile(r"(?i)\b(dentist|doctor|vet|physio|gp|hairdresser|optician|therapist|dermatologist)\b")
TIMED = frozenset(
    [
        "deadline",
        "due date",
        "birthday",
        "date of birth",
        "birth date",
        "bedtime",
        "departure",
        "shift",
        "alarm",
        "wake-up time",
    ]
)


OCCASIONS = wordset("final finals deadline release rollout migration premiere derby cup semifinal quarterfinal vote")
"""Nouns for what takes place on a day, beside those of `EVENT_NOUNS`."""


def dated_event(look: Look, thing: Thing) -> Draft | None:
    """ "My exam is next Tuesday": an event with its day."""
    last = thing.noun.split()[-1]
    pair = " ".join(thing.noun.split()[-2:])
    timed = thing.attribute in TIMED and (last != "birthday" or names_a_date(look))
    if timed or (thing.attribute and last not in EVENT_NOUNS):
        return None
    when = look.when().at
    tail = look.first()
    if last not in EVENT_NOUNS and pair not in EVENT_NOUNS and not _only_a_day(look, thing):
        return None
    if when is None or (tail < look.clause.end and look.low(tail) not in wordset("on at in scheduled set for held")):
        return None
    return Draft(
        "event", named_event(look, thing), "state", subject=look.scene.me, valid=when, cue="state", negative=False
    )


def _only_a_day(look: Look, thing: Thing) -> bool:
    """ "The tasting is on 2 February": of what has a day to come, and is said to be nothing else, the day is when it
    takes place."""
    when = look.when().at
    if when is None or when.start is None or when.precision not in (Precision.DAY, Precision.EXACT):
        return False
    lasting = thing.noun.split()[-1] in NO_EVENTS | RELATIONS.keys() | TIMEY or thing.attribute
    ahead = when.start > look.clock.episode.said_at.us
    words = {token.low for token in look.clause.tokens[look.clause.group.after : look.clause.end]} - {""}
    return ahead and not lasting and not words - wordset("on at in scheduled set for held now") and not thing.stale


NO_EVENTS = wordset(
    "day days time hour plan thing point focus problem issue choice option question answer reason rest work job shop "
    "store office school gym pool house home priority favourite favorite off team"
)


def names_a_date(look: Look) -> bool:
    """The clause names a date that a birthday can have: a month, or digits with a mark between."""
    words = {word[:3] for word in look.words()}
    return bool(words & {month[:3] for month in MONTHS}) or any(
        word[:1].isdigit() and not word.isdigit() and word[-2:] not in ("st", "nd", "rd", "th") for word in look.words()
    )


def named_event(look: Look, thing: Thing) -> str:
    """The event as it was written, without "the" or a leading "my" of its own ("board meeting", "my cousin's
    wedding")."""
    words = source(look.raw, thing.start, thing.tail or thing.end)
    plain = (
        words
        if "'s" in words or "’s" in words
        else words.split(" ", 1)[-1]
        if words.lower().startswith(("the ", "my ", "our "))
        else words
    )
    plain = plain[0].lower() + plain[1:] if plain[:3].lower() == "my " else plain
    return _named_fully(look.clock.episode.text, plain)


def _named_fully(text: str, event: str) -> str:
    """An appointment is one with the dentist where the turn speaks of just that."""
    kinds = {match.lower() for match in _CARE.findall(text)}
    return f"{kinds.pop()} appointment" if event.lower() == "appointment" and len(kinds) == 1 else event
