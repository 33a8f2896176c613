"""What a thing does at an hour, by a day or no longer is said of the thing, and its time is in the clause or nowhere.

"My flight to Oslo leaves at 7:40", "the pharmacy closes at 8"; "my passport expires in May 2027", "the baby is due in
June", "the plumber is coming on Friday"; "my pottery class ended last week"; "our server runs Ubuntu 20.04".
"""

from __future__ import annotations

from collections.abc import Iterator

from store.belief.reading.attributes import clock_of
from store.belief.reading.build import Draft
from store.belief.reading.look import Look
from store.belief.reading.nouns import CLASSES, CLUBS
from store.belief.reading.objects import named, source
from store.belief.reading.software import SYSTEMS, is_software
from store.belief.reading.things import Thing, thing_of_words
from store.belief.reading.times import OPEN
from store.records import Stretch

_HOURS = {
    "leave": "departure",
    "depart": "departure",
    "arrive": "arrival",
    "land": "arrival",
    "start": "starting_time",
    "begin": "starting_time",
    "end": "closing_time",
    "finish": "closing_time",
    "close": "closing_time",
    "open": "opening_time",
}


def timetabled(look: Look, thing: Thing) -> Iterator[Draft]:
    """The hour at which a thing leaves, starts or closes; with a day it is an event, which others read."""
    group = look.clause.group
    predicate = _HOURS.get(look.lemma, "")
    if not predicate or group.tense != "present" or group.negative or group.passive:
        return
    hour = clock_of(look)
    if not hour:
        return
    noun = f"{thing.noun} to {thing.whole}" if thing.whole and thing.noun.split()[-1] in _GOING else thing.noun
    subject = noun if thing.holder in ("", look.scene.me) else f"{thing.holder}>{noun}"
    yield Draft(predicate, hour, subject=subject, functional=True, valid=OPEN)


def dated(look: Look, thing: Thing) -> Iterator[Draft]:
    """The day on which a thing ends, is due or comes."""
    group, when = look.clause.group, look.when()
    ahead = when.until or when.at
    said_at = look.clock.episode.said_at.us
    if group.negative or ahead is None or ahead.end is None or ahead.end <= said_at or thing.noun in _NOTHING:
        return
    to_come = group.tense in ("present", "prog", "future", "goingto")
    out = look.low(group.after) == "out"
    if look.lemma in _ENDING and to_come and (when.until is not None or out or look.lemma in ("end", "expire")):
        yield _on_day(look, "expires" if look.lemma == "expire" else "ends", thing, ahead)
    elif look.lemma == "be" and look.low(look.first()) == "due":
        yield _on_day(look, "due", thing, ahead)
    elif look.lemma in ("come", "visit") and group.tense in ("prog", "future", "goingto") and when.at is not None:
        yield _on_day(look, "comes", thing, ahead)


_ENDING = frozenset(["end", "expire", "run", "last"])
_NOTHING = frozenset(["day", "week", "weekend", "month", "year", "time", "thing", "problem", "point", "life", "world"])


def _on_day(look: Look, predicate: str, thing: Thing, when: Stretch) -> Draft:
    text = source(look.raw, thing.start, thing.tail or thing.end)
    bare = text.split(" ", 1)[-1] if text.lower().startswith(("the ", "my ", "our ")) else text
    return Draft(predicate, bare, subject=look.scene.me, valid=when, cue="state", negative=False)


def over(look: Look, thing: Thing) -> Iterator[Draft]:
    """ "My pottery class ended last week": what one took or went to is over."""
    group = look.clause.group
    finished = look.lemma in ("end", "finish", "stop") and group.tense in ("past", "perfect")
    gone = look.lemma == "be" and group.tense == "present" and look.low(look.first()) == "over"
    if thing.holder and thing.noun.split()[-1] in CLASSES | CLUBS and not group.negative and (finished or gone):
        when = look.when().at
        valid = OPEN if when is None else Stretch(when.start, None, when.precision, when.offset)
        for predicate in ("takes", "goes_to"):
            yield Draft(predicate, thing.noun, subject=thing.holder, valid=valid, cue="stop", negative=True)


def running(look: Look, thing: Thing) -> Iterator[Draft]:
    """ "Our server runs Ubuntu 20.04"."""
    if look.lemma == "run" and look.clause.group.tense == "present" and not look.clause.group.negative:
        for text in _system(look, look.first()):
            yield Draft("operating_system", text, subject=_of(look, thing), functional=True)


def upgraded(look: Look) -> Iterator[Draft]:
    """ "We upgraded the server to Ubuntu 24.04": what a thing of one's own runs from then on."""
    at = look.first()
    thing = thing_of_words(look.clause.tokens, at, look.clause.end, look.scene, frozenset(["to"]))
    if thing is None or look.low(at) not in ("the", "my", "our") or look.low(thing.end) != "to":
        return
    for text in _system(look, thing.end + 1):
        yield Draft("operating_system", text, "onset", subject=_of(look, thing), functional=True)


def _of(look: Look, thing: Thing) -> str:
    return thing.noun if thing.holder in ("", look.scene.me) else f"{thing.holder}>{thing.noun}"


def _system(look: Look, at: int) -> Iterator[str]:
    """A known piece of software with the number after it ("Ubuntu 20.04")."""
    for one in named(look.clause, at):
        if is_software(one.text) or is_software(one.text.split()[0]) or look.low(at) in SYSTEMS:
            number = look.clause.low(one.end)[:1].isdigit()
            yield source(look.clause, one.start, one.end + number)


_GOING = frozenset(["flight", "train", "bus", "ferry", "coach", "plane", "boat"])
"""What goes somewhere: "the train to Porto" is another than "the train to Faro"."""
